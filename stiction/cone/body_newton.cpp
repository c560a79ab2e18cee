#include "stiction/cone/body_newton.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "stiction/base/phase_times.h"
#include "stiction/cone/unit_newton.h"

namespace stiction::cone {

namespace {

using Unit = BodyProblem::Unit;

}  // namespace

void BodyState::find(BodySpace& space) {
  const BodyProblem& p = space.problem();
  w.resize(static_cast<std::size_t>(p.velocities()));
  u.resize(static_cast<std::size_t>(p.rows()));
  space.find_velocities(r.data(), w.data());
  space.find_speeds(r.data(), w.data(), u.data());
  error = space.error(r.data(), u.data());
}

/// Speeds of the softened units at at_, into soft_.
void BodyNewton::soften(const BodySpace& space, double softness) {
  const double joint = std::min(softness, options.joint_softness);
  soft_.resize(at_.u.size());
  for (const Unit& unit : space.problem().units) {
    const double share = unit.kind == BodyProblem::Kind::contact ? softness : joint;
    for (int i = unit.first_row; i < unit.first_row + unit.rows; ++i)
      soft_[i] = at_.u[i] + share / space.rho(i) * (at_.r[i] - centre_[i]);
  }
}

/// From at_ with the speeds soft_ into dr_.
bool BodyNewton::find_direction(BodySpace& space, BodyMatrix& matrix, double softness) {
  const BodyProblem& p = space.problem();
  const Softness both{softness, std::min(softness, options.joint_softness)};
  matrix.begin();
  dw_.assign(static_cast<std::size_t>(p.velocities()), 0.0);
  c_.resize(static_cast<std::size_t>(p.rows()));
  dr_.resize(c_.size());
  D_.clear();
  D_at_.clear();
  for (std::size_t i = 0; i < p.units.size(); ++i) {
    const Unit& unit = p.units[i];
    D_at_.push_back(D_.size());
    D_.resize(D_.size() + static_cast<std::size_t>(unit.rows * unit.rows));
    double* D = D_.data() + D_at_.back();
    double* c = c_.data() + unit.first_row;
    const double *r = at_.r.data() + unit.first_row, *u = soft_.data() + unit.first_row;
    linearise(space, unit, state_of(space, unit, r, u), r, u, both, D, c);
    const int entries = unit.rows * unit.rows;
    if (std::any_of(D, D + entries, [](double d) { return d != 0.0; })) matrix.add(static_cast<int>(i), D);
    for (int k = 0; k < unit.rows; ++k) dr_[unit.first_row + k] = -c[k];
  }
  if (!matrix.factorise()) return false;
  space.add_impulses(dr_.data(), dw_.data());
  matrix.solve(dw_.data());
  for (std::size_t i = 0; i < p.units.size(); ++i) {
    const Unit& unit = p.units[i];
    const double* D = D_.data() + D_at_[i];
    double du[BodyProblem::most_rows];
    space.unit_speeds(unit, dw_.data(), du);
    for (int a = 0; a < unit.rows; ++a) {
      double sum = 0.0;
      for (int b = 0; b < unit.rows; ++b) sum += D[a * unit.rows + b] * du[b];
      dr_[unit.first_row + a] -= sum;
    }
  }
  return std::all_of(dr_.begin(), dr_.end(), [](double value) { return std::isfinite(value); });
}

/// Keeps the impulses of at_, within their laws, where they are better than the best so far.
void BodyNewton::keep(BodySpace& space, BodyState& best) {
  trial_.r = at_.r;
  space.project(trial_.r.data());
  trial_.find(space);
  if (trial_.error < best.error) std::swap(best, trial_);
}

/// Newton's method about the centre, from at_, in whole steps: each finds out what is closed, sticks and slides, and
/// half of one finds out nothing. True when the soft equations hold to `sought`, or the tolerance is reached.
bool BodyNewton::settle(BodySpace& space, BodyMatrix& matrix, double softness, double sought, double tolerance,
                        int most_steps, BodyState& best) {
  soften(space, softness);
  for (int step = 0; step < most_steps && iterations_ < options.most_iterations; ++step) {
    ++iterations_;
    count_iteration();
    if (!find_direction(space, matrix, softness)) return false;
    for (std::size_t i = 0; i < dr_.size(); ++i) at_.r[i] += dr_[i];
    at_.find(space);
    keep(space, best);
    soften(space, softness);
    if (best.error <= tolerance || space.error(at_.r.data(), soft_.data()) <= sought) return true;
  }
  return false;
}

/// Impulses that grow without bound balance nothing: a body is wedged, or rows contradict each other.
bool BodyNewton::is_wedged(const BodySpace& space) const {
  for (const Unit& unit : space.problem().units)
    for (int i = unit.first_row; i < unit.first_row + unit.rows; ++i)
      if (std::abs(at_.r[i]) > options.wedged * space.rho(i) * unit.speed) return true;
  return false;
}

bool BodyNewton::solve(BodySpace& space, BodyMatrix& matrix, double tolerance, double softness, BodyState& state) {
  iterations_ = 0;
  has_wedged_ = false;
  const double start = softness;
  next_softness_ = options.most_start;
  bool has_settled = false;
  at_ = state;
  for (int idle = 0; state.error > tolerance && softness <= options.most_softness;) {
    if (idle >= (state.error <= options.near * tolerance ? options.few_idle : options.most_idle)) break;
    has_wedged_ = is_wedged(space);
    if (iterations_ >= options.most_iterations || has_wedged_) break;
    centre_ = at_.r;
    const double last = at_.error, best = state.error;
    const double sought = std::max(options.inner * last, 0.1 * tolerance);
    if (settle(space, matrix, softness, sought, tolerance, options.most_steps, state)) {
      if (!has_settled)
        next_softness_ =
            std::clamp(softness == start ? softness / options.softer : softness, options.softness, options.most_start);
      has_settled = true;
      if (at_.error > options.fast * last) softness = std::max(options.harder * softness, options.least_softness);
    } else {
      softness *= options.softer;
      if (state.error < best) {
        at_ = state;
      } else {
        at_.r = centre_;
        at_.find(space);
      }
    }
    idle = state.error < 0.5 * best ? 0 : idle + 1;
  }
  if (state.error > tolerance) return false;
  const int taken = iterations_;
  polish(space, matrix, state);
  iterations_ += taken;
  return true;
}

void BodyNewton::polish(BodySpace& space, BodyMatrix& matrix, BodyState& state) {
  iterations_ = 0;
  for (int step = 0; step < options.polish && state.error > options.rounding; ++step) {
    const double last = state.error;
    at_ = state;
    centre_ = at_.r;
    settle(space, matrix, options.softness, 0.0, 0.0, 1, state);
    if (!(state.error < last)) return;
  }
}

}  // namespace stiction::cone
