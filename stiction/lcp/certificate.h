#pragma once

#include "stiction/lcp/problem.h"

namespace stiction::lcp {

/// What an answer is worth, from the problem and the answer alone.
///
/// The residual is that of the natural map in equilibrated units. With positive row and column scales R, C that bring
/// the largest entry of every row and column of R M C near one (`equilibrate`), z^ = z/C, w^ = R w, q^ = R q,
///
///     residual = max_i | z^_i - mid(lower^_i, upper^_i, z^_i - w^_i) | / max(max|z^|, max|q^|).
///
/// It is zero exactly at a solution and does not change when rows or columns of the problem change their units.
struct Certificate {
  double residual = infinity;
  double bound_violation = infinity;    ///< Largest distance of z^ from its bounds, over the same divisor.
  double equality_residual = infinity;  ///< Largest |w^| over the free variables, over the same divisor.
  Index worst = -1;                     ///< The index that gave the residual.

  [[nodiscard]] bool certified(double tolerance) const { return residual <= tolerance; }
};

/// Reusable storage: a second call of the same size allocates nothing.
struct CertifyWork {
  Vector row_scale, column_scale, w;
};

/// Independent of every solver. w is summed in extended precision.
[[nodiscard]] Certificate certify(const Problem& problem, const Vector& z, CertifyWork& work);
[[nodiscard]] Certificate certify(const Problem& problem, const Vector& z);

/// How far y goes to prove that no z satisfies the bounds and the signs of w, and so that nothing solves the problem.
///
/// For 0 <= z: y >= 0, M'y <= 0, q'y < 0 (Farkas) contradicts w = M z + q >= 0. In general y_i >= 0 where w_i cannot be
/// negative (upper infinite), y_i <= 0 where it cannot be positive (lower infinite), y_i = 0 where both bounds are
/// finite, and max over z in [lower, upper] of y'(M z + q) < 0. Rounding leaves M'y a little above zero in some
/// columns; then the proof excludes the z inside a radius only: sum_j z^_j < radius. It is a proof here when radius >=
/// 1e6 times max(1, |q^|).
struct InfeasibilityProof {
  double gap = 0.0;     ///< -(q'y) > 0 in equilibrated units with |y|_1 = 1.
  double radius = 0.0;  ///< Excluded: every z with equilibrated 1-norm below it. Infinite when M'y <= 0 holds exactly.
  bool valid = false;
};

[[nodiscard]] InfeasibilityProof certify_infeasible(const Problem& problem, const Vector& y);

}  // namespace stiction::lcp
