#include "stiction/geometry/hull_triangles.h"

#include <algorithm>
#include <utility>

namespace stiction {
namespace {

__extension__ using Wide = __int128;

bool sees(std::span<const GridPoint> points, const Triangle& triangle, int from) {
  return orientation(points[triangle[0]], points[triangle[1]], points[triangle[2]], points[from]) > 0;
}

using DirectedEdge = std::pair<int, int>;

/// Takes away what the point sees and closes the hole with triangles to the point.
void add_point(std::span<const GridPoint> points, int point, std::vector<Triangle>& surface,
               std::vector<DirectedEdge>& rim) {
  const auto hidden = std::partition(surface.begin(), surface.end(),
                                     [&](const Triangle& triangle) { return !sees(points, triangle, point); });
  if (hidden == surface.end()) return;
  rim.clear();
  for (auto it = hidden; it != surface.end(); ++it) {
    for (int i = 0; i < 3; ++i) rim.emplace_back((*it)[i], (*it)[(i + 1) % 3]);
  }
  surface.erase(hidden, surface.end());
  std::sort(rim.begin(), rim.end());
  for (const auto& [from, to] : rim) {
    if (!std::binary_search(rim.begin(), rim.end(), DirectedEdge{to, from})) surface.push_back({from, to, point});
  }
}

}  // namespace

int orientation(const GridPoint& a, const GridPoint& b, const GridPoint& c, const GridPoint& d) {
  std::array<std::array<Wide, 3>, 3> m{};
  for (std::size_t i = 0; i < 3; ++i) {
    m[0][i] = b[i] - a[i];
    m[1][i] = c[i] - a[i];
    m[2][i] = d[i] - a[i];
  }
  const Wide volume = m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
                      m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
                      m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
  return volume > 0 ? 1 : volume < 0 ? -1 : 0;
}

std::vector<Triangle> hull_triangles(std::span<const GridPoint> points, const std::array<int, 4>& start) {
  auto [a, b, c, d] = start;
  if (orientation(points[a], points[b], points[c], points[d]) > 0) std::swap(b, c);
  std::vector<Triangle> surface{{a, b, c}, {a, c, d}, {a, d, b}, {b, d, c}};
  std::vector<DirectedEdge> rim;
  for (int i = 0; i < static_cast<int>(points.size()); ++i) add_point(points, i, surface, rim);
  return surface;
}

}  // namespace stiction
