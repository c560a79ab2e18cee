#include "stiction/model/joint_structure.h"

#include <cmath>

namespace stiction {
namespace {

/// Between unit vectors: the rounding of directions that a user means to be the same.
constexpr double angle_tolerance = 1e-9;

bool are_parallel(const Vec3& a, const Vec3& b) {
  return a.cross(b).norm() <= angle_tolerance * a.norm() * b.norm();
}

/// How a body turns: not at all, about one axis that stands still in the world, or about many.
struct Turning {
  enum class Kind { none, one_axis, many } kind = Kind::none;
  Vec3 axis = Vec3::Zero();

  [[nodiscard]] bool none() const { return kind == Kind::none; }
  [[nodiscard]] bool about(const Vec3& direction) const {
    return kind == Kind::one_axis && are_parallel(axis, direction);
  }
};

Turning turning_of(const Body* body) {
  if (body == nullptr || body->motion == Motion::fixed) return {};
  if (body->motion == Motion::kinematic) {
    if (body->angular_velocity.isZero(0.0)) return {};
    return {Turning::Kind::one_axis, body->angular_velocity.normalized()};
  }
  Turning turning;
  for (int i = 0; i < 3; ++i) {
    if (body->columns[3 + i] < 0) continue;
    if (!turning.none()) return {Turning::Kind::many, Vec3::Zero()};
    turning = {Turning::Kind::one_axis, body->pose.orientation * Vec3::Unit(i)};
  }
  return turning;
}

bool moves_along(const Body* body, const Vec3& direction) {
  if (body == nullptr || body->motion == Motion::fixed) return false;
  if (body->motion == Motion::kinematic) return body->velocity.dot(direction) != 0.0;
  for (int i = 0; i < 3; ++i) {
    if (body->columns[i] >= 0 && std::abs(direction[i]) > angle_tolerance) return true;
  }
  return false;
}

bool moves(const Body* body) {
  return moves_along(body, Vec3::UnitX()) || moves_along(body, Vec3::UnitY()) || moves_along(body, Vec3::UnitZ());
}

Vec3 in_world(const Body* body, const Vec3& direction) {
  return body == nullptr ? direction : Vec3(body->pose.orientation * direction);
}

/// Whether turning moves a body's anchor.
bool swings(const Body* body, const Vec3& anchor) {
  const Turning turning = turning_of(body);
  return !(turning.none() || anchor.isZero(0.0) || turning.about(in_world(body, anchor)));
}

/// Whether a body's motion can change `direction . x` for its anchor x, where the direction stands still.
bool changes_point(const Body* body, const Vec3& anchor, const Vec3& direction) {
  return moves_along(body, direction) || (swings(body, anchor) && !turning_of(body).about(direction));
}

struct Changes {
  bool a, b;
  bool c = false;
};

Changes changes(const PointPart& part, const JointBodies& bodies) {
  const Body *a = bodies.a, *b = bodies.b;
  const Vec3 direction = Vec3::Unit(part.axis);
  return {changes_point(a, part.anchor_a, direction), changes_point(b, part.anchor_b, direction)};
}

Changes changes(const PlanePart& part, const JointBodies& bodies) {
  const Body *a = bodies.a, *b = bodies.b;
  const Vec3 normal = in_world(b, part.normal_b);
  const Turning turning = turning_of(b);
  if (turning.none() || turning.about(normal)) {
    return {changes_point(a, part.anchor_a, normal), moves_along(b, normal)};
  }
  return {moves(a) || !turning_of(a).none(), true};
}

Changes changes(const PerpendicularPart& part, const JointBodies& bodies) {
  const Body *a = bodies.a, *b = bodies.b;
  const Turning of_a = turning_of(a), of_b = turning_of(b);
  const Vec3 u = in_world(a, part.u_a), w = in_world(b, part.w_b);
  const bool u_stands = of_a.none() || of_a.about(u), w_stands = of_b.none() || of_b.about(w);
  const bool constant = (u_stands && (w_stands || of_b.about(u))) || (w_stands && of_a.about(w));
  if (constant) return {false, false};
  return {!of_a.none(), !of_b.none()};
}

Changes changes(const DistancePart& part, const JointBodies& bodies) {
  const Body *a = bodies.a, *b = bodies.b;
  return {moves(a) || swings(a, part.anchor_a), moves(b) || swings(b, part.anchor_b)};
}

/// Which of two bodies, the second of which has the frame, change an angle between them.
Changes changes(const AngleCoordinate& angle, const Body* a, const Body* frame) {
  const Turning turning = turning_of(a);
  return {!turning.none() && !turning.about(in_world(a, angle.p_a)), !turning_of(frame).none()};
}

Changes changes(const GearPart& part, const JointBodies& bodies) {
  const Changes a = changes(part.angle_a, bodies.a, bodies.c), b = changes(part.angle_b, bodies.b, bodies.c);
  return {a.a, b.a, a.b || b.b};
}

Changes changes(const RackPart& part, const JointBodies& bodies) {
  const SlideCoordinate& travel = part.travel_b;
  const Changes a = changes(part.angle_a, bodies.a, bodies.c);
  const PlanePart plane{travel.anchor_a, travel.anchor_b, travel.axis_b};
  const Changes b = changes(plane, {.a = bodies.b, .b = bodies.c});
  return {a.a, b.a, a.b || b.b};
}

/// Whether turning a body of one axis moves the point at the end of an arm along a direction.
bool spins(const Turning& turning, const Vec3& arm, const Vec3& direction) {
  return std::abs(turning.axis.dot(arm.cross(direction))) > angle_tolerance;
}

/// The lowest point of a body at the start, from its centre.
Vec3 arm_of(const RollingGeometry& rolling, const Body* a, const Body* b) {
  const Pose pose_a = a == nullptr ? Pose{} : a->pose, pose_b = b == nullptr ? Pose{} : b->pose;
  return rolling_point(rolling, pose_a, pose_b) - pose_a.position;
}

Changes changes(const TouchPart& part, const JointBodies& bodies) {
  const RollingGeometry& rolling = part.rolling;
  const PlanePart plane{rolling.centre_a, rolling.plane_b, rolling.normal_b};
  Changes by = changes(plane, bodies);
  const Turning turning = turning_of(bodies.a);
  const bool is_disc = !rolling.axis_a.isZero(0.0);
  const bool tilts = is_disc && !turning.none() && !turning.about(in_world(bodies.a, rolling.axis_a)) &&
                     !turning.about(in_world(bodies.b, rolling.normal_b));
  by.a = by.a || tilts;
  return by;
}

Changes changes(const SlipPart& part, const JointBodies& bodies) {
  const Turning of_a = turning_of(bodies.a), of_b = turning_of(bodies.b);
  const Vec3 direction = in_world(bodies.b, part.direction_b);
  if (of_b.about(direction)) {
    return {moves_along(bodies.a, direction) || !(of_a.none() || of_a.about(direction)),
            moves_along(bodies.b, direction)};
  }
  if (!of_b.none()) return {moves(bodies.a) || !of_a.none(), true};
  const Vec3& axis = part.rolling.axis_a;
  const Vec3 disc = in_world(bodies.a, axis), normal = in_world(bodies.b, part.rolling.normal_b);
  const bool is_upright = std::abs(disc.dot(normal)) <= angle_tolerance;
  const bool is_steady = axis.isZero(0.0) || of_a.about(disc) || (is_upright && of_a.about(normal));
  const bool by_turning = !of_a.about(direction) && !of_a.none() &&
                          (of_a.kind == Turning::Kind::many || !is_steady ||
                           spins(of_a, arm_of(part.rolling, bodies.a, bodies.b), direction));
  return {moves_along(bodies.a, direction) || by_turning, moves_along(bodies.b, direction)};
}

/// Whether a body moves along a direction that another body carries along as it turns.
bool moves_along_turning(const Body* body, const Vec3& direction, const Turning& turning) {
  if (turning.kind == Turning::Kind::many) return moves(body);
  const Vec3 along = turning.axis.dot(direction) * turning.axis;
  return moves_along(body, direction - along) || moves_along(body, turning.axis.cross(direction)) ||
         moves_along(body, along);
}

Changes changes(const EdgePart& part, const JointBodies& bodies) {
  const Turning of_a = turning_of(bodies.a), of_b = turning_of(bodies.b);
  const Vec3 direction = in_world(bodies.a, part.direction_a);
  if (of_a.none() || of_a.about(direction)) {
    return {moves_along(bodies.a, direction),
            moves_along(bodies.b, direction) || !(of_b.none() || of_b.about(direction))};
  }
  const Vec3 arm = in_world(bodies.a, part.anchor_a);
  const bool swings_along = of_a.kind == Turning::Kind::many ? !arm.isZero(0.0) && !are_parallel(arm, direction)
                                                             : spins(of_a, arm, direction);
  return {swings_along || moves_along_turning(bodies.a, direction, of_a),
          !of_b.none() || moves_along_turning(bodies.b, direction, of_a)};
}

}  // namespace

bool turns_about(const Body* body, const Vec3& direction) {
  const Turning turning = turning_of(body);
  return turning.kind == Turning::Kind::many || turning.about(direction);
}

bool slides_along(const Body* body, const Vec3& direction) {
  return moves_along(body, direction);
}

PartStructure structure_of(const ConstraintPart& part, const JointBodies& bodies) {
  const Changes by = std::visit([&](const auto& p) { return changes(p, bodies); }, part);
  PartStructure structure;
  const auto count = [&](bool changed, const Body* body) {
    if (!changed) return;
    const bool is_free = body != nullptr && body->movable();
    (is_free ? structure.free_motion : structure.kinematic_motion) = true;
  };
  count(by.a, bodies.a);
  count(by.b, bodies.b);
  count(by.c, bodies.c);
  return structure;
}

}  // namespace stiction
