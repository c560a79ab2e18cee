#include "stiction/schemes/projection.h"

#include <algorithm>
#include <cmath>

namespace stiction {

namespace {

constexpr int most_corrections = 8;
const Vector no_force;

}  // namespace

double Projection::largest_value() const {
  double largest = 0.0;
  for (const double value : rows_.values()) largest = std::max(largest, std::abs(value));
  return largest;
}

bool Projection::project(double t, const ActiveSet& active, Vector& q, Vector& v) {
  if (!rows_.find(t, q, active)) return false;
  if (rows_.size() == 0) return true;
  // Newton's method, until the values are rounding of the positions or, for redundant joints that do not agree, no
  // longer get smaller.
  const double rounding = 1e-15 * (1.0 + q.lpNorm<Eigen::Infinity>());
  double before = largest_value();
  system_.mass(t, q, M_);
  motion_.factorise(M_, rows_.rows());
  for (int i = 0; i < most_corrections && before > rounding; ++i) {
    motion_.solve(no_force, rows_.values(), change_);
    system_.advance(q, change_, 1.0, moved_);
    if (!moved_.allFinite() || !rows_.find(t, moved_, active)) return false;
    const double after = largest_value();
    if (after < before) q = moved_;
    const bool is_done = after > 0.5 * before;
    if (after >= before && !rows_.find(t, q, active)) return false;
    system_.mass(t, q, M_);
    motion_.factorise(M_, rows_.rows());
    before = after;
    if (is_done) break;
  }
  error_.clear();
  for (int i = 0; i < rows_.size(); ++i) error_.push_back(rows_.speed(i, v));
  motion_.solve(no_force, error_, change_);
  v += change_;
  return true;
}

}  // namespace stiction
