#include "stiction/schemes/sweep.h"

#include <algorithm>
#include <cmath>

namespace stiction {

namespace {

// A body that is so fast as to need more is not followed any better.
constexpr int most_parts = 10000;

}  // namespace

/// So many that in none does a body go deeper into another than a quarter of what the two are thick: beyond half, the
/// way out would be on the other side. Velocities count as they are and with what the forces add in the step; rotations
/// as the points that are near each other now move.
int Sweep::parts_for(const State& state, double h, StepReport& report) {
  pushed_ = state.v;
  if (std::isfinite(system_.safe_way())) {
    system_.applied_force(state.t, state.q, state.v, force_);
    system_.mass(state.t, state.q, mass_);
    for (int i = 0; i < pushed_.size(); ++i) pushed_[i] += h * force_[i] / mass_.coeff(i, i);
  }
  const double way = h * std::max(system_.fastest(state.v), system_.fastest(pushed_));
  if (!(way > system_.safe_way())) return 1;
  system_.find_gaps(state.t, state.q, 4.0 * way, gaps_);
  double parts = 1.0;
  for (int i = 0; i < gaps_.size(); ++i) {
    const double moved = -h * std::min(gaps_.opening(i, state.v), gaps_.opening(i, pushed_));
    const double limit = 0.25 * gaps_.contacts[i].thickness;
    if (!(moved - std::max(gaps_.contacts[i].Phi, 0.0) > limit)) continue;
    parts = std::max(parts, std::ceil(moved / limit));
    if (!(parts > most_parts)) continue;
    report.followed = false;
    report.deepest_contact = gaps_.contacts[i].id;
  }
  return static_cast<int>(std::min<double>(parts, most_parts));
}

/// Between a place where the gap closes and one where it opens. The gap of convex bodies is never below both of its
/// tangents, so where these meet above zero nothing collides.
bool Sweep::find_dip(const State& state, double h, std::uint64_t id, Dip dip, double& share) {
  constexpr int most_looks = 12;
  for (int look = 0; look < most_looks; ++look) {
    const double width = dip.high - dip.low;
    const double meet =
        (dip.gap_high - dip.gap_low - dip.rate_high * width) / (dip.rate_low - dip.rate_high);  // from low on
    if (!(meet > 0.0 && meet < width) || dip.gap_low + dip.rate_low * meet > 0.0) return false;
    share = dip.low + meet;
    system_.advance(state.q, state.v, share * h, q_);
    system_.find_gaps(state.t + share * h, q_, std::max(dip.gap_low, dip.gap_high), between_);
    const int at = between_.find(id);
    if (at < 0) return false;
    const double gap = between_.contacts[at].Phi, rate = h * between_.opening(at, state.v);
    if (gap < 0.0) {
      share = after_touch(state, h, id, dip.low, share);
      return true;
    }
    if (rate < 0.0) {
      dip.low = share;
      dip.gap_low = gap;
      dip.rate_low = rate;
    } else {
      dip.high = share;
      dip.gap_high = gap;
      dip.rate_high = rate;
    }
  }
  return false;
}

/// Between a share of the step at which two bodies are apart and one at which they are in each other: a little after
/// they touch, where their normal is still that of the collision.
double Sweep::after_touch(const State& state, double h, std::uint64_t id, double apart, double inside) {
  constexpr int halvings = 6;
  for (int i = 0; i < halvings; ++i) {
    const double middle = 0.5 * (apart + inside);
    system_.advance(state.q, state.v, middle * h, q_);
    system_.find_gaps(state.t + middle * h, q_, 0.0, between_);
    const int at = between_.find(id);
    (at >= 0 && between_.contacts[at].Phi < 0.0 ? inside : apart) = middle;
  }
  return inside;
}

double Sweep::until_dip(const State& state, double h) {
  constexpr double least = 1e-3;      // of a step, and of the way of the fastest in it: less is not felt
  constexpr double rounding = 1e-12;  // m: a contact just closed may be passed through as well
  const double way = h * system_.fastest(state.v);
  if (!(way > 0.25 * system_.safe_way())) return h;
  system_.find_gaps(state.t, state.q, 2.0 * way, gaps_);
  if (gaps_.size() == 0) return h;
  system_.advance(state.q, state.v, h, q_);
  system_.find_gaps(state.t + h, q_, 4.0 * way, ahead_);
  double first = 1.0;
  for (int i = 0; i < gaps_.size(); ++i) {
    const ContactPoint& contact = gaps_.contacts[i];
    const int at = ahead_.find(contact.id);
    if (contact.pfaffian || contact.Phi < -rounding || at < 0 || !(ahead_.contacts[at].Phi > 0.0)) continue;
    const Dip dip{
        0.0, 1.0, contact.Phi, h * gaps_.opening(i, state.v), ahead_.contacts[at].Phi, h * ahead_.opening(at, state.v)};
    double share = 1.0;
    if (dip.rate_low < -least * way && dip.rate_high > 0.0 && find_dip(state, h, contact.id, dip, share))
      first = std::min(first, share);
  }
  return std::max(first, least) * h;
}

}  // namespace stiction
