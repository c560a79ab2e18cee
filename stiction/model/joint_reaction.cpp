#include "stiction/model/joint_reaction.h"

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

}  // namespace

Reaction reaction_of(const Multibody& system, JointId id, double t, const Vector& q, std::span<const double> impulses,
                     double h) {
  const std::vector<Joint>& joints = system.model().joints();
  const Joint& joint = joints[id.index];
  Reaction reaction;
  const Pose a = system.pose({joint.body}, t, q), b = system.pose({joint.partner}, t, q),
             c = system.pose({joint.carrier}, t, q);
  reaction.point = a.to_world(anchor_of(joint));
  if (system.is_broken(id)) return reaction;
  std::size_t row = 0;
  for (int i = 0; i < id.index; ++i) row += system.is_broken({i}) ? 0 : joints[i].parts.size();
  const Body body = free_body();
  Vector sum = Vector::Zero(6);
  for (const ConstraintPart& part : joint.parts) {
    PairRow entries;
    static_cast<void>(evaluate(part, {{&body, a}, {nullptr, b}, {nullptr, c}}, entries));
    linalg::Rows rows;
    entries.append_to(rows);
    rows.add_to(0, impulses[row++] / h, sum);
  }
  reaction.force = sum.head<3>();
  reaction.torque = a.orientation * sum.tail<3>() - (reaction.point - a.position).cross(reaction.force);
  return reaction;
}

}  // namespace stiction
