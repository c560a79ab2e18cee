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

}  // namespace

ConeStart::Row ConeStart::row_of(const StepProblem& problem, const Part& part, int axis) {
  if (part.drive >= 0) {
    if (axis != 1) return {};
    return {&problem.nu, part.drive, problem.b_nu[part.drive]};
  }
  const int j = part.contact;
  if (axis == 0) return part.bears ? Row{&problem.n, j, problem.b_n[j]} : Row{};
  if (!part.rubs) return {};
  return axis == 1 ? Row{&problem.t1, j, problem.b_t1[j]} : Row{&problem.t2, j, problem.b_t2[j]};
}

void ConeStart::add_contact(const StepProblem& problem, int j) {
  const StepProblem::Contact& contact = problem.contacts[j];
  const bool rubs = contact.tangents > 0 && (contact.mu > 0.0 || contact.hf > 0.0);
  const bool is_plain = problem.has_normal(j) && !(contact.hf > 0.0);
  if (problem.has_normal(j)) parts_.push_back({.contact = j, .bears = true, .rubs = rubs && is_plain});
  if (rubs && !is_plain) parts_.push_back({.contact = j, .rubs = true, .mu = contact.mu, .hf = contact.hf});
}

/// The parts of the island. False where a drive has one bound.
bool ConeStart::divide(const StepProblem& problem, const Islands& islands, int island) {
  velocities_ = islands.velocities(island);
  contacts_ = islands.contacts(island);
  parts_.clear();
  joints_.clear();
  for (const int j : contacts_) add_contact(problem, j);
  for (Part& part : parts_) {
    if (part.bears || !(part.mu > 0.0)) continue;
    const int bearer = problem.normal_of(part.contact);
    const auto found = std::lower_bound(parts_.begin(), parts_.end(), bearer,
                                        [](const Part& p, int contact) { return p.contact < contact; });
    if (found != parts_.end() && found->contact == bearer && found->bears)
      part.carrier = static_cast<int>(found - parts_.begin());
  }
  for (const int i : islands.joints(island)) {
    const StepProblem::RowLaw law = problem.row_law(i);
    if (law.is_joint()) {
      joints_.push_back(i);
      continue;
    }
    if (!std::isfinite(law.lower) || !std::isfinite(law.upper)) return false;
    parts_.push_back(
        {.drive = i, .rubs = true, .hf = 0.5 * (law.upper - law.lower), .center = 0.5 * (law.upper + law.lower)});
  }
  return !contacts_.empty();
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
  const int size = 3 * static_cast<int>(parts_.size());
  touching_.resize(std::max(touching_.size(), velocities_.size()));
  for (auto& list : touching_) list.clear();
  for (int i = 0; i < size; ++i) {
    const Row row = row_of(problem, parts_[i / 3], i % 3);
    for (std::size_t p = 0; p < row.columns().size(); ++p)
      touching_[islands.local(row.columns()[p])].emplace_back(i, row.values()[p]);
  }
  product_.assign(static_cast<std::size_t>(size), 0.0);
  mobility_.assign(parts_.size(), 0.0);
  triplets_.clear();
  for (int k = 0; k < size; ++k) {
    const Row pushed = row_of(problem, parts_[k / 3], k % 3);
    if (pushed.columns().empty()) continue;
    column_.assign(velocities_.size() + joints_.size(), 0.0);
    for (std::size_t p = 0; p < pushed.columns().size(); ++p)
      column_[islands.local(pushed.columns()[p])] = pushed.values()[p];
    lu_.solve(column_);
    touched_.clear();
    for (std::size_t v = 0; v < velocities_.size(); ++v) {
      if (column_[v] == 0.0) continue;
      for (const auto& [row, value] : touching_[v]) {
        if (product_[row] == 0.0) touched_.push_back(row);
        product_[row] += value * column_[v];
      }
    }
    if (k % 3 != 0) mobility_[k / 3] = std::max(mobility_[k / 3], problem.alpha * product_[k]);
    for (const int row : touched_) {
      triplets_.add(row, k, problem.alpha * product_[row]);
      product_[row] = 0.0;
    }
  }
  for (int p = 0; p < static_cast<int>(parts_.size()); ++p) add_radius(problem, p);
  triplets_.fill(size, size, cone_.W.edit_sparse());
}

/// The normal row of a part that has none of its own.
void ConeStart::add_radius(const StepProblem& problem, int at) {
  const Part& part = parts_[at];
  if (part.bears) return;
  if (part.drive >= 0) triplets_.add(3 * at + 1, 3 * at + 1, problem.row_law(part.drive).compliance);
  if (!(mobility_[at] > 0.0)) mobility_[at] = 1.0;
  triplets_.add(3 * at, 3 * at, mobility_[at]);
  if (part.carrier >= 0) triplets_.add(3 * at, 3 * part.carrier, -part.mu * mobility_[at]);
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
  for (int i = 0; i < 3 * static_cast<int>(parts_.size()); ++i) {
    const Part& part = parts_[i / 3];
    const Row row = row_of(problem, part, i % 3);
    const double impulse = (r != nullptr ? (*r)[i] : 0.0) + part.center;
    for (std::size_t p = 0; p < row.columns().size(); ++p)
      free_[islands.local(row.columns()[p])] += row.values()[p] * impulse;
  }
  lu_.solve(free_);
}

void ConeStart::fill_vectors(const StepProblem& problem, const Islands& islands) {
  const auto size = static_cast<Eigen::Index>(parts_.size());
  find_velocity(problem, islands, nullptr);
  cone_.q.resize(3 * size);
  cone_.mu.resize(size);
  cone_.mu2.resize(size);
  for (Eigen::Index c = 0; c < size; ++c) {
    const Part& part = parts_[c];
    const bool is_drive = part.drive >= 0;
    const double mu = !part.rubs ? 0.0 : part.bears ? problem.contacts[part.contact].mu : 1.0;
    const bool has_two = !is_drive && problem.contacts[part.contact].tangents > 1;
    cone_.mu[c] = mu;
    cone_.mu2[c] = has_two ? mu * problem.contacts[part.contact].ratio() : 0.0;
    for (int axis = 0; axis < 3; ++axis) {
      const Row row = row_of(problem, part, axis);
      double speed = row.offset;
      if (row.rows != nullptr) speed += (1.0 - problem.alpha) * row.rows->dot(row.index, problem.v);
      for (std::size_t p = 0; p < row.columns().size(); ++p)
        speed += problem.alpha * row.values()[p] * free_[islands.local(row.columns()[p])];
      cone_.q[3 * c + axis] = speed;
    }
    if (!part.bears) cone_.q[3 * c] = -mobility_[c] * part.hf;
    if (is_drive) cone_.q[3 * c + 1] += problem.row_law(part.drive).compliance * part.center;
  }
}

const cone::Problem& ConeStart::condense(const StepProblem& problem, const Islands& islands, int island) {
  if (!divide(problem, islands, island)) {
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

void ConeStart::load(const StepProblem& problem, const StepSolution& solution) {
  answer_.r.setZero(cone_.size());
  for (std::size_t c = 0; c < parts_.size(); ++c) {
    const Part& part = parts_[c];
    double* r = answer_.r.data() + 3 * c;
    if (part.drive >= 0) {
      r[0] = part.hf;
      r[1] = solution.c_nu[part.drive] - part.center;
      continue;
    }
    r[0] = part.bears ? solution.c_n[part.contact] : problem.radius(part.contact, solution.c_n);
    if (!part.rubs) continue;
    r[1] = solution.c_t1[part.contact];
    r[2] = solution.c_t2[part.contact];
  }
}

void ConeStart::write(StepSolution& solution) const {
  for (std::size_t i = 0; i < velocities_.size(); ++i) solution.v[velocities_[i]] = free_[i];
  for (std::size_t i = 0; i < joints_.size(); ++i) solution.c_nu[joints_[i]] = free_[velocities_.size() + i];
  for (const int j : contacts_) solution.c_n[j] = solution.c_t1[j] = solution.c_t2[j] = 0.0;
  for (std::size_t c = 0; c < parts_.size(); ++c) {
    const Part& part = parts_[c];
    const double* r = answer_.r.data() + 3 * c;
    if (part.drive >= 0) solution.c_nu[part.drive] = part.center + r[1];
    if (part.bears) solution.c_n[part.contact] = r[0];
    if (part.contact < 0 || !part.rubs) continue;
    solution.c_t1[part.contact] = r[1];
    solution.c_t2[part.contact] = r[2];
  }
}

bool ConeStart::find(const StepProblem& problem, const Islands& islands, int island, StepSolution& solution) {
  if (condense(problem, islands, island).contacts() == 0) return false;
  load(problem, solution);
  cascade_.tolerance = 1e-10;
  cascade_.solve(cone_, answer_);
  if (!(answer_.certificate.residual <= good_enough)) return false;
  find_velocity(problem, islands, &answer_.r);
  for (const double value : free_)
    if (!std::isfinite(value)) return false;
  write(solution);
  return true;
}

}  // namespace stiction
