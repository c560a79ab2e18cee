#include "stiction/model/joint_reaction.h"

#include <algorithm>

#include "stiction/model/joint_impulses.h"
#include "stiction/model/pair_row.h"

namespace stiction {
namespace {

/// All six velocities of a body by themselves, whatever it is free to do.
Body free_body() {
  Body body;
  body.columns = {0, 1, 2, 3, 4, 5};
  return body;
}

/// The anchor on the body, in its frame.
Vec3 anchor_of(const Joint& joint) {
  for (const ConstraintPart& part : joint.parts) {
    if (const auto* point = std::get_if<PointPart>(&part)) return point->anchor_a;
    if (const auto* plane = std::get_if<PlanePart>(&part)) return plane->anchor_a;
    if (const auto* rod = std::get_if<DistancePart>(&part)) return rod->anchor_a;
    if (const auto* edge = std::get_if<EdgePart>(&part)) return edge->anchor_a;
  }
  return Vec3::Zero();
}

/// What a row does to the body that its joint belongs to, added to a force and a torque in the body's frame.
void add(const PairRow& entries, double force, Vector& sum) {
  linalg::Rows rows;
  entries.append_to(rows);
  rows.add_to(0, force, sum);
}

/// Forces and torques on the joints' bodies, by joint; torques in the body's frame about its position.
class Sums {
 public:
  Sums(const Multibody& system, double t, const Vector& q)
      : system_(system), t_(t), q_(q), sums_(joints().size(), Vector::Zero(6)) {
    for (const Joint& joint : joints()) {
      bodies_.push_back(system.pose({joint.body}, t, q));
      partners_.push_back(system.pose({joint.partner}, t, q));
      carriers_.push_back(system.pose({joint.carrier}, t, q));
    }
  }

  void add_rows(const std::vector<double>& impulses, double h) {
    std::size_t row = 0;
    for (std::size_t i = 0; i < joints().size(); ++i) {
      if (system_.is_broken({static_cast<int>(i)})) continue;
      for (const ConstraintPart& part : joints()[i].parts) {
        PairRow entries;
        static_cast<void>(evaluate(part, {side(i), partner(i), {nullptr, carriers_[i]}}, entries));
        add(entries, impulses[row++] / h, sums_[i]);
      }
    }
  }

  void add_drives(const std::vector<double>& impulses, double h) {
    DriveSet drives;
    system_.find_joint_drives(t_, q_, drives);
    std::size_t place = 0;
    for (const JointDrive& drive : system_.model().joint_drives()) {
      if (place >= drives.drives.size() || drives.drives[place].owner != drive.joint) continue;  // it moves nothing
      PairRow entries;
      static_cast<void>(evaluate(drive, t_, side(drive.joint), partner(drive.joint), entries));
      add(entries, impulses[place++] / h, sums_[drive.joint]);
    }
  }

  /// Friction of spherical joints, about the world's axes.
  void add_balls(std::span<const double> impulses, double h) {
    std::size_t next = 0;
    for (std::size_t i = 0; i < joints().size() && next + 3 <= impulses.size(); ++i) {
      if (!(joints()[i].friction > 0.0)) continue;
      const Vec3 torque(impulses[next], impulses[next + 1], impulses[next + 2]);
      sums_[i].tail<3>() += bodies_[i].orientation.conjugate() * torque / h;
      next += 3;
    }
  }

  void add_gaps(std::span<const StepImpulses::OfGap> gaps, double h) {
    const std::vector<JointGap>& of_joints = system_.model().joint_gaps();
    const std::uint64_t first = (system_.event_id({0}) >> feature_bits) - of_joints.size();
    for (const StepImpulses::OfGap& gap : gaps) {
      if (system_.joint_of_gap(gap.id) < 0) continue;
      const JointGap& at = of_joints[(gap.id >> feature_bits) - first];
      PairRow entries;
      static_cast<void>(evaluate(at, side(at.joint), partner(at.joint), entries));
      add(entries, gap.impulse / h, sums_[at.joint]);
    }
  }

  [[nodiscard]] Reaction reaction(std::size_t joint) const {
    const Pose& a = bodies_[joint];
    Reaction reaction;
    reaction.point = a.to_world(anchor_of(joints()[joint]));
    reaction.force = sums_[joint].head<3>();
    reaction.torque = a.orientation * sums_[joint].tail<3>() - (reaction.point - a.position).cross(reaction.force);
    return reaction;
  }

 private:
  [[nodiscard]] const std::vector<Joint>& joints() const { return system_.model().joints(); }
  [[nodiscard]] JointSide side(std::size_t joint) const { return {&body_, bodies_[joint]}; }
  [[nodiscard]] JointSide partner(std::size_t joint) const { return {nullptr, partners_[joint]}; }

  const Multibody& system_;
  double t_;
  const Vector& q_;
  Body body_ = free_body();
  std::vector<Pose> bodies_, partners_, carriers_;
  std::vector<Vector> sums_;
};

}  // namespace

std::vector<Reaction> reactions_of(const Multibody& system, double t, const Vector& q, const StepImpulses& impulses,
                                   double h) {
  const SharedImpulses shared = share_joint_impulses(system, t, q, impulses, h);
  Sums sums(system, t, q);
  sums.add_rows(shared.rows, h);
  sums.add_drives(shared.drives, h);
  sums.add_balls(impulses.balls, h);
  sums.add_gaps(impulses.gaps, h);
  std::vector<Reaction> reactions;
  reactions.reserve(system.model().joints().size());
  for (std::size_t i = 0; i < system.model().joints().size(); ++i) reactions.push_back(sums.reaction(i));
  return reactions;
}

Reaction reaction_of(const Multibody& system, JointId id, double t, const Vector& q, std::span<const double> impulses,
                     double h) {
  return reactions_of(system, t, q, {.rows = impulses}, h)[id.index];
}

}  // namespace stiction
