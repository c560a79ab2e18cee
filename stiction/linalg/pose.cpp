#include "stiction/linalg/pose.h"

#include <cmath>

namespace stiction {

Quat exponential(const Vec3& rotation) {
  const double angle = rotation.norm();
  // sin(a/2)/a by its series near zero, where the quotient loses nothing but 0/0 must not happen.
  const double factor = angle < 1e-4 ? 0.5 - angle * angle / 48.0 : std::sin(0.5 * angle) / angle;
  Quat q(std::cos(0.5 * angle), factor * rotation.x(), factor * rotation.y(), factor * rotation.z());
  q.normalize();
  return q;
}

Vec3 logarithm(const Quat& orientation) {
  const double sign = orientation.w() < 0.0 ? -1.0 : 1.0;
  const Vec3 axis = sign * orientation.vec();
  const double sine = axis.norm();
  if (sine < 1e-8) return 2.0 * axis;
  return (2.0 * std::atan2(sine, sign * orientation.w()) / sine) * axis;
}

Mat3 cross_matrix(const Vec3& a) {
  Mat3 m;
  m << 0.0, -a.z(), a.y(), a.z(), 0.0, -a.x(), -a.y(), a.x(), 0.0;
  return m;
}

}  // namespace stiction
