#include "stiction/schemes/gap_dips.h"

#include <algorithm>
#include <cmath>

namespace stiction {

namespace {

constexpr int most_looks = 6;

/// Where in (0, 1) the cubic with these values and slopes at 0 and 1 is lowest, and its value there. Slopes must be
/// negative at 0 and positive at 1.
double lowest_place(double p0, double p1, double r0, double r1, double& value) {
  const double a = 6.0 * (p0 - p1) + 3.0 * (r0 + r1), b = -6.0 * (p0 - p1) - 4.0 * r0 - 2.0 * r1;
  const double root = std::sqrt(std::max(b * b - 4.0 * a * r0, 0.0));
  const double larger = -0.5 * (b + std::copysign(root, b));
  double s = larger != 0.0 ? r0 / larger : 0.5;
  if (!(s > 0.0 && s < 1.0)) s = a != 0.0 ? larger / a : 0.5;
  s = std::clamp(s, 0.0, 1.0);
  const double left = 1.0 - s;
  value =
      p0 * left * left * (1.0 + 2.0 * s) + p1 * s * s * (1.0 + 2.0 * left) + r0 * s * left * left - r1 * s * s * left;
  return s;
}

/// Where both tangents meet: no gap between convex bodies on straight ways is lower than that anywhere.
double lowest_by_tangents(double p0, double p1, double r0, double r1) {
  return (p1 * r0 - p0 * r1 - r0 * r1) / (r0 - r1);
}

const NearestGap* find_pair(const std::vector<NearestGap>& gaps, std::uint64_t pair) {
  const auto it = std::lower_bound(gaps.begin(), gaps.end(), pair,
                                   [](const NearestGap& gap, std::uint64_t value) { return gap.pair < value; });
  return it != gaps.end() && it->pair == pair ? &*it : nullptr;
}

}  // namespace

void GapDips::find(const std::vector<NearestGap>& start, const std::vector<NearestGap>& end, double length,
                   double rounding) {
  dips_.clear();
  length_ = length;
  rounding_ = rounding;
  for (const NearestGap& left : start) {
    const NearestGap* const right = left.rate < 0.0 ? find_pair(end, left.pair) : nullptr;
    if (right == nullptr || !(right->rate > 0.0)) continue;
    const double r0 = length * left.rate, r1 = length * right->rate;
    double by_cubic = 0.0;
    lowest_place(left.Phi, right->Phi, r0, r1, by_cubic);
    const double lowest = std::min(by_cubic, lowest_by_tangents(left.Phi, right->Phi, r0, r1));
    if (lowest < -rounding) dips_.push_back({left, *right});
  }
}

bool GapDips::next_look(double& share) const {
  if (dips_.empty()) return false;
  const Dip& dip = dips_.back();
  const double width = dip.high - dip.low, scale = length_ * width;
  double value = 0.0;
  const double place = lowest_place(dip.left.Phi, dip.right.Phi, scale * dip.left.rate, scale * dip.right.rate, value);
  // Not where it is known already.
  share = dip.low + width * std::clamp(place, 0.01, 0.99);
  return true;
}

void GapDips::narrow(const std::vector<NearestGap>& there, double share) {
  Dip& dip = dips_.back();
  const NearestGap* const gap = find_pair(there, dip.left.pair);
  if (gap == nullptr || ++dip.looks >= most_looks) {
    dips_.pop_back();
    return;
  }
  (gap->rate < 0.0 ? dip.low : dip.high) = share;
  (gap->rate < 0.0 ? dip.left : dip.right) = *gap;
  const double scale = length_ * (dip.high - dip.low);
  if (lowest_by_tangents(dip.left.Phi, dip.right.Phi, scale * dip.left.rate, scale * dip.right.rate) > -rounding_)
    dips_.pop_back();
}

}  // namespace stiction
