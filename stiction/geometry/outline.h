#pragma once

#include <array>

#include "stiction/geometry/polygon.h"

namespace stiction {

/// A shape as seen along z: the convex hull of points, counterclockwise, thickened by a radius. A disc has one point, a
/// capsule two.
struct Outline {
  using Vec2 = Eigen::Vector2d;
  std::array<Vec2, most_polygon_points> points;
  int count = 0;
  double radius = 0.0;
  Vec2 origin = Vec2::Zero();  ///< Of the shape.

  [[nodiscard]] int edges() const { return count > 1 ? count : 0; }
  [[nodiscard]] const Vec2& from(int edge) const { return points[static_cast<std::size_t>(edge)]; }
  [[nodiscard]] const Vec2& to(int edge) const { return points[static_cast<std::size_t>((edge + 1) % count)]; }
  /// Unit, outwards.
  [[nodiscard]] Vec2 normal(int edge) const {
    const Vec2 along = (to(edge) - from(edge)).normalized();
    return {along.y(), -along.x()};
  }
  /// The point farthest in a direction.
  [[nodiscard]] int farthest(const Vec2& direction) const;
  /// The edge whose normal is nearest to a direction; -1 where there are none.
  [[nodiscard]] int facing(const Vec2& direction) const;
};

void outline_of(const Sphere& shape, const Pose& pose, Outline& outline);
void outline_of(const Capsule& shape, const Pose& pose, Outline& outline);
void outline_of(const Box& shape, const Pose& pose, Outline& outline);
void outline_of(const Disc& shape, const Pose& pose, Outline& outline);
void outline_of(const Polygon& shape, const Pose& pose, Outline& outline);

}  // namespace stiction
