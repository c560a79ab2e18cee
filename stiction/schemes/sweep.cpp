#include "stiction/schemes/sweep.h"

#include <algorithm>
#include <cmath>

namespace stiction {

namespace {

// A body that is so fast as to need more is not followed any better.
constexpr int most_parts = 10000;

}  // namespace

/// Velocities count as they are and with what the forces add in the step.
int Sweep::parts_for(const State& state, double h, StepReport& report) {
  pushed_ = state.v;
  if (std::isfinite(system_.safe_way())) {
    system_.applied_force(state.t, state.q, state.v, force_);
    system_.mass(state.t, state.q, mass_);
    for (int i = 0; i < pushed_.size(); ++i) pushed_[i] += h * force_[i] / mass_.coeff(i, i);
  }
  return parts_for(state, pushed_, h, report);
}

/// So many that in none does a body go deeper into another than a quarter of what the two are thick: beyond half, the
/// way out would be on the other side. Rotations count as the points that are near each other now move.
int Sweep::parts_for(const State& state, const Vector& v_end, double h, StepReport& report) {
  const double way = h * std::max(system_.fastest(state.v), system_.fastest(v_end));
  if (!(way > system_.safe_way())) return 1;
  system_.find_gaps(state.t, state.q, 4.0 * way, gaps_);
  double parts = 1.0;
  for (int i = 0; i < gaps_.size(); ++i) {
    const double moved = -h * std::min(gaps_.opening(i, state.v), gaps_.opening(i, v_end));
    const double limit = 0.25 * gaps_.contacts[i].thickness;
    if (!(moved - std::max(gaps_.contacts[i].Phi, 0.0) > limit)) continue;
    parts = std::max(parts, std::ceil(moved / limit));
    if (!(parts > most_parts)) continue;
    report.followed = false;
    report.deepest_contact = gaps_.contacts[i].id;
  }
  return static_cast<int>(std::min<double>(parts, most_parts));
}

}  // namespace stiction
