#pragma once

#include <span>
#include <vector>

#include "stiction/model/joint_impulses.h"
#include "stiction/model/multibody.h"

namespace stiction {

/// What a joint does to its body: a force (N), and a torque (N m) about a point. World frame.
struct Reaction {
  Vec3 force = Vec3::Zero(), torque = Vec3::Zero();
  Vec3 point = Vec3::Zero();  ///< The joint's anchor, or the body's origin where it has none.
};

/// Of every joint, from the impulses of a step of h seconds: the mean over the step, which belongs to its middle. All
/// that acts through a joint counts: what it holds, its motors, servos and friction, its limits, ropes, ratchets and
/// one-way edges. Rows that no motion can violate are not in the model, and neither are their reactions; rows that
/// others imply and drives that hold have their share, such that the sum of squares of all is least.
[[nodiscard]] std::vector<Reaction> reactions_of(const Multibody& system, double t, const Vector& q,
                                                 const StepImpulses& impulses, double h);
/// Of one, from joint rows and drives alone; of what drives share with others the impulses say how.
[[nodiscard]] Reaction reaction_of(const Multibody& system, JointId joint, double t, const Vector& q,
                                   std::span<const double> impulses, double h);

}  // namespace stiction
