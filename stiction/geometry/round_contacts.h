#pragma once

#include <algorithm>
#include <vector>

#include "stiction/geometry/contact_points.h"

/// Contacts between things that are a point or a segment, thickened.
namespace stiction {

/// A segment of points center + s direction with |s| <= half_length; the direction has unit length.
struct Segment {
  Vec3 center, direction;
  double half_length;

  [[nodiscard]] Vec3 at(double s) const { return center + s * direction; }
  [[nodiscard]] double clamp(double s) const { return std::clamp(s, -half_length, half_length); }
  /// Where the point of the segment nearest to x is.
  [[nodiscard]] double nearest(const Vec3& x) const { return clamp(direction.dot(x - center)); }
};

[[nodiscard]] Segment segment_in_world(const Capsule& capsule, const Pose& pose);

struct Ball {
  Vec3 center;
  double radius;
};

/// The contact of two balls along a normal if its gap is at most the margin.
void add_round_contact(const Ball& a, const Ball& b, const Vec3& normal, int feature, double margin,
                       std::vector<SurfaceContact>& contacts);

void add_sphere_contact(const Ball& a, const Ball& b, double margin, std::vector<SurfaceContact>& contacts);
/// The contact of a ball with a thickened segment.
void add_capsule_contact(const Ball& a, const Segment& b, double radius_b, double margin,
                         std::vector<SurfaceContact>& contacts);
/// The contacts of two thickened segments (features as in find_contact_points).
void add_capsule_contacts(const Segment& a, double radius_a, const Segment& b, double radius_b, double margin,
                          std::vector<SurfaceContact>& contacts);

}  // namespace stiction
