#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace stiction {

/// On a grid so fine that rounding to it moves a point by 2^-40 of the extent, and so coarse that the orientation of
/// four points is exact in 128 bits.
using GridPoint = std::array<std::int64_t, 3>;
inline constexpr int grid_bits = 39;

using Triangle = std::array<int, 3>;

/// Sign of the volume of (b - a, c - a, d - a): positive where d is on the side from which a, b, c turn
/// counterclockwise. Exact for coordinates of up to grid_bits bits and a sign.
[[nodiscard]] int orientation(const GridPoint& a, const GridPoint& b, const GridPoint& c, const GridPoint& d);

/// The hull's surface, counterclockwise from outside, by adding points one by one to the tetrahedron `start`, which
/// must have a volume. Points on the surface and not beyond it are left out.
[[nodiscard]] std::vector<Triangle> hull_triangles(std::span<const GridPoint> points, const std::array<int, 4>& start);

}  // namespace stiction
