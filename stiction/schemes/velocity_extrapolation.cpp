#include "stiction/schemes/velocity_extrapolation.h"

namespace stiction {

void VelocityExtrapolation::extrapolate(const Vector& v, int order, Vector& v_plus) const {
  v_plus = v;
  for (int i = 0; i < order; ++i) v_plus += differences_[i];
}

void VelocityExtrapolation::predict(const Vector& v, double h, Vector& v_plus) {
  // Steps of another length, or a velocity that was set in between, begin anew.
  if (h != h_ || end_.size() != v.size() || end_ != v) forget();
  extrapolate(v, order_, v_plus);
}

void VelocityExtrapolation::note(const Vector& v, const Vector& v_plus, double h, bool is_smooth) {
  if (h != h_ || end_.size() != v.size() || end_ != v || !is_smooth) forget();
  h_ = h;
  end_ = v_plus;
  if (!is_smooth) return;
  double least = (v_plus - v).lpNorm<Eigen::Infinity>();
  order_ = known_ > 0 ? 0 : 1;
  for (int order = 1; order <= known_; ++order) {
    extrapolate(v, order, work_);
    const double off = (v_plus - work_).lpNorm<Eigen::Infinity>();
    if (off >= least) continue;
    least = off;
    order_ = order;
  }
  // Each difference less that of the step before is the next.
  work_ = v_plus - v;
  for (int i = 0; i < most; ++i) {
    if (i < known_) next_ = work_ - differences_[i];
    differences_[i].swap(work_);
    if (i >= known_) break;
    work_.swap(next_);
  }
  if (known_ < most) ++known_;
}

}  // namespace stiction
