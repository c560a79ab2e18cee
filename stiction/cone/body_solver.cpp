#include "stiction/cone/body_solver.h"

#include <algorithm>

namespace stiction::cone {

/// True when the answer is `enough` and better than it was.
bool BodySolver::try_refiner(double sought, double enough) {
  if (memory_ == nullptr) return false;
  BodyRefiner& refiner = memory_->refiner;
  const double before = state_.error;
  const double most_products = options.cheap_products * static_cast<double>(space_.problem().units.size());
  const bool found = refiner.refine(space_, sought, enough, most_products, state_) && state_.error <= 0.5 * before;
  counts_.iterations += refiner.steps();
  counts_.factorisations += refiner.factorisations();
  if (found) stage_ = BodyStage::refined;
  return found;
}

bool BodySolver::try_sweeps() {
  if (!BodySweeps::can_solve(space_.problem())) return false;
  const auto units = static_cast<double>(space_.problem().units.size());
  const double as_newton = options.newton_sweeps * static_cast<double>(matrix_.products()) / units;
  const int most = static_cast<int>(std::min(as_newton, static_cast<double>(options.most_sweeps)));
  const bool found = sweeps_.solve(space_, enough_, most, state_);
  counts_.iterations += sweeps_.sweeps();
  if (state_.error <= enough_) stage_ = BodyStage::sweeps;
  return found;
}

/// Far from the answer Newton's method finds out contact by contact what is closed and what slides; of islands with
/// many, sweeps find most of it sooner.
void BodySolver::begin_with_sweeps(BodyStage last, double rough) {
  if (static_cast<double>(space_.problem().units.size()) < options.few_units) {
    if (last != BodyStage::newton) sweeps_.smooth(space_, options.smoothing, state_);
    return;
  }
  sweeps_.solve(space_, rough > 0.0 ? rough : options.rough, options.most_rough_sweeps, state_);
  counts_.iterations += sweeps_.sweeps();
}

bool BodySolver::try_newton(double softness) {
  const bool found = newton_.solve(space_, matrix_, enough_, softness, state_);
  counts_.iterations += newton_.iterations();
  counts_.factorisations += newton_.iterations();
  if (state_.error <= enough_) stage_ = BodyStage::newton;
  return found;
}

bool BodySolver::try_interior(double barrier) {
  const bool found = interior_.solve(space_, matrix_, enough_, barrier, state_);
  counts_.iterations += interior_.iterations();
  counts_.factorisations += interior_.iterations();
  if (state_.error <= enough_) stage_ = BodyStage::interior;
  return found;
}

/// From no impulses, by way of the interior point of this barrier where it is not zero: what the impulses at hand
/// balance among themselves may be what keeps them from the answer. Leaves the better of both ends.
bool BodySolver::begin_anew(double barrier) {
  std::swap(kept_, state_);
  state_.r.assign(kept_.r.size(), 0.0);
  state_.find(space_);
  if (barrier > 0.0) try_interior(barrier);
  if (!finish()) try_newton(newton_.options.softness);
  if (kept_.error < state_.error) std::swap(kept_, state_);
  return state_.error <= enough_;
}

bool BodySolver::try_proximal(double accepted, bool patiently) {
  const auto products = static_cast<double>(std::max(1L, matrix_.products()));
  const int most =
      static_cast<int>(std::clamp(options.most_products / products, 1.0, static_cast<double>(options.most_systems)));
  const BodyProximal::Budget budget{most, patiently ? most : std::min(most, options.most_idle)};
  const bool found = proximal_.solve(space_, matrix_, enough_, accepted, budget, state_);
  counts_.iterations += proximal_.iterations();
  counts_.factorisations += proximal_.iterations();
  if (state_.error <= accepted) stage_ = BodyStage::proximal;
  return found;
}

/// Goes on from what is good enough to rounding by Newton's method where that is cheap: what is exact is the best start
/// of the next step.
bool BodySolver::finish() {
  if (state_.error > enough_) return false;
  if (is_cheap_ && state_.error > options.rounding && stage_ != BodyStage::newton)
    newton_.polish(space_, matrix_, state_);
  return true;
}

/// Also what is enough and was not made better when it was last tried, until it is twice as far off: rounding among
/// contacts that are about to slide.
bool BodySolver::accepts_start(double tolerance, double many, bool finely) const {
  if (finely) return state_.error <= options.rounding;
  const bool is_idle = memory_ != nullptr && state_.error <= std::min(enough_, 2.0 * memory_->idle);
  return is_idle || state_.error <= options.start_share * many * tolerance;
}

bool BodySolver::run(double tolerance, bool finely, BodyStage last, double rough) {
  const BodyProblem& p = space_.problem();
  const auto units = static_cast<double>(p.units.size());
  const double many = std::clamp(units / options.few_units, 1.0, options.most_growth);
  enough_ = options.found_share * tolerance;
  if (finely) enough_ = std::max(enough_ / many, options.rounding);
  if (accepts_start(tolerance, many, finely)) {
    stage_ = BodyStage::start;
    return true;
  }
  const bool is_linear = std::all_of(p.units.begin(), p.units.end(), [](const BodyProblem::Unit& unit) {
    return unit.kind == BodyProblem::Kind::joint;
  });
  const bool is_near = is_linear || (!finely && state_.error <= options.near * tolerance);
  const double refined = is_linear ? enough_ : options.refined_share * many * tolerance;
  if (is_near && try_refiner(options.rounding, refined)) return true;
  matrix_.analyse(p);
  if (is_linear) return try_newton(newton_.options.softness) || state_.error <= tolerance;
  is_cheap_ = static_cast<double>(matrix_.products()) <= options.cheap_products * units;
  const bool is_small = static_cast<int>(p.units.size()) <= options.small_island;
  // Other places than the one at hand are dear there, and its way is long.
  const bool is_vast = static_cast<int>(p.units.size()) > options.middle_island;
  // Where Newton's method has done what it can, what reaches the tolerance is left to the certificate.
  const bool is_crowd = units >= options.crowd && memory_ != nullptr;
  const auto newton = [&] {
    const bool found =
        try_newton(is_crowd ? std::max(memory_->softness, newton_.options.softness) : newton_.options.softness);
    if (is_crowd) memory_->softness = newton_.next_softness();
    return found || (!finely && state_.error <= options.near_share * tolerance);
  };
  const auto anew = [&](double barrier) {
    return begin_anew(barrier) || (!finely && state_.error <= options.near_share * tolerance);
  };
  // A factorisation of a heap costs as much as hundreds of sweeps.
  if (!is_cheap_ && (try_sweeps(), finish())) return true;
  // What was hard last time is hard again.
  was_hard_ = !is_small && last == BodyStage::proximal && !finely;
  const double accepted = options.hard_share * tolerance;
  const auto is_done = [&] { return finish() || state_.error <= (was_hard_ ? std::max(rough, tolerance) : tolerance); };
  if (is_cheap_ && BodySweeps::can_solve(p)) begin_with_sweeps(last, was_hard_ ? rough : 0.0);
  if (was_hard_ && rough > tolerance) {
    if (is_done()) return true;
    try_proximal(std::max(rough, accepted), is_vast);
    if (is_done()) return true;
  }
  if (newton()) return true;
  if (is_small && newton_.has_wedged()) return state_.error <= tolerance;
  if (was_hard_ && (try_proximal(std::max(rough, accepted), is_vast), is_done())) return true;
  if (anew(options.cold) || (!is_vast && (anew(0.0) || anew(options.colder)))) return true;
  was_hard_ = !is_small;
  const double wanted = was_hard_ ? std::max(rough, accepted) : accepted;
  if ((try_proximal(wanted, is_vast), is_done())) return true;
  if (is_small || is_vast) return false;
  try_proximal(wanted, true);
  return is_done();
}

bool BodySolver::solve(const BodyProblem& problem, double tolerance, bool finely, BodyStage last,
                       std::vector<double>& r, BodyMemory* memory, double rough) {
  memory_ = memory;
  counts_.islands += !problem.units.empty();
  stage_ = BodyStage::none;
  was_hard_ = false;
  if (!space_.prepare(problem)) return false;
  state_.r = r;
  state_.find(space_);
  if (state_.error > options.foreign) {
    state_.r.assign(r.size(), 0.0);
    state_.find(space_);
  }
  const double given = state_.error;
  const bool found = run(tolerance, finely, last, rough);
  if (memory_ != nullptr && stage_ != BodyStage::start)
    memory_->idle = given <= enough_ && state_.error > 0.5 * given ? given : 0.0;
  r = state_.r;
  switch (stage_) {
    case BodyStage::start:
      ++counts_.started;
      break;
    case BodyStage::refined:
      ++counts_.refined;
      break;
    case BodyStage::sweeps:
      ++counts_.sweeps;
      break;
    case BodyStage::newton:
      ++counts_.newtons;
      break;
    case BodyStage::interior:
      ++counts_.interiors;
      break;
    case BodyStage::proximal:
      ++counts_.proximals;
      break;
    case BodyStage::none:
      ++counts_.unsolved;
      break;
  }
  return found;
}

}  // namespace stiction::cone
