#pragma once

#include "stiction/scene/object_reader.h"
#include "stiction/scene/settings.h"

namespace stiction::scene {

/// The `simulation` block; what it leaves out keeps its default.
[[nodiscard]] Settings read_settings(const Spot& spot, Mistakes& mistakes);

}  // namespace stiction::scene
