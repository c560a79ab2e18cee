#include "stiction/model/initial_state.h"

#include <cmath>

#include "stiction/model/message.h"

namespace stiction {
namespace {

/// Index of the largest badness(i) over i < count that is above the limit, or -1.
template <class Badness>
int worst_of(int count, double limit, Badness&& badness) {
  int worst = -1;
  for (int i = 0; i < count; ++i) {
    if (badness(i) > limit) {
      worst = i;
      limit = badness(i);
    }
  }
  return worst;
}

std::string quoted(const std::string& name) {
  return "'" + one_line(name, 160) + "'";
}

}  // namespace

std::optional<std::string> find_start_penetration(const Multibody& system, double tolerance) {
  GapSet gaps;
  system.find_gaps(0.0, system.initial_positions(), 0.0, gaps);
  const int worst = worst_of(gaps.size(), tolerance, [&](int i) { return -gaps.contacts[i].Phi; });
  if (worst < 0) return std::nullopt;
  const ContactPoint& contact = gaps.contacts[worst];
  return say("contact ", quoted(system.contact_name(contact.id)), ": the bodies start ", -contact.Phi,
             " m inside each other, more than ", tolerance, " m; move them apart");
}

std::optional<std::string> find_open_joint(const Multibody& system, double tolerance) {
  JointSet joints;
  system.find_joints(0.0, system.initial_positions(), joints);
  const int worst = worst_of(joints.size(), tolerance, [&](int i) { return std::abs(joints.Theta[i]); });
  if (worst < 0) return std::nullopt;
  return say("joint ", quoted(system.joint_name(joints.joint[worst])), ": starts off by ", joints.Theta[worst],
             " (m or rad), more than ", tolerance, "; move the bodies, or change its length");
}

std::optional<std::string> find_velocity_against_joint(const Multibody& system, double speed) {
  JointSet joints;
  system.find_joints(0.0, system.initial_positions(), joints);
  const Vector v = system.initial_velocities();
  const auto opening = [&](int i) { return joints.nu.dot(i, v) - joints.velocity[i]; };
  const int worst = worst_of(joints.size(), speed, [&](int i) { return std::abs(opening(i)); });
  if (worst < 0) return std::nullopt;
  return say("joint ", quoted(system.joint_name(joints.joint[worst])), ": the initial velocities open it at ",
             opening(worst), " (m/s or rad/s); make them obey the joint");
}

std::optional<std::string> find_velocity_against_contact(const Multibody& system, double touching, double speed) {
  GapSet gaps;
  system.find_gaps(0.0, system.initial_positions(), touching, gaps);
  const Vector v = system.initial_velocities();
  const auto closing = [&](int i) { return -(gaps.n.dot(i, v) + gaps.normal_speed[i]); };
  const int worst = worst_of(gaps.size(), speed, closing);
  if (worst < 0) return std::nullopt;
  return say("contact ", quoted(system.contact_name(gaps.contacts[worst].id)),
             ": the bodies touch and the initial velocities press them together at ", closing(worst),
             " m/s; change the velocities or move the bodies apart");
}

std::optional<std::string> check_initial_state(const Multibody& system, const StartTolerances& tolerances) {
  if (auto what = find_start_penetration(system, tolerances.penetration)) return what;
  if (auto what = find_open_joint(system, tolerances.joint)) return what;
  if (auto what = find_velocity_against_joint(system, tolerances.speed)) return what;
  return find_velocity_against_contact(system, tolerances.touching, tolerances.speed);
}

}  // namespace stiction
