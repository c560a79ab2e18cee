#include "stiction/cone/local_solve.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace stiction::cone {

namespace {

/// The tangents with the normal eliminated: r_T(lambda) = -(c + lambda b) / (lambda^2 + trace lambda + det), since the
/// adjugate of A_T + lambda I is that of A_T plus lambda I.
struct Tangents {
  double m[4], b[2], c[2], trace, det;
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
  const double m00 = t.m[0] = a[4] - a[3] * a[1] * inverse, m01 = t.m[1] = a[5] - a[3] * a[2] * inverse;
  const double m10 = t.m[2] = a[7] - a[6] * a[1] * inverse, m11 = t.m[3] = a[8] - a[6] * a[2] * inverse;
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

/// What friction of the last sweep says of lambda: (M + lambda) r_T = -b as nearly as it can. Without any, the root
/// for an M that is a multiple of I.
double guess_root(const Tangents& t, const double r[3], double slide, double mu) {
  const double square = r[1] * r[1] + r[2] * r[2];
  if (!(square > 0.0)) return slide / (mu * t.push) - 0.5 * t.trace;
  const double power =
      r[1] * (t.m[0] * r[1] + t.m[1] * r[2] + t.b[0]) + r[2] * (t.m[2] * r[1] + t.m[3] * r[2] + t.b[1]);
  return -power / square;
}

/// Newton's method for the root above `low`, where the excess is positive, kept inside of what is known of the root.
/// `high` is a bound to try where a step leads nowhere.
double find_root(const Tangents& t, double mu, double low, double high, double guess) {
  constexpr int most = 140;
  // Of a step that is the square root of rounding the next one is rounding.
  constexpr double small = 1e-8, least = 1e-15;
  double lambda = guess > low ? guess : low, slope = 0.0, end = std::numeric_limits<double>::infinity();
  for (int i = 0; i < most; ++i) {
    const double value = t.excess(mu, lambda, slope);
    if (value > 0.0)
      low = lambda;
    else
      end = lambda;
    double next = lambda - value / slope, enough = small;
    if (!(next > low && next < end)) {
      enough = least;
      next = end < std::numeric_limits<double>::infinity() ? 0.5 * (low + end) : std::max(high, 4.0 * low);
    }
    if (std::abs(next - lambda) <= enough * std::abs(next) || !(end > low)) return next;
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
    const double slide = std::sqrt(t.b[0] * t.b[0] + t.b[1] * t.b[1]);
    const double high = std::max({1.0, t.trace, slide / std::max(mu * t.push, 1e-300)});
    lambda = find_root(t, mu, lambda, high, guess_root(t, r, slide, mu));
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

bool solve_plane_contact(const double a[4], const double b[2], double mu, double r[2]) {
  if (b[0] >= 0.0) {
    r[0] = r[1] = 0.0;
    return true;
  }
  if (!(a[0] > 0.0)) return false;
  const double push = -b[0] / a[0], coupling = a[1] / a[0];
  const double m = a[3] - a[2] * coupling, slide = b[1] + a[2] * push;  // u_T = m r_T + slide with u_n = 0
  double n = push, x = 0.0;
  if (mu > 0.0 && slide != 0.0) {
    constexpr double singular = 1e-14;  // of A's size: below, what determines sticking is rounding
    const bool can_stick = m > singular * std::max(a[0], std::abs(a[3]));
    if (can_stick) {
      x = -slide / m;
      n = push - coupling * x;
    }
    if (!can_stick || !(std::abs(x) <= mu * n)) {
      const double limit = slide > 0.0 ? -mu : mu;
      n = push / (1.0 + coupling * limit);
      x = limit * n;
    }
  }
  if (!std::isfinite(n) || !std::isfinite(x) || n < 0.0) return false;
  r[0] = n;
  r[1] = x;
  return true;
}

}  // namespace stiction::cone
