#include "stiction/schemes/gap_watch.h"

#include <algorithm>
#include <cmath>

namespace stiction {

namespace {

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

}  // namespace

bool GapWatch::is_watched(std::uint64_t id) const {
  return !active_.has(id) && std::find(released_.begin(), released_.end(), id) == released_.end();
}

void GapWatch::begin(double t, const Vector& q, const Vector& v, double margin, const ActiveSet& active,
                     const std::vector<std::uint64_t>& released) {
  active_ = active;
  released_ = released;
  margin_ = margin;
  system_.find_gaps(t, q, margin, start_);
  start_rate_.clear();
  for (int j = 0; j < start_.size(); ++j) start_rate_.push_back(start_.n.dot(j, v) + start_.normal_speed[j]);
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

double GapWatch::lowest_between(const Vector& v, double length) const {
  double place = 1.0, deepest = 0.0;
  for (int j = 0; j < now_.size(); ++j) {
    const int before = start_.find(now_.contacts[j].id);
    if (before < 0 || now_.contacts[j].pfaffian || !is_watched(now_.contacts[j].id)) continue;
    const double rate = now_.n.dot(j, v) + now_.normal_speed[j];
    if (start_rate_[before] >= 0.0 || rate <= 0.0) continue;
    double value = 0.0;
    const double s = lowest_place(start_.contacts[before].Phi, now_.contacts[j].Phi, length * start_rate_[before],
                                  length * rate, value);
    if (value < deepest) {
      deepest = value;
      place = s;
    }
  }
  return place;
}

}  // namespace stiction
