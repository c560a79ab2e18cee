#pragma once

#include <vector>

#include "stiction/geometry/hollow_contacts.h"

namespace stiction {

/// Contacts of an ellipsoid in a hollow sphere: the place farthest from the sphere's middle. Where the wall is about as
/// curved as the ellipsoid is long, and it may touch at both ends or all around, these are the places of the loop
/// around its shortest axis that the farthest one is on.
void add_in_ball(const Ellipsoid& shape, const Pose& pose, const Cavity& cavity, double margin,
                 std::vector<SurfaceContact>& contacts);

}  // namespace stiction
