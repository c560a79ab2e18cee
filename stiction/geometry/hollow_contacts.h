#pragma once

#include <vector>

#include "stiction/geometry/contact_points.h"

/// Contacts of what is inside a hollow cylinder or sphere. A convex solid is nearest to the wall at its corners, since
/// the distance from the axis is a convex function.
namespace stiction {

struct Cavity {
  Vec3 center;
  double radius;
  Vec3 axis;  ///< Zero for a sphere.
};

[[nodiscard]] Cavity cavity_in_world(const HollowCylinder& hollow, const Pose& pose);
[[nodiscard]] Cavity cavity_in_world(const HollowSphere& hollow, const Pose& pose);

/// A ball of a shape against the wall.
void add_ball_in_cavity(const Vec3& center, double radius, const Cavity& cavity, int feature, double margin,
                        std::vector<SurfaceContact>& contacts);

}  // namespace stiction
