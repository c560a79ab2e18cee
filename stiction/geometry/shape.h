#pragma once

#include <memory>
#include <string_view>
#include <variant>
#include <vector>

#include "stiction/linalg/pose.h"

namespace stiction {

struct Polytope;

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

/// About the origin, which is the middle of its axis.
struct Cylinder {
  double radius = 0.5, length = 1.0;
  Vec3 axis = Vec3::UnitZ();
};

/// From the base at -height/4 to the apex at 3/4 height along the axis: the origin is the centre of mass.
struct Cone {
  double radius = 0.5, height = 1.0;
  Vec3 axis = Vec3::UnitZ();
};

/// Half its lengths along x, y, z, about the origin.
struct Ellipsoid {
  double x = 0.5, y = 0.5, z = 0.5;
};

/// A convex solid with flat faces; make_hull in hull.h gives one.
struct Hull {
  std::shared_ptr<const Polytope> solid;
};

/// All that is farther than the radius from the axis through the origin: bodies live in the pipe, which has no ends.
/// Static or kinematic bodies only.
struct HollowCylinder {
  double radius = 1.0;
  Vec3 axis = Vec3::UnitZ();
};

/// All that is farther than the radius from the origin. Static or kinematic bodies only.
struct HollowSphere {
  double radius = 1.0;
};

/// Planar shapes lie in x, y and are as long as you like along z. They meet planar shapes, half-spaces, hollow ones,
/// spheres, capsules and boxes, all as seen along z.
struct Disc {
  double radius = 0.5;
};

/// Convex, counterclockwise; make_polygon in polygon.h gives one.
struct Polygon {
  std::shared_ptr<const std::vector<Eigen::Vector2d>> points;
};

using Shape = std::variant<Sphere, HalfSpace, Capsule, Box, Cylinder, Cone, Ellipsoid, Hull, HollowCylinder,
                           HollowSphere, Disc, Polygon>;

/// The same solid with normals and axes of unit length, as the geometry wants them. They must not be zero.
[[nodiscard]] Shape normalized(const Shape& shape);

/// Of the thinnest place: what passes through here at once would not be seen. Infinite for what has no other side.
[[nodiscard]] double thickness(const Shape& shape);

/// Half-spaces and hollow shapes: static or kinematic bodies only.
[[nodiscard]] bool is_unbounded(const Shape& shape);
/// Discs and polygons.
[[nodiscard]] bool is_planar(const Shape& shape);

/// As the scene file calls it.
[[nodiscard]] std::string_view name_of(const Shape& shape);

}  // namespace stiction
