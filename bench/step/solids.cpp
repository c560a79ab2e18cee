#include <cmath>

#include "bench/step/scene_parts.h"

namespace stiction::bench {
namespace {

/// No point farther than 0.106 m from the centre.
Shape random_solid(Random& random) {
  const double scale = random.uniform(0.7, 1.0);
  switch (random.integer(0, 3)) {
    case 0:
      return Sphere{0.08 * scale};
    case 1:
      return Capsule{0.04 * scale, 0.12 * scale};
    case 2:
      return Cylinder{0.06 * scale, 0.16 * scale};
    default: {
      const double y = random.uniform(0.6, 1.0);
      return Box{0.12 * scale, 0.12 * scale * y, 0.12 * scale * random.uniform(0.6, 1.0)};
    }
  }
}

}  // namespace

StepScene make_mixed_bin(int count, const SceneKey& key) {
  constexpr double pitch = 0.232, jitter = 0.008;
  StepScene scene;
  Random random(key.seed);
  const int n = count <= 36 ? 3 : 10;
  add_bin(scene, 0.5 * n * pitch, 0.5 * n * pitch);
  for (int i = 0; i < count; ++i) {
    const Vec3 cell = cell_of(i, n);
    SceneBody body{.shape = random_solid(random)};
    body.mass = std::pow(10.0, random.uniform(-1.0, 1.0));
    body.pose = {pitch * cell + random_within(random, jitter), random_turn(random)};
    body.velocity = Vec3(0.0, 0.0, -2.0) + random_within(random, 0.5);
    body.angular_velocity = random_within(random, 3.0);
    scene.bodies.push_back(body);
  }
  return scene;
}

StepScene make_chain(int links, const SceneKey& key) {
  constexpr double length = 0.1, radius = 0.01;
  StepScene scene;
  scene.h = 1e-3;
  scene.collide = false;
  Random random(key.seed);
  Vec3 from = Vec3::Zero();
  for (int i = 0; i < links; ++i) {
    const double aside = random.uniform(-0.1, 0.1);
    const Vec3 along = Vec3(1.0, aside, random.uniform(-0.1, 0.1)).normalized();
    SceneBody link{.shape = Capsule{radius, length - 2.0 * radius}, .mass = 0.1};
    link.pose = {from + 0.5 * length * along, Quat::FromTwoVectors(Vec3::UnitZ(), along)};
    scene.bodies.push_back(link);
    scene.joints.push_back({.body = i, .partner = i - 1, .anchor = from});
    from += length * along;
  }
  return scene;
}

}  // namespace stiction::bench
