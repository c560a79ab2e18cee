#pragma once

#include "stiction/model/multibody.h"
#include "stiction/model/state.h"

namespace stiction {

/// How a body moves, in the world's frame. The velocities with alpha are those at which the last step's contact law
/// held.
struct BodyState {
  Pose pose;
  Vec3 velocity, angular_velocity, velocity_alpha, angular_velocity_alpha;
};

[[nodiscard]] BodyState find_body_state(const Multibody& system, const State& state, BodyId body);

/// The bodies that forces move, in the order they were added.
[[nodiscard]] std::vector<BodyId> movable_bodies(const Model& model);

}  // namespace stiction
