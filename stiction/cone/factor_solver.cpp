#include "stiction/cone/factor_solver.h"

#include <algorithm>
#include <utility>

#include "stiction/cone/joint_proof.h"

namespace stiction::cone {

namespace {

// Of contacts in the proximal points that come last: from harder ones the solver on bodies has begun already.
constexpr double softness = 1e-3;
// Products of blocks that the proximal method on the bodies may take: some seconds, which a stored problem has.
constexpr double most_products = 1e8;

double worse_of(const Certificate& certificate) {
  return std::max(certificate.residual, certificate.contact_residual);
}

/// Where joints disagree, that is the contact residual of any answer: then the other one decides.
bool is_better(const Certificate& a, const Certificate& b) {
  return std::pair(worse_of(a), a.residual) < std::pair(worse_of(b), b.residual);
}

/// The normal parts of r: what grows along a direction that W takes to nothing. Rounded too, since those of walls that
/// face each other are simple.
std::vector<Vector> find_candidates(const Problem& problem, const Vector& r) {
  constexpr double steps = 1 << 20;
  Vector y = Vector::Zero(r.size());
  for (Index c = 0; c < problem.contacts(); ++c)
    if (!problem.is_borne(c)) y[c * problem.dimension] = std::max(0.0, r[c * problem.dimension]);
  const double largest = y.maxCoeff();
  if (!(largest > 0.0) || !y.allFinite()) return {};
  y /= largest;
  return {y, (steps * y.array()).round() / steps};
}

}  // namespace

FactorSolver::FactorSolver() {
  proximal_.options.softness = softness;
  bodies_.options.most_products = most_products;
  bodies_.options.most_idle = bodies_.options.most_systems;
}

std::string FactorSolver::prepare(const FactorForm& form) {
  form_ = &form;
  islands_.clear();
  if (std::string defect = find_defect(form); !defect.empty()) return defect;
  return judge_.prepare(form);
}

void FactorSolver::solve(Solution& solution) {
  solution = {};
  solution.r.setZero(problem().size());
  solution.status = Status::iteration_limit;
  if (problem().is_contradictory()) {
    solution.status = Status::infeasible;
    solution.proof = problem().contradiction.y;
    solution.bound = problem().contradiction.bound;
    return;
  }
  islands_.clear();
  for (FactorIsland& part : split_islands(*form_, judge_.parts())) {
    auto island = std::make_unique<Island>();
    island->part = std::move(part);
    island->r.setZero(static_cast<Index>(island->part.parts.size()) * form_->dimension);
    islands_.push_back(std::move(island));
  }
  if (finish("", 0, solution)) {
    solution.attempts.push_back({"start", 0, worse_of(solution.certificate)});
    return;
  }
  const auto solve_and_finish = [&] {
    const long before = bodies_.counts().iterations;
    solve_on_bodies();
    return finish("bodies", static_cast<int>(bodies_.counts().iterations - before), solution);
  };
  const bool has_resting = find_at_rest();
  if (solve_and_finish()) return;
  if (has_resting) {  // what is small enough for an island by itself may be too much for the whole
    for (const auto& island : islands_) island->is_at_rest = false;
    if (solve_and_finish()) return;
  }
  if (const int n = solve_patiently(); finish("proximal_point", n, solution)) return;
  for (const auto& island : islands_)
    if (is_left(*island)) solve_condensed(*island, solution);
  if (finish("", 0, solution)) return;
  if (!prove_infeasible(solution)) refute_held(*form_, judge_, tolerance, solution);
}

/// Numbers that are none would take the other islands' answers along.
void FactorSolver::Island::take_impulses() {
  if (const Vector found = bodies.lay_out(impulses); found.allFinite()) r = found;
}

/// Without a look at the bodies: r = 0 leaves u = q.
bool FactorSolver::may_be_at_rest(const Island& island) const {
  for (const Index part : island.part.parts) {
    if (problem().is_borne(part)) continue;
    const double room = (1.0 + problem().friction(part)) * tolerance * judge_.speeds()[part];
    if (problem().q[part * form_->dimension] < -room) return false;
  }
  return true;
}

bool FactorSolver::find_at_rest() {
  bool has_any = false;
  if (islands_.size() == 1) return false;  // it has been judged
  for (const auto& island : islands_) {
    island->is_at_rest = may_be_at_rest(*island) && !is_left(*island);
    has_any |= island->is_at_rest;
  }
  return has_any;
}

void FactorSolver::solve_on_bodies() {
  for (const auto& island : islands_) {
    if (island->is_at_rest || island->is_posed) continue;
    std::vector<double> speeds;
    for (const Index part : island->part.parts) speeds.push_back(judge_.speeds()[part]);
    island->is_posed = island->bodies.pose(island->part.form, speeds);
    if (!island->is_posed) continue;
    island->impulses.assign(static_cast<std::size_t>(island->bodies.posed().rows()), 0.0);
    bodies_.solve(island->bodies.posed(), tolerance, false, BodyStage::none, island->impulses);
    island->take_impulses();
  }
}

int FactorSolver::solve_patiently() {
  int iterations = 0;
  for (const auto& island : islands_) {
    if (!island->is_posed || !is_left(*island) || !space_.prepare(island->bodies.posed())) continue;
    matrix_.analyse(island->bodies.posed());
    BodyState state;
    state.r = island->impulses;
    state.find(space_);
    proximal_.solve(space_, matrix_, bodies_.options.rounding, state);
    iterations += proximal_.iterations();
    island->impulses = state.r;
    island->take_impulses();
  }
  return iterations;
}

bool FactorSolver::is_left(Island& island) {
  if (island.judge.problem().size() == 0 && !island.judge.prepare(island.part.form).empty()) return true;
  return !island.judge.certify(island.r).certified(tolerance);
}

void FactorSolver::solve_condensed(Island& island, Solution& solution) {
  const Result<Problem> condensed = condense(island.part.form, limits);
  if (!condensed) return;
  Cascade cascade;
  cascade.tolerance = tolerance;
  Solution own;
  cascade.solve(condensed.value(), own);
  solution.iterations += own.iterations;
  solution.attempts.insert(solution.attempts.end(), own.attempts.begin(), own.attempts.end());
  // Of contradicting joints there is one number a row, and the judge has seen none.
  if (own.status == Status::infeasible && !condensed.value().is_contradictory()) {
    island.proof = own.proof;
    island.bound = own.bound;
  }
  if (is_better(island.judge.certify(own.r), island.judge.certify(island.r))) island.r = own.r;
}

Vector FactorSolver::gather() const {
  Vector r = Vector::Zero(problem().size());
  for (const auto& island : islands_) scatter(island->part, island->r, r);
  return r;
}

/// Certifies what the islands have together, and keeps it where it is better than what was there. True when it is good
/// enough.
bool FactorSolver::finish(std::string_view method, int iterations, Solution& solution) {
  Vector r = gather();
  const Certificate certificate = judge_.certify(r);
  if (is_better(certificate, solution.certificate)) {
    solution.r = std::move(r);
    solution.certificate = certificate;
  }
  solution.iterations += iterations;
  if (!method.empty()) solution.attempts.push_back({method, iterations, worse_of(certificate)});
  if (!solution.certificate.certified(tolerance)) return false;
  solution.status = Status::solved;
  return true;
}

/// Whether errors are measured in an island by itself as they are in the whole, so that what nothing certifies there
/// nothing certifies here.
bool FactorSolver::is_measured_alike(const Island& island) const {
  constexpr double rounding = 1e-9;
  for (std::size_t p = 0; p < island.part.parts.size(); ++p)
    if (judge_.speeds()[island.part.parts[p]] > (1.0 + rounding) * island.judge.speeds()[p]) return false;
  return true;
}

bool FactorSolver::prove_infeasible(const Island& island, const Vector& candidate, double bound, Solution& solution) {
  Vector y = Vector::Zero(problem().size());
  scatter(island.part, candidate, y);
  if (const InfeasibilityProof proof = judge_.certify_infeasible(y); proof.refutes(tolerance))
    bound = proof.bound;
  else if (!(bound > 0.0 && is_measured_alike(island)))
    return false;
  solution.status = Status::infeasible;
  solution.proof = std::move(y);
  solution.bound = bound;
  return true;
}

bool FactorSolver::prove_infeasible(Solution& solution) {
  for (const auto& island : islands_) {
    if (island->judge.problem().size() != island->r.size()) continue;
    // That of the condensed island has been checked there, with W as it was stored: sharper where masses are unlike.
    if (island->proof.size() != 0 && prove_infeasible(*island, island->proof, island->bound, solution)) return true;
    for (const Vector& candidate : find_candidates(island->judge.problem(), island->r))
      if (prove_infeasible(*island, candidate, 0.0, solution)) return true;
  }
  return false;
}

}  // namespace stiction::cone
