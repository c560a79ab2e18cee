#include "stiction/cone/local_solve.h"

#include <algorithm>
#include <cmath>

namespace stiction::cone {

namespace {

/// The tangents with the normal eliminated: r_T(lambda) = -(c + lambda b) / (lambda^2 + trace lambda + det), since the
/// adjugate of A_T + lambda I is that of A_T plus lambda I.
struct Tangents {
  double b[2], c[2], trace, det;
  double normal[2], push;  ///< r_n = push + normal . (c + lambda b) / (lambda^2 + ...).

  [[nodiscard]] double denominator(double lambda) const { return (lambda + trace) * lambda + det; }
  /// (|r_T| - mu r_n) times the denominator, and its slope.
  double excess(double mu, double lambda, double& slope) const {
    const double x = c[0] + lambda * b[0], y = c[1] + lambda * b[1], length = std::sqrt(x * x + y * y);
    slope = (length > 0.0 ? (x * b[0] + y * b[1]) / length : 0.0) - mu * (push * (2.0 * lambda + trace)) -
            mu * (normal[0] * b[0] + normal[1] * b[1]);
    return length - mu * (push * denominator(lambda) + normal[0] * x + normal[1] * y);
  }
};

Tangents eliminate_normal(const double a[9], const double b[3]) {
  Tangents t{};
  const double inverse = 1.0 / a[0];
  const double m00 = a[4] - a[3] * a[1] * inverse, m01 = a[5] - a[3] * a[2] * inverse;
  const double m10 = a[7] - a[6] * a[1] * inverse, m11 = a[8] - a[6] * a[2] * inverse;
  t.b[0] = b[1] - a[3] * b[0] * inverse;
  t.b[1] = b[2] - a[6] * b[0] * inverse;
  t.trace = std::max(0.0, m00 + m11);
  t.det = std::max(0.0, m00 * m11 - m01 * m10);
  t.c[0] = m11 * t.b[0] - m01 * t.b[1];
  t.c[1] = m00 * t.b[1] - m10 * t.b[0];
  t.push = -b[0] * inverse;
  t.normal[0] = a[1] * inverse;
  t.normal[1] = a[2] * inverse;
  return t;
}

/// Newton's method kept inside [low, high], where the excess changes its sign.
double find_root(const Tangents& t, double mu, double low, double high) {
  double lambda = low, slope = 0.0;
  for (int i = 0; i < 80; ++i) {
    const double value = t.excess(mu, lambda, slope);
    if (value > 0.0)
      low = lambda;
    else
      high = lambda;
    double next = lambda - value / slope;
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    if (std::abs(next - lambda) <= 1e-15 * std::abs(next) || !(high > low)) return next;
    lambda = next;
  }
  return lambda;
}

}  // namespace

bool solve_contact(const double a[9], const double b[3], double mu, double r[3]) {
  if (b[0] >= 0.0) {
    r[0] = r[1] = r[2] = 0.0;
    return true;
  }
  if (!(a[0] > 0.0)) return false;
  const Tangents t = eliminate_normal(a, b);
  double slope = 0.0, lambda = 0.0;
  constexpr double singular = 1e-14;  // of the square of A's size: below, what determines sticking is rounding
  const bool can_stick = t.det > singular * t.trace * t.trace && t.det > 0.0;
  if (!can_stick) lambda = 1e-12 * std::max(t.trace, a[0]);
  if (mu > 0.0 && t.excess(mu, lambda, slope) > 0.0) {
    double high = std::max({1.0, t.trace, std::hypot(t.b[0], t.b[1]) / std::max(mu * t.push, 1e-300)});
    for (int i = 0; i < 60 && t.excess(mu, high, slope) > 0.0; ++i) high *= 4.0;
    lambda = find_root(t, mu, lambda, high);
  }
  const double denominator = t.denominator(lambda);
  double x = 0.0, y = 0.0;
  if (mu > 0.0) {
    x = -(t.c[0] + lambda * t.b[0]) / denominator;
    y = -(t.c[1] + lambda * t.b[1]) / denominator;
  }
  const double n = t.push - t.normal[0] * x - t.normal[1] * y;
  if (!std::isfinite(n) || !std::isfinite(x) || !std::isfinite(y) || n < 0.0) return false;
  r[0] = n;
  r[1] = x;
  r[2] = y;
  return true;
}

}  // namespace stiction::cone
