#include "stiction/contact/polyhedral_solver.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace stiction {

using lcp::Place;

namespace {

double ratio_of(const StepProblem::Contact& contact) {
  return contact.mu > 0.0 ? contact.mu2 / contact.mu : 1.0;
}

// Friction and sliding are opposite to within this angle when turning stops, radians: the speed lost is its square.
constexpr double aligned = 1e-7;
// Sliding this much slower than friction could stop is rounding, and has no direction.
constexpr double rounding_gain = 1e9;
// What certifies a step's linear problem before a looser answer is taken: momentum is promised to 1e-10.
constexpr double tight = 1e-12;

/// row diag(M)^-1 row'
double mobility(const StepProblem& problem, const linalg::Rows& rows, int row) {
  double sum = 0.0;
  const auto columns = rows.columns(row);
  const auto values = rows.values(row);
  for (std::size_t p = 0; p < columns.size(); ++p)
    sum += values[p] * values[p] / problem.M.coeff(columns[p], columns[p]);
  return sum;
}

/// c_n, the facets' impulses and lambda; without friction c_n alone.
int unknowns_of(const Facets& facets) {
  return facets.count == 0 ? 1 : facets.count + 2;
}

}  // namespace

void PolyhedralSolver::forget() {
  memory_.clear();
}

const PolyhedralSolver::Memory* PolyhedralSolver::recall(std::uint64_t id) const {
  const auto it = std::lower_bound(memory_.begin(), memory_.end(), id,
                                   [](const Memory& memory, std::uint64_t value) { return memory.id < value; });
  return it != memory_.end() && it->id == id ? &*it : nullptr;
}

/// Sizes the answer and gives every contact the facets it had, or unturned ones.
void PolyhedralSolver::prepare(const StepProblem& problem, StepSolution& solution) {
  const auto contacts = static_cast<std::size_t>(problem.size());
  solution.v = problem.v;
  solution.c_nu.assign(static_cast<std::size_t>(problem.joints()), 0.0);
  for (auto* list : {&solution.c_n, &solution.c_t1, &solution.c_t2, &solution.lambda}) list->assign(contacts, 0.0);
  solution.facets.assign(contacts, {});
  solution.beta_start.assign(1, 0);
  for (int j = 0; j < problem.size(); ++j) {
    Facets& facets = solution.facets[j];
    const StepProblem::Contact& contact = problem.contacts[j];
    facets.count = contact.tangents == 0 ? 0 : contact.tangents == 1 ? 2 : options_.facets;
    if (const Memory* memory = recall(contact.id); memory && memory->facets.count == facets.count && options_.turn)
      facets.turn = memory->facets.turn;
    solution.beta_start.push_back(solution.beta_start.back() + facets.count);
  }
  solution.beta.assign(static_cast<std::size_t>(solution.beta_start.back()), 0.0);
  turning_.assign(contacts, {});
}

/// The mixed problem (2.13) of 1997 for one island: z = [v+; c_nu; contacts], v+ and c_nu free.
void PolyhedralSolver::assemble(const StepProblem& problem, int island, const StepSolution& solution) {
  const auto velocities = islands_.velocities(island);
  const auto joints = islands_.joints(island);
  const auto contacts = islands_.contacts(island);
  const int nv = static_cast<int>(velocities.size()), nj = static_cast<int>(joints.size());
  contact_offset_.clear();
  int size = nv + nj;
  for (const int j : contacts) {
    contact_offset_.push_back(size);
    size += unknowns_of(solution.facets[j]);
  }
  lcp_.q.setZero(size);
  lcp_.lower.setZero(size);
  lcp_.upper.setConstant(size, lcp::infinity);
  lcp_.lower.head(nv + nj).setConstant(-lcp::infinity);
  triplets_.clear();

  for (int i = 0; i < nv; ++i) {
    const int global = velocities[i];
    for (SparseMatrix::InnerIterator it(problem.M, global); it; ++it) {
      const int row = islands_.local(static_cast<int>(it.row()));
      triplets_.add(row, i, it.value());
      lcp_.q[row] -= it.value() * problem.v[global];
    }
    lcp_.q[i] -= problem.k[global];
  }
  // One unilateral or bilateral row: scale * (alpha row'v+ + (1 - alpha) row'v) + b, its impulse acting along the row.
  const auto add_row = [&](const linalg::Rows& rows, int row, int unknown, double scale) {
    const auto columns = rows.columns(row);
    const auto values = rows.values(row);
    for (std::size_t p = 0; p < columns.size(); ++p) {
      const int local = islands_.local(columns[p]);
      triplets_.add(unknown, local, scale * problem.alpha * values[p]);
      triplets_.add(local, unknown, -scale * values[p]);
    }
    if (problem.alpha != 1.0) lcp_.q[unknown] += scale * (1.0 - problem.alpha) * rows.dot(row, problem.v);
  };
  for (int i = 0; i < nj; ++i) {
    add_row(problem.nu, joints[i], nv + i, 1.0);
    lcp_.q[nv + i] += problem.b_nu[joints[i]];
  }
  for (std::size_t c = 0; c < contacts.size(); ++c) {
    const int j = contacts[c], first = contact_offset_[c];
    const StepProblem::Contact& contact = problem.contacts[j];
    add_row(problem.n, j, first, 1.0);
    lcp_.q[first] += problem.b_n[j];
    const Facets& facets = solution.facets[j];
    if (facets.count == 0) continue;
    const int lambda = first + 1 + facets.count;
    for (int i = 0; i < facets.count; ++i) {
      double d1 = 0.0, d2 = 0.0;
      facets.direction(i, ratio_of(contact), d1, d2);
      const int unknown = first + 1 + i;
      add_row(problem.t1, j, unknown, d1);
      add_row(problem.t2, j, unknown, d2);
      lcp_.q[unknown] += d1 * problem.b_t1[j] + d2 * problem.b_t2[j];
      triplets_.add(unknown, lambda, 1.0);
      triplets_.add(lambda, unknown, -1.0);
    }
    triplets_.add(lambda, first, contact.mu);
    lcp_.q[lambda] += contact.hf;
  }
  triplets_.fill(size, size, lcp_.M.edit_sparse());
}

/// What each contact did last time; a contact whose facets were just turned slides along its first facet.
void PolyhedralSolver::suggest_basis(const StepProblem& problem, int island, const StepSolution& solution) {
  const auto contacts = islands_.contacts(island);
  answer_.basis.assign(static_cast<std::size_t>(lcp_.size()), Place::lower);
  for (Eigen::Index i = 0; i < lcp_.size(); ++i)
    if (lcp_.is_free(i)) answer_.basis[static_cast<std::size_t>(i)] = Place::basic;
  for (std::size_t c = 0; c < contacts.size(); ++c) {
    const int j = contacts[c], first = contact_offset_[c];
    const Facets& facets = solution.facets[j];
    if (turning_[j].slides) {
      answer_.basis[first] = answer_.basis[first + 1] = answer_.basis[first + 1 + facets.count] = Place::basic;
    } else if (const Memory* memory = recall(problem.contacts[j].id);
               memory && static_cast<int>(memory->basis.size()) == unknowns_of(facets)) {
      std::copy(memory->basis.begin(), memory->basis.end(), answer_.basis.begin() + first);
    }
  }
}

void PolyhedralSolver::read_answer(const StepProblem& problem, int island, StepSolution& solution) {
  const auto velocities = islands_.velocities(island);
  const auto joints = islands_.joints(island);
  const auto contacts = islands_.contacts(island);
  const Vector& z = answer_.z;
  for (std::size_t i = 0; i < velocities.size(); ++i) solution.v[velocities[i]] = z[static_cast<Eigen::Index>(i)];
  for (std::size_t i = 0; i < joints.size(); ++i)
    solution.c_nu[joints[i]] = z[static_cast<Eigen::Index>(velocities.size() + i)];
  for (std::size_t c = 0; c < contacts.size(); ++c) {
    const int j = contacts[c], first = contact_offset_[c];
    const Facets& facets = solution.facets[j];
    solution.c_n[j] = z[first];
    solution.c_t1[j] = solution.c_t2[j] = 0.0;
    if (facets.count == 0) continue;
    for (int i = 0; i < facets.count; ++i) {
      double d1 = 0.0, d2 = 0.0;
      facets.direction(i, ratio_of(problem.contacts[j]), d1, d2);
      const double beta = z[first + 1 + i];
      solution.beta[solution.beta_start[j] + i] = beta;
      solution.c_t1[j] += beta * d1;
      solution.c_t2[j] += beta * d2;
    }
    solution.lambda[j] = z[first + 1 + facets.count];
  }
}

/// Turns the facets of sliding contacts so that one opposes the sliding. True when any had to move.
///
/// Turning friction by an angle pushes the sliding the other way, by G times the angle, G = friction impulse / (mass
/// that resists * sliding speed). For G > 1 a full turn overshoots and cycles, so a turn goes 1/(1 + G) of the way at
/// first and then by the secant of what earlier turns did: how far a contact was off, by how far it was turned.
bool PolyhedralSolver::turn_facets(const StepProblem& problem, int island, StepSolution& solution) {
  bool turned = false;
  for (const int j : islands_.contacts(island)) {
    const StepProblem::Contact& contact = problem.contacts[j];
    Facets& facets = solution.facets[j];
    Turning& turning = turning_[j];
    turning.slides = false;
    const double friction = contact.mu * solution.c_n[j] + contact.hf;
    if (contact.tangents < 2 || !(solution.lambda[j] > 0.0) || !(friction > 0.0)) continue;
    const double slip1 = problem.speed(problem.t1, j, solution.v) + problem.b_t1[j];
    const double slip2 = problem.speed(problem.t2, j, solution.v) + problem.b_t2[j];
    const double gain = friction * mobility(problem, problem.t1, j) / std::hypot(slip1, slip2);
    if (!(gain < rounding_gain)) continue;
    const double ratio = ratio_of(contact);
    const double wanted = std::atan2(-ratio * slip2, -slip1);
    const double found = std::atan2(solution.c_t2[j] / ratio, solution.c_t1[j]);
    const double off = std::remainder(wanted - found, 2.0 * std::numbers::pi);
    if (std::abs(off) <= aligned) continue;
    double slope = turning.turns == 0 ? 1.0 : 1.0 + gain;
    const double moved = std::remainder(found - turning.found, 2.0 * std::numbers::pi);
    if (turning.turns > 1 && std::abs(moved) > 1e-12)
      slope = std::clamp((turning.off - off) / moved, 1.0, 2.0 * (1.0 + gain));
    turning.found = found;
    turning.off = off;
    ++turning.turns;
    facets.turn = std::remainder(found + off / slope, 2.0 * std::numbers::pi);
    turning.slides = turned = true;
  }
  return turned;
}

void PolyhedralSolver::remember(const StepProblem& problem, int island, const StepSolution& solution) {
  const auto contacts = islands_.contacts(island);
  for (std::size_t c = 0; c < contacts.size(); ++c) {
    const int j = contacts[c], first = contact_offset_[c];
    Memory& memory = next_memory_.emplace_back();
    memory.id = problem.contacts[j].id;
    memory.facets = solution.facets[j];
    memory.basis.assign(answer_.basis.begin() + first, answer_.basis.begin() + first + unknowns_of(solution.facets[j]));
  }
}

bool PolyhedralSolver::solve_island(const StepProblem& problem, int island, StepSolution& solution) {
  const bool constrained = !islands_.contacts(island).empty() || !islands_.joints(island).empty();
  for (int turn = 0;; ++turn) {
    assemble(problem, island, solution);
    suggest_basis(problem, island, solution);
    lemke_.tolerance = std::min(tight, options_.tolerance);
    lemke_.solve(lcp_, answer_);
    if (constrained) {
      ++counts_.problems;
      counts_.reused += answer_.reused_basis;
      counts_.pivots += answer_.iterations;
      counts_.largest = std::max(counts_.largest, static_cast<int>(lcp_.size() - islands_.velocities(island).size() -
                                                                   islands_.joints(island).size()));
    }
    if (answer_.status != lcp::Status::solved && !answer_.certificate.certified(options_.tolerance)) return false;
    read_answer(problem, island, solution);
    if (!options_.turn) break;
    const std::vector<Facets> before = solution.facets;
    if (!turn_facets(problem, island, solution)) break;
    if (turn == options_.most_turns) {
      solution.facets = before;  // the cone that the answer belongs to
      ++counts_.unsettled;
      break;
    }
    ++counts_.turns;
  }
  remember(problem, island, solution);
  return true;
}

bool PolyhedralSolver::solve(const StepProblem& problem, StepSolution& solution, StepCertificate& certificate) {
  prepare(problem, solution);
  islands_.split(problem);
  next_memory_.clear();
  bool solved = true;
  for (int island = 0; island < islands_.size(); ++island) solved &= solve_island(problem, island, solution);
  if (solved) {
    std::sort(next_memory_.begin(), next_memory_.end(), [](const Memory& a, const Memory& b) { return a.id < b.id; });
    std::swap(memory_, next_memory_);
  }
  certificate = certify(problem, solution);
  return solved;
}

}  // namespace stiction
