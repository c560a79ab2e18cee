#pragma once

#include "bench/step/scene.h"
#include "stiction/base/random.h"

namespace stiction::bench {

/// Four walls and a floor about the z axis.
inline void add_bin(StepScene& scene, double half_x, double half_y) {
  scene.planes.push_back({Vec3::UnitZ(), 0.0});
  scene.planes.push_back({Vec3::UnitX(), -half_x});
  scene.planes.push_back({-Vec3::UnitX(), -half_x});
  scene.planes.push_back({Vec3::UnitY(), -half_y});
  scene.planes.push_back({-Vec3::UnitY(), -half_y});
}

/// The i-th place of a grid with n by n places in a layer, in units of its pitch, about the z axis and above the floor.
inline Vec3 cell_of(int i, int n) {
  const int column = i % n, row = i / n % n, layer = i / (n * n);
  return {column - 0.5 * (n - 1), row - 0.5 * (n - 1), layer + 0.5};
}

inline Vec3 random_within(Random& random, double most) {
  const double x = random.uniform(-most, most), y = random.uniform(-most, most);
  return {x, y, random.uniform(-most, most)};
}

inline Quat random_turn(Random& random) {
  const double w = random.normal(), x = random.normal(), y = random.normal();
  return Quat(w, x, y, random.normal()).normalized();
}

}  // namespace stiction::bench
