#pragma once

#include <optional>
#include <string>

#include "stiction/base/result.h"
#include "stiction/model/definitions.h"
#include "stiction/model/joint_structure.h"

namespace stiction {

/// What is wrong with a joint by itself: numbers, frames that do not meet, values that its kind has no use for.
[[nodiscard]] std::optional<Error> check_joint(const std::string& where, const JointDef& def);

/// What its bodies cannot do: wheels and racks that are not free to move.
[[nodiscard]] std::optional<Error> check_joint_bodies(const std::string& where, const JointDef& def,
                                                      const JointBodies& bodies);

}  // namespace stiction
