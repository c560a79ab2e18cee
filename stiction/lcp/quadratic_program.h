#pragma once

#include "stiction/base/result.h"
#include "stiction/lcp/problem.h"
#include "stiction/lcp/solver.h"

namespace stiction::lcp {

/// Lotstedt 1982, (6.1): min over lambda in its bounds of 1/2 lambda'A lambda + lambda'b, A symmetric positive
/// semidefinite. Its solutions are exactly those of the complementarity problem with M = A, q = b (Cottle and Dantzig
/// 1968).
struct QuadraticProgram {
  DenseMatrix A;
  Vector b;
  Vector lower = {};  ///< Empty: all 0.
  Vector upper = {};  ///< Empty: all infinity.
};

[[nodiscard]] Problem to_problem(const QuadraticProgram& program);
[[nodiscard]] double objective(const QuadraticProgram& program, const Vector& lambda);

/// Gauss's principle of least constraint for unilateral constraints, Lotstedt 1982, (6.3):
///
///     min over x of 1/2 (x - M^-1 f)'M (x - M^-1 f),   g_i'x + d_i = 0 for the first `equalities` columns of G,
///                                                       g_i'x + d_i >= 0 for the others.
///
/// x is the acceleration, f the forces, M the mass matrix (symmetric positive definite), d = (d/dt G')v. The dual of
/// (6.1) with A = G'M^-1G, b = G'M^-1f + d, and the two are joined by M x = f + G lambda (2.5a).
struct LeastConstraint {
  DenseMatrix M;
  Vector f;
  DenseMatrix G;
  Vector d;
  Index equalities = 0;
};

/// (6.1) of (6.3); an error when sizes disagree, a number is not finite, or M is not symmetric positive definite.
[[nodiscard]] Result<QuadraticProgram> to_quadratic_program(const LeastConstraint& principle);
/// (6.3) by its optimality conditions, without M^-1: x free, [M -G; G' 0] and (-f, d), unknowns (x, lambda).
[[nodiscard]] Problem to_mixed_problem(const LeastConstraint& principle);
[[nodiscard]] double objective(const LeastConstraint& principle, const Vector& x);

/// Which of several multipliers. x and w = G'x + d are the same for all (Lemma 5.2, part 1).
enum class Multiplier : std::uint8_t {
  any,
  minimum_norm,  ///< The unique one of least 2-norm (Lemma 5.2, part 4).
  independent,   ///< One whose nonzero multipliers belong to independent columns of G (Lemma 5.2, part 3).
};

struct LeastConstraintAnswer {
  Status status = Status::invalid;  ///< As for a solver; x, lambda and w hold when it is `solved`.
  Vector x, lambda, w;
  Certificate certificate;  ///< Of lambda as a solution of (6.1).
};

/// Solves (6.1) by principal pivoting, which is finite for it, and x follows from M x = f + G lambda.
[[nodiscard]] Result<LeastConstraintAnswer> solve(const LeastConstraint& principle,
                                                  Multiplier choice = Multiplier::any);

}  // namespace stiction::lcp
