#include "stiction/geometry/shape.h"

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

std::string_view name_of(const Shape& shape) {
  constexpr std::array<std::string_view, 4> names = {"sphere", "half_space", "capsule", "box"};
  return names[shape.index()];
}

}  // namespace stiction
