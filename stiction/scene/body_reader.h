#pragma once

#include "stiction/scene/material_reader.h"

namespace stiction::scene {

/// A body; where something is wrong with it the mistakes say so, and a default stands in.
[[nodiscard]] BodyDef read_body(const Spot& spot, const Materials& materials, Mistakes& mistakes);

}  // namespace stiction::scene
