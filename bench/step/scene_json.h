#pragma once

#include <string>

#include "bench/step/scene.h"

namespace stiction::bench {

/// The scene for programs in other languages: h, mu, gravity, collide, planes (normal, offset), bodies (shape, size,
/// mass, position, quaternion w x y z, velocity, angular_velocity) and joints. Numbers read back exactly.
[[nodiscard]] std::string to_json(const StepScene& scene);

}  // namespace stiction::bench
