#include "stiction/cone/cascade.h"

namespace stiction::cone {

namespace {

// Rows above which a factorisation costs more than hundreds of sweeps.
constexpr Index large = 2600;
constexpr Index too_large_to_factorise = 20'000;
// A residual from which a few proximal points are likely to arrive.
constexpr double near = 1e-4;

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

bool Cascade::try_other_paths(const ScaledProblem& problem, double target, Vector& s) {
  for (const double start : {1.0, 100.0, 3.0}) {
    central_path_.set_start(start);
    if (ask(central_path_, problem, target, s)) return true;
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
    if (attempts_.back().residual < near && ask(last_digits_, problem, target, s)) return iterations_;
    central_path_.set_start(10.0);
    if (ask(central_path_, problem, target, s)) return iterations_;
    if (ask(proximal_point_, problem, target, s)) return iterations_;
    if (effort_ == Effort::patient) return iterations_;
    if (ask(polyhedral_, problem, target, s)) return iterations_;
    if (try_other_paths(problem, target, s)) return iterations_;
    if (ask(admm_, problem, target, s) || ask(harder_, problem, target, s)) return iterations_;
  }
  if (!ask(many_, problem, target, s) && problem.size() <= too_large_to_factorise) polish(problem, target, s);
  return iterations_;
}

}  // namespace stiction::cone
