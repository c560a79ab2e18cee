#pragma once

#include <cstdint>
#include <vector>

#include "stiction/schemes/active_rows.h"

namespace stiction {

/// Watches the gaps of contacts that are not active over a part of the motion: whether one has closed at its end or,
/// judged by the cubic through the gaps and their rates at both ends, in between.
class GapWatch {
 public:
  explicit GapWatch(const System& system) : system_(system) {}

  /// Where the next part starts. `released` contacts are not watched.
  void begin(double t, const Vector& q, const Vector& v, double margin, const ActiveSet& active,
             const std::vector<std::uint64_t>& released);
  /// At another place of that part: the lowest gap, counted from the start's where that is negative; at most the
  /// margin.
  double lowest(double t, const Vector& q);
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
