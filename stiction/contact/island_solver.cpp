#include "stiction/contact/island_solver.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace stiction {

using lcp::Place;

namespace {

// Friction and sliding are opposite to within this angle when turning stops, radians: the speed lost is its square.
constexpr double aligned = 1e-7;
// Turns without a better answer after which there is no hope of one.
constexpr int hopeless_after = 10;
// Pivots an unknown after which no further turn is worth its path.
constexpr long most_pivots = 6;
// What certifies a step's linear problem before a looser answer is taken: momentum is promised to 1e-10.
constexpr double tight = 1e-12;

}  // namespace

void SolveCounts::add(const SolveCounts& other) {
  problems += other.problems;
  reused += other.reused;
  round += other.round;
  pivots += other.pivots;
  turns += other.turns;
  unsettled += other.unsettled;
  largest = std::max(largest, other.largest);
}

SolveCounts IslandSolver::take_counts() {
  const SolveCounts counts = counts_;
  counts_ = {};
  return counts;
}

void IslandSolver::begin(const StepProblem& problem, const Islands& islands, int island, const ContactMemory& memory,
                         const StepSolution& on_bodies) {
  task_ = {&problem,
           &islands,
           &memory,
           &on_bodies,
           islands.velocities(island),
           islands.joints(island),
           islands.contacts(island)};
  for (const int j : task_.contacts) task_.turns |= options_.turn && problem.contacts[j].tangents == 2;
  pivoted_ = false;
  best_angle_ = std::numeric_limits<double>::infinity();
  turning_.assign(task_.contacts.size(), {});
}

/// One unilateral or bilateral row: scale * (alpha row'v+ + (1 - alpha) row'v), its impulse acting along the row.
void IslandSolver::add_row(const linalg::Rows& rows, int row, int unknown, double scale) {
  const StepProblem& problem = *task_.problem;
  const auto columns = rows.columns(row);
  const auto values = rows.values(row);
  for (std::size_t p = 0; p < columns.size(); ++p) {
    const int local = task_.islands->local(columns[p]);
    triplets_.add(unknown, local, scale * problem.alpha * values[p]);
    triplets_.add(local, unknown, -scale * values[p]);
  }
  if (problem.alpha != 1.0) lcp_.q[unknown] += scale * (1.0 - problem.alpha) * rows.dot(row, problem.v);
}

void IslandSolver::place_unknowns(const StepSolution& solution) {
  offset_.clear();
  size_ = static_cast<int>(task_.velocities.size() + task_.joints.size());
  for (const int j : task_.contacts) {
    offset_.push_back(size_);
    size_ += solution.facets[j].unknowns();
  }
}

/// The mixed problem (2.13) of 1997: z = [v+; c_nu; contacts], v+ and c_nu free.
void IslandSolver::assemble(const StepSolution& solution) {
  const StepProblem& problem = *task_.problem;
  const int nv = static_cast<int>(task_.velocities.size()), nj = static_cast<int>(task_.joints.size());
  place_unknowns(solution);
  lcp_.q.setZero(size_);
  lcp_.lower.setZero(size_);
  lcp_.upper.setConstant(size_, lcp::infinity);
  lcp_.lower.head(nv + nj).setConstant(-lcp::infinity);
  triplets_.clear();

  for (int i = 0; i < nv; ++i) {
    const int global = task_.velocities[i];
    for (SparseMatrix::InnerIterator it(problem.M, global); it; ++it) {
      const int row = task_.islands->local(static_cast<int>(it.row()));
      triplets_.add(row, i, it.value());
      lcp_.q[row] -= it.value() * problem.v[global];
    }
    lcp_.q[i] -= problem.k[global];
  }
  for (int i = 0; i < nj; ++i) {
    const StepProblem::RowLaw law = problem.row_law(task_.joints[i]);
    add_row(problem.nu, task_.joints[i], nv + i, 1.0);
    lcp_.q[nv + i] += problem.b_nu[task_.joints[i]];
    lcp_.lower[nv + i] = law.lower;
    lcp_.upper[nv + i] = law.upper;
    if (law.compliance > 0.0) triplets_.add(nv + i, nv + i, law.compliance);
  }
  for (std::size_t c = 0; c < task_.contacts.size(); ++c) {
    const int j = task_.contacts[c], first = offset_[c];
    const StepProblem::Contact& contact = problem.contacts[j];
    const Facets& facets = solution.facets[j];
    if (facets.has_normal) {
      add_row(problem.n, j, first, 1.0);
      lcp_.q[first] += problem.b_n[j];
    }
    if (facets.count == 0) continue;
    const int lambda = first + facets.first() + facets.count;
    for (int i = 0; i < facets.count; ++i) {
      double d1 = 0.0, d2 = 0.0;
      facets.direction(i, contact.ratio(), d1, d2);
      const int unknown = first + facets.first() + i;
      add_row(problem.t1, j, unknown, d1);
      add_row(problem.t2, j, unknown, d2);
      lcp_.q[unknown] += d1 * problem.b_t1[j] + d2 * problem.b_t2[j];
      triplets_.add(unknown, lambda, 1.0);
      triplets_.add(lambda, unknown, -1.0);
    }
    triplets_.add(lambda, offset_[local(problem.normal_of(j))], contact.mu);
    lcp_.q[lambda] += contact.hf;
  }
  triplets_.fill(size_, size_, lcp_.M.edit_sparse());
}

/// Solves what is assembled, from the basis suggested.
bool IslandSolver::run(lcp::Lemke& lemke) {
  lemke.tolerance = std::min(tight, options_.tolerance);
  lemke.solve(lcp_, answer_);
  counts_.pivots += answer_.iterations;
  if (&lemke == &trial_) return answer_.status == lcp::Status::solved;
  pivoted_ |= !answer_.reused_basis;
  return answer_.status == lcp::Status::solved || answer_.certificate.certified(options_.tolerance);
}

void IslandSolver::read_answer(StepSolution& solution) {
  const Vector& z = answer_.z;
  const std::size_t nv = task_.velocities.size();
  for (std::size_t i = 0; i < nv; ++i) solution.v[task_.velocities[i]] = z[static_cast<Eigen::Index>(i)];
  for (std::size_t i = 0; i < task_.joints.size(); ++i)
    solution.c_nu[task_.joints[i]] = z[static_cast<Eigen::Index>(nv + i)];
  for (std::size_t c = 0; c < task_.contacts.size(); ++c) {
    const int j = task_.contacts[c], first = offset_[c];
    const Facets& facets = solution.facets[j];
    solution.c_n[j] = facets.has_normal ? z[first] : 0.0;
    solution.c_t1[j] = solution.c_t2[j] = 0.0;
    if (facets.count == 0) continue;
    for (int i = 0; i < facets.count; ++i) {
      double d1 = 0.0, d2 = 0.0;
      facets.direction(i, task_.problem->contacts[j].ratio(), d1, d2);
      const double beta = z[first + facets.first() + i];
      solution.beta[solution.beta_start[j] + i] = beta;
      solution.c_t1[j] += beta * d1;
      solution.c_t2[j] += beta * d2;
    }
    solution.lambda[j] = z[first + facets.first() + facets.count];
  }
}

void IslandSolver::remember(const StepSolution& solution, ContactMemory& next) const {
  for (std::size_t c = 0; c < task_.contacts.size(); ++c) {
    const int j = task_.contacts[c];
    ContactMemory::Entry& entry = next.at(j);
    entry.facets = solution.facets[j];
    entry.c_n = solution.c_n[j];
    entry.c_t1 = solution.c_t1[j];
    entry.c_t2 = solution.c_t2[j];
    std::copy_n(answer_.basis.begin() + offset_[c], entry.basis_size, next.basis(entry).begin());
  }
  for (std::size_t i = 0; i < task_.joints.size(); ++i)
    next.row_place(task_.joints[i]) = answer_.basis[task_.velocities.size() + i];
}

void IslandSolver::keep_best(const StepSolution& solution, double angle) {
  if (angle >= best_angle_) return;
  best_angle_ = angle;
  best_turn_.clear();
  for (const int j : task_.contacts) best_turn_.push_back(solution.facets[j].turn);
  best_basis_ = answer_.basis;
}

bool IslandSolver::return_to_best(StepSolution& solution) {
  for (std::size_t c = 0; c < task_.contacts.size(); ++c) solution.facets[task_.contacts[c]].turn = best_turn_[c];
  assemble(solution);
  answer_.basis = best_basis_;
  if (!run(lemke_)) return false;
  read_answer(solution);
  return true;
}

/// An answer for the facets of the last step, or for those of the true cone's answer. True when solved.
bool IslandSolver::find_first(lcp::Lemke& lemke, StepSolution& solution) {
  assemble(solution);
  suggest_memory(solution);
  if (run(trial_) || (suggest_found(solution) && run(trial_))) return true;
  assemble(solution);
  suggest_memory(solution);
  return run(lemke);
}

/// Finds further directions for the facets, and solves again.
bool IslandSolver::solve_turned(StepSolution& solution) {
  const bool suggested = suggest_found(solution);
  if (suggested && run(trial_)) return true;
  if (!suggested) turn_facets(solution);
  assemble(solution);
  suggest_memory(solution);
  return run(lemke_);
}

/// Turns facets until friction opposes sliding, and solves again each time.
bool IslandSolver::settle(StepSolution& solution) {
  if (!find_first(lemke_, solution)) return false;
  double mark = std::numeric_limits<double>::infinity();  // the best angle when it last fell to a half,
  int marked = 0;                                         // and when that was
  const long pivots = counts_.pivots;
  for (int turn = 0;; ++turn) {
    read_answer(solution);
    const double angle = worst_misalignment(solution);
    if (angle <= aligned) return true;
    keep_best(solution, angle);
    if (best_angle_ <= 0.5 * mark) {
      mark = best_angle_;
      marked = turn;
    }
    const bool is_long = counts_.pivots - pivots > most_pivots * size_;
    if (turn == options_.most_turns || turn - marked >= hopeless_after || is_long) {
      ++counts_.unsettled;
      return return_to_best(solution);
    }
    ++counts_.turns;
    if (!solve_turned(solution)) return return_to_best(solution);
  }
}

bool IslandSolver::solve(const StepProblem& problem, const Islands& islands, int island, const ContactMemory& memory,
                         const StepSolution& on_bodies, bool once, StepSolution& solution, ContactMemory& next) {
  begin(problem, islands, island, memory, on_bodies);
  bool solved = false;
  if (once) {
    solved = find_first(once_, solution);
    if (solved) read_answer(solution);
  } else if (task_.turns) {
    solved = settle(solution);
  } else {
    assemble(solution);
    suggest_memory(solution);
    solved = run(lemke_);
    if (solved) read_answer(solution);
  }
  if (!task_.joints.empty() || !task_.contacts.empty()) {
    ++counts_.problems;
    counts_.reused += solved && !pivoted_;
    const auto equations = static_cast<int>(task_.velocities.size() + task_.joints.size());
    counts_.largest = std::max(counts_.largest, size_ - equations);
  }
  if (solved) remember(solution, next);
  return solved;
}

}  // namespace stiction
