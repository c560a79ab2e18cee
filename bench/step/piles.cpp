#include <algorithm>
#include <cmath>
#include <numbers>

#include "bench/step/scene_parts.h"

namespace stiction::bench {
namespace {

constexpr double radius = 0.05, density = 1000.0;

SceneBody make_ball(const Vec3& at, Random& random) {
  SceneBody ball{.shape = Sphere{radius}};
  ball.mass = random.uniform(0.8, 1.2) * density * 4.0 / 3.0 * std::numbers::pi * radius * radius * radius;
  ball.pose.position = at;
  return ball;
}

int side_of(int count) {
  return static_cast<int>(std::lround(std::cbrt(static_cast<double>(count))));
}

}  // namespace

StepScene make_falling_pile(int count, const SceneKey& key) {
  constexpr double pitch = 2.0 * radius + 2e-3, jitter = 0.5e-3;
  StepScene scene;
  Random random(key.seed);
  const int n = side_of(count);
  add_bin(scene, 0.5 * n * pitch + 0.02, 0.5 * n * pitch + 0.02);
  for (int i = 0; i < count; ++i) {
    const Vec3 cell = cell_of(i, n);
    const Vec3 off = random_within(random, jitter);
    SceneBody ball = make_ball(pitch * cell + off, random);
    ball.velocity = Vec3(0.0, 0.0, -1.0) + random_within(random, 0.1);
    scene.bodies.push_back(ball);
  }
  return scene;
}

StepScene make_resting_pile(int count, const SceneKey& key) {
  constexpr double pitch = 2.0 * radius;
  StepScene scene;
  Random random(key.seed);
  const int n = side_of(count);
  add_bin(scene, 0.5 * n * pitch, 0.5 * n * pitch);
  for (int layer = 0; static_cast<int>(scene.bodies.size()) < count; ++layer) {
    const int m = layer % 2 == 0 ? n : n - 1;
    const int room = std::min(m * m, count - static_cast<int>(scene.bodies.size()));
    for (int i = 0; i < room; ++i) {
      const Vec3 cell = cell_of(i, m);
      const Vec3 at(pitch * cell.x(), pitch * cell.y(), radius + layer * pitch * std::numbers::sqrt2 / 2.0);
      scene.bodies.push_back(make_ball(at, random));
    }
  }
  return scene;
}

}  // namespace stiction::bench
