#pragma once

#include "stiction/model/system.h"

namespace stiction {

/// A velocity for the middle of the next part of a step, to second order, from the v_alpha of the last two: they hold
/// what constraints did, which a prediction by the forces alone would leave out, and do not oscillate as v may (2008,
/// section 9).
class VelocityPredictor {
 public:
  void forget() { known_ = 0; }
  /// v_alpha of a part whose middle was at t.
  void add(double t, const Vector& v_alpha) {
    before_.swap(last_);
    before_time_ = last_time_;
    last_ = v_alpha;
    last_time_ = t;
    known_ = known_ < 2 ? known_ + 1 : 2;
  }
  /// False when too little is known: `v` is then the velocity at the start.
  bool predict(double t, const Vector& v_start, Vector& v) const {
    if (known_ < 2 || !(last_time_ > before_time_)) {
      v = v_start;
      return false;
    }
    const double share = (t - last_time_) / (last_time_ - before_time_);
    v = last_ + share * (last_ - before_);
    return share < 3.0;  // far beyond what is known
  }

 private:
  Vector last_, before_;
  double last_time_ = 0.0, before_time_ = 0.0;
  int known_ = 0;
};

}  // namespace stiction
