#include "stiction/cone/body_refiner.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace stiction::cone {

/// Whether the factors are of an island of the same units on the same nodes.
bool BodyRefiner::fits(const BodyProblem& p) const {
  const auto is_same = [](const BodyProblem::Unit& a, const BodyProblem::Unit& b) {
    return a.kind == b.kind && a.rows == b.rows && a.touches == b.touches && a.groups == b.groups;
  };
  return p.width == kept_.width && p.nodes == kept_.nodes && p.touched == kept_.touched && p.coupled == kept_.coupled &&
         std::equal(p.units.begin(), p.units.end(), kept_.units.begin(), kept_.units.end(), is_same);
}

bool BodyRefiner::factorise(const BodySpace& space, double most_products, const BodyState& state) {
  has_factors_ = false;
  kept_ = space.problem();
  matrix_.analyse(kept_);
  if (static_cast<double>(matrix_.products()) > most_products) return false;
  ++factorisations_;
  matrix_.begin();
  D_.clear();
  D_at_.clear();
  states_.clear();
  const Softness softness{options.softness, options.joint_softness};
  for (std::size_t i = 0; i < kept_.units.size(); ++i) {
    const BodyProblem::Unit& unit = kept_.units[i];
    D_at_.push_back(D_.size());
    D_.resize(D_.size() + static_cast<std::size_t>(unit.rows * unit.rows));
    double* const D = D_.data() + D_at_.back();
    double c[BodyProblem::most_rows];
    const double *r = state.r.data() + unit.first_row, *u = state.u.data() + unit.first_row;
    states_.push_back(state_of(space, unit, r, u));
    linearise(space, unit, states_.back(), r, u, softness, D, c);
    if (std::any_of(D, D + unit.rows * unit.rows, [](double d) { return d != 0.0; }))
      matrix_.add(static_cast<int>(i), D);
  }
  return has_factors_ = matrix_.factorise();
}

/// dr_ = -c - D J dw with (M + J'D J) dw = -J'c, where J and D are those of the factors.
void BodyRefiner::find_step(const BodySpace& space, const BodyState& state) {
  const BodyProblem& p = space.problem();
  const Softness softness{options.softness, options.joint_softness};
  dr_.resize(state.r.size());
  double D[BodyProblem::most_rows * BodyProblem::most_rows];
  for (std::size_t at = 0; at < p.units.size(); ++at) {
    const BodyProblem::Unit& unit = p.units[at];
    const double *r = state.r.data() + unit.first_row, *u = state.u.data() + unit.first_row;
    double* const c = dr_.data() + unit.first_row;
    linearise(space, unit, states_[at], r, u, softness, D, c);
    for (int i = 0; i < unit.rows; ++i) c[i] = -c[i];
  }
  dw_.assign(static_cast<std::size_t>(p.velocities()), 0.0);
  for (const BodyProblem::Unit& unit : kept_.units) add_impulse(kept_, unit, dr_.data() + unit.first_row, dw_.data());
  matrix_.solve(dw_.data());
  for (std::size_t i = 0; i < kept_.units.size(); ++i) {
    const BodyProblem::Unit& unit = kept_.units[i];
    const double* const derivative = D_.data() + D_at_[i];
    double du[BodyProblem::most_rows];
    find_speed(kept_, unit, dw_.data(), du);
    for (int a = 0; a < unit.rows; ++a)
      for (int b = 0; b < unit.rows; ++b) dr_[unit.first_row + a] -= derivative[a * unit.rows + b] * du[b];
  }
}

/// Until `sought`, or a step that gains little.
void BodyRefiner::run(BodySpace& space, double sought, BodyState& state) {
  for (int step = 0; step < options.most_steps && state.error > sought; ++step) {
    ++steps_;
    find_step(space, state);
    trial_.r.resize(state.r.size());
    for (std::size_t i = 0; i < state.r.size(); ++i) trial_.r[i] = state.r[i] + dr_[i];
    space.project(trial_.r.data());
    trial_.find(space);
    const bool gains = trial_.error <= options.least_gain * state.error;
    if (trial_.error < state.error) std::swap(state, trial_);
    if (!gains) return;
  }
}

bool BodyRefiner::refine(BodySpace& space, double sought, double enough, double most_products, BodyState& state) {
  steps_ = factorisations_ = 0;
  if (has_factors_ && fits(space.problem())) {
    run(space, sought, state);
    if (state.error <= enough) return true;
  }
  if (factorise(space, most_products, state)) run(space, sought, state);
  return state.error <= enough;
}

}  // namespace stiction::cone
