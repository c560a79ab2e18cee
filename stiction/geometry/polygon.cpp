#include "stiction/geometry/polygon.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "stiction/geometry/mass_properties.h"

namespace stiction {
namespace {

using Vec2 = Eigen::Vector2d;

/// Of the extent: nearer is the same place.
constexpr double same_place = 1e-9;

double cross(const Vec2& a, const Vec2& b) {
  return a.x() * b.y() - a.y() * b.x();
}

double doubled_area(const std::vector<Vec2>& points) {
  double sum = 0.0;
  for (std::size_t i = 2; i < points.size(); ++i) sum += cross(points[i - 1] - points[0], points[i] - points[0]);
  return sum;
}

/// How far the corner stands out of the line through its neighbours; negative where it is dented.
double height_of(const std::vector<Vec2>& points, std::size_t corner) {
  const std::size_t count = points.size();
  const Vec2 &before = points[(corner + count - 1) % count], &after = points[(corner + 1) % count];
  const double base = (after - before).norm();
  return base > 0.0 ? cross(after - before, before - points[corner]) / base : 0.0;
}

void drop_flat_corners(std::vector<Vec2>& points, double least) {
  for (std::size_t i = 0; i < points.size() && points.size() > 2;) {
    const bool repeats = (points[(i + 1) % points.size()] - points[i]).norm() <= least;
    if (repeats || std::abs(height_of(points, i)) <= least) {
      points.erase(points.begin() + static_cast<std::ptrdiff_t>(i));
      i = 0;
    } else {
      ++i;
    }
  }
}

}  // namespace

Result<Polygon> make_polygon(std::span<const Vec2> points) {
  if (points.size() < 3)
    return Error{"a polygon needs 3 points or more, has " + std::to_string(points.size()) +
                 "; give its corners in order"};
  if (points.size() > most_polygon_points) {
    return Error{"a polygon of " + std::to_string(points.size()) + " points is too large; give at most " +
                 std::to_string(most_polygon_points)};
  }
  Vec2 low = points[0], high = points[0];
  for (const Vec2& x : points) {
    if (!x.allFinite()) return Error{"a point of a polygon is not finite; correct it"};
    low = low.cwiseMin(x);
    high = high.cwiseMax(x);
  }
  const double extent = (high - low).maxCoeff();
  std::vector<Vec2> kept(points.begin(), points.end());
  if (doubled_area(kept) < 0.0) std::reverse(kept.begin(), kept.end());
  drop_flat_corners(kept, same_place * extent);
  if (kept.size() < 3 || !(doubled_area(kept) > same_place * extent * extent)) {
    return Error{"the points of a polygon lie on one line, so that it has no area; give corners that span one"};
  }
  double turned = 0.0;
  for (std::size_t i = 0; i < kept.size(); ++i) {
    if (height_of(kept, i) < 0.0) {
      return Error{"a polygon is dented at (" + std::to_string(kept[i].x()) + ", " + std::to_string(kept[i].y()) +
                   "); give convex ones, several for one body if need be, with corners in order"};
    }
    const Vec2 in = kept[i] - kept[(i + kept.size() - 1) % kept.size()], out = kept[(i + 1) % kept.size()] - kept[i];
    turned += std::atan2(cross(in, out), in.dot(out));
  }
  if (turned > 7.0) return Error{"a polygon crosses itself; give its corners in order"};
  return Polygon{std::make_shared<const std::vector<Vec2>>(std::move(kept))};
}

Polygon centered(const Polygon& polygon) {
  const Vec3 center = mass_properties(polygon, 1.0).center;
  std::vector<Vec2> points = *polygon.points;
  for (Vec2& x : points) x -= center.head<2>();
  return Polygon{std::make_shared<const std::vector<Vec2>>(std::move(points))};
}

}  // namespace stiction
