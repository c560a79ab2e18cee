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

/// nullptr is the world.
[[nodiscard]] PartStructure structure_of(const ConstraintPart& part, const Body* a, const Body* b);

}  // namespace stiction
