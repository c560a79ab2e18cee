#pragma once

#include <span>

#include "stiction/base/result.h"
#include "stiction/geometry/shape.h"

namespace stiction {

inline constexpr int most_polygon_points = 128;

/// A convex polygon with these corners, in this order or the reverse. Corners that repeat the one before, or lie on an
/// edge to 1e-9 of the extent, are left out. Refused: polygons that are not convex or have no area, and more than
/// most_polygon_points.
[[nodiscard]] Result<Polygon> make_polygon(std::span<const Eigen::Vector2d> points);

/// The same polygon, moved so that its centre of mass is the origin.
[[nodiscard]] Polygon centered(const Polygon& polygon);

}  // namespace stiction
