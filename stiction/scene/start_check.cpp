#include "stiction/scene/start_check.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace stiction::scene {

namespace {

/// Speeds below this share of the largest velocity (or of 1 m/s) are rounding of the file's numbers.
constexpr double speed_share = 1e-9;

constexpr std::string_view what_to_do =
    "; correct it, or say `\"initial_velocity\": \"collide\"` (an impact at the start) or `\"keep\"` in `simulation`";

class StartCheck {
 public:
  StartCheck(const Multibody& system, const Settings& settings, const JsonValue& root, Mistakes& mistakes)
      : system_(system),
        settings_(settings),
        root_(root),
        mistakes_(mistakes),
        q_(system.initial_positions()),
        v_(system.initial_velocities()),
        slow_(speed_share * std::max(1.0, v_.size() > 0 ? v_.lpNorm<Eigen::Infinity>() : 0.0)) {}

  void check_contacts() {
    system_.find_gaps(0.0, q_, settings_.simulation.scheme.contact_tolerance, gaps_);
    for (int first = 0, end = 0; first < gaps_.size() && !mistakes_.full(); first = end) {
      while (end < gaps_.size() && pair_of(end) == pair_of(first)) ++end;
      check_pair(first, end);
    }
  }

  /// The event-driven method is for contacts without friction (1982, section 6); one pair that has some is told.
  void check_friction() {
    if (settings_.simulation.scheme.scheme != Scheme::lotstedt) return;
    check_ball_friction();
    const auto& shapes = system_.model().shapes();
    for (int i = 0; i < static_cast<int>(shapes.size()); ++i) {
      for (int j = 0; j < i; ++j) {
        const BodyShape &a = shapes[static_cast<std::size_t>(j)], &b = shapes[static_cast<std::size_t>(i)];
        const SurfacePair& surface = system_.model().surface(a.material, b.material);
        if (!system_.model().may_touch(j, i)) continue;
        if (surface.spin_friction > 0.0 || surface.roll_friction > 0.0) {
          refuse("/bodies/" + std::to_string(b.body),
                 a.name + " and " + b.name + ": `lotstedt` knows no torsional or rolling friction, expected " +
                     "`spin_friction` and `roll_friction` to be 0; set them so, or choose another scheme");
          return;
        }
        if (surface.mu == 0.0 && surface.mu2 == 0.0) continue;
        refuse("/bodies/" + std::to_string(b.body),
               a.name + " and " + b.name +
                   ": `lotstedt` knows no friction in contacts, but their materials have mu = " +
                   to_text(std::max(surface.mu, surface.mu2)) +
                   ", expected 0; give one of the two materials `\"mu\": 0`, or choose another scheme");
        return;
      }
    }
  }

  void check_joints() {
    if (settings_.initial_velocity != InitialVelocity::refuse) return;
    JointSet joints;
    system_.find_joints(0.0, q_, joints);
    int refused = -1;
    for (int i = 0; i < joints.size() && !mistakes_.full(); ++i) {
      const auto index = static_cast<std::size_t>(i);
      const double speed = joints.nu.dot(i, v_) - joints.velocity[index];
      if (std::abs(speed) <= slow_ || joints.joint[index] == refused) continue;
      refused = joints.joint[index];
      refuse("/joints/" + std::to_string(refused),
             system_.joint_name(refused) + ": the initial velocity is against the joint, by " +
                 to_text(std::abs(speed)) + " m/s or rad/s, expected none" + std::string(what_to_do));
    }
  }

  void check_ball_friction() {
    const auto& joints = system_.model().joints();
    for (std::size_t i = 0; i < joints.size(); ++i) {
      if (joints[i].friction == 0.0) continue;
      refuse("/joints/" + std::to_string(i),
             joints[i].name + ": `lotstedt` knows no friction of spherical joints, expected `friction` " +
                 "to be 0; set it so, or choose another scheme");
    }
  }

 private:
  /// The two shapes of a contact: the id without the feature (Multibody::find_gaps).
  [[nodiscard]] std::uint64_t pair_of(int contact) const {
    return gaps_.contacts[static_cast<std::size_t>(contact)].id >> feature_bits;
  }
  [[nodiscard]] double gap(int contact) const { return gaps_.contacts[static_cast<std::size_t>(contact)].Phi; }
  [[nodiscard]] double speed(int contact) const {
    return gaps_.n.dot(contact, v_) + gaps_.normal_speed[static_cast<std::size_t>(contact)];
  }

  [[nodiscard]] std::string body_pointer(int contact) const {
    const auto& shapes = system_.model().shapes();
    return "/bodies/" + std::to_string(shapes[static_cast<std::size_t>(pair_of(contact) / shapes.size())].body);
  }

  /// Of the contacts of two shapes, first to end, the worst alone is told.
  void check_pair(int first, int end) {
    int deepest = first, fastest = first;
    for (int i = first; i < end; ++i) {
      if (gap(i) < gap(deepest)) deepest = i;
      if (speed(i) < speed(fastest)) fastest = i;
    }
    const int joint = system_.joint_of_gap(gaps_.contacts[static_cast<std::size_t>(first)].id);
    const std::string pointer = joint >= 0 ? "/joints/" + std::to_string(joint) : body_pointer(first);
    if (gap(deepest) < -settings_.start_penetration) {
      refuse(pointer, name(deepest) + ": the start is in penetration, " + to_text(-gap(deepest)) +
                          " m deep, expected at most " + to_text(settings_.start_penetration) +
                          " m; move one of the two, or raise `start_penetration` in `simulation`");
    } else if (settings_.initial_velocity == InitialVelocity::refuse && speed(fastest) < -slow_) {
      refuse(pointer, name(fastest) + ": the initial velocity is against the contact, the gap closes at " +
                          to_text(-speed(fastest)) + " m/s, expected none" + std::string(what_to_do));
    }
  }

  [[nodiscard]] std::string name(int contact) const {
    return system_.contact_name(gaps_.contacts[static_cast<std::size_t>(contact)].id);
  }
  void refuse(const std::string& pointer, std::string message) {
    mistakes_.add(MistakeKind::meaning, find_value(root_, pointer)->place, pointer, std::move(message));
  }

  const Multibody& system_;
  const Settings& settings_;
  const JsonValue& root_;
  Mistakes& mistakes_;
  Vector q_, v_;
  double slow_;
  GapSet gaps_;
};

}  // namespace

void check_start(const Multibody& system, const Settings& settings, const JsonValue& root, Mistakes& mistakes) {
  StartCheck check(system, settings, root, mistakes);
  check.check_friction();
  check.check_contacts();
  check.check_joints();
}

}  // namespace stiction::scene
