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

/// The impulses of drives, by their place among the joints' drives.
double drive_impulse(std::span<const double> impulses, std::size_t kept, std::size_t drive) {
  return kept + drive < impulses.size() ? impulses[kept + drive] : 0.0;
}

}  // namespace

std::vector<Reaction> reactions_of(const Multibody& system, double t, const Vector& q, std::span<const double> impulses,
                                   double h) {
  const std::vector<Joint>& joints = system.model().joints();
  const std::vector<double> rows = spread_joint_impulses(system, t, q, impulses);
  const auto implied = std::count(system.implied_rows().is_implied.begin(), system.implied_rows().is_implied.end(), 1);
  const std::size_t kept = rows.size() - static_cast<std::size_t>(implied);
  const Body body = free_body();
  std::vector<Vector> sums(joints.size(), Vector::Zero(6));
  std::size_t row = 0;
  for (std::size_t i = 0; i < joints.size(); ++i) {
    if (system.is_broken({static_cast<int>(i)})) continue;
    const Pose a = system.pose({joints[i].body}, t, q), b = system.pose({joints[i].partner}, t, q),
               c = system.pose({joints[i].carrier}, t, q);
    for (const ConstraintPart& part : joints[i].parts) {
      PairRow entries;
      static_cast<void>(evaluate(part, {{&body, a}, {nullptr, b}, {nullptr, c}}, entries));
      add(entries, rows[row++] / h, sums[i]);
    }
  }
  DriveSet drives;
  system.find_joint_drives(t, q, drives);
  std::size_t place = 0;
  for (const JointDrive& drive : system.model().joint_drives()) {
    if (place >= drives.drives.size() || drives.drives[place].owner != drive.joint) continue;  // it moves nothing
    const Joint& joint = joints[drive.joint];
    PairRow entries;
    static_cast<void>(evaluate(drive, t, {&body, system.pose({joint.body}, t, q)},
                               {nullptr, system.pose({joint.partner}, t, q)}, entries));
    add(entries, drive_impulse(impulses, kept, place++) / h, sums[drive.joint]);
  }
  std::vector<Reaction> reactions(joints.size());
  for (std::size_t i = 0; i < joints.size(); ++i) {
    const Pose a = system.pose({joints[i].body}, t, q);
    Reaction& reaction = reactions[i];
    reaction.point = a.to_world(anchor_of(joints[i]));
    reaction.force = sums[i].head<3>();
    reaction.torque = a.orientation * sums[i].tail<3>() - (reaction.point - a.position).cross(reaction.force);
  }
  return reactions;
}

Reaction reaction_of(const Multibody& system, JointId id, double t, const Vector& q, std::span<const double> impulses,
                     double h) {
  return reactions_of(system, t, q, impulses, h)[id.index];
}

}  // namespace stiction
