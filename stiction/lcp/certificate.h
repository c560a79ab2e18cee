#pragma once

#include <cmath>

#include "stiction/lcp/problem.h"

namespace stiction::lcp {

/// What an answer is worth, from the problem and the answer alone.
///
/// The residual is that of the natural map in equilibrated units. With positive row and column scales R, C that bring
/// the largest entry of every row and column of R M C near one (`equilibrate`), z^ = z/C, w^ = R w, q^ = R q,
///
///     error_i  = | mid(z^_i - upper^_i, z^_i - lower^_i, w^_i) |,    error = max_i error_i,
///     residual = error / max(max|z^|, max|q^|),
///     data_residual = error / data,   data = max over i of |q^_i| and of the distance of [lower^_i, upper^_i] from 0,
///     row_residual  = max_i error_i / (sum_j |M^_ij z^_j| + |q^_i| + |z^_i|),
///
/// the last with rows of terms below 1e-6 of the largest |z^|, |q^| measured against that. All are zero exactly at a
/// solution, and the same in any units of the rows and columns, up to the factor by which `equilibrate` leaves the
/// scales open. The second is what a huge z cannot hide: along a null direction of M any violation of the law becomes
/// small beside z, of problems without a solution too. The third is what a huge component elsewhere cannot hide. Both
/// are held to the square root of the tolerance, since w cannot be known better than the rounding of z: an exact
/// solution of size |z^| = 1e10 |q^| written in double precision has a data_residual of 1e-6.
///
/// Nor is an answer accepted whose z^ is farther than `farthest` times the data from zero and from its bounds: there
/// the last bits of M decide whether there is a solution at all, and certify_infeasible may say that there is none.
struct Certificate {
  static constexpr double farthest = 1e12;

  double residual = infinity;
  double data_residual = infinity;
  double row_residual = infinity;
  double distance = infinity;  ///< Sum of the z^ that may go to infinity, each from zero or its bound, over the data.
  double bound_violation = infinity;    ///< Largest distance of z^ from its bounds, over the residual's divisor.
  double equality_residual = infinity;  ///< Largest |w^| over the free variables, over the residual's divisor.
  Index worst = -1;                     ///< The index that gave the residual.

  [[nodiscard]] bool certified(double tolerance) const {
    const double root = std::sqrt(tolerance);
    return residual <= tolerance && data_residual <= root && row_residual <= root && distance <= farthest;
  }
};

/// Reusable storage: a second call of the same size allocates nothing.
struct CertifyWork {
  Vector row_scale, column_scale, w, terms, error;
};

/// Independent of every solver. w is summed in extended precision.
[[nodiscard]] Certificate certify(const Problem& problem, const Vector& z, CertifyWork& work);
[[nodiscard]] Certificate certify(const Problem& problem, const Vector& z);

/// How far y goes to prove that no z satisfies the bounds and the signs of w, and so that nothing solves the problem.
///
/// For 0 <= z: y >= 0, M'y <= 0, q'y < 0 (Farkas) contradicts w = M z + q >= 0. In general y_i >= 0 where w_i cannot be
/// negative (upper infinite), y_i <= 0 where it cannot be positive (lower infinite), y_i = 0 where both bounds are
/// finite, and max over z in [lower, upper] of y'(M z + q) < 0. The signs of y must hold exactly. In columns where z is
/// unbounded the signs of M'y must hold up to the last bits of M, 8 eps with |y^|_1 = 1 (y^_i = y_i/R_i), since entries
/// that a calculation has rounded can be no better: two walls that face each other leave y'M = 0 in theory and a few
/// units in the last place in memory. Such a y proves the claim for a matrix that agrees with M to the last bits, and
/// for M itself it excludes the z^ within `radius`, which must be more than Certificate::farthest times the data.
struct InfeasibilityProof {
  double gap = 0.0;     ///< -max y'(M z + q) > 0 with |y^|_1 = 1: by so much some w^_i must be wrong.
  double slope = 0.0;   ///< The largest |M'y| C that rounding left where it should be zero, with |y^|_1 = 1.
  double radius = 0.0;  ///< gap / slope. Excluded: every z whose `distance` (Certificate), not over the data, is below
                        ///< it. Infinite when the signs of M'y hold exactly.
  bool valid = false;
};

[[nodiscard]] InfeasibilityProof certify_infeasible(const Problem& problem, const Vector& y);

}  // namespace stiction::lcp
