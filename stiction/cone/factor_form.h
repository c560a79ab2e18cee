#pragma once

#include "stiction/base/result.h"
#include "stiction/cone/problem.h"

namespace stiction::cone {

/// Contact as mechanics poses it, with bodies and joints: find v, r, c with
///
///     M v = H r + G c + f,     u = H'v + b,     G'v + d = 0,     r and u under the law of Problem.
///
/// M is square and regular, not necessarily symmetric. Columns of H come contact by contact, n, t, s. Joints, the
/// columns of G, may say the same twice.
struct FactorForm {
  std::string name = {};
  int dimension = 3;
  SparseMatrix M = {};
  Vector f = {};
  SparseMatrix H = {}, G = {};
  Vector b = {}, d = {};
  Vector mu = {}, mu2 = {};
};

/// With v and c eliminated. An error where sizes disagree, M is singular, or joints contradict each other.
[[nodiscard]] Result<Problem> condense(const FactorForm& form);

/// W = W0 - V R^+ V2, q = q0 - V R^+ s: what is left of u = W0 r + V c + q0 with 0 = V2 r + R c + s. R may be singular
/// where its equations agree; by how much they do not is given back, relative to s.
double eliminate(const DenseMatrix& R, const DenseMatrix& V, const DenseMatrix& V2, const Vector& s, DenseMatrix& W,
                 Vector& q);

}  // namespace stiction::cone
