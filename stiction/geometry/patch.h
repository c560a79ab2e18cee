#pragma once

#include <array>

#include "stiction/geometry/core.h"

namespace stiction {

/// The part of a core that faces a direction: a polygon (counterclockwise from outside), a segment or a point.
struct Patch {
  static constexpr int most = 128;
  std::array<Vec3, most> points;
  std::array<int, most> vertices;  ///< Numbers of the points within the shape,
  std::array<int, most> sides;     ///< and of the edges from each to the next.
  int count = 0;
  Vec3 normal = Vec3::UnitZ();  ///< Unit, outwards; of polygons alone.
  bool is_flat = false;         ///< A polygon that is a face and not the points of a round rim,
  double radius = 0.0;          ///< which has this radius
  Vec3 center = Vec3::Zero();   ///< about this point.
  int rim = 0;                  ///< Its number within the shape, 0 or 1.

  [[nodiscard]] bool is_round() const { return radius > 0.0; }
  /// Straight ones.
  [[nodiscard]] int edges() const { return is_round() ? 0 : count > 2 ? count : count - 1; }
  [[nodiscard]] int after(int i) const { return i + 1 == count ? 0 : i + 1; }
};

/// `direction` has unit length; `best` is the point of the core that is farthest in it, as well as it is known.
void find_patch(const Core& core, const Vec3& direction, const Vec3& best, Patch& patch);

}  // namespace stiction
