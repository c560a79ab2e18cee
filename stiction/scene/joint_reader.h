#pragma once

#include <optional>

#include "stiction/scene/body_index.h"

namespace stiction::scene {

/// How far the frames of a joint may be from meeting, in m.
inline constexpr double joint_tolerance = 1e-6;

[[nodiscard]] std::optional<JointDef> read_joint(const Spot& spot, const BodyIndex& bodies, Mistakes& mistakes);

}  // namespace stiction::scene
