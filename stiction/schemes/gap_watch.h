#pragma once

#include <cstdint>
#include <vector>

#include "stiction/schemes/active_rows.h"

namespace stiction {

/// How far a value that must not be negative is above that, in units of its rounding: 1 at zero, negative where it is
/// below by more than the rounding. A value that began below must not go further down.
[[nodiscard]] inline double above_floor(double value, double start, double rounding) {
  return (value - (start < -0.8 * rounding ? start : 0.0)) / rounding + 1.0;
}

/// Watches the gaps of contacts that are not active over a part of the motion: whether one has closed at its end or,
/// judged by the cubic through the gaps and their rates at both ends, in between. What has no gap but a rate (1982,
/// (2.1c)) is closed where that is zero.
class GapWatch {
 public:
  explicit GapWatch(const System& system) : system_(system) {}

  /// Where the next part starts. `released` contacts are not watched.
  void begin(double t, const Vector& q, const Vector& v, double margin, const ActiveSet& active,
             const std::vector<std::uint64_t>& released);
  /// At another place of that part: above_floor() of the lowest gap, at most that of the margin.
  double lowest(double t, const Vector& q, const Vector& v, double rounding);
  /// Where between the start and the place of the last call of lowest(), `length` later, with velocity v, a gap is
  /// lowest and closed: a share of the length, or 1 when there is none.
  [[nodiscard]] double lowest_between(const Vector& v, double length) const;

 private:
  [[nodiscard]] bool is_watched(std::uint64_t id) const;

  const System& system_;
  ActiveSet active_;
  std::vector<std::uint64_t> released_;
  GapSet start_, now_;
  std::vector<double> start_rate_;
  double margin_ = 0.0;
};

}  // namespace stiction
