#include <algorithm>

#include "problems/generator/family_parts.h"
#include "stiction/base/assert.h"

namespace stiction::families {

namespace {

/// Two bits of the row's frame: the row runs along an axis, or along any direction.
Matrix3 random_frame(Random& random) {
  return random.integer(0, 1) == 0 ? Matrix3(Matrix3::Identity()) : random_rotation(random);
}

/// Gaps at position level whose sum is negative, b_n = Phi / h; one of them may be open.
std::vector<double> squeezed_gaps(Random& random, int count) {
  std::vector<double> gaps(static_cast<std::size_t>(count));
  double sum = 0.0;
  for (double& gap : gaps) sum += gap = random.uniform(-0.01, 0.002);
  if (sum > -0.002) gaps[0] -= sum + 0.002;
  return gaps;
}

}  // namespace

ContactProblem make_squeezed_box(const Request& request) {
  Random random = make_random("squeezed_box", request);
  // Contacts face each other in pairs; an odd one is the floor's. A single contact cannot squeeze.
  STICTION_ASSERT(request.contacts >= 2, "two parallel walls make at least two contacts");
  const Matrix3 frame = random_frame(random);
  const double half = 0.5, mu = random.integer(0, 2) == 0 ? 0.0 : random.uniform(0.1, 1.0);
  Scene scene;
  Body box = make_box(random_mass(random, request.mass_ratio), {1.0, 1.0, 1.0}, Vector3::Zero());
  box.rotation = frame;
  box.velocity = random_in_cube(random, 1.0);
  scene.add_body(box);
  for (int pair = 0; pair < request.contacts / 2; ++pair) {
    const double y = random.uniform(-half, half), z = random.uniform(-half, half);
    const std::vector<double> gaps = squeezed_gaps(random, 2);
    for (int side = 0; side < 2; ++side) {
      const double sign = side == 0 ? 1.0 : -1.0;
      Contact contact{.a = 0, .b = Scene::world, .mu = mu, .b_n = gaps[static_cast<std::size_t>(side)] / step};
      contact.point = frame * Vector3(-sign * half, y, z);
      contact.normal = sign * frame.col(0);
      scene.add_contact(contact);
    }
  }
  scene.add_contact(
      {.a = 0, .b = Scene::world, .point = frame * Vector3(0.0, 0.0, -half), .normal = frame.col(2), .mu = mu});
  scene.fall();
  return finish(scene, "squeezed_box", request);
}

ContactProblem make_squeezed_row(const Request& request) {
  Random random = make_random("squeezed_row", request);
  STICTION_ASSERT(request.contacts >= 2, "two parallel walls make at least two contacts");
  // n bodies: n + 1 contacts along the row, the rest with the floor, again and again where there are more.
  const int count = std::max(1, static_cast<int>(request.contacts) / 2);
  const Matrix3 frame = random_frame(random);
  const double mu = random.integer(0, 2) == 0 ? 0.0 : random.uniform(0.1, 1.0);
  const std::vector<double> gaps = squeezed_gaps(random, count + 1);
  Scene scene;
  for (int i = 0; i < count; ++i) {
    Body body = make_sphere(random_mass(random, request.mass_ratio), 0.5, frame * Vector3(i + 0.5, 0.0, 0.5));
    body.velocity = random_in_cube(random, 1.0);
    scene.add_body(body);
  }
  for (int i = 0; i <= count; ++i) {
    Contact contact{.a = i < count ? i : i - 1, .b = i < count ? i - 1 : Scene::world, .mu = mu};
    contact.point = frame * Vector3(i, 0.0, 0.5);
    contact.normal = i < count ? Vector3(frame.col(0)) : Vector3(-frame.col(0));
    contact.b_n = gaps[static_cast<std::size_t>(i)] / step;
    scene.add_contact(contact);
  }
  for (int i = 0; i < count; ++i)
    scene.add_contact(
        {.a = i, .b = Scene::world, .point = frame * Vector3(i + 0.5, 0.0, 0.0), .normal = frame.col(2), .mu = mu});
  scene.fall();
  return finish(scene, "squeezed_row", request);
}

}  // namespace stiction::families
