#pragma once

#include "stiction/model/definitions.h"
#include "stiction/scene/object_reader.h"

namespace stiction::scene {

/// Reads `limits`, `restitution`, `one_way`, `friction`, `motor` and `servo` of an object, along an angle or a length.
[[nodiscard]] CoordinateDef read_coordinate(const ObjectReader& object, bool is_angle);

/// The same from an object of its own at `key`, as cylindrical joints have two; plain where there is none.
[[nodiscard]] CoordinateDef read_coordinate_at(const ObjectReader& object, std::string_view key, bool is_angle);

}  // namespace stiction::scene
