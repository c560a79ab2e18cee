#pragma once

#include <cstdint>

#include "stiction/geometry/polytope.h"
#include "stiction/geometry/shape.h"

namespace stiction {

/// A convex solid as the searches for the nearest points see it: its core, thickened by a radius. Places are those of
/// the world less `origin`, which lies near the pair, so that far from the world's origin no digits are lost.
struct Core {
  enum class Kind : std::uint8_t { point, segment, box, polytope, cylinder, cone, ellipsoid };
  Kind kind = Kind::point;
  double radius = 0.0;           ///< Of the thickening.
  Vec3 position = Vec3::Zero();  ///< Of the shape's own origin.
  Mat3 R = Mat3::Identity();     ///< To the world.
  Vec3 extent = Vec3::Zero();    ///< Half lengths of a box or ellipsoid; the radius of a cylinder or cone first.
  Vec3 axis = Vec3::UnitZ();     ///< Of unit length in the world: of segments, cylinders and cones,
  double low = 0.0, high = 0.0;  ///< which reach from low to high along it.
  const Polytope* solid = nullptr;
  mutable int last_vertex = 0;  ///< Of the polytope, where the last search for the farthest ended and the next begins.
  double size = 0.0;            ///< Largest distance of the core from its position.

  /// The point of the core farthest in a direction, which need not be of unit length.
  [[nodiscard]] Vec3 support(const Vec3& direction) const;
  [[nodiscard]] bool is_flat() const { return kind == Kind::box || kind == Kind::polytope; }
  /// Without round surfaces, but for the thickening: the search for the nearest points of such ends after a few steps.
  [[nodiscard]] bool is_straight() const { return kind <= Kind::polytope; }
  /// 1/m, of the most curved place, thickening included; 0 for what has corners and flat faces alone.
  [[nodiscard]] double curvature() const;
};

[[nodiscard]] Core core_of(const Sphere& shape, const Pose& pose, const Vec3& origin);
[[nodiscard]] Core core_of(const Capsule& shape, const Pose& pose, const Vec3& origin);
[[nodiscard]] Core core_of(const Box& shape, const Pose& pose, const Vec3& origin);
[[nodiscard]] Core core_of(const Hull& shape, const Pose& pose, const Vec3& origin);
[[nodiscard]] Core core_of(const Cylinder& shape, const Pose& pose, const Vec3& origin);
[[nodiscard]] Core core_of(const Cone& shape, const Pose& pose, const Vec3& origin);
[[nodiscard]] Core core_of(const Ellipsoid& shape, const Pose& pose, const Vec3& origin);

}  // namespace stiction
