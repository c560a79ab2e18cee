#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "stiction/lcp/solver.h"
#include "stiction/linalg/matrix.h"

namespace stiction::cone {

using linalg::DenseMatrix;
using linalg::Index;
using linalg::Matrix;
using linalg::SparseMatrix;
using linalg::Vector;

/// Frictional contact with the true cone. Find r such that, with u = W r + q, each contact obeys
///
///     r in K = { |r_T| <= mu r_n },   u + mu |u_T| n in K*,   and the two are orthogonal
///
/// (De Saxce and Feng 1998): it is open (r = 0, u_n >= 0), sticks (u = 0), or slides (u_n = 0, |r_T| = mu r_n, r_T
/// opposite to u_T). Rows come contact by contact: n, t in the plane (dimension 2), n, t, s in space (dimension 3).
///
/// With `mu2` the cone is elliptic, |(r_t / mu, r_s / mu2)| <= r_n, and sliding opposes friction in the metric in which
/// the ellipse is round. W may be dense or sparse, of any rank, and need not be symmetric: with friction that another
/// contact bears it is off by a quarter.
struct Problem {
  std::string name = {};
  lcp::Status expect = lcp::Status::solved;  ///< How a solver must end, where somebody stored that with it.
  int dimension = 3;
  Matrix W = {};
  Vector q = {};
  Vector mu = {};   ///< One a contact, along t (and s).
  Vector mu2 = {};  ///< Along s. Empty: as mu.
  /// Contacts whose first number is no force but the radius of their friction, with u_n = 0 for the law of that radius
  /// (`condense` makes them), one a contact. Empty: none.
  std::vector<char> borne = {};
  /// The speeds of q, without what limits of forces put into it, one a row: what errors are measured by. Empty: q.
  Vector free = {};
  /// Of a problem whose joints were eliminated: y, one number a joint, proves that no velocity satisfies them, and no
  /// answer has |r| below the bound (`certify_contradiction`). Then nothing certifies. Empty: they agree.
  struct Contradiction {
    Vector y = {};
    double bound = 0.0;
  } contradiction = {};
  /// Of a problem whose joints were eliminated: by how much they move all the same, over the speeds around them, of the
  /// worst one. Counts in the contact residual. More than rounding where joints contradict each other by so little that
  /// nothing proves it; q is then what the joints' least squares leave.
  double disagreement = 0.0;

  [[nodiscard]] Index size() const { return q.size(); }
  [[nodiscard]] Index contacts() const { return mu.size(); }
  [[nodiscard]] bool is_contradictory() const { return contradiction.y.size() != 0; }
  [[nodiscard]] bool is_borne(Index contact) const {
    return !borne.empty() && borne[static_cast<std::size_t>(contact)] != 0;
  }
  [[nodiscard]] const Vector& free_speeds() const { return free.size() == 0 ? q : free; }
  /// The ellipse's larger axis.
  [[nodiscard]] double friction(Index contact) const {
    return mu2.size() == 0 ? mu[contact] : std::max(mu[contact], mu2[contact]);
  }
  /// The axis along tangent 1 or 2 over the larger one: in r_T / share the cone is round. Zero: no friction along it.
  [[nodiscard]] double share(Index contact, int tangent) const {
    if (mu2.size() == 0 || !(friction(contact) > 0.0)) return 1.0;
    return (tangent == 1 ? mu[contact] : mu2[contact]) / friction(contact);
  }
};

/// Sizes agree, every number is finite, coefficients are not negative, no contact is between bodies that do not move.
/// Empty when the problem is well formed, otherwise what is wrong and where.
[[nodiscard]] std::string find_defect(const Problem& problem);

}  // namespace stiction::cone
