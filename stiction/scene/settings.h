#pragma once

#include <cstdint>
#include <string>

#include "stiction/sim/simulator.h"

namespace stiction {

/// What becomes of a start whose velocity is against a joint or a contact.
enum class InitialVelocity : std::uint8_t {
  refuse,   ///< The scene is not read.
  collide,  ///< The run begins with the impact that makes it consistent.
  keep,     ///< The run begins with the velocity as it is.
};

/// The `simulation` block of a scene; docs/scene-format.md says what each key means.
struct Settings {
  SimulationOptions simulation = {};
  std::string solver = "auto";
  InitialVelocity initial_velocity = InitialVelocity::refuse;
  double start_penetration = 1e-6;  ///< m: a start in deeper penetration is refused.
};

}  // namespace stiction
