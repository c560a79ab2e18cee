#include <algorithm>
#include <numbers>

#include "problems/generator/family_parts.h"

namespace stiction::families {

namespace {

int wanted(const Request& request) {
  return static_cast<int>(request.contacts);
}

/// Number of groups of `each` contacts that hold at least the wanted number.
int groups(const Request& request, int each) {
  return (wanted(request) + each - 1) / each;
}

/// The top is the heaviest: from 1 at the bottom to the full ratio.
double heavy_on_light(const Request& request, int i, int count) {
  return count == 1 ? request.mass_ratio : log_scale(request.mass_ratio, static_cast<double>(i) / (count - 1));
}

}  // namespace

ContactProblem make_box_stack(const Request& request) {
  Random random = make_random("box_stack", request);
  const int count = groups(request, 4);
  const double size = 0.5, mu = 0.1 * random.integer(1, 10);
  const bool straight = random.integer(0, 1) == 0;
  const bool pushed = random.integer(0, 1) == 0;
  Scene scene;
  double below = 0.0;  // where the box below stands along x
  for (int i = 0; i < count; ++i) {
    const double x = straight ? 0.0 : random.uniform(-0.1, 0.1);
    Body box = make_box(heavy_on_light(request, i, count), {size, size, size}, {x, 0.0, (i + 0.5) * size});
    if (pushed && i == count - 1) box.velocity = {0.5, 0.25, 0.0};
    const int a = scene.add_body(box);
    const int b = i == 0 ? Scene::world : a - 1;
    const double low = b < 0 ? x : std::max(x, below), high = b < 0 ? x : std::min(x, below);
    add_patch(scene, a, b, low - 0.5 * size, high + 0.5 * size, 0.5 * size, i * size, mu);
    below = x;
  }
  scene.fall();
  return finish(scene, "box_stack", request);
}

ContactProblem make_brick_wall(const Request& request) {
  Random random = make_random("brick_wall", request);
  // A course of w bricks; every second one is shifted by half a brick. A brick has two patches, the first course one.
  const int width = std::max(1, groups(request, 24));
  const double length = 1.0, height = 0.5, depth = 0.5, mu = 0.1 * random.integer(2, 10);
  const Vector3 wind = random.integer(0, 1) == 0 ? Vector3(0.0, 0.125, 0.0) : Vector3::Zero();
  Scene scene;
  for (int course = 0; static_cast<int>(scene.contacts().size()) < wanted(request); ++course) {
    const double shift = course % 2 == 0 ? 0.0 : 0.5 * length;
    for (int i = 0; i < width; ++i) {
      const double x = i * length + shift;
      const double mass = random_mass(random, request.mass_ratio);
      Body brick = make_box(mass, {length, depth, height}, {x, 0.0, (course + 0.5) * height});
      brick.velocity = wind;
      const int a = scene.add_body(brick);
      const double floor = course * height;
      if (course == 0) {
        add_patch(scene, a, Scene::world, x - 0.5 * length, x + 0.5 * length, 0.5 * depth, floor, mu);
        continue;
      }
      for (int b = (course - 1) * width; b < course * width; ++b) {
        const double other = scene.bodies()[static_cast<std::size_t>(b)].position.x();
        const double low = std::max(x, other) - 0.5 * length, high = std::min(x, other) + 0.5 * length;
        if (high > low) add_patch(scene, a, b, low, high, 0.5 * depth, floor, mu);
      }
    }
  }
  scene.fall();
  return finish(scene, "brick_wall", request);
}

ContactProblem make_tables(const Request& request) {
  Random random = make_random("tables", request);
  const int legs = wanted(request) <= 8 ? wanted(request) : random.integer(4, 8);
  const int count = groups(request, legs);
  const double mu = 0.1 * random.integer(1, 10);
  const bool regular = random.integer(0, 1) == 0;
  const Vector3 push = random.integer(0, 1) == 0 ? Vector3::Zero() : Vector3(0.25, 0.125, 0.0);
  Scene scene;
  for (int i = 0; i < count; ++i) {
    Body table = make_box(heavy_on_light(request, i, count), {2.0, 1.0, 0.1}, {0.0, 0.0, i + 1.0});
    table.velocity = push;
    const int a = scene.add_body(table);
    for (int leg = 0; leg < legs; ++leg) {
      // Two rows: rectangles when regular, otherwise wherever the carpenter put them.
      const int pair = leg / 2, last_pair = std::max(1, (legs - 1) / 2);
      Vector3 foot(legs < 4 ? leg - 0.5 : -0.9 + 1.8 * pair / last_pair, leg % 2 - 0.5, static_cast<double>(i));
      if (!regular) foot += random_in_cube(random, 0.2).cwiseProduct(Vector3(1.0, 1.0, 0.0));
      const int b = i == 0 ? Scene::world : a - 1;
      scene.add_contact({.a = a, .b = b, .point = foot, .normal = Vector3::UnitZ(), .mu = mu});
    }
  }
  scene.fall();
  return finish(scene, "tables", request);
}

ContactProblem make_arch(const Request& request) {
  Random random = make_random("arch", request);
  // n stones have n + 1 joints of four corners; one stone is a wedge that is driven into its groove.
  const int stones = std::max(1, groups(request, 4) - 1);
  const double inner = 1.0, outer = 1.5, depth = 0.5, mu = 0.1 * random.integer(2, 12);
  const double from = stones == 1 ? 0.4 * std::numbers::pi : 0.0;
  const double angle = (std::numbers::pi - 2.0 * from) / stones;
  Scene scene;
  for (int i = 0; i < stones; ++i) {
    const Vector3 middle = 0.5 * (inner + outer) * direction_at(from + (i + 0.5) * angle);
    Body stone = make_box(random_mass(random, request.mass_ratio), {0.5, depth, 0.5}, middle);
    stone.velocity.z() = stones == 1 ? -1.0 : 0.0;
    scene.add_body(stone);
  }
  for (int i = 0; i <= stones; ++i) {
    const Vector3 radial = direction_at(from + i * angle);
    const Vector3 forward(-radial.z(), 0.0, radial.x());  // the way the angle grows
    Contact contact{.a = i < stones ? i : i - 1, .b = i < stones ? i - 1 : Scene::world, .mu = mu};
    contact.normal = i < stones ? forward : Vector3(-forward);
    for (const double radius : {inner, outer})
      for (const double y : {-0.5 * depth, 0.5 * depth}) {
        contact.point = radius * radial + Vector3(0.0, y, 0.0);
        scene.add_contact(contact);
      }
  }
  scene.fall();
  return finish(scene, "arch", request);
}

}  // namespace stiction::families
