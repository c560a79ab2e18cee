#pragma once

#include <array>

#include "stiction/geometry/nearest_points.h"

namespace stiction {

struct GjkAnswer {
  double lower = 0.0;                             ///< The distance is at least this, which is the separation along
  Vec3 normal = Vec3::UnitZ();                    ///< this direction, from b to a;
  double distance = 0.0;                          ///< and at most this, which is that of
  Vec3 on_a = Vec3::Zero(), on_b = Vec3::Zero();  ///< these points.
  bool encloses = false;                          ///< The origin is inside of
  std::array<Difference, 4> corners;              ///< these corners of a - b; else they are not set.
};

/// Gilbert, Johnson and Keerthi's search for the point of a - b nearest to the origin. Ends as soon as the distance is
/// surely above `limit` or below `near`, or known to `tolerance`.
[[nodiscard]] GjkAnswer find_distance(const Core& a, const Core& b, const Vec3& guess, double limit, double near,
                                      double tolerance);

}  // namespace stiction
