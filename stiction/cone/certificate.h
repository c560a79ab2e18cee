#pragma once

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "stiction/cone/problem.h"

namespace stiction::cone {

/// What an answer is worth, from the problem and the answer alone (DESIGN.md, section 5). Shares no code with a solver.
/// With the error of the natural map
///
///     e_i(rho) = r_i - P_K( r_i - rho (u_i + mu |u_iT| n) )
///
/// it has two residuals, and an answer needs both.
///
///     residual = || e(rho) || / max(||r||, rho ||q||),   rho = dimension contacts / trace W,
///     contact_residual = max over i of (|e_i(rho_i)| + unseen_i) / (rho_i V_i),   rho_i = dimension / trace W_ii.
///
/// The first can be bought with a large r and hides one wrong contact among thousands. The second is an error of speed
/// over a speed. V_i is the largest free speed |q_j| of the contacts j of the bodies of contact i and of the bodies
/// that these touch: two steps in the graph in which i and j are neighbours where W_ij or W_ji is not zero (up to 1e-12
/// of sqrt(tr W_ii tr W_jj), what rounding leaves). A file does not hold |g| h, and of a body that rests on another
/// that falls as fast q is zero. So V_i is at least 1e-2 of the largest |q| of the contacts that hang together with i,
/// and 1e-6 of the largest of all, below which q is the rounding of what it was made from. With q = 0 only r = 0 is an
/// answer.
///
/// unseen_i = eps (|r_i| + rho_i |sum over j of |W_ij r_j||) is a bound on what rounding hides: u is summed with the
/// rounding of its sums carried along, so that only that of its products is left, and e_i is formed without taking r_i
/// from itself. Elliptic cones are measured in the metric in which they are round.
///
/// Friction without a normal of its own (Problem::borne) has no cone but a disc, of the radius R = r_n that r itself
/// says: e_T = r_T - P_R(r_T - rho u_T), e_n = min(r_n, 0), and r_n is left out of ||r|| and of unseen_i. That the
/// radius is the right one, u_n = 0, is a second error of such a contact, over the larger of V_i and |q_n|: |q_n| is
/// the constant part of the radius, as a speed. Speeds, here as in ||q||, are Problem::free_speeds: bounds of drives
/// and constant friction are none. contact_residual is at least Problem::disagreement.
struct Certificate {
  double residual = std::numeric_limits<double>::infinity();
  double contact_residual = std::numeric_limits<double>::infinity();
  Index worst = -1;  ///< The contact of contact_residual.

  [[nodiscard]] bool certified(double tolerance = 1e-8) const {
    return residual <= tolerance && contact_residual <= tolerance;
  }
};

/// Reusable storage: a second call of the same size allocates nothing.
struct CertifyWork {
  Vector u, low, radius, terms;
  std::vector<double> trace, speed, near, floor;
  std::vector<std::pair<Index, Index>> neighbours;
  std::vector<Index> mark, island;
};

/// The problem must be without defect; see find_defect.
[[nodiscard]] Certificate certify(const Problem& problem, const Vector& r, CertifyWork& work);
[[nodiscard]] Certificate certify(const Problem& problem, const Vector& r);

/// How far y goes to prove that there is no answer: y_n >= 0, y_T = 0, q'y < 0.
///
/// Of an answer u_n >= 0, so 0 <= y'u = (W'y)'r + q'y. With r in K the first term is at most d |r|, where
/// d = |P_K(W'y)| is the distance of -W'y from the dual cone K*. So no answer has |r| < |q'y| / d.
///
/// What is certified to a tolerance t need not be an answer to the last digit. Of contact i it has
///
///     |e_i| <= t S_i, S_i = rho_i V_i,   so r_i is within t S_i of K;
///     u_n >= -sqrt(1 + mu^2) t V_i,      since rho_i w - e_i, w = u + mu |u_T| n, is in K* (Moreau);
///     |r_i| <= t S_i / eps,              since eps |r_i| of it is not seen,
///
/// and so |q'y| <= t times the sum over i of 2 sqrt(1 + mu^2) y_i V_i + (1 / eps + 1) d_i S_i + |(W'y)_i| S_i, with 2
/// for the rounding of the certificate itself. Where a contact is borne, V of its u_n and S are those of the larger of
/// V_i and |q_n|, S of both numbers together.
struct InfeasibilityProof {
  double bound = 0.0;            ///< |q'y| / d, with what rounding may have taken from it. Zero where y proves nothing.
  double least_tolerance = 0.0;  ///< Nothing can be certified to a tolerance below: |q'y| over the sum above.

  /// Whether nothing can be certified to this tolerance, so that `solved` is out of reach for good. A tolerance below
  /// what rounding leaves is refuted by anything: it proves nothing, and 1e-8 is taken.
  [[nodiscard]] bool refutes(double tolerance = 1e-8) const { return least_tolerance > std::max(tolerance, 1e-8); }
};

/// Sums are taken in twice the precision.
[[nodiscard]] InfeasibilityProof certify_infeasible(const Problem& problem, const Vector& y);

/// The measure of another library, Siconos: the error with rho = 1 over max(||q||, ||r||, ||u||), which depends on
/// units.
[[nodiscard]] double siconos_error(const Problem& problem, const Vector& r);

}  // namespace stiction::cone
