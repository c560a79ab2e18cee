#pragma once

#include <string_view>
#include <variant>

#include "stiction/linalg/pose.h"

namespace stiction {

/// Shapes, each in its own frame, in metres.

/// A ball about the origin; radius 0 is a point.
struct Sphere {
  double radius = 0.5;
};

/// The solid n . x <= offset, with n as it is given, of unit length or not; bodies live on the side the normal points
/// to. Static or kinematic bodies only.
struct HalfSpace {
  Vec3 normal = Vec3::UnitZ();
  double offset = 0.0;
};

/// A segment of this length along the axis through the origin, thickened by the radius; radius 0 is a segment.
struct Capsule {
  double radius = 0.1;
  double length = 1.0;  ///< Of the segment, without the round ends.
  Vec3 axis = Vec3::UnitZ();
};

/// Full edge lengths, about the origin.
struct Box {
  double x = 1.0, y = 1.0, z = 1.0;
};

using Shape = std::variant<Sphere, HalfSpace, Capsule, Box>;

/// The same solid with normals and axes of unit length, as the geometry wants them. They must not be zero.
[[nodiscard]] Shape normalized(const Shape& shape);

/// Of the thinnest place: what passes through here at once would not be seen. Infinite for a half-space.
[[nodiscard]] double thickness(const Shape& shape);

/// As the scene file calls it.
[[nodiscard]] std::string_view name_of(const Shape& shape);

}  // namespace stiction
