#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>

namespace stiction {

/// SplitMix64: a small generator whose numbers are the same on every platform, so that a seed names a problem for ever.
/// The standard library's distributions differ between implementations; these do not.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t bits() {
    std::uint64_t x = (state_ += 0x9e3779b97f4a7c15ULL);
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
    return x ^ (x >> 31);
  }

  /// In [0, 1).
  double uniform() { return static_cast<double>(bits() >> 11) * 0x1.0p-53; }
  double uniform(double low, double high) { return low + (high - low) * uniform(); }

  /// In [low, high], both included.
  int integer(int low, int high) {
    return low + static_cast<int>(bits() % (static_cast<std::uint64_t>(high - low) + 1));
  }

  /// Standard normal, by Box and Muller's transform.
  double normal() {
    const double radius = std::sqrt(-2.0 * std::log(1.0 - uniform()));
    return radius * std::cos(2.0 * std::numbers::pi * uniform());
  }

 private:
  std::uint64_t state_;
};

}  // namespace stiction
