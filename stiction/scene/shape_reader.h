#pragma once

#include <optional>

#include "stiction/scene/material_reader.h"

namespace stiction::scene {

/// A shape with its place on the body. `material` is the body's, for a shape that names none.
[[nodiscard]] std::optional<ShapeDef> read_shape(const Spot& spot, const Materials& materials, const Material& material,
                                                 Mistakes& mistakes);

}  // namespace stiction::scene
