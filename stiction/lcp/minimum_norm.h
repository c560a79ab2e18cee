#pragma once

#include "stiction/lcp/problem.h"

namespace stiction::lcp {

/// Redundant constraints (a table with four legs) leave the multipliers undetermined: z is a solution, and so is every
/// other point of its bounds with the same C z, where C = G or C = A = G'M^-1G, which have the same null space.
/// Lotstedt 1982, Lemma 5.2, names two choices among them.

/// All x with C x = C start, lower <= x <= upper. `start` must be one of them.
struct MultiplierSet {
  DenseMatrix C;
  Vector start, lower, upper;
  /// Singular values (pivots) of C below this part of the largest are zero: columns that depend on each other by the
  /// geometry do so to about 1e-15, those of distinct contacts rarely to less than 1e-6.
  double rank_tolerance = 1e-10;
};

/// The set of solutions that share C z with the solution z of a problem with symmetric positive semidefinite M. Where
/// w_i is not zero, by more than `w_tolerance` in equilibrated units over max(|z|, |q|), z_i keeps its value. C needs
/// as many columns as M and the null space of M; M itself will do, but G has twice the digits.
[[nodiscard]] MultiplierSet multiplier_set(const Problem& problem, const Vector& z, DenseMatrix C,
                                           double w_tolerance = 1e-9);

/// The unique x of least 2-norm in the set (Lemma 5.2, part 4).
///
/// With x = x_r + N t, x_r in the row space of C and N an orthonormal basis of its null space, |x|^2 = |x_r|^2 + |t|^2:
/// a least distance problem, min |t| with N t inside bounds, which Lawson and Hanson 1974, chapter 23, reduce to
/// nonnegative least squares and solve by an active-set method that is finite however redundant the constraints are.
[[nodiscard]] Vector minimum_norm(const MultiplierSet& set);

/// An x of the set for which the columns of C strictly between their bounds are linearly independent (Lemma 5.1;
/// Lemma 5.2, part 3): Caratheodory's reduction. While a null vector v of these columns exists, x moves along it to the
/// nearest bound (free variables: to zero). No component changes its sign.
[[nodiscard]] Vector independent_columns(const MultiplierSet& set);

/// min |A x - b|, x >= 0 (Lawson and Hanson 1974, algorithm NNLS).
[[nodiscard]] Vector nonnegative_least_squares(const DenseMatrix& A, const Vector& b);

}  // namespace stiction::lcp
