#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>

namespace stiction {

using Vec3 = Eigen::Vector3d;
using Mat3 = Eigen::Matrix3d;
using Quat = Eigen::Quaterniond;

/// Where a frame stands: x_world = position + orientation * x_local.
struct Pose {
  Vec3 position = Vec3::Zero();
  Quat orientation = Quat::Identity();

  [[nodiscard]] Vec3 to_world(const Vec3& local) const { return position + orientation * local; }
  [[nodiscard]] Vec3 to_local(const Vec3& world) const { return orientation.conjugate() * (world - position); }
  /// This frame's pose when `child` is given in it.
  [[nodiscard]] Pose operator*(const Pose& child) const {
    return {to_world(child.position), orientation * child.orientation};
  }
};

/// The unit quaternion of a rotation vector (axis times angle), exact to rounding at every angle.
[[nodiscard]] Quat exponential(const Vec3& rotation);
/// The rotation vector, of length at most pi, of a unit quaternion.
[[nodiscard]] Vec3 logarithm(const Quat& orientation);
/// [a]x with [a]x b = a x b.
[[nodiscard]] Mat3 cross_matrix(const Vec3& a);

}  // namespace stiction
