#pragma once

#include <array>

#include "stiction/linalg/matrix.h"

namespace stiction {

/// Where velocities are likely to be after a step, from those of the steps before: where a nonlinear step evaluates its
/// geometry first. In smooth motion the differences of velocities go on; how many of them are used is what was nearest
/// in the last step, so that after an impact none are. Storage is kept.
class VelocityExtrapolation {
 public:
  using Vector = linalg::Vector;

  /// The velocity after a step of length h from v.
  void predict(const Vector& v, double h, Vector& v_plus);
  /// What the step came to. `is_smooth`: no impulse that may have begun or ended in it.
  void note(const Vector& v, const Vector& v_plus, double h, bool is_smooth);
  void forget() { order_ = known_ = 0; }

 private:
  static constexpr int most = 6;
  void extrapolate(const Vector& v, int order, Vector& v_plus) const;

  int order_ = 0;                         ///< Differences that are used,
  int known_ = 0;                         ///< and that are known.
  double h_ = 0.0;                        ///< Of the last step.
  Vector end_;                            ///< Where it ended.
  std::array<Vector, most> differences_;  ///< Backward differences at its end: first, second, ...
  Vector work_, next_;
};

}  // namespace stiction
