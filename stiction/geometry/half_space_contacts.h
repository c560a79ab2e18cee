#pragma once

#include <vector>

#include "stiction/geometry/contact_points.h"

/// Contacts of a shape with a half-space, in closed form: its corners, ends, rims or lowest point.
namespace stiction {

struct Plane {
  Vec3 normal;
  double offset;
};

[[nodiscard]] Plane plane_in_world(const HalfSpace& half_space, const Pose& pose);

void add_on_plane(const Sphere& shape, const Pose& pose, const Plane& plane, double margin,
                  std::vector<SurfaceContact>& contacts);
void add_on_plane(const Capsule& shape, const Pose& pose, const Plane& plane, double margin,
                  std::vector<SurfaceContact>& contacts);
void add_on_plane(const Box& shape, const Pose& pose, const Plane& plane, double margin,
                  std::vector<SurfaceContact>& contacts);
void add_on_plane(const Cylinder& shape, const Pose& pose, const Plane& plane, double margin,
                  std::vector<SurfaceContact>& contacts);
void add_on_plane(const Cone& shape, const Pose& pose, const Plane& plane, double margin,
                  std::vector<SurfaceContact>& contacts);
void add_on_plane(const Ellipsoid& shape, const Pose& pose, const Plane& plane, double margin,
                  std::vector<SurfaceContact>& contacts);
void add_on_plane(const Hull& shape, const Pose& pose, const Plane& plane, double margin,
                  std::vector<SurfaceContact>& contacts);

}  // namespace stiction
