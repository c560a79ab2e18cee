#pragma once

#include <cmath>

#include "stiction/lcp/problem.h"

namespace stiction::lcp {

/// What an answer is worth, from the problem and the answer alone.
///
/// The residual is that of the natural map in equilibrated units. With positive row and column scales R, C that bring
/// the largest entry of every row and column of R M C near one (`equilibrate`), z^ = z/C, w^ = R w, q^ = R q,
///
///     error    = max_i | z^_i - mid(lower^_i, upper^_i, z^_i - w^_i) |,
///     residual = error / max(max|z^|, max|q^|),
///     data_residual = error / data,   data = max over i of |q^_i| and of the distance of [lower^_i, upper^_i] from 0.
///
/// Both are zero exactly at a solution. They are the same in any units of the rows and columns, up to the factor by
/// which `equilibrate` leaves the scales open. The second is what a huge z cannot hide: along a null direction of M any
/// violation of the law becomes small beside z, of problems without a solution too. It is held to the square root of
/// the tolerance, since w cannot be known better than the rounding of z: an exact solution of size |z^| = 1e10 |q^|
/// written in double precision has a data_residual of 1e-6.
struct Certificate {
  double residual = infinity;
  double data_residual = infinity;
  double bound_violation = infinity;    ///< Largest distance of z^ from its bounds, over the residual's divisor.
  double equality_residual = infinity;  ///< Largest |w^| over the free variables, over the residual's divisor.
  Index worst = -1;                     ///< The index that gave the residual.

  [[nodiscard]] bool certified(double tolerance) const {
    return residual <= tolerance && data_residual <= std::sqrt(tolerance);
  }
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
/// finite, and max over z in [lower, upper] of y'(M z + q) < 0. The signs of y must hold exactly. Rounding leaves M'y a
/// little off in columns where z is unbounded: forgiven up to 1e-13, with |y^|_1 = 1 (y^_i = y_i/R_i). Then y proves it
/// for a matrix whose equilibrated entries differ by no more than that, and for the matrix given it excludes the z^
/// within `radius` of their bounds. It is a proof here when that is 1e6 times the `data` of Certificate, and the gap
/// 1e-7 times: a smaller one would not contradict answers that certify.
struct InfeasibilityProof {
  double gap = 0.0;     ///< -max y'(M z + q) > 0 with |y^|_1 = 1: by so much some w^_i must be wrong.
  double slope = 0.0;   ///< The largest |M'y| C that rounding left where it should be zero, with |y^|_1 = 1.
  double radius = 0.0;  ///< gap / slope. Excluded: every z whose sum of distances from its bounds (free: from zero), in
                        ///< equilibrated units, is below it. Infinite when the signs of M'y hold exactly.
  bool valid = false;
};

[[nodiscard]] InfeasibilityProof certify_infeasible(const Problem& problem, const Vector& y);

}  // namespace stiction::lcp
