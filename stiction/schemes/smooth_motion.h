#pragma once

#include "stiction/schemes/acceleration.h"
#include "stiction/schemes/projection.h"
#include "stiction/schemes/runge_kutta.h"

namespace stiction {

/// Motion with one active set, between its changes (1982, section 4): a step of order 5 at a time, its result projected
/// onto the joints and active contacts. Along with position and velocity the multipliers are integrated: impulses.
class SmoothMotion final : private VectorField {
 public:
  explicit SmoothMotion(const System& system) : system_(system), acceleration_(system), projection_(system) {}

  /// Starts from a state that holds the constraints.
  MotionStatus begin(double t, const Vector& q, const Vector& v, const ActiveSet& active);
  /// A step from the start, which stays; the end is what the functions below speak of.
  MotionStatus advance(double h);
  /// Makes the end of the last step the start of the next.
  void accept();
  void set_time(double t) { t_start_ = t; }
  /// The step's error over the tolerance; at most 1 is fine.
  [[nodiscard]] double error(double tolerance) const;

  [[nodiscard]] double t() const { return t_end_; }
  [[nodiscard]] const Vector& q() const { return q_; }
  [[nodiscard]] const Vector& v() const { return v_; }
  /// At the end: of begin(), or of advance().
  [[nodiscard]] const Acceleration& acceleration() const { return acceleration_; }
  /// Over the step, of what Acceleration::forces() lists.
  [[nodiscard]] double impulse(int i) const { return y_end_[system_.positions() + system_.velocities() + i]; }
  [[nodiscard]] std::uint64_t lost() const { return lost_; }

 private:
  bool evaluate(double t, const Vector& y, Vector& dy) override;

  const System& system_;
  Acceleration acceleration_;
  Projection projection_;
  DormandPrince method_;
  ActiveSet active_;
  double t_start_ = 0.0, t_end_ = 0.0, h_ = 0.0;
  Vector y_start_, dy_start_, y_end_, dy_end_;
  Vector q_, v_, q_rate_, q_raw_, v_raw_, at_rest_;
  double projected_ = 0.0;  ///< How far the end was from the constraints, relative to its size.
  MotionStatus status_ = MotionStatus::fine;
  std::uint64_t lost_ = 0;
};

}  // namespace stiction
