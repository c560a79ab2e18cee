#include "stiction/record/plot_axis.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>

namespace stiction {

namespace {

constexpr double room = 0.04;  ///< On each side, of the span.
constexpr int most_marks = 8;

/// 1, 2 or 5 times a power of ten: the smallest that puts at most `most` marks on the length.
double even_step(double length, int most) {
  const double least = length / most;
  const double power = std::pow(10.0, std::floor(std::log10(least)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (factor * power >= least) return factor * power;
  return 10.0 * power;
}

}  // namespace

PlotAxis::PlotAxis(bool is_logarithmic, std::span<const double> values) : is_logarithmic_(is_logarithmic) {
  double largest = 0.0;
  for (const double value : values)
    if (can_draw(value)) largest = std::max(largest, std::abs(value));
  // 10^-307 is the least power of ten that has all its digits.
  if (!is_logarithmic_ && largest > 0.0) scale_ = std::pow(10.0, std::max(std::floor(std::log10(largest)), -307.0));

  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const double value : values) {
    if (!can_draw(value)) continue;
    low = std::min(low, coordinate(value));
    high = std::max(high, coordinate(value));
  }
  if (low > high) return;
  // What is nearly one value gets a span around it, or marks would differ in digits that no label shows.
  const double size = largest / scale_, least_span = is_logarithmic_ ? 0.2 : 1e-9 * size;
  if (high - low <= least_span) {
    const double half = is_logarithmic_ ? 0.5 : size > 0.0 ? 0.1 * size : 1.0;
    low -= half;
    high += half;
  }
  const double margin = room * (high - low);
  low_ = low - margin;
  high_ = high + margin;
}

bool PlotAxis::can_draw(double value) const {
  return std::isfinite(value) && (!is_logarithmic_ || value > 0.0);
}

double PlotAxis::coordinate(double value) const {
  return is_logarithmic_ ? std::log10(value) : value / scale_;
}

double PlotAxis::share(double value) const {
  return share_of_coordinate(coordinate(value));
}

std::vector<PlotTick> PlotAxis::ticks() const {
  return is_logarithmic_ ? decade_ticks() : even_ticks();
}

std::vector<PlotTick> PlotAxis::decade_ticks() const {
  // Exponents of doubles: -324 to 308.
  const int first = static_cast<int>(std::floor(low_)), last = static_cast<int>(std::ceil(high_));
  const int step = std::max(1, (last - first + most_marks - 1) / most_marks);
  const bool is_short = high_ - low_ < 1.5;
  std::vector<PlotTick> ticks;
  const auto add = [&](double at, std::string label) {
    if (at >= low_ && at <= high_) ticks.push_back({share_of_coordinate(at), std::move(label)});
  };
  for (int decade = first; decade <= last; ++decade) {
    if (decade % step != 0) continue;
    add(decade, "10^" + std::to_string(decade));
    if (step > 1) continue;
    for (int digit = 2; digit <= 9; ++digit) {
      const bool is_labelled = is_short && (digit == 2 || digit == 5);
      add(decade + std::log10(digit), is_labelled ? std::to_string(digit) + "·10^" + std::to_string(decade) : "");
    }
  }
  return ticks;
}

std::vector<PlotTick> PlotAxis::even_ticks() const {
  const double step = even_step(high_ - low_, most_marks - 1);
  std::vector<PlotTick> ticks;
  for (double k = std::ceil(low_ / step); k * step <= high_; ++k) {
    const double value = k * step * scale_;
    if (std::isfinite(value)) ticks.push_back({share_of_coordinate(k * step), tick_label(value, step * scale_)});
  }
  return ticks;
}

std::string tick_label(double value, double step) {
  if (value == 0.0 || std::abs(value) < 1e-6 * step) return "0";
  // Digits down to the step, so that neighbours differ.
  const double digits = std::log10(std::abs(value)) - (step > 0.0 ? std::log10(step) : -324.0);
  const int precision = std::clamp(static_cast<int>(std::floor(digits)) + 2, 2, 12);
  std::array<char, 40> text;
  const int length = std::snprintf(text.data(), text.size(), "%.*g", precision, value);
  return {text.data(), static_cast<std::size_t>(std::max(length, 0))};
}

}  // namespace stiction
