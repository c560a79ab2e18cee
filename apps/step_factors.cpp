#include "apps/step_factors.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace stiction::apps {

namespace {

using cone::Index;
using cone::SparseMatrix;
using cone::Vector;
using Triplets = std::vector<Eigen::Triplet<double>>;

void add_row(const Islands& islands, const linalg::Rows& rows, int row, Index column, Triplets& to) {
  const auto columns = rows.columns(row);
  const auto values = rows.values(row);
  for (std::size_t p = 0; p < columns.size(); ++p) to.emplace_back(islands.local(columns[p]), column, values[p]);
}

SparseMatrix to_matrix(Index rows, Index columns, const Triplets& triplets) {
  SparseMatrix matrix(rows, columns);
  matrix.setFromTriplets(triplets.begin(), triplets.end());
  return matrix;
}

void add_velocities(const StepProblem& problem, const Islands& islands, int island, cone::FactorForm& form) {
  const auto velocities = islands.velocities(island);
  const auto size = static_cast<Index>(velocities.size());
  form.f.resize(size);
  form.v0.resize(size);
  Triplets M;
  for (Index i = 0; i < size; ++i) {
    const int global = velocities[static_cast<std::size_t>(i)];
    form.f[i] = problem.k[global];
    form.v0[i] = problem.v[global];
    for (SparseMatrix::InnerIterator it(problem.M, global); it; ++it)
      M.emplace_back(islands.local(static_cast<int>(it.row())), i, it.value());
  }
  form.M = to_matrix(size, size, M);
}

void add_contacts(const StepProblem& problem, const Islands& islands, int island, cone::FactorForm& form) {
  const auto contacts = islands.contacts(island);
  const auto size = static_cast<Index>(contacts.size());
  const auto has_two = [&](int j) { return problem.contacts[j].tangents > 1; };
  form.dimension = std::any_of(contacts.begin(), contacts.end(), has_two) ? 3 : 2;
  form.mu.setZero(size);
  form.hf.setZero(size);
  if (form.dimension == 3) form.mu2.setZero(size);
  form.b.setZero(size * form.dimension);
  Triplets H;
  for (Index c = 0; c < size; ++c) {
    const int j = contacts[static_cast<std::size_t>(c)];
    const StepProblem::Contact& contact = problem.contacts[j];
    const Index first = c * form.dimension;
    if (contact.tangents > 0) {
      form.mu[c] = contact.mu;
      form.hf[c] = contact.hf;
    }
    if (contact.tangents > 1) form.mu2[c] = contact.mu * contact.ratio();
    const auto bearer = std::find(contacts.begin(), contacts.end(), problem.normal_of(j));
    form.bearer.push_back(problem.has_normal(j) ? -1 : static_cast<int>(bearer - contacts.begin()));
    const std::pair<const linalg::Rows&, const std::vector<double>&> axes[] = {
        {problem.n, problem.b_n}, {problem.t1, problem.b_t1}, {problem.t2, problem.b_t2}};
    for (int axis = problem.has_normal(j) ? 0 : 1; axis <= contact.tangents; ++axis) {
      form.b[first + axis] = axes[axis].second[static_cast<std::size_t>(j)];
      add_row(islands, axes[axis].first, j, first + axis, H);
    }
  }
  form.H = to_matrix(form.velocities(), size * form.dimension, H);
}

void add_rows(const StepProblem& problem, const Islands& islands, int island, cone::FactorForm& form) {
  const auto rows = islands.joints(island);
  const auto size = static_cast<Index>(rows.size());
  form.d.resize(size);
  form.lower.resize(size);
  form.upper.resize(size);
  form.compliance.resize(size);
  Triplets G;
  for (Index i = 0; i < size; ++i) {
    const int row = rows[static_cast<std::size_t>(i)];
    const StepProblem::RowLaw law = problem.row_law(row);
    form.d[i] = problem.b_nu[static_cast<std::size_t>(row)];
    form.lower[i] = law.lower;
    form.upper[i] = law.upper;
    form.compliance[i] = law.compliance;
    add_row(islands, problem.nu, row, i, G);
  }
  form.G = to_matrix(form.velocities(), size, G);
}

}  // namespace

cone::FactorForm find_factors(const StepProblem& problem, const Islands& islands, int island) {
  cone::FactorForm form{.alpha = problem.alpha};
  add_velocities(problem, islands, island, form);
  add_contacts(problem, islands, island, form);
  add_rows(problem, islands, island, form);
  return form;
}

}  // namespace stiction::apps
