#include "problems/generator/families.h"

#include <string>

#include "problems/generator/family_parts.h"
#include "stiction/base/assert.h"

namespace stiction::families {

namespace {

constexpr Family solvable[] = {
    {"random_contacts", "random bodies, points and normals; some bodies at rest", make_random_contacts},
    {"single_body", "one body held by many contacts from all sides", make_single_body},
    {"spinning", "random contacts of fast spinning bodies: the mass matrix M - h F is not symmetric", make_spinning},
    {"jointed", "a chain on ball joints and doubled hinges, its links on the ground; joints are redundant",
     make_jointed},
    {"sphere_pile", "spheres dropped into a box", make_sphere_pile},
    {"approaching", "a pile with open gaps, b_n = gap / h, and friction that needs no normal force", make_approaching},
    {"frictionless_mix", "a pile where some contacts, or all, have mu = 0", make_frictionless_mix},
    {"colliding_cluster", "a face-centred lattice of touching spheres that collide; symmetric", make_colliding_cluster},
    {"sphere_row", "touching spheres on a floor between parallel walls, squeezed at gap zero", make_sphere_row},
    {"box_stack", "boxes on four corners each, heavy on light", make_box_stack},
    {"brick_wall", "a wall in running bond", make_brick_wall},
    {"tables", "tables with four to eight legs on each other", make_tables},
    {"arch", "voussoirs between two abutments, or a wedge in a groove", make_arch},
    {"painleve_rods", "rods that slide on a tip with mu up to 3 and lean on each other", make_painleve_rods},
    {"slope", "boxes on a slope exactly at the friction limit, each against the next", make_slope},
    {"conveyor", "boxes on belts of different speed with planks across", make_conveyor},
};

constexpr Family infeasible[] = {
    {"squeezed_box", "a box between two parallel walls closer than its width", make_squeezed_box},
    {"squeezed_row", "a row of bodies on a floor between two parallel walls that are too close", make_squeezed_row},
};

}  // namespace

std::span<const Family> solvable_families() {
  return solvable;
}

std::span<const Family> infeasible_families() {
  return infeasible;
}

const Family* find_family(std::string_view name) {
  for (const Family& family : solvable)
    if (family.name == name) return &family;
  for (const Family& family : infeasible)
    if (family.name == name) return &family;
  return nullptr;
}

Random make_random(std::string_view family, const Request& request) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;  // FNV-1a, so that families with one seed are strangers
  for (const char letter : family) hash = (hash ^ static_cast<unsigned char>(letter)) * 0x100000001b3ULL;
  Random seeds(hash ^ (request.seed * 0x9e3779b97f4a7c15ULL));
  return Random(seeds.bits());
}

ContactProblem finish(Scene& scene, std::string_view family, const Request& request, bool with_gyroscopic_force) {
  STICTION_ASSERT(request.contacts >= 1, "a generated contact problem has at least one contact");
  STICTION_ASSERT(request.mass_ratio >= 1.0, "a mass ratio is one or more");
  const auto wanted = static_cast<std::size_t>(request.contacts);
  STICTION_ASSERT(scene.contacts().size() >= wanted, "the family made fewer contacts than requested");
  scene.contacts().resize(wanted);
  std::string name(family);
  name.append("_").append(std::to_string(request.contacts));
  name.append("_ratio_").append(std::to_string(static_cast<long long>(request.mass_ratio)));
  name.append("_seed_").append(std::to_string(request.seed));
  return scene.build(std::move(name), with_gyroscopic_force);
}

void add_patch(Scene& scene, int a, int b, double x_low, double x_high, double y_half, double height, double mu) {
  for (const double x : {x_low, x_high})
    for (const double y : {-y_half, y_half})
      scene.add_contact({.a = a, .b = b, .point = {x, y, height}, .normal = Vector3::UnitZ(), .mu = mu});
}

}  // namespace stiction::families
