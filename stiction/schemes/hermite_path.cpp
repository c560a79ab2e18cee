#include "stiction/schemes/hermite_path.h"

#include <algorithm>
#include <cmath>

namespace stiction {

namespace {

constexpr double touching = 1e-14;  // m, relative to 1 m: rounding of a gap
constexpr double search = 1.0;      // m: gaps are looked for so far along the way
constexpr int most_tries = 100;
constexpr int samples = 16;

}  // namespace

void HermitePath::set(const State& state, const Vector& v_end, const Vector& v_gamma, double h) {
  h_ = h;
  q_start_ = state.q;
  v_start_ = state.v;
  v_end_ = v_end;
  v_gamma_ = v_gamma;
}

void HermitePath::at(double s, Vector& q, Vector& v) const {
  way_ = h_ * ((s - 2.0 * s * s + s * s * s) * v_start_ + (s * s * s - s * s) * v_end_ +
               (3.0 * s * s - 2.0 * s * s * s) * v_gamma_);
  v = (1.0 - 4.0 * s + 3.0 * s * s) * v_start_ + (3.0 * s * s - 2.0 * s) * v_end_ + (6.0 * s - 6.0 * s * s) * v_gamma_;
  system_.advance(q_start_, way_, 1.0, q);
}

bool HermitePath::find_hits(double t, const Vector& q, const std::vector<std::uint64_t>& closed) {
  system_.find_gaps(t, q, 0.0, gaps_);
  hits_.clear();
  for (const ContactPoint& contact : gaps_.contacts)
    if (contact.Phi < 0.0 && !std::binary_search(closed.begin(), closed.end(), contact.id)) hits_.push_back(contact.id);
  return !hits_.empty();
}

/// The lowest gap among the hits.
double HermitePath::gap_at(double share, double t) {
  at(share, q_, v_);
  system_.find_gaps(t + share * h_, q_, search, gaps_);
  double lowest = search;
  for (const std::uint64_t id : hits_)
    if (const int at = gaps_.find(id); at >= 0) lowest = std::min(lowest, gaps_.contacts[at].Phi);
  return lowest;
}

double HermitePath::find_touch(double t) {
  double low = 0.0, gap_low = gap_at(0.0, t), high = 1.0, gap_high = gap_at(1.0, t);
  // What has just parted is at no distance yet: the way back begins where it is open.
  for (int i = 1; gap_low <= touching && i < samples; ++i) {
    low = static_cast<double>(i) / samples;
    gap_low = gap_at(low, t);
  }
  for (double share = 0.5 / samples; gap_low <= touching && share > 1e-9; share *= 0.5) {
    low = share;
    gap_low = gap_at(low, t);
  }
  if (gap_low <= touching) return 0.0;
  if (gap_high >= 0.0) return 1.0;
  int side = 0;
  for (int tries = 0; tries < most_tries; ++tries) {
    double share = low + (high - low) * gap_low / (gap_low - gap_high);  // regula falsi, Illinois
    if (!(share > low && share < high)) share = 0.5 * (low + high);
    const double gap = gap_at(share, t);
    if (std::abs(gap) <= touching || !(high - low > 1e-15)) return share;
    if (gap > 0.0) {
      low = share;
      gap_low = gap;
      if (side == 1) gap_high *= 0.5;
      side = 1;
    } else {
      high = share;
      gap_high = gap;
      if (side == -1) gap_low *= 0.5;
      side = -1;
    }
  }
  return high;
}

}  // namespace stiction
