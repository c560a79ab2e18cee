#include <algorithm>
#include <cmath>
#include <tuple>

#include "problems/generator/family_parts.h"

namespace stiction::families {

namespace {

struct Ball {
  Vector3 center;
  double radius;
};

struct Wall {
  Vector3 normal;  ///< Inward.
  double offset;   ///< normal'x >= offset inside.
};

/// Floor and four sides.
std::vector<Wall> make_tray(double half_width) {
  return {{Vector3::UnitZ(), 0.0},
          {Vector3::UnitX(), -half_width},
          {-Vector3::UnitX(), -half_width},
          {Vector3::UnitY(), -half_width},
          {-Vector3::UnitY(), -half_width}};
}

double gap_between(const Ball& a, const Ball& b, Vector3& normal) {
  normal = a.center - b.center;
  const double distance = std::sqrt(normal.squaredNorm());
  normal /= distance;
  return distance - a.radius - b.radius;
}

/// Moves balls down a little and apart where they overlap, until they lie on each other: geometry, not dynamics.
void settle(std::vector<Ball>& balls, const std::vector<Wall>& walls) {
  const int rounds = 300, quiet_rounds = 100;
  for (int round = 0; round < rounds; ++round) {
    if (round < rounds - quiet_rounds)
      for (Ball& ball : balls) ball.center.z() -= 0.02 * (1.0 - static_cast<double>(round) / rounds);
    for (std::size_t i = 0; i < balls.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        if ((balls[i].center - balls[j].center).squaredNorm() >= 0.0625) continue;  // twice the largest radius
        Vector3 normal;
        const double gap = gap_between(balls[i], balls[j], normal);
        if (gap >= 0.0) continue;
        balls[i].center -= 0.5 * gap * normal;
        balls[j].center += 0.5 * gap * normal;
      }
      for (const Wall& wall : walls) {
        const double gap = wall.normal.dot(balls[i].center) - wall.offset - balls[i].radius;
        if (gap < 0.0) balls[i].center -= gap * wall.normal;
      }
    }
  }
}

struct Candidate {
  double gap;
  std::size_t order;  ///< Of discovery: decides between equal gaps.
  Contact contact;
};

/// The wanted number of contacts: those with the smallest gaps among all pairs and walls.
std::vector<Candidate> closest(const std::vector<Ball>& balls, const std::vector<Wall>& walls, Index wanted) {
  std::vector<Candidate> found;
  for (int i = 0; i < static_cast<int>(balls.size()); ++i) {
    const Ball& ball = balls[static_cast<std::size_t>(i)];
    for (const Wall& wall : walls) {
      const double gap = wall.normal.dot(ball.center) - wall.offset - ball.radius;
      found.push_back({gap,
                       found.size(),
                       {.a = i, .b = -1, .point = ball.center - ball.radius * wall.normal, .normal = wall.normal}});
    }
    for (int j = 0; j < i; ++j) {
      const Ball& other = balls[static_cast<std::size_t>(j)];
      Vector3 normal;
      const double gap = gap_between(ball, other, normal);
      found.push_back(
          {gap, found.size(), {.a = i, .b = j, .point = other.center + other.radius * normal, .normal = normal}});
    }
  }
  std::sort(found.begin(), found.end(),
            [](const Candidate& a, const Candidate& b) { return std::tie(a.gap, a.order) < std::tie(b.gap, b.order); });
  found.resize(static_cast<std::size_t>(wanted));
  return found;
}

/// A pile at rest; velocities and coefficients are left to the family.
Scene make_pile(Random& random, const Request& request, std::vector<double>* gaps = nullptr) {
  const int count = std::max(1, static_cast<int>(std::ceil(static_cast<double>(request.contacts) / 2.8)));
  const int side = std::max(1, static_cast<int>(std::cbrt(static_cast<double>(count)) + 0.999));
  const double spacing = 0.26, half_width = 0.5 * spacing * side;
  std::vector<Ball> balls;
  for (int i = 0; i < count; ++i) {
    const int layer = i / (side * side), in_layer = i % (side * side), row = in_layer / side;
    Vector3 center(in_layer % side, row, layer);
    center = spacing * (center + Vector3(0.5, 0.5, 0.5)) - Vector3(half_width, half_width, 0.0);
    balls.push_back({center + random_in_cube(random, 0.02), random.uniform(0.08, 0.12)});
  }
  const std::vector<Wall> walls = make_tray(0.92 * half_width);
  settle(balls, walls);
  Scene scene;
  for (const Ball& ball : balls)
    scene.add_body(make_sphere(random_mass(random, request.mass_ratio), ball.radius, ball.center));
  for (const Candidate& candidate : closest(balls, walls, request.contacts)) {
    scene.add_contact(candidate.contact);
    if (gaps) gaps->push_back(candidate.gap);
  }
  return scene;
}

void set_mu(Scene& scene, double mu) {
  for (Contact& contact : scene.contacts()) contact.mu = mu;
}

}  // namespace

ContactProblem make_sphere_pile(const Request& request) {
  Random random = make_random("sphere_pile", request);
  Scene scene = make_pile(random, request);
  set_mu(scene, random.uniform(0.2, 0.8));
  // Half of the piles are at rest, the others still move.
  if (random.integer(0, 1) == 0)
    for (Body& body : scene.bodies())
      body.velocity = random_in_cube(random, 0.3), body.spin = random_in_cube(random, 3.0);
  scene.fall();
  return finish(scene, "sphere_pile", request);
}

ContactProblem make_approaching(const Request& request) {
  Random random = make_random("approaching", request);
  std::vector<double> gaps;
  Scene scene = make_pile(random, request, &gaps);
  set_mu(scene, random.uniform(0.1, 1.0));
  for (std::size_t j = 0; j < gaps.size(); ++j) {
    scene.contacts()[j].b_n = std::max(0.0, gaps[j]) / step;
    if (random.integer(0, 3) == 0) scene.contacts()[j].b_n = 0.01 * random.uniform() / step;
    if (random.integer(0, 3) == 0) scene.contacts()[j].hf = step * random.uniform();
  }
  for (Body& body : scene.bodies()) body.velocity = random_in_cube(random, 1.0);
  scene.fall();
  return finish(scene, "approaching", request);
}

ContactProblem make_frictionless_mix(const Request& request) {
  Random random = make_random("frictionless_mix", request);
  Scene scene = make_pile(random, request);
  const bool all_smooth = random.integer(0, 3) == 0;
  for (Contact& contact : scene.contacts())
    if (!all_smooth && random.integer(0, 1) == 0) contact.mu = random.uniform(0.1, 1.0);
  if (random.integer(0, 1) == 0)
    for (Body& body : scene.bodies()) body.velocity = random_in_cube(random, 0.5);
  scene.fall();
  return finish(scene, "frictionless_mix", request);
}

ContactProblem make_colliding_cluster(const Request& request) {
  Random random = make_random("colliding_cluster", request);
  // Points of the face-centred lattice by distance from the origin, as many as give the contacts.
  std::vector<Vector3> points;
  for (int x = -8; x <= 8; ++x)
    for (int y = -8; y <= 8; ++y)
      for (int z = -8; z <= 8; ++z)
        if ((x + y + z) % 2 == 0) points.emplace_back(x, y, z);
  std::sort(points.begin(), points.end(), [](const Vector3& a, const Vector3& b) {
    return std::tuple(a.squaredNorm(), a.x(), a.y(), a.z()) < std::tuple(b.squaredNorm(), b.x(), b.y(), b.z());
  });
  const double radius = std::sqrt(0.5);  // neighbours are sqrt(2) apart
  const bool symmetric = random.integer(0, 1) == 0;
  const double mu = 0.1 * random.integer(0, 9);
  Scene scene;
  for (std::size_t i = 0; static_cast<Index>(scene.contacts().size()) < request.contacts; ++i) {
    Body body = make_sphere(random_mass(random, request.mass_ratio), radius, points[i]);
    body.velocity = symmetric ? Vector3(-0.5 * points[i]) : random_in_cube(random, 1.0);
    const int a = scene.add_body(body);
    for (int b = 0; b < a; ++b) {
      const Vector3 apart = points[i] - points[static_cast<std::size_t>(b)];
      if (apart.squaredNorm() != 2.0) continue;
      const Vector3 middle = points[i] - 0.5 * apart;
      scene.add_contact({.a = a, .b = b, .point = middle, .normal = apart * std::sqrt(0.5), .mu = mu});
    }
  }
  return finish(scene, "colliding_cluster", request);
}

ContactProblem make_sphere_row(const Request& request) {
  Random random = make_random("sphere_row", request);
  // n spheres have n + 1 contacts along the row and n with the floor.
  const int count = std::max(1, static_cast<int>(request.contacts) / 2);
  const double radius = 0.5, mu = 0.1 * random.integer(0, 10), push = 0.25 * random.integer(0, 4);
  Scene scene;
  for (int i = 0; i < count; ++i) {
    Body body = make_sphere(random_mass(random, request.mass_ratio), radius, {i + 0.5, 0.0, radius});
    body.velocity.x() = i < count / 2 ? push : -push;
    scene.add_body(body);
  }
  for (int i = 0; i <= count; ++i) {  // the sphere to the right is pushed right
    const Contact left{.b = Scene::world, .point = {static_cast<double>(i), 0.0, radius}, .mu = mu};
    Contact& contact = scene.add_contact(left);
    contact.a = i < count ? i : i - 1;
    contact.b = i < count ? i - 1 : Scene::world;
    contact.normal = i < count ? Vector3::UnitX() : Vector3(-Vector3::UnitX());
  }
  for (int i = 0; i < count; ++i)
    scene.add_contact({.a = i, .b = Scene::world, .point = {i + 0.5, 0.0, 0.0}, .normal = Vector3::UnitZ(), .mu = mu});
  scene.fall();
  return finish(scene, "sphere_row", request);
}

}  // namespace stiction::families
