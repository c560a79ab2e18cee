#include "stiction/cone/cascade.h"

namespace stiction::cone {

namespace {

// Rows above which a factorisation costs more than hundreds of sweeps.
constexpr Index large = 2600;
constexpr Index too_large_to_factorise = 20'000;
// Contacts up to which Lemke's path is short enough to come before the interior point.
constexpr int few_contacts = 120;

}  // namespace

/// True when s is good enough after it.
bool Cascade::ask(Solver& method, const ScaledProblem& problem, double target, Vector& s) {
  const int iterations = method.improve(problem, target, s);
  iterations_ += iterations;
  problem.velocity(s, u_);
  const double residual = problem.residual(s, u_);
  attempts_.push_back({method.name(), iterations, residual});
  return residual <= target;
}

bool Cascade::polish(const ScaledProblem& problem, double target, Vector& s) {
  for (const double rho : {1.0, 0.1}) {
    newton_.set_rho(rho);
    if (ask(newton_, problem, target, s)) return true;
  }
  return false;
}

bool Cascade::try_interior_points(const ScaledProblem& problem, double target, Vector& s) {
  for (const double start : {1.0, 100.0, 0.1}) {
    interior_point_.set_start(start);
    if (ask(interior_point_, problem, target, s) || polish(problem, target, s)) return true;
  }
  return false;
}

bool Cascade::try_other_starts(const ScaledProblem& problem, double target, Vector& s) {
  Sweeps sweeps({.most = 600, .check_every = 100});
  trial_.setZero(s.size());
  for (const double rho : {3.0, 30.0, 10.0, 100.0, 1.0}) {
    // The sweeps go on from where they were: a start between far and near for each weight.
    sweeps.improve(problem, target, trial_);
    start_ = trial_;
    ProximalPoint method({.most_iterations = 200, .softness = 1e-2, .rho = rho});
    const bool is_solved = ask(method, problem, target, start_);
    problem.velocity(s, u_);
    const double before = problem.residual(s, u_);
    if (attempts_.back().residual < before) s = start_;
    if (is_solved) return true;
  }
  return false;
}

int Cascade::improve(const ScaledProblem& problem, double target, Vector& s) {
  iterations_ = 0;
  attempts_.clear();
  problem.velocity(s, u_);
  if (const double residual = problem.residual(s, u_); residual <= target) {
    attempts_.push_back({"start", 0, residual});
    return 0;
  }
  if (ask(few_, problem, target, s)) return iterations_;
  if (problem.size() > large && ask(some_, problem, target, s)) return iterations_;
  if (problem.size() <= too_large_to_factorise) {
    newton_.set_rho(1.0);
    if (ask(newton_, problem, target, s)) return iterations_;
    if (ask(programme_, problem, target, s)) return iterations_;
    if (ask(proximal_point_, problem, target, s) || effort_ == Effort::quick) return iterations_;
    const bool few = problem.contacts() <= few_contacts;
    if (effort_ == Effort::full && few && ask(polyhedral_, problem, target, s)) return iterations_;
    interior_point_.set_start(10.0);
    if (ask(interior_point_, problem, target, s) || polish(problem, target, s)) return iterations_;
    if (effort_ == Effort::patient) return iterations_;
    if (!few && ask(polyhedral_, problem, target, s)) return iterations_;
    if (ask(fixed_point_, problem, target, s)) return iterations_;
    if (ask(admm_, problem, target, s) || ask(harder_, problem, target, s)) return iterations_;
    if (polish(problem, target, s) || try_other_starts(problem, target, s)) return iterations_;
    if (try_interior_points(problem, target, s) || ask(damped_, problem, target, s)) return iterations_;
  }
  if (!ask(many_, problem, target, s) && problem.size() <= too_large_to_factorise) polish(problem, target, s);
  return iterations_;
}

}  // namespace stiction::cone
