#include "stiction/schemes/velocity_predictor.h"

#include <algorithm>

namespace stiction {

namespace {

// Parts that are so much longer than those before are not predicted from them.
constexpr double farthest = 3.0;

}  // namespace

void VelocityPredictor::add(double t, const Vector& v) {
  if (known_ > 0 && !(t > times_[0])) known_ = 0;
  std::rotate(velocities_.begin(), velocities_.begin() + 2, velocities_.end());
  std::rotate(times_.begin(), times_.begin() + 2, times_.end());
  velocities_[0] = v;
  times_[0] = t;
  known_ = std::min(known_ + 1, 3);
}

/// Lagrange's polynomial through what is known.
bool VelocityPredictor::predict(double t, const Vector& v_start, Vector& v) const {
  const bool is_near = known_ == 3 && t - times_[0] <= farthest * (times_[0] - times_[1]) &&
                       times_[0] - times_[1] <= farthest * (times_[1] - times_[2]);
  if (!is_near) {
    v = v_start;
    return false;
  }
  v.setZero(v_start.size());
  for (int i = 0; i < 3; ++i) {
    double weight = 1.0;
    for (int j = 0; j < 3; ++j)
      if (j != i) weight *= (t - times_[j]) / (times_[i] - times_[j]);
    v += weight * velocities_[i];
  }
  return true;
}

}  // namespace stiction
