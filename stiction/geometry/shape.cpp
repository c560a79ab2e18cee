#include "stiction/geometry/shape.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "stiction/geometry/polytope.h"

namespace stiction {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Between two parallel lines that hold the polygon.
double width_of(const std::vector<Eigen::Vector2d>& points) {
  double width = infinity;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Eigen::Vector2d along = (points[(i + 1) % points.size()] - points[i]).normalized();
    double reach = 0.0;
    for (const Eigen::Vector2d& x : points) {
      reach = std::max(reach, along.x() * (x - points[i]).y() - along.y() * (x - points[i]).x());
    }
    width = std::min(width, reach);
  }
  return width;
}

/// From a face to the vertex farthest from it, where that is least. Between two edges, as in a tetrahedron, a solid can
/// be a little thinner.
double width_of(const Polytope& solid) {
  double width = infinity;
  for (const Polytope::Face& face : solid.faces) {
    double low = 0.0;
    for (const Vec3& x : solid.vertices) low = std::max(low, face.offset - face.normal.dot(x));
    width = std::min(width, low);
  }
  return width;
}

struct Thickness {
  double operator()(const Sphere& s) const { return 2.0 * s.radius; }
  double operator()(const HalfSpace& /*s*/) const { return infinity; }
  double operator()(const Capsule& s) const { return 2.0 * s.radius; }
  double operator()(const Box& s) const { return std::min({s.x, s.y, s.z}); }
  double operator()(const Cylinder& s) const { return std::min(2.0 * s.radius, s.length); }
  /// The ball that touches base and side.
  double operator()(const Cone& s) const {
    return 2.0 * s.radius * s.height / (s.radius + std::hypot(s.radius, s.height));
  }
  double operator()(const Ellipsoid& s) const { return 2.0 * std::min({s.x, s.y, s.z}); }
  double operator()(const Hull& s) const { return width_of(*s.solid); }
  double operator()(const HollowCylinder& /*s*/) const { return infinity; }
  double operator()(const HollowSphere& /*s*/) const { return infinity; }
  double operator()(const Disc& s) const { return 2.0 * s.radius; }
  double operator()(const Polygon& s) const { return width_of(*s.points); }
};

}  // namespace

Shape normalized(const Shape& shape) {
  if (const auto* half_space = std::get_if<HalfSpace>(&shape)) {
    const double length = half_space->normal.stableNorm();
    return HalfSpace{half_space->normal / length, half_space->offset / length};
  }
  Shape result = shape;
  std::visit(
      []<class S>(S& s) {
        if constexpr (requires { s.axis; }) s.axis = s.axis.stableNormalized();
      },
      result);
  return result;
}

double thickness(const Shape& shape) {
  return std::visit(Thickness{}, shape);
}

bool is_unbounded(const Shape& shape) {
  return std::holds_alternative<HalfSpace>(shape) || std::holds_alternative<HollowCylinder>(shape) ||
         std::holds_alternative<HollowSphere>(shape);
}

bool is_planar(const Shape& shape) {
  return std::holds_alternative<Disc>(shape) || std::holds_alternative<Polygon>(shape);
}

std::string_view name_of(const Shape& shape) {
  constexpr std::array<std::string_view, std::variant_size_v<Shape>> names = {
      "sphere",    "half_space", "capsule",         "box",           "cylinder", "cone",
      "ellipsoid", "hull",       "hollow_cylinder", "hollow_sphere", "disc",     "polygon"};
  return names[shape.index()];
}

}  // namespace stiction
