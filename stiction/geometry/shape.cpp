#include "stiction/geometry/shape.h"

#include <array>

namespace stiction {

std::string_view name_of(const Shape& shape) {
  constexpr std::array<std::string_view, 4> names = {"sphere", "half_space", "capsule", "box"};
  return names[shape.index()];
}

}  // namespace stiction
