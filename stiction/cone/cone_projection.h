#pragma once

#include <cmath>

namespace stiction::cone {

/// |(x, y)|: std::hypot costs several times as much, and is needed only where squares leave the range of numbers.
[[nodiscard]] inline double length(double x, double y) {
  const double square = x * x + y * y;
  return square > 1e-280 && square < 1e280 ? std::sqrt(square) : std::hypot(x, y);
}

/// The projection on the round cone { |x_T| <= mu x_n }, x = (n, t, s). The solvers'; the certificate has its own.
inline void project_on_cone(double mu, double x[3]) {
  const double tangential = length(x[1], x[2]);
  if (x[0] >= 0.0 && tangential <= mu * x[0]) return;
  if (mu * tangential <= -x[0]) {
    x[0] = x[1] = x[2] = 0.0;
    return;
  }
  x[0] = (x[0] + mu * tangential) / (1.0 + mu * mu);
  const double factor = tangential > 0.0 ? mu * x[0] / tangential : 0.0;
  x[1] *= factor;
  x[2] *= factor;
}

}  // namespace stiction::cone
