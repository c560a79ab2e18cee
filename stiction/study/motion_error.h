#pragma once

#include <span>

#include "stiction/record/body_state.h"
#include "stiction/scene/exact_motion.h"

namespace stiction {

/// How far two ends of a run are apart: 2-norms over all coordinates of all bodies, metres and radians side by side.
struct MotionError {
  double position = 0.0;  ///< Rotations as the rotation vector from the reference's orientation.
  double velocity = 0.0;  ///< World frame.
};

/// Of the same bodies in the same order.
[[nodiscard]] MotionError motion_error(std::span<const BodyState> bodies, std::span<const BodyState> reference);

/// Against motions in closed form at time t, over what they give. `bodies` and `ids` are the movable bodies, `model`
/// knows how they started.
[[nodiscard]] MotionError motion_error(std::span<const BodyState> bodies, std::span<const BodyId> ids,
                                       const Model& model, std::span<const ExactMotion> exact, double t);

}  // namespace stiction
