#pragma once

#include <vector>

#include "stiction/geometry/contact_points.h"
#include "stiction/geometry/hollow_contacts.h"
#include "stiction/geometry/outline.h"

namespace stiction {

/// The contacts of two outlines, at height z: the corners of the two edges that face each other, each against the
/// other's edge, or the nearest points where no corner is over an edge.
void add_outline_contacts(const Outline& a, const Outline& b, double z, double margin,
                          std::vector<SurfaceContact>& contacts);

/// The corners against the half-space's section at height z.
void add_outline_on_plane(const Outline& a, const HalfSpace& b, const Pose& pose_b, double z, double margin,
                          std::vector<SurfaceContact>& contacts);

/// The corners in a pipe along z.
void add_outline_in_cavity(const Outline& a, const Cavity& b, double z, double margin,
                           std::vector<SurfaceContact>& contacts);

}  // namespace stiction
