#pragma once

#include <cmath>

#include "stiction/linalg/pose.h"

namespace stiction {

/// Of unit length, across the axis (of unit length) and towards the direction; a fixed such vector where the sine
/// between the two is no more than `least`.
[[nodiscard]] inline Vec3 unit_across(const Vec3& axis, const Vec3& direction, double least) {
  Vec3 side = direction - axis.dot(direction) * axis;
  const double length = side.norm();
  if (!(length > least * direction.norm())) return axis.unitOrthogonal();
  side /= length;
  // Where the two are nearly along each other most of what is left is rounding, along the axis too.
  side -= axis.dot(side) * axis;
  return side.normalized();
}

/// Of unit length, across the axis (of unit length) of a round end that lies on a face: down the slope of the face
/// along z, where the end bears most, or at rest in the body whose axes R has as its columns where the face is level.
[[nodiscard]] inline Vec3 rim_start(const Vec3& axis, const Vec3& face, const Mat3& R) {
  constexpr double level = 1e-3;  // sine of the slope
  if (std::hypot(face.x(), face.y()) > level) return unit_across(axis, face.z() * face - Vec3::UnitZ(), 0.0);
  // Far from either value for an axis along one of the body's own.
  constexpr double along = 0.6;
  int side = 0;
  while (side < 2 && std::abs(axis.dot(R.col(side))) > along) ++side;
  return unit_across(axis, R.col(side), 0.0);
}

}  // namespace stiction
