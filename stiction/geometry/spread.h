#pragma once

#include <vector>

#include "stiction/geometry/contact_points.h"

namespace stiction {

void sort_by_feature(std::vector<SurfaceContact>& contacts, std::size_t start);

/// Leaves at most `most` (3 or more) of the contacts from `start` on, in order: the deepest, and those that lie
/// farthest from all kept so far, so that they cover the patch; of several as
/// good the first by feature, whatever rounding says. Then sorts by feature.
void keep_spread(std::vector<SurfaceContact>& contacts, std::size_t start, int most);

}  // namespace stiction
