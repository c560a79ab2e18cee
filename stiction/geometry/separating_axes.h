#pragma once

#include "stiction/geometry/core.h"

namespace stiction {

struct BoxAxis {
  double separation = 0.0;  ///< Largest over all axes: the depth where negative, a lower bound on the gap where not.
  Vec3 normal = Vec3::UnitZ();  ///< Unit, from b to a.
  bool is_face = true;          ///< Of one of the two, else across an edge of each.
};

/// Of two boxes by the fifteen directions that can separate them (Gottschalk, Lin and Manocha 1996). Ends early with a
/// separation above the limit.
[[nodiscard]] BoxAxis find_separating_axis(const Core& a, const Core& b, double limit);

}  // namespace stiction
