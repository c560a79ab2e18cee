#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "problems/generator/families.h"
#include "problems/generator/small_problems.h"

namespace stiction::families {

/// How a solver did on many problems. The acceptance checks print it, their seeded slices in the tests read it.
struct Tally {
  std::string solver;
  int tried = 0;
  int solved = 0;        ///< Certified, here again and not by the solver.
  int proven = 0;        ///< Infeasible, with the proof checked here.
  int gave_up = 0;       ///< Everything else: that claims nothing.
  int missed = 0;        ///< Among gave_up: enumeration has a solution.
  int broken = 0;        ///< A promise was broken; each went to `OnBroken`.
  int beyond_first = 0;  ///< Lemke needed a further try.
  double worst_residual = 0.0;
  std::vector<double> seconds = {};
  double slowest = 0.0;
  std::string slowest_name = {};

  [[nodiscard]] double median_seconds() const;
};

/// Called with the problem that broke a promise and which one, so that it can be stored.
using OnBroken = std::function<void(const lcp::Problem& problem, const std::string& reason)>;

/// The solvers except enumeration, each against enumeration on the problems `first`, `first` + 1, ... of a class.
/// Promises: `solved` is certified and enumeration has a solution too; `infeasible` has its proof and enumeration has
/// none. On P Lemke and principal pivoting solve, and all who do give the same z; on positive semidefinite M they solve
/// what is solvable, and all who solve give the same w.
[[nodiscard]] std::vector<Tally> try_small(SmallClass small_class, std::uint64_t first, int count,
                                           const OnBroken& on_broken);

enum class Form : std::uint8_t { dense, mixed };

/// The i-th of a run through all solvable families: 1 to 24 contacts, mass ratio log-uniform in [1, largest_ratio].
[[nodiscard]] ContactProblem nth_contact_problem(std::uint64_t i, double largest_ratio);
/// The i-th of a run through the infeasible families: 2 to 24 contacts, mass ratios to 1000.
[[nodiscard]] ContactProblem nth_infeasible_problem(std::uint64_t i);

/// Lemke on the first `count` contact problems with octagonal cones. Promise: solved.
[[nodiscard]] Tally try_contacts(Form form, int count, double largest_ratio, const OnBroken& on_broken);
/// Lemke on the first `count` infeasible ones. Promise: none claimed solved.
[[nodiscard]] Tally try_infeasible(Form form, int count, const OnBroken& on_broken);

}  // namespace stiction::families
