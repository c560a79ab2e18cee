#pragma once

#include <cmath>
#include <limits>

namespace stiction::cone {

/// Internal, of certificates alone. A sum of products in twice the precision, and what may be wrong with it.
struct PreciseSum {
  double high = 0.0, low = 0.0, terms = 0.0;
  int count = 0;  ///< Of products that may have a rounding: zeros have none.

  void add(double a, double b) {
    const double product = a * b, next = high + product, part = next - high;
    low += std::fma(a, b, -product) + ((high - (next - part)) + (product - part));
    high = next;
    terms += std::abs(product);
    if (a != 0.0 && b != 0.0) ++count;
  }
  [[nodiscard]] double value() const { return high + low; }
  /// Ogita, Rump and Oishi 2005, Proposition 5.5, with room; and products that are too small to have a rounding.
  [[nodiscard]] double rounding() const {
    constexpr double eps = std::numeric_limits<double>::epsilon();
    return eps * std::abs(value()) + eps * eps * count * count * terms + count * std::numeric_limits<double>::min();
  }
};

}  // namespace stiction::cone
