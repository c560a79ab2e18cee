#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "problems/generator/contact_problem.h"

namespace stiction::families {

/// What names a generated problem: the same request gives the same bits, on every machine and for ever.
struct Request {
  Index contacts = 4;       ///< At least one; exactly so many are made.
  double mass_ratio = 1.0;  ///< Masses lie between 1 and this.
  std::uint64_t seed = 1;
};

/// A way to make contact problems.
struct Family {
  std::string_view name;
  std::string_view about;
  ContactProblem (*make)(const Request& request);
};

/// The families of the guaranteed class (1997, Theorem 2.1): each problem has a solution and Lemke must find it.
[[nodiscard]] std::span<const Family> solvable_families();

/// Penetration at position level of bodies between parallel walls: no velocity satisfies the constraints.
[[nodiscard]] std::span<const Family> infeasible_families();

/// Among both; null when there is none of this name.
[[nodiscard]] const Family* find_family(std::string_view name);

}  // namespace stiction::families
