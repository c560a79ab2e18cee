#include "stiction/record/body_state.h"

namespace stiction {

BodyState find_body_state(const Multibody& system, const State& state, BodyId body) {
  return {.pose = system.pose(body, state.t, state.q),
          .velocity = system.velocity(body, state.t, state.q, state.v),
          .angular_velocity = system.angular_velocity(body, state.t, state.q, state.v),
          .velocity_alpha = system.velocity(body, state.t, state.q, state.v_alpha),
          .angular_velocity_alpha = system.angular_velocity(body, state.t, state.q, state.v_alpha)};
}

std::vector<BodyId> movable_bodies(const Model& model) {
  std::vector<BodyId> movable;
  for (std::size_t i = 0; i < model.bodies().size(); ++i)
    if (model.bodies()[i].movable()) movable.push_back(BodyId{static_cast<int>(i)});
  return movable;
}

}  // namespace stiction
