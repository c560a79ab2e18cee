#include "stiction/cone/cascade.h"

#include <algorithm>
#include <cmath>

namespace stiction::cone {

namespace {

// Rows above which a factorisation costs more than hundreds of sweeps.
constexpr Index large = 2600;
constexpr Index too_large_to_factorise = 20'000;
// Up to so many contacts Newton's method is tried after the first of these sweeps and, where it does not arrive, again
// after the rest: it then does from the other point in a fifth of the cases, and of small problems sweeps are a large
// part. Above, once after all of them.
constexpr int few_contacts = 50;
constexpr int first_sweeps = 3, all_sweeps = 10;
// A residual from which a few proximal points are likely to arrive.
constexpr double near = 1e-4;
// Of the tolerance, to which no force at all is taken for the answer: the certificate is rounded otherwise.
constexpr double most_at_rest = 0.999;

}  // namespace

/// True when s is good enough after it.
bool Cascade::ask(Solver& method, const ScaledProblem& problem, double target, Vector& s) {
  const int iterations = method.improve(problem, target, s);
  iterations_ += iterations;
  double residual = method.take_residual();
  if (std::isnan(residual)) {
    problem.velocity(s, u_);
    residual = problem.residual(s, u_);
  }
  attempts_.push_back({method.name(), iterations, residual});
  best_ = residual;
  return residual <= target;
}

bool Cascade::sweep_and_polish(const ScaledProblem& problem, double target, int sweeps, Vector& s) {
  for (int i = 0; i < sweeps; ++i) Sweeps::sweep(problem, swept_);
  problem.velocity(swept_, u_);
  double residual = problem.residual(swept_, u_);
  iterations_ += sweeps;
  attempts_.push_back({"sweeps", sweeps, residual});
  polished_ = swept_;
  if (residual > target && problem.size() <= large) {
    const int iterations = newton_.improve_from(problem, target, u_, residual, polished_);
    residual = newton_.take_residual();
    iterations_ += iterations;
    attempts_.push_back({newton_.name(), iterations, residual});
  }
  if (residual < best_) {
    best_ = residual;
    s.swap(polished_);
  }
  return residual <= target;
}

bool Cascade::try_other_paths(const ScaledProblem& problem, double target, Vector& s) {
  for (const double start : {1.0, 100.0, 3.0}) {
    sure_->central_path.set_start(start);
    if (ask(sure_->central_path, problem, target, s)) return true;
  }
  return false;
}

/// r = 0 where that is the answer: then u = q.
bool Cascade::take_rest(const ScaledProblem& problem, double target, Vector& s) {
  swept_.setZero(s.size());
  const double residual = problem.residual(swept_, problem.q());
  if (residual > std::max(target, most_at_rest * tolerance)) return false;
  s.swap(swept_);
  best_ = residual;
  attempts_.push_back({"start", 0, residual});
  return true;
}

int Cascade::improve(const ScaledProblem& problem, double target, Vector& s) {
  iterations_ = 0;
  attempts_.clear();
  problem.velocity(s, u_);
  best_ = problem.residual(s, u_);
  if (best_ <= target) {
    attempts_.push_back({"start", 0, best_});
    return 0;
  }
  if (take_rest(problem, target, s)) return 0;
  const bool factorised = problem.size() <= too_large_to_factorise;
  swept_ = s;
  const int first = problem.contacts() <= few_contacts ? first_sweeps : 0;
  if (first > 0 && sweep_and_polish(problem, target, first, s)) return iterations_;
  if (sweep_and_polish(problem, target, all_sweeps - first, s)) return iterations_;
  if (!sure_) sure_ = std::make_unique<Sure>();
  if (problem.size() > large && ask(sure_->some, problem, target, s)) return iterations_;
  if (factorised) {
    if (problem.size() > large && ask(newton_, problem, target, s)) return iterations_;
    if (best_ < near && ask(sure_->last_digits, problem, target, s)) return iterations_;
    sure_->central_path.set_start(10.0);
    if (ask(sure_->central_path, problem, target, s)) return iterations_;
    if (ask(sure_->proximal_point, problem, target, s)) return iterations_;
    if (ask(sure_->polyhedral, problem, target, s)) return iterations_;
    if (try_other_paths(problem, target, s)) return iterations_;
  }
  ask(sure_->many, problem, target, s);
  return iterations_;
}

}  // namespace stiction::cone
