#include <array>
#include <cmath>
#include <limits>

#include "stiction/model/multibody.h"

/// Applied forces and their energy.
namespace stiction {
namespace {

/// A force at a point and a torque, both in the world's frame.
struct Wrench {
  Vec3 force, torque;
};

void add(const Body& body, const Pose& pose, const Vec3& arm, const Wrench& wrench, Vector& k) {
  if (!body.movable()) return;
  for (int i = 0; i < 3; ++i) {
    if (body.columns[i] >= 0) k[body.columns[i]] += wrench.force[i];
  }
  if (!body.can_rotate()) return;
  const Vec3 torque = pose.orientation.conjugate() * (wrench.torque + arm.cross(wrench.force));
  for (int i = 0; i < 3; ++i) {
    if (body.columns[3 + i] >= 0) k[body.columns[3 + i]] += torque[i];
  }
}

/// Constant, by formulas and by the user's function.
Wrench wrench_of(const Multibody& system, const Force& force, const Pose& at, double t, const Vector& q,
                 const Vector& v) {
  if (force.is_constant()) return {force.force.constant(), force.torque.constant()};
  const BodyId id{force.body};
  const Vec3 arm = at.orientation * force.point, omega = system.angular_velocity(id, t, q, v);
  const ForceInput input{t, at, at.position + arm, system.velocity(id, t, q, v) + omega.cross(arm), omega};
  const Vec3 ahead = at.orientation * Vec3::UnitX();
  const std::array<double, force_variables.size()> variables = {t,
                                                                input.point[0],
                                                                input.point[1],
                                                                input.point[2],
                                                                input.velocity[0],
                                                                input.velocity[1],
                                                                input.velocity[2],
                                                                omega[0],
                                                                omega[1],
                                                                omega[2],
                                                                std::atan2(ahead[1], ahead[0])};
  Wrench wrench{force.force.value(variables), force.torque.value(variables)};
  if (force.law) {
    Vec3 more_force = Vec3::Zero(), more_torque = Vec3::Zero();
    force.law(input, more_force, more_torque);
    wrench.force += more_force;
    wrench.torque += more_torque;
  }
  return wrench;
}

/// One end of a spring.
struct End {
  Pose pose;
  Vec3 arm = Vec3::Zero(), velocity = Vec3::Zero();

  [[nodiscard]] Vec3 point() const { return pose.position + arm; }
};

End end_of(const Multibody& system, int body, const Vec3& anchor, double t, const Vector& q, const Vector& v) {
  const BodyId id{body};
  End end{system.pose(id, t, q)};
  end.arm = end.pose.orientation * anchor;
  end.velocity = system.velocity(id, t, q, v) + system.angular_velocity(id, t, q, v).cross(end.arm);
  return end;
}

/// On the first end. Two ends in one place have no direction between them: the spring then pulls nowhere, and the
/// damper acts along the relative velocity, the direction in which they are about to part.
Vec3 spring_force(const Spring& spring, const End& a, const End& b) {
  const Vec3 apart = a.point() - b.point(), speed = a.velocity - b.velocity;
  const double distance = apart.norm();
  if (distance == 0.0) return -spring.damping * speed;
  const Vec3 direction = apart / distance;
  return -(spring.stiffness * (distance - spring.length) + spring.damping * direction.dot(speed)) * direction;
}

}  // namespace

void Multibody::applied_force(double t, const Vector& q, const Vector& v, Vector& k) const {
  k.setZero(velocities());
  for (const Body& body : model_.bodies()) {
    for (int i = 0; i < 3; ++i) {
      if (body.columns[i] >= 0) k[body.columns[i]] += body.mass * model_.gravity()[i];
    }
  }
  for (const Force& force : model_.forces()) {
    const Pose at = pose({force.body}, t, q);
    add(model_.body({force.body}), at, at.orientation * force.point, wrench_of(*this, force, at, t, q, v), k);
  }
  for (const Spring& spring : model_.springs()) {
    const End a = end_of(*this, spring.body, spring.anchor, t, q, v);
    const End b = end_of(*this, spring.partner, spring.partner_anchor, t, q, v);
    const Vec3 force = spring_force(spring, a, b);
    add(model_.body({spring.body}), a.pose, a.arm, {force, Vec3::Zero()}, k);
    if (spring.partner >= 0) add(model_.body({spring.partner}), b.pose, b.arm, {-force, Vec3::Zero()}, k);
  }
}

double Multibody::next_impulse(double t) const {
  for (const Impulse& impulse : model_.impulses())
    if (impulse.time > t) return impulse.time;
  return std::numeric_limits<double>::infinity();
}

void Multibody::find_impulse(double t, const Vector& q, Vector& impulse) const {
  impulse.setZero(velocities());
  for (const Impulse& given : model_.impulses()) {
    if (given.time != t) continue;
    const Pose at = pose({given.body}, t, q);
    add(model_.body({given.body}), at, at.orientation * given.point, {given.impulse, given.angular_impulse}, impulse);
  }
}

std::string Multibody::find_bad_force(double t, const Vector& q, const Vector& v) const {
  for (const Force& force : model_.forces()) {
    const Wrench wrench = wrench_of(*this, force, pose({force.body}, t, q), t, q, v);
    if (!wrench.force.allFinite() || !wrench.torque.allFinite()) return force.name;
  }
  for (const JointDrive& drive : model_.joint_drives()) {
    if (!std::isfinite(drive.target.value(t)) || !std::isfinite(drive.target.rate(t))) {
      return model_.joints()[drive.joint].name;
    }
  }
  return {};
}

double Multibody::potential_energy(double t, const Vector& q) const {
  double sum = 0.0;
  for (const Body& body : model_.bodies()) {
    if (body.movable()) sum -= body.mass * model_.gravity().dot(q.segment<3>(body.first_position));
  }
  for (const Spring& spring : model_.springs()) {
    const Vec3 a = pose({spring.body}, t, q).to_world(spring.anchor);
    const Vec3 b = pose({spring.partner}, t, q).to_world(spring.partner_anchor);
    const double stretch = (a - b).norm() - spring.length;
    sum += 0.5 * spring.stiffness * stretch * stretch;
  }
  return sum;
}

}  // namespace stiction
