#include <algorithm>
#include <cmath>

#include "problems/generator/family_parts.h"

namespace stiction::families {

namespace {

constexpr double coefficients[] = {0.0, 0.1, 0.3, 0.5, 0.8, 1.2};

double random_mu(Random& random) {
  return coefficients[random.integer(0, 5)];
}

Body random_body(Random& random, double mass_ratio) {
  // One draw a statement: the order in which a call's arguments are evaluated is the compiler's choice.
  const Vector3 size = random_in_cube(random, 0.45) + Vector3::Constant(0.55);
  const Vector3 position = random_in_cube(random, 2.0);
  Body body = make_box(random_mass(random, mass_ratio), size, position);
  body.rotation = random_rotation(random);
  if (random.integer(0, 3) != 0) {
    body.velocity = random_in_cube(random, 1.0);
    body.spin = random_in_cube(random, 2.0);
  }
  return body;
}

/// Each body touches the one before it or the world, then more pairs at random: one island, no order in it.
Scene random_scene(Random& random, const Request& request) {
  Scene scene;
  const int count = std::max(1, static_cast<int>(request.contacts) / random.integer(2, 4));
  for (int i = 0; i < count; ++i) scene.add_body(random_body(random, request.mass_ratio));
  for (int j = 0; j < request.contacts; ++j) {
    const int a = j % count;
    int b = random.integer(-1, count - 1);
    if (b == a) b = Scene::world;
    const Vector3 point = scene.bodies()[static_cast<std::size_t>(a)].position + random_in_cube(random, 0.5);
    scene.add_contact({.a = a, .b = b, .point = point, .normal = random_direction(random), .mu = random_mu(random)});
  }
  return scene;
}

}  // namespace

ContactProblem make_random_contacts(const Request& request) {
  Random random = make_random("random_contacts", request);
  Scene scene = random_scene(random, request);
  return finish(scene, "random_contacts", request);
}

ContactProblem make_spinning(const Request& request) {
  Random random = make_random("spinning", request);
  Scene scene = random_scene(random, request);
  for (Body& body : scene.bodies()) body.spin = 100.0 * random_direction(random);
  return finish(scene, "spinning", request, true);
}

ContactProblem make_single_body(const Request& request) {
  Random random = make_random("single_body", request);
  Scene scene;
  Body body = random_body(random, request.mass_ratio);
  body.inertia *= random_mass(random, request.mass_ratio) / std::max(1.0, body.mass);
  scene.add_body(body);
  // A third of the problems are held from one side only, a third from all around: there forces can balance each other.
  const int kind = random.integer(0, 2);
  for (int j = 0; j < request.contacts; ++j) {
    Vector3 normal = random_direction(random);
    if (kind == 0) normal.z() += normal.z() < 0.0 ? -1.0 : 1.0;
    if (kind == 0 && normal.z() < 0.0) normal = -normal;
    normal /= std::sqrt(normal.squaredNorm());
    if (kind == 1) {
      const double sign = random.integer(0, 1) == 0 ? 1.0 : -1.0;
      normal = sign * Vector3::Unit(random.integer(0, 2));
    }
    const Vector3 point = body.position + random_in_cube(random, 0.5);
    scene.add_contact({.a = 0, .b = Scene::world, .point = point, .normal = normal, .mu = random_mu(random)});
  }
  scene.fall();
  return finish(scene, "single_body", request);
}

ContactProblem make_jointed(const Request& request) {
  Random random = make_random("jointed", request);
  Scene scene;
  const int links = std::max(1, static_cast<int>(request.contacts) / 2);
  const double length = 0.5;
  for (int i = 0; i < links; ++i) {
    Body link = make_box(random_mass(random, request.mass_ratio), {length, 0.1, 0.1}, {(i + 0.5) * length, 0.0, 0.05});
    link.velocity = random.integer(0, 1) == 0 ? Vector3::Zero() : random_in_cube(random, 1.0);
    const int body = scene.add_body(link);
    const Vector3 pin(i * length, 0.0, 0.05);
    const int before = i == 0 ? Scene::world : i - 1;
    scene.add_ball_joint(body, before, pin - Vector3(0.0, 0.04, 0.0));
    // A hinge as two ball joints on its axis: six rows of rank five (a door with two hinges).
    if (random.integer(0, 1) == 0) scene.add_ball_joint(body, before, pin + Vector3(0.0, 0.04, 0.0));
  }
  // A third of the chains is held at both ends: a closed loop.
  if (random.integer(0, 2) == 0) scene.add_ball_joint(links - 1, Scene::world, {links * length, 0.0, 0.05});
  const double mu = random_mu(random);
  for (int j = 0; j < request.contacts; ++j) {
    const int link = j % links;
    const double along = (link + (j < links ? 0.75 : random.uniform())) * length;
    const double side = j % 2 == 0 ? 0.05 : -0.05;
    scene.add_contact(
        {.a = link, .b = Scene::world, .point = {along, side, 0.0}, .normal = Vector3::UnitZ(), .mu = mu});
  }
  scene.fall();
  return finish(scene, "jointed", request);
}

}  // namespace stiction::families
