#pragma once

#include "stiction/model/constraint_parts.h"
#include "stiction/model/model.h"

namespace stiction {

/// Which motions can ever change a constraint part: those of movable bodies, and those of kinematic ones. Decided by
/// what the bodies are free to do, not by where they are, so that the number of rows of a joint is constant. A part
/// that neither changes is left out of the model: two rows remain of a planar revolute joint.
struct PartStructure {
  bool free_motion = false;
  bool kinematic_motion = false;
};

/// The bodies of a joint; nullptr is the world.
struct JointBodies {
  const Body *a = nullptr, *b = nullptr, *c = nullptr;
};

[[nodiscard]] PartStructure structure_of(const ConstraintPart& part, const JointBodies& bodies);

/// Whether a body is free to turn about a direction in the world, or is turned about it.
[[nodiscard]] bool turns_about(const Body* body, const Vec3& direction);
/// Whether a body is free to move along a direction in the world, or is moved along it.
[[nodiscard]] bool slides_along(const Body* body, const Vec3& direction);

}  // namespace stiction
