#pragma once

#include <vector>

#include "stiction/geometry/contact_points.h"

namespace stiction {

/// Leaves at most `most` (3 or more) of the contacts from `start` on, in order: the deepest, and those that lie
/// farthest from all kept so far, so that they cover the patch. Then sorts by feature.
void keep_spread(std::vector<SurfaceContact>& contacts, std::size_t start, int most);

}  // namespace stiction
