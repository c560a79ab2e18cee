#include "stiction/geometry/shape.h"

#include <algorithm>
#include <limits>

#include <array>

namespace stiction {

Shape normalized(const Shape& shape) {
  if (const auto* half_space = std::get_if<HalfSpace>(&shape)) {
    const double length = half_space->normal.stableNorm();
    return HalfSpace{half_space->normal / length, half_space->offset / length};
  }
  if (const auto* capsule = std::get_if<Capsule>(&shape)) {
    return Capsule{capsule->radius, capsule->length, capsule->axis.stableNormalized()};
  }
  return shape;
}

double thickness(const Shape& shape) {
  struct Visitor {
    double operator()(const Sphere& s) const { return 2.0 * s.radius; }
    double operator()(const HalfSpace& /*h*/) const { return std::numeric_limits<double>::infinity(); }
    double operator()(const Capsule& c) const { return 2.0 * c.radius; }
    double operator()(const Box& b) const { return std::min({b.x, b.y, b.z}); }
  };
  return std::visit(Visitor{}, shape);
}

std::string_view name_of(const Shape& shape) {
  constexpr std::array<std::string_view, 4> names = {"sphere", "half_space", "capsule", "box"};
  return names[shape.index()];
}

}  // namespace stiction
