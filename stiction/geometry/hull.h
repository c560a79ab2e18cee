#pragma once

#include <span>

#include "stiction/base/result.h"
#include "stiction/geometry/polytope.h"
#include "stiction/geometry/shape.h"

namespace stiction {

inline constexpr int most_hull_points = 10000;  ///< That a hull may be made of,
inline constexpr int most_hull_vertices = 128;  ///< and that it may have: contacts count edges with nine bits.

/// The convex hull of points. Points that are given twice, inside, or within 1e-9 of its size of a face or edge are no
/// vertices; the others keep their order. Refused: fewer than four points, points that are not finite, points that lie
/// in a plane to 1e-9 of their extent, and hulls of more than most_hull_vertices.
[[nodiscard]] Result<Hull> make_hull(std::span<const Vec3> points);

/// The same solid, moved so that its centre of mass is the origin.
[[nodiscard]] Hull centered(const Hull& hull);

}  // namespace stiction
