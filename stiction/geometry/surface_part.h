#pragma once

#include <array>

#include "stiction/geometry/core.h"

namespace stiction {

/// A part of a core's surface as a function of the outward normal there and, where lines lie in it, of a place along
/// them. Lengths are divided by a scale.
struct SurfacePart {
  enum class Kind : std::uint8_t { point, line, rim, side, slope, ellipsoid };
  Kind kind = Kind::point;
  Vec3 base = Vec3::Zero();         ///< Where the line begins; the centre; of a slope, the apex.
  Vec3 axis = Vec3::Zero();         ///< Unit: along the line, or the axis of what is round.
  double radius = 0.0;              ///< Of rims and sides; of a slope, at the base.
  double height = 0.0;              ///< Of a slope.
  double length = 0.0;              ///< Of the lines.
  Mat3 squares = Mat3::Identity();  ///< Of an ellipsoid's half lengths, turned to the world.

  [[nodiscard]] bool has_lines() const { return kind == Kind::line || kind == Kind::side || kind == Kind::slope; }
};

struct PartPoint {
  Vec3 x = Vec3::Zero();
  Vec3 along = Vec3::Zero();   ///< dx/dplace: unit where there are lines, across the normal at the point, else zero.
  Mat3 turned = Mat3::Zero();  ///< dx/dnormal, symmetric.
};

/// The point of a part with this outward normal (near unit length) and place along the line.
[[nodiscard]] PartPoint point_of(const SurfacePart& part, const Vec3& normal, double place);

struct SurfaceParts {
  std::array<SurfacePart, 4> parts;
  int count = 0;
};

/// Those on which the point with the outward normal can be, given where it is to a few digits; the likeliest first.
/// Flat faces are left out.
void find_parts(const Core& core, const Vec3& normal, const Vec3& about, double scale, SurfaceParts& found);

/// The normal of the flat face that faces most in the direction; false where the core has none.
[[nodiscard]] bool find_face(const Core& core, const Vec3& direction, Vec3& normal);

/// How far outside of a core with flat faces a point is, at most; not positive inside.
[[nodiscard]] double outside(const Core& core, const Vec3& x);

}  // namespace stiction
