#include <utility>

#include "problems/generator/family_parts.h"
#include "problems/generator/stored_problems.h"
#include "problems/generator/trials.h"

namespace stiction::families {

namespace {

constexpr int octagon = 8;

lcp::StoredProblem store(lcp::Problem problem, std::string name, std::string source, std::string must) {
  lcp::StoredProblem stored;
  stored.problem = std::move(problem);
  stored.problem.name = std::move(name);
  stored.source = std::move(source);
  stored.must = std::move(must);
  return stored;
}

/// A unit cube of mass 1 on its four lower corners.
ContactProblem cube_on_corners(double mu, const Vector3& velocity) {
  Scene scene;
  Body cube = make_box(1.0, {1.0, 1.0, 1.0}, {0.0, 0.0, 0.5});
  cube.velocity = velocity;
  scene.add_body(cube);
  add_patch(scene, 0, Scene::world, -0.5, 0.5, 0.5, 0.0, mu);
  scene.fall();
  return scene.build("cube");
}

/// A table with its legs in two rows; the load moves the centre of mass.
ContactProblem table(int legs, double load_x, const Vector3& velocity) {
  Scene scene;
  Body top = make_box(8.0, {2.0, 1.0, 0.125}, {load_x, 0.0, 1.0});
  top.velocity = velocity;
  scene.add_body(top);
  for (int leg = 0; leg < legs; ++leg) {
    const int pair = leg / 2, last_pair = legs / 2 - 1;
    const Vector3 foot(pair * 1.5 / last_pair - 0.75, leg % 2 - 0.5, 0.0);
    scene.add_contact({.a = 0, .b = Scene::world, .point = foot, .normal = Vector3::UnitZ(), .mu = 0.5});
  }
  scene.fall();
  return scene.build("table");
}

/// A family's problem, named and described by its request.
lcp::StoredProblem from_family(const char* family, const Request& request, Form form, std::string must) {
  const ContactProblem made = find_family(family)->make(request);
  lcp::Problem problem = form == Form::dense ? to_dense_lcp(made, octagon) : to_mixed(made, octagon);
  std::string source = "generated: ";
  source += find_family(family)->about;
  source += form == Form::dense ? "; velocities eliminated, octagonal cones" : "; mixed form, octagonal cones";
  return store(std::move(problem), made.name, std::move(source), std::move(must));
}

/// One that needed more than Lemke's first try when it was found.
lcp::StoredProblem from_trials(std::uint64_t i, double ratio, Form form) {
  const ContactProblem made = nth_contact_problem(i, ratio);
  lcp::Problem problem = form == Form::dense ? to_dense_lcp(made, octagon) : to_mixed(made, octagon);
  const std::string kind = form == Form::dense ? "dense" : "mixed";
  const std::string source = "generated: number " + std::to_string(i) + " of the acceptance checks, mass ratios to " +
                             (ratio > 1e3 ? "1e6, " : "1e3, ") + kind + " form";
  return store(std::move(problem), made.name + "_" + kind, source,
               "solved; when it was stored Lemke's first try did not end in a certified answer");
}

}  // namespace

StoredFile make_stored_rest() {
  StoredFile file{.name = "contact_rest.json", .problems = {}};
  const auto add = [&](const ContactProblem& problem, const char* name, const char* source, const char* must) {
    file.problems.push_back(store(to_dense_lcp(problem, octagon), name, source, must));
  };
  const char* cube = "a unit cube on its four lower corners, mu = 1/2, one step of gravity, octagonal cones";
  add(cube_on_corners(0.5, Vector3::Zero()), "box_on_four_corners", cube, "at rest; the four impulses are not unique");
  add(cube_on_corners(0.5, {0.03125, 0.0, 0.0}), "box_pushed_below_the_limit", cube, "sticks: 0.03125 < mu g h = 0.05");
  add(cube_on_corners(0.5, {0.0625, 0.0, 0.0}), "box_pushed_beyond_the_limit", cube, "slides on at 0.0125 m/s");
  add(cube_on_corners(0.5, {1.0, 0.5, 0.0}), "box_sliding", cube, "slides; friction along one facet");
  add(cube_on_corners(0.0, {1.0, 0.5, 0.0}), "box_on_ice", "as box_sliding, mu = 0",
      "keeps its velocity along the floor");
  const char* legs = "a table of mass 8 with two rows of legs, mu = 1/2, octagonal cones";
  add(table(4, 0.0, Vector3::Zero()), "table_with_four_legs", legs, "at rest; statically indeterminate");
  add(table(4, 0.75, Vector3::Zero()), "table_loaded_at_its_end", legs, "at rest; two legs carry nothing");
  add(table(4, 0.25, {0.5, 0.25, 0.0}), "table_pushed", legs, "slides; friction tips its weight to the front legs");
  return file;
}

StoredFile make_stored_stacks() {
  StoredFile file{.name = "contact_stacks.json", .problems = {}};
  const char* must = "solved; heavy on light is where condition hurts";
  for (const double ratio : {1.0, 1e3, 1e6})
    file.problems.push_back(
        from_family("box_stack", {.contacts = 12, .mass_ratio = ratio, .seed = 2}, Form::mixed, must));
  file.problems.push_back(from_family("box_stack", {.contacts = 16, .mass_ratio = 1e6, .seed = 3}, Form::mixed, must));
  file.problems.push_back(
      from_family("brick_wall", {.contacts = 12, .mass_ratio = 1e6, .seed = 1}, Form::mixed, "solved"));
  file.problems.push_back(from_family("tables", {.contacts = 8, .mass_ratio = 1e6, .seed = 4}, Form::mixed, "solved"));
  return file;
}

StoredFile make_stored_walls() {
  StoredFile file{.name = "contact_walls.json", .problems = {}};
  for (const Index contacts : {2, 3, 7})
    file.problems.push_back(
        from_family("sphere_row", {.contacts = contacts, .mass_ratio = 1e3, .seed = 6}, Form::mixed,
                    "solved: at gap zero nothing contradicts; impulses along the row are not unique"));
  const char* must = "infeasible, with proof: the impulses that balance each other along the row";
  file.problems.push_back(
      from_family("squeezed_box", {.contacts = 2, .mass_ratio = 1.0, .seed = 1}, Form::dense, must));
  file.problems.push_back(
      from_family("squeezed_box", {.contacts = 5, .mass_ratio = 10.0, .seed = 2}, Form::mixed, must));
  file.problems.push_back(
      from_family("squeezed_row", {.contacts = 5, .mass_ratio = 1e3, .seed = 3}, Form::mixed, must));
  file.problems.push_back(
      from_family("squeezed_row", {.contacts = 12, .mass_ratio = 1e3, .seed = 4}, Form::mixed, must));
  for (lcp::StoredProblem& stored : file.problems)
    if (stored.problem.name.starts_with("squeezed")) stored.expect = lcp::Status::infeasible;
  return file;
}

StoredFile make_stored_paradoxes() {
  StoredFile file{.name = "contact_paradoxes.json", .problems = {}};
  const auto add = [&](const char* family, Index contacts, std::uint64_t seed, const char* must) {
    file.problems.push_back(
        from_family(family, {.contacts = contacts, .mass_ratio = 10.0, .seed = seed}, Form::mixed, must));
  };
  const char* paradox = "solved: at impulse level Painleve's paradox has a solution (1997, Theorem 2.2)";
  for (std::uint64_t seed = 1; seed <= 4; ++seed) add("painleve_rods", 1, seed, paradox);
  add("painleve_rods", 5, 1, paradox);
  add("slope", 4, 1, "solved; gravity along the slope equals or exceeds the octagon's friction");
  add("slope", 8, 2, "solved; gravity along the slope equals or exceeds the octagon's friction");
  add("arch", 8, 1, "solved; the wedge jams, forces inside the cones balance each other");
  add("conveyor", 8, 1, "solved with b_t != 0");
  add("jointed", 4, 2, "solved; joint multipliers are not unique");
  add("spinning", 3, 1, "solved; the mass matrix is not symmetric");
  add("colliding_cluster", 6, 2, "solved; a symmetric impact");
  add("single_body", 9, 1, "solved; nine contacts on six velocities");
  return file;
}

StoredFile make_stored_hard() {
  StoredFile file{.name = "contact_hard.json", .problems = {}};
  file.problems.push_back(from_trials(419, 1e3, Form::dense));
  for (const std::uint64_t i : {419, 995, 1299, 2675}) file.problems.push_back(from_trials(i, 1e3, Form::mixed));
  for (const std::uint64_t i : {2291, 3098, 4131, 4870, 5289})
    file.problems.push_back(from_trials(i, 1e6, Form::mixed));
  return file;
}

}  // namespace stiction::families
