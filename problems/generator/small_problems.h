#pragma once

#include <cstdint>
#include <string_view>

#include "stiction/lcp/problem.h"

namespace stiction::families {

/// Classes of small problems for the comparison with enumeration. What theory says of each:
enum class SmallClass : std::uint8_t {
  p,                      ///< Positive principal minors: exactly one solution for every q.
  positive_semidefinite,  ///< Symmetric, often singular: w is the same in every solution, none exists if infeasible.
  copositive,             ///< Positive semidefinite and skew and nonnegative parts: several solutions, or none.
  none,                   ///< Small integers or any numbers: anything may happen.
};

inline constexpr SmallClass all_small_classes[] = {SmallClass::p, SmallClass::positive_semidefinite,
                                                   SmallClass::copositive, SmallClass::none};

[[nodiscard]] std::string_view to_string(SmallClass small_class);

/// One to eight unknowns; many problems have small integer entries, so that ties and singular bases are exact.
[[nodiscard]] lcp::Problem make_small(SmallClass small_class, std::uint64_t seed);

/// Murty's worst case for Lemke's and principal pivoting methods (Murty 1978): M has 1 on the diagonal and 2 below it,
/// q_i = -(2^n + 2^(n-1) + ... + 2^(n-i+1)), and 2^n - 1 pivots are needed with the cover vector of ones.
[[nodiscard]] lcp::Problem make_murty(int size);

}  // namespace stiction::families
