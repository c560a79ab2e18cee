#pragma once

#include "stiction/geometry/core.h"

namespace stiction {

/// The signed gap of two cores, thickening left out: the distance, or minus the shortest way apart.
struct CoreGap {
  bool found = false;  ///< False where the gap is surely above the limit.
  double gap = 0.0;
  Vec3 normal = Vec3::UnitZ();  ///< Unit, from b to a.
  Vec3 on_a = Vec3::Zero(), on_b = Vec3::Zero();
  bool is_proven = false;  ///< The points are known as well as the gap (see refine.h).
};

/// Places of a - b, a corner of the simplex or polyhedron that the searches build.
struct Difference {
  Vec3 at, on_a, on_b;
};

[[nodiscard]] inline Difference difference(const Core& a, const Core& b, const Vec3& direction) {
  const Vec3 on_a = a.support(direction), on_b = b.support(-direction);
  return {on_a - on_b, on_a, on_b};
}

/// By GJK where the cores are apart, by EPA where they are not, or nearly touch.
[[nodiscard]] CoreGap find_core_gap(const Core& a, const Core& b, double limit);

}  // namespace stiction
