#pragma once

#include <cstdint>
#include <vector>

#include "stiction/model/state.h"
#include "stiction/schemes/active_rows.h"
#include "stiction/schemes/gap_dips.h"

namespace stiction {

/// How far a value that must not be negative is above that, in units of its rounding: 1 at zero, negative where it is
/// below by more than the rounding. A value that began below must not go further down.
[[nodiscard]] inline double above_floor(double value, double start, double rounding) {
  return (value - (start < -0.8 * rounding ? start : 0.0)) / rounding + 1.0;
}

/// Watches the gaps of contacts that are not active over a part of the motion: how far it may go without passing
/// through anything unseen, whether one has closed at its end, and where in between one may have been closed. What has
/// no gap but a rate (1982, (2.1c)) is closed where that is zero.
class GapWatch {
 public:
  explicit GapWatch(const System& system) : system_(system) {}

  /// Where the next part starts, which is `length` at most. `released` contacts are not watched; gaps below the
  /// `tolerance` are contacts.
  void begin(const State& state, double length, double tolerance, const ActiveSet& active,
             const std::vector<std::uint64_t>& released);
  /// Sees farther where the part, `length` long, ends with a velocity v that is much larger than that at its start.
  void widen(const State& state, double length, const Vector& v);
  /// At another place of that part: above_floor() of the lowest gap, at most that of the margin.
  double lowest(double t, const Vector& q, const Vector& v, double rounding);
  /// How long the part may be for no contact to get deeper than a quarter of what the two bodies are thick, at the
  /// rates that this velocity has at the start, as in Sweep.
  [[nodiscard]] double longest_part(const Vector& v) const;

  /// Gaps that may have been closed between the start and the place of the last call of lowest(), `length` later, with
  /// velocity v.
  void find_dips(const Vector& v, double length, double rounding);
  /// Where to look for one of them; lowest() there, and if that is open then narrow_dip() with the velocity there.
  bool next_look(double& share) const { return dips_.next_look(share); }
  void narrow_dip(const Vector& v, double share);

 private:
  [[nodiscard]] bool is_watched(std::uint64_t id) const;
  void look(const State& state);
  void find_nearest(const GapSet& gaps, const Vector& v, std::vector<NearestGap>& nearest) const;

  const System& system_;
  ActiveSet active_;
  std::vector<std::uint64_t> released_;
  GapSet start_, now_;
  std::vector<double> start_rate_;
  std::vector<NearestGap> nearest_, nearest_now_;
  GapDips dips_;
  double margin_ = 0.0, tolerance_ = 0.0;
};

}  // namespace stiction
