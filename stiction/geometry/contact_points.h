#pragma once

#include <vector>

#include "stiction/geometry/shape.h"

namespace stiction {

/// Where two shapes touch or nearly touch. The points belong to the surfaces: d gap/dt = normal . (velocity of the
/// material point of a at point_a - that of b at point_b), whatever the two do.
struct SurfaceContact {
  Vec3 point_a = Vec3::Zero(), point_b = Vec3::Zero();  ///< World frame.
  Vec3 normal = Vec3::UnitZ();                          ///< Unit, from b to a: gap = normal . (point_a - point_b).
  double gap = 0.0;                                     ///< Negative in penetration.
  /// Bound on how the gap bends along the surface, 1/m: the sum of 1/radius over the round features that meet. On a
  /// face the point's own rotation bends it: 1/(distance from its shape's origin, or the radius where that is larger),
  /// or 0 where both are zero.
  double curvature = 0.0;
  int feature = 0;  ///< Which part of the shapes meets; the same from step to step. In 20 bits.
};

/// Whether find_contact_points knows the pair. Thin things (radius 0) meet thick ones only, except that two points are
/// a known pair which never touches.
[[nodiscard]] bool is_supported(const Shape& a, const Shape& b);

/// Appends the contacts with gap <= margin, by increasing feature; none for a pair that is not supported. Normals and
/// axes of the shapes must have unit length (normalized in shape.h). Features:
///   sphere and sphere, half-space, hollow shape, capsule, box   0
///   capsule, half-space     0 the end against the axis, 1 the end along it
///   box, half-space         the vertex: bit 0, 1, 2 set where its x, y, z is positive
///   hull, polygon and half-space    the vertex
///   cylinder, cone, half-space      0 to 3 the rim at the lower end of the axis, from its lowest point on; 4 to 7
///                           that at the upper end, 4 the cone's apex
///   solids in hollow shapes as on half-spaces, but rims from their farthest place on; ellipsoids as one rim, or 0
///   capsule, capsule        0 inside both segments; 1, 2 at an end of a; 3, 4 at an end of b. Two of them when the
///                           capsules lie along each other.
void find_contact_points(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b, double margin,
                         std::vector<SurfaceContact>& contacts);

}  // namespace stiction
