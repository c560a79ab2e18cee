#pragma once

#include <optional>
#include <string>

#include "stiction/geometry/shape.h"

namespace stiction {

/// Of a solid of uniform density.
struct MassProperties {
  double mass = 0.0;
  Vec3 center = Vec3::Zero();
  Mat3 inertia = Mat3::Zero();  ///< About the centre.
};

/// Zero for points and segments, infinite for half-spaces and hollow shapes, the area of planar shapes.
[[nodiscard]] double volume(const Shape& shape);

/// A shape of this mass, in its own frame. Points and segments are the limits of thin bodies: a segment has no inertia
/// about its axis; planar shapes have no thickness. Not for half-spaces and hollow shapes.
[[nodiscard]] MassProperties mass_properties(const Shape& shape, double mass);

/// The same solid seen from the frame in which `pose` is given.
[[nodiscard]] MassProperties moved(const MassProperties& solid, const Pose& pose);

/// Both together; where they overlap, mass counts twice.
[[nodiscard]] MassProperties operator+(const MassProperties& a, const MassProperties& b);

/// Why no rigid body has this inertia, in words that follow "the inertia"; nothing when one has: symmetric, principal
/// moments positive and none larger than the sum of the other two.
[[nodiscard]] std::optional<std::string> inertia_defect(const Mat3& inertia);

}  // namespace stiction
