#include "stiction/schemes/gap_watch.h"

#include <algorithm>
#include <limits>

namespace stiction {

bool GapWatch::is_watched(std::uint64_t id) const {
  return !active_.has(id) && std::find(released_.begin(), released_.end(), id) == released_.end();
}

void GapWatch::begin(const State& state, double length, double tolerance, const ActiveSet& active,
                     const std::vector<std::uint64_t>& released) {
  active_ = active;
  released_ = released;
  tolerance_ = tolerance;
  margin_ = tolerance + 3.0 * length * (1.0 + system_.fastest(state.v));
  look(state);
}

void GapWatch::widen(const State& state, double length, const Vector& v) {
  const double margin = tolerance_ + 3.0 * length * system_.fastest(v);
  if (!(margin > margin_)) return;
  margin_ = margin;
  look(state);
}

void GapWatch::look(const State& state) {
  system_.find_gaps(state.t, state.q, margin_, start_);
  start_rate_.clear();
  for (int j = 0; j < start_.size(); ++j) start_rate_.push_back(start_.opening(j, state.v));
  find_nearest(start_, state.v, nearest_);
}

void GapWatch::find_nearest(const GapSet& gaps, const Vector& v, std::vector<NearestGap>& nearest) const {
  nearest.clear();
  for (int j = 0; j < gaps.size(); ++j) {
    const ContactPoint& contact = gaps.contacts[j];
    if (contact.pfaffian || !is_watched(contact.id)) continue;
    const NearestGap gap{contact.id >> feature_bits, contact.Phi, gaps.opening(j, v)};
    if (nearest.empty() || nearest.back().pair != gap.pair)
      nearest.push_back(gap);
    else if (gap.Phi < nearest.back().Phi)
      nearest.back() = gap;
  }
}

double GapWatch::longest_part(const Vector& v) const {
  double longest = std::numeric_limits<double>::infinity();
  for (int j = 0; j < start_.size(); ++j) {
    const ContactPoint& contact = start_.contacts[j];
    const double closing = -start_.opening(j, v);
    if (contact.pfaffian || !(closing > 0.0) || !is_watched(contact.id)) continue;
    const double depth = std::max(0.25 * contact.thickness, tolerance_);
    longest = std::min(longest, (std::max(contact.Phi, 0.0) + depth) / closing);
  }
  return longest;
}

double GapWatch::lowest(double t, const Vector& q, const Vector& v, double rounding) {
  system_.find_gaps(t, q, margin_, now_);
  double lowest = above_floor(margin_, 0.0, rounding);
  for (int j = 0; j < now_.size(); ++j) {
    const ContactPoint& contact = now_.contacts[j];
    if (!is_watched(contact.id)) continue;
    const int before = start_.find(contact.id);
    const double value = contact.pfaffian ? now_.n.dot(j, v) + now_.normal_speed[j] : contact.Phi;
    const double start = before < 0 ? 0.0 : contact.pfaffian ? start_rate_[before] : start_.contacts[before].Phi;
    lowest = std::min(lowest, above_floor(value, start, rounding));
  }
  return lowest;
}

void GapWatch::find_dips(const Vector& v, double length, double rounding) {
  find_nearest(now_, v, nearest_now_);
  dips_.find(nearest_, nearest_now_, length, rounding);
}

void GapWatch::narrow_dip(const Vector& v, double share) {
  find_nearest(now_, v, nearest_now_);
  dips_.narrow(nearest_now_, share);
}

}  // namespace stiction
