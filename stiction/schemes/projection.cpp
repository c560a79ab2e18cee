#include "stiction/schemes/projection.h"

#include <algorithm>
#include <cmath>

namespace stiction {

namespace {

constexpr int most_corrections = 8;
const Vector no_force;

}  // namespace

double Projection::largest_error() const {
  double largest = 0.0;
  for (const double value : rows_.positions()) largest = std::max(largest, std::abs(value));
  return largest;
}

/// Newton's method, until the errors are rounding of the positions or, for redundant joints that do not agree, no
/// longer get smaller.
bool Projection::project_position(double t, const ActiveSet& active, Vector& q) {
  const double rounding = 1e-15 * (1.0 + q.lpNorm<Eigen::Infinity>());
  double before = largest_error();
  for (int i = 0; i < most_corrections && before > rounding; ++i) {
    system_.mass(t, q, M_);
    motion_.factorise(M_, rows_.position_rows());
    motion_.solve(no_force, rows_.positions(), change_);
    system_.advance(q, change_, 1.0, moved_);
    if (!moved_.allFinite() || !rows_.find(t, moved_, active)) return false;
    const double after = largest_error();
    if (!(after < before)) return rows_.find(t, q, active);
    q = moved_;
    if (after > 0.5 * before) return true;
    before = after;
  }
  return true;
}

bool Projection::project(double t, const ActiveSet& active, Vector& q, Vector& v) {
  if (!rows_.find(t, q, active)) return false;
  if (rows_.size() == 0) return true;
  if (!project_position(t, active, q)) return false;
  error_.clear();
  for (int i = 0; i < rows_.size(); ++i) error_.push_back(rows_.speed(i, v));
  system_.mass(t, q, M_);
  motion_.factorise(M_, rows_.rows());
  motion_.solve(no_force, error_, change_);
  v += change_;
  return true;
}

}  // namespace stiction
