#pragma once

#include "stiction/geometry/shape.h"

namespace stiction {

/// An axis-parallel box around a shape in the world.
struct Bounds {
  Vec3 low, high;
};

/// Tight; everything for half-spaces and hollow shapes, and for a pose that is not finite. Planar shapes have no end
/// along z.
[[nodiscard]] Bounds bounds(const Shape& shape, const Pose& pose);

}  // namespace stiction
