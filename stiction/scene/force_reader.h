#pragma once

#include <optional>
#include <variant>

#include "stiction/scene/body_index.h"

namespace stiction::scene {

using AnyForce = std::variant<SpringDef, ForceDef, ImpulseDef>;

[[nodiscard]] std::optional<AnyForce> read_force(const Spot& spot, const BodyIndex& bodies, Mistakes& mistakes);

}  // namespace stiction::scene
