#pragma once

#include <span>
#include <vector>

#include "stiction/model/multibody.h"

namespace stiction {

/// What a joint does to its body: a force (N), and a torque (N m) about a point. World frame.
struct Reaction {
  Vec3 force = Vec3::Zero(), torque = Vec3::Zero();
  Vec3 point = Vec3::Zero();  ///< The joint's anchor, or the body's origin where it has none.
};

/// Of every joint, from the impulses of the system's joint rows in the order of find_joints, followed by those of its
/// drives in the order of find_drives, over h seconds: the mean over the step, which belongs to its middle. Rows that
/// no motion can violate are not in the model, and neither are their reactions; rows that others imply have their
/// share, such that the sum of squares of all is least. Motors, servos and friction count with the joint that they
/// belong to.
[[nodiscard]] std::vector<Reaction> reactions_of(const Multibody& system, double t, const Vector& q,
                                                 std::span<const double> impulses, double h);
/// Of one.
[[nodiscard]] Reaction reaction_of(const Multibody& system, JointId joint, double t, const Vector& q,
                                   std::span<const double> impulses, double h);

}  // namespace stiction
