#pragma once

#include "stiction/geometry/nearest_points.h"

namespace stiction {

/// Takes a gap of two cores that is known to a few digits to all of them: by the flat face across which it may be, or
/// by Newton's method on the two parts of the surfaces that the points lie on. True where the answer carries its own
/// proof: each point is on its core, they are the gap apart along the normal, and along the normal the cores are
/// separated by the gap (of cores that are apart there is no better; of others, none nearby). Else nothing is changed.
[[nodiscard]] bool refine(const Core& a, const Core& b, CoreGap& gap);

}  // namespace stiction
