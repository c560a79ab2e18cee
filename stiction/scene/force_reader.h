#pragma once

#include <optional>
#include <variant>

#include "stiction/scene/body_index.h"

namespace stiction::scene {

[[nodiscard]] std::optional<std::variant<SpringDef, ForceDef>> read_force(const Spot& spot, const BodyIndex& bodies,
                                                                          Mistakes& mistakes);

}  // namespace stiction::scene
