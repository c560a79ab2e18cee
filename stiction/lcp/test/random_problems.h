#pragma once

#include "stiction/base/random.h"
#include "stiction/lcp/problem.h"

/// Small random problems of the classes that theory speaks of, for tests against enumeration.
namespace stiction::lcp::test {

inline DenseMatrix random_matrix(Random& random, Index rows, Index cols) {
  return DenseMatrix::NullaryExpr(rows, cols, [&](Index, Index) { return random.normal(); });
}

inline Vector random_vector(Random& random, Index n) {
  return Vector::NullaryExpr(n, [&](Index) { return random.normal(); });
}

/// Entries -3 to 3, half of them zero: ties, singular blocks and degenerate vertices abound.
inline DenseMatrix random_integers(Random& random, Index rows, Index cols) {
  return DenseMatrix::NullaryExpr(
      rows, cols, [&](Index, Index) { return random.integer(0, 1) == 0 ? 0.0 : double(random.integer(-3, 3)); });
}

/// Unsymmetric P-matrices of two kinds: strictly diagonally dominant with a positive diagonal, and positive definite.
inline Problem random_p(Random& random, Index n) {
  DenseMatrix M = random_matrix(random, n, n);
  if (random.integer(0, 1) == 0) {
    for (Index i = 0; i < n; ++i) M(i, i) = M.row(i).cwiseAbs().sum() - std::abs(M(i, i)) + random.uniform(0.1, 1.0);
  } else {
    const DenseMatrix skew = M - M.transpose();
    const DenseMatrix B = random_matrix(random, n, n);
    M = B * B.transpose() + 0.1 * DenseMatrix::Identity(n, n) + skew;
  }
  return {"P", M, random_vector(random, n)};
}

/// A = B'B of random rank; b = B'r + d with d >= 0 so that the problem has a solution, or d any so that it may not.
/// Integers on every other call.
inline Problem random_psd(Random& random, Index n, bool solvable) {
  const Index rank = random.integer(0, static_cast<int>(n));
  const bool integers = random.integer(0, 1) == 0;
  const DenseMatrix B = integers ? random_integers(random, rank, n) : random_matrix(random, rank, n);
  Vector q = B.transpose() * (integers ? Vector(random_integers(random, rank, 1)) : random_vector(random, rank));
  const Vector d = integers ? Vector(random_integers(random, n, 1)) : random_vector(random, n);
  if (solvable)
    q += d.cwiseMax(0.0);
  else
    q += d;
  return {"symmetric positive semidefinite", DenseMatrix(B.transpose() * B), q};
}

/// Positive semidefinite plus nonnegative: copositive.
inline Problem random_copositive(Random& random, Index n) {
  const Problem psd = random_psd(random, n, true);
  const DenseMatrix N = random_matrix(random, n, n).cwiseMax(0.0);
  return {"copositive", DenseMatrix(psd.M.dense() + N), random_vector(random, n)};
}

inline Problem random_any(Random& random, Index n) {
  if (random.integer(0, 1) == 0)
    return {"integers", random_integers(random, n, n), Vector(random_integers(random, n, 1))};
  return {"any", random_matrix(random, n, n), random_vector(random, n)};
}

/// Gives each variable one of: [0, inf), (-inf, b], [a, b], free, fixed.
inline void random_bounds(Random& random, Problem& problem) {
  const Index n = problem.size();
  problem.lower = Vector::Zero(n);
  problem.upper = Vector::Constant(n, infinity);
  for (Index i = 0; i < n; ++i) switch (random.integer(0, 5)) {
      case 0:
        problem.lower[i] = -infinity;
        problem.upper[i] = random.normal();
        break;
      case 1:
      case 2:
        problem.lower[i] = random.normal();
        problem.upper[i] = problem.lower[i] + random.uniform(0.0, 2.0);
        break;
      case 3:
        problem.lower[i] = -infinity;
        break;
      case 4:
        problem.lower[i] = problem.upper[i] = random.normal();
        break;
      default:
        break;
    }
}

}  // namespace stiction::lcp::test
