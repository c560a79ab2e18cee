#include "stiction/contact/cone_start.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace stiction {

namespace {

// Compliance of joints, in units of what a unit impulse moves: redundant ones would make K singular.
constexpr double softness = 1e-10;
// A start need not be better than this: Newton's method goes on from there.
constexpr double good_enough = 1e-6;

const linalg::Rows& rows_of(const StepProblem& problem, int axis) {
  return axis == 0 ? problem.n : axis == 1 ? problem.t1 : problem.t2;
}

double offset_of(const StepProblem& problem, int axis, int contact) {
  return axis == 0 ? problem.b_n[contact] : axis == 1 ? problem.b_t1[contact] : problem.b_t2[contact];
}

}  // namespace

bool ConeStart::has_cone_form(const StepProblem& problem) const {
  const auto is_plain = [&](int j) { return problem.has_normal(j) && !(problem.contacts[j].hf > 0.0); };
  const auto is_joint = [&](int i) { return problem.row_law(i).is_joint(); };
  return !contacts_.empty() && std::all_of(contacts_.begin(), contacts_.end(), is_plain) &&
         std::all_of(joints_.begin(), joints_.end(), is_joint);
}

void ConeStart::begin(const Islands& islands, int island) {
  velocities_ = islands.velocities(island);
  joints_ = islands.joints(island);
  contacts_ = islands.contacts(island);
}

void ConeStart::factorise(const StepProblem& problem, const Islands& islands) {
  const int nv = static_cast<int>(velocities_.size()), size = nv + static_cast<int>(joints_.size());
  triplets_.clear();
  for (int i = 0; i < nv; ++i)
    for (SparseMatrix::InnerIterator it(problem.M, velocities_[i]); it; ++it)
      triplets_.add(islands.local(static_cast<int>(it.row())), i, it.value());
  for (int i = nv; i < size; ++i) {
    const int row = joints_[i - nv];
    const auto columns = problem.nu.columns(row);
    const auto values = problem.nu.values(row);
    for (std::size_t p = 0; p < columns.size(); ++p) {
      triplets_.add(islands.local(columns[p]), i, -values[p]);
      triplets_.add(i, islands.local(columns[p]), problem.alpha * values[p]);
    }
    triplets_.add(i, i, problem.row_law(row).compliance + softness * problem.nu.mobility(row, problem.M));
  }
  triplets_.fill(size, size, kkt_);
  lu_.begin(size);
  for (int j = 0; j < size; ++j) {
    for (SparseMatrix::InnerIterator it(kkt_, j); it; ++it) lu_.add_entry(static_cast<int>(it.row()), it.value());
    lu_.end_column();
  }
  lu_.factorise();
}

/// Column after column: K^-1 of a row of J, seen by the rows that touch what it moves.
void ConeStart::fill_matrix(const StepProblem& problem, const Islands& islands) {
  const int size = 3 * static_cast<int>(contacts_.size());
  touching_.resize(std::max(touching_.size(), velocities_.size()));
  for (auto& list : touching_) list.clear();
  for (int i = 0; i < size; ++i) {
    const linalg::Rows& rows = rows_of(problem, i % 3);
    const auto columns = rows.columns(contacts_[i / 3]);
    const auto values = rows.values(contacts_[i / 3]);
    for (std::size_t p = 0; p < columns.size(); ++p) touching_[islands.local(columns[p])].emplace_back(i, values[p]);
  }
  product_.assign(static_cast<std::size_t>(size), 0.0);
  triplets_.clear();
  for (int k = 0; k < size; ++k) {
    const linalg::Rows& rows = rows_of(problem, k % 3);
    const auto columns = rows.columns(contacts_[k / 3]);
    const auto values = rows.values(contacts_[k / 3]);
    column_.assign(velocities_.size() + joints_.size(), 0.0);
    for (std::size_t p = 0; p < columns.size(); ++p) column_[islands.local(columns[p])] = values[p];
    lu_.solve(column_);
    touched_.clear();
    for (std::size_t v = 0; v < velocities_.size(); ++v) {
      if (column_[v] == 0.0) continue;
      for (const auto& [row, value] : touching_[v]) {
        if (product_[row] == 0.0) touched_.push_back(row);
        product_[row] += value * column_[v];
      }
    }
    for (const int row : touched_) {
      triplets_.add(row, k, problem.alpha * product_[row]);
      product_[row] = 0.0;
    }
  }
  triplets_.fill(size, size, cone_.W.edit_sparse());
}

void ConeStart::find_velocity(const StepProblem& problem, const Islands& islands, const Vector* r) {
  const std::size_t nv = velocities_.size();
  free_.assign(nv + joints_.size(), 0.0);
  for (std::size_t i = 0; i < nv; ++i) {
    const int global = velocities_[i];
    for (SparseMatrix::InnerIterator it(problem.M, global); it; ++it)
      free_[islands.local(static_cast<int>(it.row()))] += it.value() * problem.v[global];
    free_[i] += problem.k[global];
  }
  for (std::size_t i = 0; i < joints_.size(); ++i)
    free_[nv + i] = -problem.b_nu[joints_[i]] - (1.0 - problem.alpha) * problem.nu.dot(joints_[i], problem.v);
  if (r != nullptr)
    for (int i = 0; i < static_cast<int>(r->size()); ++i) {
      const linalg::Rows& rows = rows_of(problem, i % 3);
      const auto columns = rows.columns(contacts_[i / 3]);
      const auto values = rows.values(contacts_[i / 3]);
      for (std::size_t p = 0; p < columns.size(); ++p) free_[islands.local(columns[p])] += values[p] * (*r)[i];
    }
  lu_.solve(free_);
}

void ConeStart::fill_vectors(const StepProblem& problem, const Islands& islands) {
  const auto contacts = static_cast<Eigen::Index>(contacts_.size());
  find_velocity(problem, islands, nullptr);
  cone_.q.resize(3 * contacts);
  cone_.mu.resize(contacts);
  cone_.mu2.resize(contacts);
  for (Eigen::Index c = 0; c < contacts; ++c) {
    const int j = contacts_[c];
    const StepProblem::Contact& contact = problem.contacts[j];
    cone_.mu[c] = contact.tangents > 0 ? contact.mu : 0.0;
    cone_.mu2[c] = contact.tangents > 1 ? contact.mu2 : 0.0;
    for (int axis = 0; axis < 3; ++axis) {
      const linalg::Rows& rows = rows_of(problem, axis);
      const auto columns = rows.columns(j);
      const auto values = rows.values(j);
      double speed = offset_of(problem, axis, j) + (1.0 - problem.alpha) * rows.dot(j, problem.v);
      for (std::size_t p = 0; p < columns.size(); ++p)
        speed += problem.alpha * values[p] * free_[islands.local(columns[p])];
      cone_.q[3 * c + axis] = speed;
    }
  }
}

const cone::Problem& ConeStart::condense(const StepProblem& problem, const Islands& islands, int island) {
  begin(islands, island);
  if (!has_cone_form(problem)) {
    cone_.q.resize(0);
    cone_.mu.resize(0);
    cone_.mu2.resize(0);
    return cone_;
  }
  factorise(problem, islands);
  fill_matrix(problem, islands);
  fill_vectors(problem, islands);
  return cone_;
}

bool ConeStart::find(const StepProblem& problem, const Islands& islands, int island, StepSolution& solution) {
  if (condense(problem, islands, island).contacts() == 0) return false;
  answer_.r.resize(cone_.size());
  for (std::size_t c = 0; c < contacts_.size(); ++c) {
    const int j = contacts_[c];
    const auto at = 3 * static_cast<Eigen::Index>(c);
    answer_.r[at] = solution.c_n[j];
    answer_.r[at + 1] = solution.c_t1[j];
    answer_.r[at + 2] = solution.c_t2[j];
  }
  cascade_.tolerance = 1e-10;
  cascade_.solve(cone_, answer_);
  if (!answer_.certificate.certified(good_enough)) return false;
  find_velocity(problem, islands, &answer_.r);
  for (const double value : free_)
    if (!std::isfinite(value)) return false;
  for (std::size_t i = 0; i < velocities_.size(); ++i) solution.v[velocities_[i]] = free_[i];
  for (std::size_t i = 0; i < joints_.size(); ++i) solution.c_nu[joints_[i]] = free_[velocities_.size() + i];
  for (std::size_t c = 0; c < contacts_.size(); ++c) {
    const int j = contacts_[c];
    const auto at = 3 * static_cast<Eigen::Index>(c);
    solution.c_n[j] = answer_.r[at];
    solution.c_t1[j] = answer_.r[at + 1];
    solution.c_t2[j] = answer_.r[at + 2];
  }
  return true;
}

}  // namespace stiction
