#pragma once

#include <vector>

#include "stiction/geometry/contact_points.h"
#include "stiction/geometry/core.h"

namespace stiction {

/// The contacts of two convex solids, whatever they are: nearest points by separating axes (boxes), GJK or EPA, then
/// what the faces, edges and rims there have in common.
void add_convex_contacts(const Core& a, const Core& b, const Vec3& origin, double margin,
                         std::vector<SurfaceContact>& contacts);

}  // namespace stiction
