#pragma once

#include <span>
#include <string>
#include <vector>

namespace stiction {

/// A mark on an axis: where, from 0 to 1, and what is written there.
struct PlotTick {
  double share = 0.0;
  std::string label;  ///< Empty: a small mark. A power of ten is "10^-3".
};

/// One axis of a plot. It takes any numbers: what cannot be drawn (NaN, infinities, and on a logarithmic axis what is
/// not above zero) is left out, and the span may reach from the smallest number there is to the largest.
class PlotAxis {
 public:
  /// Spans the values that can be drawn, with a little room on both sides; 0 to 1 (or 1 to 10) where there is none.
  PlotAxis(bool is_logarithmic, std::span<const double> values);

  [[nodiscard]] bool can_draw(double value) const;
  /// 0 at the low end and 1 at the high one; beyond those for values outside the span. The value can be drawn.
  [[nodiscard]] double share(double value) const;
  /// From the low end to the high one.
  [[nodiscard]] std::vector<PlotTick> ticks() const;

 private:
  /// The coordinate in which the axis is even: the decimal logarithm, or the value over scale_.
  [[nodiscard]] double coordinate(double value) const;
  [[nodiscard]] double share_of_coordinate(double at) const { return (at - low_) / (high_ - low_); }
  [[nodiscard]] std::vector<PlotTick> decade_ticks() const;
  [[nodiscard]] std::vector<PlotTick> even_ticks() const;

  bool is_logarithmic_;
  double scale_ = 1.0;  ///< The power of ten of the largest |value|: no difference overflows, and round stays round.
  double low_ = 0.0, high_ = 1.0;
};

/// A number as a reader of a plot wants it: few digits, no trailing zeros. `step` is the distance to the next mark.
[[nodiscard]] std::string tick_label(double value, double step);

}  // namespace stiction
