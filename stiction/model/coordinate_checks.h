#pragma once

#include <optional>
#include <string>

#include "stiction/base/result.h"
#include "stiction/model/definitions.h"

namespace stiction {

/// Limits, motors and friction along a coordinate, which is an angle or a length.
[[nodiscard]] std::optional<Error> check_coordinate(const std::string& where, const CoordinateDef& def, bool is_angle);

[[nodiscard]] std::optional<Error> check_restitution(const std::string& where, double restitution);

}  // namespace stiction
