#include "bench/step/scene_parts.h"

namespace stiction::bench {
namespace {

constexpr double length = 0.2, depth = 0.1, height = 0.1, density = 2000.0;

/// 2 rows of n and n + 1 bricks make 2 n + 1: n = 3 in 6 courses are 21, n = 10 in 10 courses 105.
StepScene make_bricks(int bricks, double head_joint, const SceneKey& key) {
  StepScene scene;
  scene.planes.push_back({Vec3::UnitZ(), 0.0});
  const int n = bricks <= 21 ? 3 : 10;
  Random random(key.seed);
  int course = 0;
  while (static_cast<int>(scene.bodies.size()) < bricks) {
    const bool has_halves = course % 2 == 1;
    double left = -0.5 * n * (length + head_joint);
    for (int i = 0; i < (has_halves ? n + 1 : n); ++i) {
      const bool is_half = has_halves && (i == 0 || i == n);
      const double pitch = is_half ? 0.5 * (length + head_joint) : length + head_joint;
      const Box box{pitch - head_joint, depth, height};
      SceneBody brick{.shape = box};
      brick.mass = random.uniform(0.9, 1.1) * density * box.x * box.y * box.z;
      brick.pose.position = {left + 0.5 * pitch, 0.0, (course + 0.5) * height};
      scene.bodies.push_back(brick);
      left += pitch;
    }
    ++course;
  }
  return scene;
}

}  // namespace

StepScene make_wall(int bricks, const SceneKey& key) {
  return make_bricks(bricks, 1e-3, key);
}

StepScene make_tight_wall(int bricks, const SceneKey& key) {
  return make_bricks(bricks, 0.0, key);
}

StepScene make_hit_wall(int bricks, const SceneKey& key) {
  StepScene scene = make_wall(bricks, key);
  scene.tolerance = 1e-6;
  Random random(~key.seed);
  const double radius = 0.0948;  // of steel
  SceneBody ball{.shape = Sphere{radius}, .mass = 28.0};
  ball.pose.position = {random.uniform(-0.05, 0.05), -0.5 * depth - radius - 0.01, 0.5 + random.uniform(-0.05, 0.05)};
  ball.velocity = {0.0, 6.0, 0.0};
  scene.bodies.push_back(ball);
  return scene;
}

StepScene make_stack(int ratio, const SceneKey& key) {
  StepScene scene;
  scene.planes.push_back({Vec3::UnitZ(), 0.0});
  Random random(key.seed);
  constexpr int light = 5;
  constexpr double side = 0.2;
  for (int i = 0; i <= light; ++i) {
    SceneBody box{.shape = Box{side, side, side}, .mass = i < light ? 1.0 : static_cast<double>(ratio)};
    const double x = random.uniform(-0.005, 0.005);
    box.pose.position = {x, random.uniform(-0.005, 0.005), (i + 0.5) * side};
    scene.bodies.push_back(box);
  }
  return scene;
}

}  // namespace stiction::bench
