#include "problems/generator/contact_problem.h"

#include <cmath>
#include <numbers>
#include <vector>

#include "stiction/base/assert.h"

namespace stiction::families {

namespace {

using Triplets = std::vector<Eigen::Triplet<double>>;

struct Facet {
  double cosine, sine;
};

/// d and -d are exact opposites (1997, below 2.5); the octagon's numbers do not depend on the platform's cosine.
Facet facet(int i, int facets) {
  if (i >= facets / 2) {
    const Facet opposite = facet(i - facets / 2, facets);
    return {-opposite.cosine, -opposite.sine};
  }
  if (8 % facets == 0) {
    const double diagonal = std::sqrt(0.5);
    const Facet octants[] = {{1.0, 0.0}, {diagonal, diagonal}, {0.0, 1.0}, {-diagonal, diagonal}};
    return octants[i * (8 / facets)];
  }
  const double angle = 2.0 * std::numbers::pi * i / facets;
  return {std::cos(angle), std::sin(angle)};
}

/// The rows of constraints by velocities, [nu, then n, D, 0 for each contact]: one column for each multiplier.
SparseMatrix all_columns(const ContactProblem& c, int facets) {
  Triplets triplets;
  const auto add = [&](const SparseMatrix& from, Index from_column, double factor, Index to_column) {
    if (factor == 0.0) return;
    for (SparseMatrix::InnerIterator it(from, from_column); it; ++it)
      triplets.emplace_back(it.row(), to_column, factor * it.value());
  };
  for (Index i = 0; i < c.joints(); ++i) add(c.nu, i, 1.0, i);
  for (Index j = 0; j < c.contacts(); ++j) {
    const Index first = c.joints() + j * unknowns_per_contact(facets);
    add(c.n, j, 1.0, first);
    for (int k = 0; k < facets; ++k) {
      add(c.t1, j, facet(k, facets).cosine, first + 1 + k);
      add(c.t2, j, facet(k, facets).sine, first + 1 + k);
    }
  }
  SparseMatrix columns(c.velocities(), c.joints() + c.contacts() * unknowns_per_contact(facets));
  columns.setFromTriplets(triplets.begin(), triplets.end());
  return columns;
}

/// The part of the matrix that knows no velocities, N of (2.15): e, -e' and mu.
Triplets cone_entries(const ContactProblem& c, int facets, Index offset) {
  Triplets triplets;
  for (Index j = 0; j < c.contacts(); ++j) {
    const Index first = offset + c.joints() + j * unknowns_per_contact(facets);
    const Index last = first + facets + 1;
    if (c.mu[j] != 0.0) triplets.emplace_back(last, first, c.mu[j]);
    for (int k = 0; k < facets; ++k) {
      triplets.emplace_back(first + 1 + k, last, 1.0);
      triplets.emplace_back(last, first + 1 + k, -1.0);
    }
  }
  return triplets;
}

/// [b_nu, then b_n, b_t, hf for each contact].
Vector right_hand_side(const ContactProblem& c, int facets) {
  Vector b(c.joints() + c.contacts() * unknowns_per_contact(facets));
  b.head(c.joints()) = c.b_nu;
  for (Index j = 0; j < c.contacts(); ++j) {
    const Index first = c.joints() + j * unknowns_per_contact(facets);
    b[first] = c.b_n[j];
    for (int k = 0; k < facets; ++k)
      b[first + 1 + k] = facet(k, facets).cosine * c.b_t1[j] + facet(k, facets).sine * c.b_t2[j];
    b[first + facets + 1] = c.hf[j];
  }
  return b;
}

/// The first `free` variables are free, the others nonnegative; nothing to say when there is none.
void set_bounds(lcp::Problem& problem, Index free) {
  if (free == 0) return;
  problem.lower = Vector::Zero(problem.size());
  problem.upper = Vector::Constant(problem.size(), lcp::infinity);
  problem.lower.head(free).setConstant(-lcp::infinity);
}

void check_facets(int facets) {
  STICTION_ASSERT(facets >= 2 && facets % 2 == 0, "a friction cone has an even number of facets, two or more");
}

}  // namespace

lcp::Problem to_mixed(const ContactProblem& c, int facets) {
  check_facets(facets);
  const SparseMatrix columns = all_columns(c, facets);
  const Index nv = c.velocities();
  Triplets triplets = cone_entries(c, facets, nv);
  for (Index j = 0; j < nv; ++j)
    for (SparseMatrix::InnerIterator it(c.A, j); it; ++it) triplets.emplace_back(it.row(), j, it.value());
  for (Index j = 0; j < columns.cols(); ++j)
    for (SparseMatrix::InnerIterator it(columns, j); it; ++it) {
      triplets.emplace_back(it.row(), nv + j, -it.value());
      triplets.emplace_back(nv + j, it.row(), it.value());
    }
  SparseMatrix M(nv + columns.cols(), nv + columns.cols());
  M.setFromTriplets(triplets.begin(), triplets.end());

  lcp::Problem problem{.name = c.name, .M = std::move(M), .q = Vector(nv + columns.cols())};
  problem.q.head(nv) = -c.momentum;
  problem.q.tail(columns.cols()) = right_hand_side(c, facets);
  set_bounds(problem, nv + c.joints());
  return problem;
}

lcp::Problem to_dense_lcp(const ContactProblem& c, int facets) {
  check_facets(facets);
  const SparseMatrix columns = all_columns(c, facets);
  const SparseMatrix answer = c.A_inverse * columns;
  const SparseMatrix W = SparseMatrix(columns.transpose()) * answer;
  lcp::DenseMatrix M(W);
  for (const auto& entry : cone_entries(c, facets, 0)) M(entry.row(), entry.col()) += entry.value();

  const Vector free_velocity = c.A_inverse * c.momentum;
  lcp::Problem problem{.name = c.name, .M = std::move(M), .q = right_hand_side(c, facets)};
  problem.q += columns.transpose() * free_velocity;
  set_bounds(problem, c.joints());
  return problem;
}

Vector velocities_from_dense(const ContactProblem& c, int facets, const Vector& z) {
  check_facets(facets);
  const Vector impulse = c.momentum + all_columns(c, facets) * z;
  return c.A_inverse * impulse;
}

Vector mixed_from_dense(const ContactProblem& c, int facets, const Vector& z) {
  Vector mixed(c.velocities() + z.size());
  mixed << velocities_from_dense(c, facets, z), z;
  return mixed;
}

Vector dense_from_mixed(const ContactProblem& c, const Vector& z) {
  return z.tail(z.size() - c.velocities());
}

}  // namespace stiction::families
