#pragma once

#include <vector>

#include "stiction/base/result.h"
#include "stiction/cone/problem.h"

namespace stiction::cone {

/// Contact as mechanics poses it, with bodies and joints: find v, r, c with
///
///     M (v - v0) = H r + G c + f,     u = H'v_alpha + b,     G'v_alpha + d + compliance c = 0,
///     v_alpha = alpha v + (1 - alpha) v0,     r and u under the law of Problem.
///
/// M is square and regular, not necessarily symmetric. Columns of H come contact by contact, n, t, s. Joints, the
/// columns of G, may say the same twice. What is empty of the fields after mu is zero, or the usual law.
///
/// Beyond that law: friction that another contact bears (torsional, rolling) or that needs no normal force, in the
/// ellipse of radius mu r_n + hf with r_n of the bearer; and rows of G with bounds, lower <= c <= upper, whose left
/// side above is >= 0 at lower and <= 0 at upper.
struct FactorForm {
  std::string name = {};
  lcp::Status expect = lcp::Status::solved;  ///< As in Problem.
  int dimension = 3;
  SparseMatrix M = {};
  Vector f = {};
  SparseMatrix H = {}, G = {};
  Vector b = {}, d = {};
  Vector mu = {}, mu2 = {};
  double alpha = 1.0;
  Vector v0 = {};
  Vector hf = {};                 ///< One a contact.
  std::vector<int> bearer = {};   ///< One a contact: the one whose r_n bounds its friction; -1: its own r_n; its own
                                  ///< number: it has no normal, and hf alone bounds it.
  Vector lower = {}, upper = {};  ///< One a row of G. Empty: joints, without bounds.
  Vector compliance = {};         ///< One a row of G.
  /// How many velocities each body has, in turn: for writers, and for solvers that keep bodies together. Empty: found
  /// from M and what touches it.
  std::vector<int> bodies = {};

  [[nodiscard]] Index velocities() const { return f.size(); }
  [[nodiscard]] Index contacts() const { return mu.size(); }
  [[nodiscard]] Index rows() const { return d.size(); }
  [[nodiscard]] double slide_limit(Index contact) const { return hf.size() == 0 ? 0.0 : hf[contact]; }
  [[nodiscard]] int bearer_of(Index contact) const { return bearer.empty() ? -1 : bearer[contact]; }
};

/// Sizes agree, numbers are finite, laws make sense. Empty when the form is well formed, otherwise what is wrong and
/// where.
[[nodiscard]] std::string find_defect(const FactorForm& form);

struct CondenseLimits {
  Index entries = 20'000'000;  ///< Of W.
  Index joints = 4'000;        ///< Rows of joints of one mechanism: they are eliminated by a dense factorisation.
};

/// With v and c eliminated: u = W r + q. W is sparse: contacts see each other through bodies and mechanisms that they
/// share. An error, with sizes, where the form is malformed, M is singular, or a limit is passed. Joints that
/// contradict each other are a Problem::contradiction, whose y certify_contradiction has checked; where they do so by
/// so little that y proves nothing, their forces are those of least squares, and Problem::disagreement says what is
/// left.
///
/// r has `dimension` numbers for each of these, in this order:
///
///     a contact:                            r;
///     after a contact with hf > 0:          its friction, (mu r_n + hf, r_T), the contact itself having r_n alone;
///     a contact that another one bears:     (mu r_n + hf, r_T) with r_n of the bearer;
///     after all contacts, a row of G with
///         two bounds:                       ((upper - lower) / 2, c - (upper + lower) / 2), in space and 0;
///         one bound:                        (|c - bound|, 0), in space and 0.
///
/// The first number of friction without a normal of its own is a copy of its radius, u_n = (r_n - mu c_n - hf) times a
/// positive number: W is then not symmetric. Problem::borne marks it, and Problem::free has the speeds of q alone.
[[nodiscard]] Result<Problem> condense(const FactorForm& form, const CondenseLimits& limits = {});

}  // namespace stiction::cone
