#pragma once

#include <vector>

#include "stiction/geometry/hollow_contacts.h"

namespace stiction {

/// The ellipse center + cos(t) first + sin(t) second: a rim, or the outline of an ellipsoid as seen along an axis.
struct Loop {
  Vec3 center, first, second;
  double curvature;  ///< 1/m, of the most curved place.
};

/// Contacts of a loop inside of a wall: a farthest place from the cavity's middle, the first one on the loop, the
/// places a quarter, half and three quarters of a turn from there, and the other farthest place, if there is one,
/// instead of the nearest of these. Features count on from `feature`.
void add_loop_in_cavity(const Loop& loop, const Cavity& cavity, int feature, double margin,
                        std::vector<SurfaceContact>& contacts);

/// By their rims and the apex, which are farthest from the middle.
void add_in_cavity(const Cylinder& shape, const Pose& pose, const Cavity& cavity, double margin,
                   std::vector<SurfaceContact>& contacts);
void add_in_cavity(const Cone& shape, const Pose& pose, const Cavity& cavity, double margin,
                   std::vector<SurfaceContact>& contacts);
/// In a pipe alone: by the outline as seen along it.
void add_in_pipe(const Ellipsoid& shape, const Pose& pose, const Cavity& cavity, double margin,
                 std::vector<SurfaceContact>& contacts);

}  // namespace stiction
