#pragma once

#include <limits>
#include <string>

#include "stiction/base/result.h"
#include "stiction/linalg/matrix.h"

namespace stiction::lcp {

using linalg::DenseMatrix;
using linalg::Index;
using linalg::Matrix;
using linalg::SparseMatrix;
using linalg::Vector;

inline constexpr double infinity = std::numeric_limits<double>::infinity();

/// The one complementarity problem of this library. Find z in [lower, upper] such that, with w = M z + q,
///
///     lower_i <  z_i <  upper_i   implies   w_i  = 0,
///     z_i = lower_i               implies   w_i >= 0,          (Lotstedt 1982, 6.4-6.5)
///     z_i = upper_i               implies   w_i <= 0.
///
/// lower = 0, upper = infinity, the default when both are empty, is the linear complementarity problem
/// 0 <= z, 0 <= w, z'w = 0. lower = -infinity, upper = infinity makes z_i free and row i an equality, so the mixed
/// problem (2.15) of Anitescu and Potra 1997 is one of these; lower_i = upper_i fixes z_i and frees w_i.
struct Problem {
  std::string name;
  Matrix M;
  Vector q;
  Vector lower = {};  ///< Empty: all 0.
  Vector upper = {};  ///< Empty: all infinity.

  [[nodiscard]] Index size() const { return q.size(); }
  [[nodiscard]] double lower_bound(Index i) const { return lower.size() == 0 ? 0.0 : lower[i]; }
  [[nodiscard]] double upper_bound(Index i) const { return upper.size() == 0 ? infinity : upper[i]; }
  [[nodiscard]] bool is_free(Index i) const { return lower_bound(i) == -infinity && upper_bound(i) == infinity; }
  /// True when no variable has a bound other than 0 <= z_i < infinity.
  [[nodiscard]] bool is_standard() const;
};

/// Sizes agree, every number is finite (bounds may be infinite), lower <= upper, no bound is an infinity of the wrong
/// sign. An empty string when the problem is well formed, otherwise what is wrong and where.
[[nodiscard]] std::string find_defect(const Problem& problem);

}  // namespace stiction::lcp
