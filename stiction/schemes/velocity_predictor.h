#pragma once

#include <array>

#include "stiction/model/system.h"

namespace stiction {

/// A velocity for the middle of the next part of a step from those of the last three: they hold what constraints did,
/// which a prediction by the forces alone would leave out, and do not oscillate as v may (2008, section 9). The error
/// is of third order.
class VelocityPredictor {
 public:
  void forget() { known_ = 0; }
  /// The velocity of a part whose middle was at t.
  void add(double t, const Vector& v);
  /// False when too little is known: `v` is then a guess.
  bool predict(double t, const Vector& v_start, Vector& v) const;

 private:
  std::array<Vector, 3> velocities_;  ///< The latest first.
  std::array<double, 3> times_{};
  int known_ = 0;
};

}  // namespace stiction
