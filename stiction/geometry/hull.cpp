#include "stiction/geometry/hull.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <string>

#include "stiction/geometry/hull_triangles.h"

namespace stiction {
namespace {

/// Of the extent: thinner is flat, and faces that differ by less are one.
constexpr double flat = 1e-9;

/// Four points far from each other: the first, the farthest from it, from their line, from their plane. The last entry
/// is -1 where there are none.
std::array<int, 4> spread_points(std::span<const Vec3> points, double extent) {
  const auto farthest = [&](auto&& distance) {
    int best = -1;
    double most = flat * extent;
    for (int i = 0; i < static_cast<int>(points.size()); ++i) {
      if (distance(points[i]) > most) {
        best = i;
        most = distance(points[i]);
      }
    }
    return best;
  };
  const Vec3 a = points[0];
  const int b = farthest([&](const Vec3& x) { return (x - a).norm(); });
  if (b < 0) return {0, 0, 0, -1};
  const Vec3 along = (points[b] - a).normalized();
  const int c = farthest([&](const Vec3& x) { return along.cross(x - a).norm(); });
  if (c < 0) return {0, b, 0, -1};
  const Vec3 normal = along.cross(points[c] - a).normalized();
  return {0, b, c, farthest([&](const Vec3& x) { return std::abs(normal.dot(x - a)); })};
}

struct Plane {
  Vec3 normal;
  double offset;
};

Plane plane_of(std::span<const Vec3> points, const Triangle& t) {
  const Vec3& a = points[t[0]];
  const Vec3 normal = (points[t[1]] - a).cross(points[t[2]] - a).stableNormalized();
  return {normal, normal.dot(a)};
}

/// Triangles of one plane get one number.
std::vector<int> group_triangles(std::span<const Vec3> points, const std::vector<Triangle>& triangles, double extent) {
  std::map<std::pair<int, int>, int> owner;
  for (int i = 0; i < static_cast<int>(triangles.size()); ++i) {
    for (int k = 0; k < 3; ++k) owner[{triangles[i][k], triangles[i][(k + 1) % 3]}] = i;
  }
  std::vector<int> group(triangles.size(), -1), stack;
  int groups = 0;
  // Large triangles first: their planes are the most certain.
  std::vector<int> order(triangles.size());
  std::iota(order.begin(), order.end(), 0);
  const auto area = [&](int i) {
    const Vec3& a = points[triangles[i][0]];
    return (points[triangles[i][1]] - a).cross(points[triangles[i][2]] - a).squaredNorm();
  };
  std::stable_sort(order.begin(), order.end(), [&](int i, int j) { return area(i) > area(j); });
  for (const int seed : order) {
    if (group[seed] >= 0) continue;
    const Plane plane = plane_of(points, triangles[seed]);
    group[seed] = groups;
    stack.assign(1, seed);
    while (!stack.empty()) {
      const Triangle t = triangles[stack.back()];
      stack.pop_back();
      for (int k = 0; k < 3; ++k) {
        const int next = owner.at({t[(k + 1) % 3], t[k]});
        const auto on_plane = [&](int v) {
          return std::abs(plane.normal.dot(points[v]) - plane.offset) <= flat * extent;
        };
        const Triangle& other = triangles[next];
        if (group[next] >= 0 || !on_plane(other[0]) || !on_plane(other[1]) || !on_plane(other[2])) continue;
        group[next] = groups;
        stack.push_back(next);
      }
    }
    ++groups;
  }
  return group;
}

/// The rim of each group, as indices of points.
std::vector<std::vector<int>> find_loops(const std::vector<Triangle>& triangles, const std::vector<int>& group) {
  const int groups = *std::max_element(group.begin(), group.end()) + 1;
  std::vector<std::map<int, int>> next(groups);
  std::map<std::pair<int, int>, int> side;
  for (std::size_t i = 0; i < triangles.size(); ++i) {
    for (int k = 0; k < 3; ++k) side[{triangles[i][k], triangles[i][(k + 1) % 3]}] = group[i];
  }
  for (const auto& [edge, g] : side) {
    if (side.at({edge.second, edge.first}) != g) next[g][edge.first] = edge.second;
  }
  std::vector<std::vector<int>> loops(groups);
  for (int g = 0; g < groups; ++g) {
    if (next[g].empty()) continue;
    const int start = next[g].begin()->first;
    int at = start;
    do {
      loops[g].push_back(at);
      at = next[g].at(at);
    } while (at != start && loops[g].size() <= next[g].size());
  }
  return loops;
}

/// Corners where only two faces meet lie on an edge.
void drop_corners_on_edges(std::vector<std::vector<int>>& loops, int points) {
  std::vector<int> faces(static_cast<std::size_t>(points), 0);
  for (const auto& loop : loops) {
    for (const int v : loop) ++faces[v];
  }
  for (auto& loop : loops) {
    loop.erase(std::remove_if(loop.begin(), loop.end(), [&](int v) { return faces[v] < 3; }), loop.end());
  }
  loops.erase(std::remove_if(loops.begin(), loops.end(), [](const auto& loop) { return loop.size() < 3; }),
              loops.end());
}

/// Newell's normal, and the offset of the corner that is farthest out.
Polytope::Face face_of(const std::vector<Vec3>& vertices, std::span<const int> corners, int first) {
  Vec3 normal = Vec3::Zero();
  const Vec3& origin = vertices[corners[0]];
  for (std::size_t i = 2; i < corners.size(); ++i) {
    normal += (vertices[corners[i - 1]] - origin).cross(vertices[corners[i]] - origin);
  }
  normal.stableNormalize();
  double offset = normal.dot(origin);
  for (const int v : corners) offset = std::max(offset, normal.dot(vertices[v]));
  return {normal, offset, first, static_cast<int>(corners.size())};
}

Polytope assemble(std::span<const Vec3> points, const std::vector<std::vector<int>>& loops) {
  Polytope solid;
  std::vector<int> index(points.size(), -1);
  for (const auto& loop : loops) {
    for (const int v : loop) index[v] = 0;
  }
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (index[i] < 0) continue;
    index[i] = static_cast<int>(solid.vertices.size());
    solid.vertices.push_back(points[i]);
  }
  for (const auto& loop : loops) {
    const int first = static_cast<int>(solid.corners.size());
    for (const int v : loop) solid.corners.push_back(index[v]);
    solid.faces.push_back(
        face_of(solid.vertices, std::span(solid.corners).subspan(static_cast<std::size_t>(first)), first));
  }
  return solid;
}

}  // namespace

Result<Hull> make_hull(std::span<const Vec3> points) {
  const auto count = points.size();
  if (count < 4)
    return Error{"a hull needs 4 points or more, has " + std::to_string(count) + "; give points that span a solid"};
  if (count > most_hull_points) {
    return Error{"a hull of " + std::to_string(count) + " points is too large; give at most " +
                 std::to_string(most_hull_points)};
  }
  Vec3 low = points[0], high = points[0];
  for (const Vec3& x : points) {
    if (!x.allFinite()) return Error{"a point of a hull is not finite; correct it"};
    low = low.cwiseMin(x);
    high = high.cwiseMax(x);
  }
  const double extent = (high - low).maxCoeff();
  std::array<int, 4> start = extent > 0.0 ? spread_points(points, extent) : std::array{0, 0, 0, -1};
  if (start[3] < 0) {
    return Error{"the points of a hull lie in one plane, so that it has no volume; give points that span a solid"};
  }
  std::vector<GridPoint> grid(count);
  const double step = std::ldexp(1.0, grid_bits) / extent;
  for (std::size_t i = 0; i < count; ++i) {
    const Vec3 x = (points[i] - 0.5 * (low + high)) * step;
    grid[i] = {std::llround(x[0]), std::llround(x[1]), std::llround(x[2])};
  }
  const std::vector<Triangle> triangles = hull_triangles(grid, start);
  std::vector<std::vector<int>> loops = find_loops(triangles, group_triangles(points, triangles, extent));
  drop_corners_on_edges(loops, static_cast<int>(count));
  Polytope solid = assemble(points, loops);
  if (solid.faces.size() < 4) {
    return Error{"the points of a hull lie almost in one plane; give points that span a solid"};
  }
  if (solid.vertices.size() > most_hull_vertices) {
    return Error{"a hull with " + std::to_string(solid.vertices.size()) +
                 " vertices is too large; give points of which at most " + std::to_string(most_hull_vertices) +
                 " are vertices"};
  }
  complete(solid);
  return Hull{std::make_shared<const Polytope>(std::move(solid))};
}

Hull centered(const Hull& hull) {
  Polytope solid = *hull.solid;
  for (Vec3& x : solid.vertices) x -= hull.solid->center;
  for (Polytope::Face& face : solid.faces) face.offset -= face.normal.dot(hull.solid->center);
  solid.center = Vec3::Zero();
  return Hull{std::make_shared<const Polytope>(std::move(solid))};
}

}  // namespace stiction
