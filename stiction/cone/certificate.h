#pragma once

#include <cmath>
#include <limits>

#include "stiction/cone/problem.h"

namespace stiction::cone {

/// |(x, y)|: std::hypot costs several times as much, and is needed only where squares leave the range of numbers.
[[nodiscard]] inline double length(double x, double y) {
  const double square = x * x + y * y;
  return square > 1e-280 && square < 1e280 ? std::sqrt(square) : std::hypot(x, y);
}

/// The projection on the round cone { |x_T| <= mu x_n }, x = (n, t, s).
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

/// What an answer is worth, from the problem and the answer alone (DESIGN.md, section 5): with
/// rho = dimension contacts / trace W,
///
///     error = || r - P_K( r - rho (u + mu |u_T| n) ) ||,   residual = error / max(||r||, rho ||q||),
///     data_residual = (error + rounding of r) / (rho ||q||),
///
/// elliptic cones in the metric in which they are round. A huge r cannot hide a wrong u in the second: of a problem
/// without an answer the residual goes to zero as r goes to infinity. It is held to the square root of the tolerance,
/// since u cannot be known better than the rounding of r.
struct Certificate {
  double residual = std::numeric_limits<double>::infinity();
  double data_residual = std::numeric_limits<double>::infinity();
  Index worst = -1;  ///< The contact that gave most of the residual.

  [[nodiscard]] bool certified(double tolerance = 1e-8) const {
    return residual <= tolerance && data_residual <= std::sqrt(tolerance);
  }
};

/// Reusable storage: a second call of the same size allocates nothing.
struct CertifyWork {
  Vector u;
};

/// Independent of every solver: u is computed from W and r here.
[[nodiscard]] Certificate certify(const Problem& problem, const Vector& r, CertifyWork& work);
[[nodiscard]] Certificate certify(const Problem& problem, const Vector& r);

/// The measure of another library, Siconos: the error with rho = 1 over max(||q||, ||r||, ||u||), which depends on
/// units.
[[nodiscard]] double siconos_error(const Problem& problem, const Vector& r);

}  // namespace stiction::cone
