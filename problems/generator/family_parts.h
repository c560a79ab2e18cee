#pragma once

#include <string_view>

#include "problems/generator/families.h"
#include "problems/generator/scene.h"

namespace stiction::families {

/// A request's own stream of numbers.
[[nodiscard]] Random make_random(std::string_view family, const Request& request);

/// Keeps the first `request.contacts` contacts and makes the problem, named after family and request.
[[nodiscard]] ContactProblem finish(Scene& scene, std::string_view family, const Request& request,
                                    bool with_gyroscopic_force = false);

/// The four corners of a horizontal rectangle where `a` stands on `b`, in the plane z = height.
void add_patch(Scene& scene, int a, int b, double x_low, double x_high, double y_half, double height, double mu);

// One function a family, by the file that holds it.
// random_families.cpp
[[nodiscard]] ContactProblem make_random_contacts(const Request& request);
[[nodiscard]] ContactProblem make_single_body(const Request& request);
[[nodiscard]] ContactProblem make_spinning(const Request& request);
[[nodiscard]] ContactProblem make_jointed(const Request& request);
// sphere_families.cpp
[[nodiscard]] ContactProblem make_sphere_pile(const Request& request);
[[nodiscard]] ContactProblem make_approaching(const Request& request);
[[nodiscard]] ContactProblem make_frictionless_mix(const Request& request);
[[nodiscard]] ContactProblem make_colliding_cluster(const Request& request);
[[nodiscard]] ContactProblem make_sphere_row(const Request& request);
// stack_families.cpp
[[nodiscard]] ContactProblem make_box_stack(const Request& request);
[[nodiscard]] ContactProblem make_brick_wall(const Request& request);
[[nodiscard]] ContactProblem make_tables(const Request& request);
[[nodiscard]] ContactProblem make_arch(const Request& request);
// limit_families.cpp
[[nodiscard]] ContactProblem make_painleve_rods(const Request& request);
[[nodiscard]] ContactProblem make_slope(const Request& request);
[[nodiscard]] ContactProblem make_conveyor(const Request& request);
// wall_families.cpp
[[nodiscard]] ContactProblem make_squeezed_box(const Request& request);
[[nodiscard]] ContactProblem make_squeezed_row(const Request& request);

}  // namespace stiction::families
