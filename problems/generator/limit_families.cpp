#include <algorithm>
#include <cmath>

#include "problems/generator/family_parts.h"

namespace stiction::families {

ContactProblem make_painleve_rods(const Request& request) {
  Random random = make_random("painleve_rods", request);
  const int count = std::max(1, (static_cast<int>(request.contacts) + 1) / 2);
  const double half = 1.0;  // Painleve's paradox needs mu > 4/3 for a thin rod
  Scene scene;
  for (int i = 0; i < count; ++i) {
    const Vector3 along = direction_at(random.uniform(0.6, 1.4));
    const double mass = random_mass(random, request.mass_ratio);
    Body rod = make_box(mass, {2.0 * half, 0.02, 0.02}, Vector3(i * 0.8, 0.0, 0.0) + half * along);
    rod.rotation.col(0) = along;
    rod.rotation.col(2) = Vector3(-along.z(), 0.0, along.x());
    rod.rotation.col(1) = rod.rotation.col(2).cross(rod.rotation.col(0));
    rod.velocity.x() = random.integer(0, 1) == 0 ? -1.0 : 0.0;
    rod.spin.y() = random.integer(0, 1) == 0 ? 0.0 : random.uniform(-1.0, 1.0);
    scene.add_body(rod);
  }
  for (int i = 0; i < count; ++i) {
    const Body& rod = scene.bodies()[static_cast<std::size_t>(i)];
    const Vector3 along = rod.rotation.col(0), across = rod.rotation.col(2);
    scene.add_contact({.a = i,
                       .b = Scene::world,
                       .point = rod.position - half * along,
                       .normal = Vector3::UnitZ(),
                       .mu = 0.25 * random.integer(2, 12)});
    if (i + 1 == count && static_cast<Index>(scene.contacts().size()) == request.contacts) break;
    // The next rod, or a wall, leans on this one.
    const int b = i + 1 < count ? i + 1 : Scene::world;
    const Vector3 point = rod.position + random.uniform(0.2, 0.9) * half * along;
    scene.add_contact({.a = i, .b = b, .point = point, .normal = across, .mu = 0.25 * random.integer(0, 8)});
  }
  scene.fall();
  return finish(scene, "painleve_rods", request);
}

ContactProblem make_slope(const Request& request) {
  Random random = make_random("slope", request);
  // Box i stands on the slope and against box i - 1. The slope's sine, cosine and tangent are 3/5, 4/5 and mu = 3/4;
  // the downhill direction is one of the octagon's own, or a heading where the octagon has less friction than the cone.
  const double size = 0.5, mu = random.integer(0, 3) == 0 ? 0.5 : 0.75;
  const double turns[][2] = {{1.0, 0.0}, {std::sqrt(0.5), std::sqrt(0.5)}, {0.96, 0.28}};
  const auto& turn = turns[random.integer(0, 2)];
  const bool sliding = random.integer(0, 1) == 0;
  const bool touching = random.integer(0, 1) == 0;
  const int count = (static_cast<int>(request.contacts) + 3) / 4;
  Scene scene;
  for (int i = 0; i < count; ++i) {
    const double x = -i * size, low = x - 0.5 * size, high = x + 0.5 * size;
    Body box = make_box(random_mass(random, request.mass_ratio), {size, size, size}, {x, 0.0, 0.5 * size});
    if (sliding) box.velocity = {0.5 * turn[0], 0.5 * turn[1], 0.0};
    const int a = scene.add_body(box);
    if (i > 0 && touching)
      for (const double y : {-0.5 * size, 0.5 * size})
        for (const double z : {0.0, size})
          scene.add_contact({.a = a, .b = a - 1, .point = {high, y, z}, .normal = -Vector3::UnitX(), .mu = mu});
    add_patch(scene, a, Scene::world, low, high, 0.5 * size, 0.0, mu);
  }
  scene.fall({0.6 * gravity * turn[0], 0.6 * gravity * turn[1], -0.8 * gravity});
  return finish(scene, "slope", request);
}

ContactProblem make_conveyor(const Request& request) {
  Random random = make_random("conveyor", request);
  // Every normal points up, so no forces inside the cones balance each other and b_t != 0 keeps a solution.
  const double size = 0.5, mu = 0.1 * random.integer(1, 10);
  const bool running = random.integer(0, 1) == 0;
  Scene scene;
  int before = Scene::world;
  for (int i = 0; static_cast<Index>(scene.contacts().size()) < request.contacts; ++i) {
    const double x = 2.0 * i * size;
    const double along = random.integer(-2, 2), aside = random.integer(-1, 1);
    const Vector3 belt(along, aside, 0.0);
    Body box = make_box(random_mass(random, request.mass_ratio), {size, size, size}, {x, 0.0, 0.5 * size});
    if (running) box.velocity = belt;
    const int a = scene.add_body(box);
    const std::size_t first = scene.contacts().size();
    add_patch(scene, a, Scene::world, x - 0.5 * size, x + 0.5 * size, 0.5 * size, 0.0, mu);
    for (std::size_t j = first; j < scene.contacts().size(); ++j) scene.contacts()[j].surface_velocity = belt;
    if (before != Scene::world) {
      const Vector3 middle(x - size, 0.0, 1.1 * size);
      const double mass = random_mass(random, request.mass_ratio);
      const int plank = scene.add_body(make_box(mass, {3.0 * size, size, 0.2 * size}, middle));
      add_patch(scene, plank, before, x - 2.0 * size, x - 1.5 * size, 0.5 * size, size, mu);
      add_patch(scene, plank, a, x - 0.5 * size, x, 0.5 * size, size, mu);
    }
    before = a;
  }
  scene.fall();
  return finish(scene, "conveyor", request);
}

}  // namespace stiction::families
