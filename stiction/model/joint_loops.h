#pragma once

#include <vector>

#include "stiction/model/multibody.h"

namespace stiction {

/// A part of a mechanism whose joint rows may depend on each other: they are connected, and no joint of it ends in a
/// body that nothing else holds.
struct JointLoop {
  std::vector<int> rows;     ///< Of Multibody::find_all_joints.
  std::vector<int> columns;  ///< Velocities of its movable bodies.
};

/// Trees are taken off, from their leaves: the rows of a joint that alone holds a body, and are independent in the
/// velocities of that body, are independent of all others.
[[nodiscard]] std::vector<JointLoop> find_joint_loops(const Multibody& system);

}  // namespace stiction
