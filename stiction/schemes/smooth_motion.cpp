#include "stiction/schemes/smooth_motion.h"

#include <algorithm>

namespace stiction {

namespace {

// A part leaves the constraints by about its error. Where bringing it back takes ten times the tolerance, the
// constraints are nearly dependent, and velocity would be lost in a direction that rounding chose.
constexpr double projected_share = 0.1;

}  // namespace

/// q-dot, a and lambda. Stages leave the manifold of the positions (unit quaternions) a little: advance() by nothing
/// brings them back.
bool SmoothMotion::evaluate(double t, const Vector& y, Vector& dy) {
  const int positions = system_.positions(), velocities = system_.velocities();
  q_raw_ = y.head(positions);
  v_ = y.segment(positions, velocities);
  system_.advance(q_raw_, at_rest_, 0.0, q_);
  status_ = acceleration_.evaluate(t, q_, v_, active_);
  if (status_ != MotionStatus::fine) {
    lost_ = acceleration_.lost();
    return false;
  }
  system_.position_rate(q_, v_, q_rate_);
  dy.resize(y.size());
  dy.head(positions) = q_rate_;
  dy.segment(positions, velocities) = acceleration_.a();
  dy.tail(acceleration_.forces().size()) = acceleration_.forces();
  return true;
}

MotionStatus SmoothMotion::begin(double t, const Vector& q, const Vector& v, const ActiveSet& active) {
  active_ = active;
  t_start_ = t_end_ = t;
  at_rest_.setZero(system_.velocities());
  status_ = acceleration_.evaluate(t, q, v, active);
  if (status_ != MotionStatus::fine) {
    lost_ = acceleration_.lost();
    return status_;
  }
  y_start_.setZero(q.size() + v.size() + acceleration_.forces().size());
  y_start_.head(q.size()) = q;
  y_start_.segment(q.size(), v.size()) = v;
  y_end_ = y_start_;
  evaluate(t, y_start_, dy_start_);
  return status_;
}

MotionStatus SmoothMotion::advance(double h) {
  h_ = h;
  t_end_ = t_start_ + h;
  if (!method_.advance(*this, t_start_, y_start_, dy_start_, h, y_end_)) return status_;
  const int positions = system_.positions(), velocities = system_.velocities();
  q_raw_ = y_end_.head(positions);
  v_ = y_end_.segment(positions, velocities);
  if (!q_raw_.allFinite() || !v_.allFinite()) return MotionStatus::not_finite;
  system_.advance(q_raw_, at_rest_, 0.0, q_);
  q_raw_ = q_;
  v_raw_ = v_;
  if (!projection_.project(t_end_, active_, q_, v_)) {
    lost_ = projection_.lost();
    return MotionStatus::lost_contact;
  }
  const auto share = [](const Vector& a, const Vector& b) {
    return a.size() == 0 ? 0.0 : (a - b).lpNorm<Eigen::Infinity>() / (1.0 + a.lpNorm<Eigen::Infinity>());
  };
  projected_ = std::max(share(q_, q_raw_), share(v_, v_raw_));
  y_end_.head(positions) = q_;
  y_end_.segment(positions, velocities) = v_;
  evaluate(t_end_, y_end_, dy_end_);
  return status_;
}

void SmoothMotion::accept() {
  t_start_ = t_end_;
  y_start_ = y_end_;
  y_start_.tail(y_start_.size() - system_.positions() - system_.velocities()).setZero();
  dy_start_ = dy_end_;
}

double SmoothMotion::error(double tolerance) const {
  const double found = method_.error(y_start_, dy_end_, h_, system_.positions() + system_.velocities(), tolerance);
  return std::max(found, projected_share * projected_ / tolerance);
}

}  // namespace stiction
