#pragma once

#include <string>

#include "stiction/lcp/problem.h"

namespace stiction::families {

using lcp::Index;
using lcp::SparseMatrix;
using lcp::Vector;

/// One step of bodies in contact, as data: the problem (2.8)-(2.12) of Anitescu and Potra 1997 with the right-hand
/// sides that other schemes add. Find v, c_nu, c_n, beta, lambda such that
///
///     A v - nu c_nu - n c_n - D beta = momentum
///     nu'v + b_nu                    = 0
///     0 <= n'v + b_n                |  c_n    >= 0
///     0 <= lambda e + D'v + b_t     |  beta   >= 0
///     0 <= hf + mu c_n - e'beta     |  lambda >= 0.
///
/// A column belongs to a joint row (nu) or to a contact (n, t1, t2); a contact's D has `facets` columns
/// cos(2 pi i / facets) t1 + sin(2 pi i / facets) t2, so one problem serves every polyhedral cone.
/// With A positive definite, b_nu = 0, b_t = 0, b_n >= 0 and hf >= 0 a solution exists and Lemke's method finds it
/// (1997, Theorem 2.1; b_t != 0 keeps the promise where no forces inside the cones balance each other).
struct ContactProblem {
  std::string name;
  SparseMatrix A = {};          ///< Block diagonal, one block of six for each body; not symmetric for spinning bodies.
  SparseMatrix A_inverse = {};  ///< Of the same blocks.
  Vector momentum = {};         ///< M v_old + h k.
  SparseMatrix nu = {}, n = {}, t1 = {}, t2 = {};
  Vector b_nu = {}, b_n = {}, b_t1 = {}, b_t2 = {};
  Vector mu = {}, hf = {};

  [[nodiscard]] Index velocities() const { return A.rows(); }
  [[nodiscard]] Index joints() const { return nu.cols(); }
  [[nodiscard]] Index contacts() const { return n.cols(); }
};

/// Unknowns of a contact: c_n, beta_1 .. beta_facets, lambda, in this order, in both forms.
[[nodiscard]] constexpr Index unknowns_per_contact(int facets) {
  return facets + 2;
}

/// The mixed sparse problem (2.13): z = [v; c_nu; the contacts one after the other], v and c_nu free.
/// `facets` is even and at least two.
[[nodiscard]] lcp::Problem to_mixed(const ContactProblem& contact_problem, int facets);

/// The same problem with the velocities eliminated, dense: z = [c_nu; the contacts one after the other]. A standard
/// linear complementarity problem where there are no joints; joint multipliers are free variables.
[[nodiscard]] lcp::Problem to_dense_lcp(const ContactProblem& contact_problem, int facets);

/// v = A^-1 (momentum + nu c_nu + n c_n + D beta) for an answer of the dense form.
[[nodiscard]] Vector velocities_from_dense(const ContactProblem& contact_problem, int facets, const Vector& z);

/// The answer of one form as the answer of the other.
[[nodiscard]] Vector mixed_from_dense(const ContactProblem& contact_problem, int facets, const Vector& z);
[[nodiscard]] Vector dense_from_mixed(const ContactProblem& contact_problem, const Vector& z);

}  // namespace stiction::families
