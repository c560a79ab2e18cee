#include "stiction/cone/body_solver.h"

#include <algorithm>

namespace stiction::cone {

bool BodySolver::try_sweeps() {
  if (!BodySweeps::can_solve(space_.problem())) return false;
  const bool found = sweeps_.solve(space_, sought_, options.most_sweeps, state_);
  counts_.iterations += sweeps_.sweeps();
  if (state_.error <= enough_) stage_ = BodyStage::sweeps;
  return found;
}

bool BodySolver::try_newton() {
  const bool found = newton_.solve(space_, matrix_, newton_sought_, state_);
  counts_.iterations += newton_.iterations();
  counts_.factorisations += newton_.iterations();
  if (state_.error <= enough_) stage_ = BodyStage::newton;
  return found;
}

bool BodySolver::try_admm(int most_iterations) {
  if (!BodyAdmm::can_solve(space_.problem())) return false;
  const bool found = admm_.solve(space_, matrix_, sought_, most_iterations, state_);
  counts_.iterations += admm_.iterations();
  ++counts_.factorisations;
  if (state_.error <= enough_) stage_ = BodyStage::admm;
  return found;
}

bool BodySolver::try_interior(double warmth) {
  const bool found = interior_.solve(space_, matrix_, sought_, warmth, state_);
  counts_.iterations += interior_.iterations();
  counts_.factorisations += interior_.iterations();
  if (state_.error <= enough_) stage_ = BodyStage::interior;
  return found;
}

bool BodySolver::try_gradient() {
  if (!BodyGradient::can_solve(space_.problem())) return false;
  const bool is_small = static_cast<int>(space_.problem().units.size()) <= options.small_island;
  const int most = is_small ? options.few_gradients : options.most_gradients;
  const bool found = gradient_.solve(space_, sought_, most, state_);
  counts_.iterations += gradient_.iterations();
  if (state_.error <= enough_) stage_ = BodyStage::gradient;
  return found;
}

/// Goes on from what is good enough to rounding by Newton's method where that is cheap: what is exact is the best start
/// of the next step.
bool BodySolver::finish() {
  if (state_.error > enough_) return false;
  if (is_cheap_ && state_.error > options.rounding && stage_ != BodyStage::newton) try_newton();
  return true;
}

bool BodySolver::run(double tolerance, bool finely, BodyStage last) {
  const BodyProblem& p = space_.problem();
  const auto units = static_cast<double>(p.units.size());
  const double many = std::clamp(units / options.few_units, 1.0, options.most_growth);
  enough_ = options.found_share * tolerance;
  sought_ = finely ? std::max(enough_ / many, options.rounding) : enough_;
  newton_sought_ = options.rounding;
  if (state_.error <= (finely ? options.rounding : options.start_share * many * tolerance)) {
    stage_ = BodyStage::start;
    return true;
  }
  matrix_.analyse(p);
  const bool is_linear = std::all_of(p.units.begin(), p.units.end(), [](const BodyProblem::Unit& unit) {
    return unit.kind == BodyProblem::Kind::joint;
  });
  if (is_linear) {
    newton_sought_ = enough_;
    return try_newton() || state_.error <= tolerance;
  }
  is_cheap_ = static_cast<double>(matrix_.products()) <= options.cheap_products * units;
  const bool can_sweep = BodySweeps::can_solve(p);
  const auto newton = [&] { return try_newton() || finish(); };
  const auto interior = [&](double barrier) { return (try_interior(barrier), finish()) || newton(); };
  // A factorisation of a heap costs as much as hundreds of sweeps.
  if (!is_cheap_ && (try_sweeps(), finish())) return true;
  if (is_cheap_ && last == BodyStage::newton && newton()) return true;
  if (is_cheap_ && can_sweep) sweeps_.smooth(space_, options.smoothing, state_);
  if (newton() || interior(options.cold)) return true;
  if (is_cheap_ && ((try_sweeps(), finish()) || newton())) return true;
  if (interior(options.colder) || (try_admm(options.admm_iterations), finish())) return true;
  if ((try_gradient(), finish()) || newton()) return true;
  if (interior(options.warm) || interior(options.coldest)) return true;
  return state_.error <= tolerance;
}

bool BodySolver::solve(const BodyProblem& problem, double tolerance, bool finely, BodyStage last,
                       std::vector<double>& r) {
  counts_.islands += !problem.units.empty();
  stage_ = BodyStage::none;
  if (!space_.prepare(problem)) return false;
  state_.r = r;
  state_.find(space_);
  const bool found = run(tolerance, finely, last);
  r = state_.r;
  switch (stage_) {
    case BodyStage::start:
      ++counts_.started;
      break;
    case BodyStage::sweeps:
      ++counts_.sweeps;
      break;
    case BodyStage::newton:
      ++counts_.newtons;
      break;
    case BodyStage::admm:
      ++counts_.admms;
      break;
    case BodyStage::interior:
      ++counts_.interiors;
      break;
    case BodyStage::gradient:
      ++counts_.gradients;
      break;
    case BodyStage::none:
      ++counts_.unsolved;
      break;
  }
  return found;
}

}  // namespace stiction::cone
