#include "stiction/geometry/convex_contacts.h"

#include <algorithm>
#include <cmath>

#include "stiction/geometry/face_manifold.h"
#include "stiction/geometry/separating_axes.h"
#include "stiction/geometry/spread.h"

namespace stiction {
namespace {

bool is_strictly_round(const Core& core) {
  return core.kind == Core::Kind::point || core.kind == Core::Kind::ellipsoid;
}

/// The one pair of nearest points: where a round shape or a corner meets anything, it is as good as the normal.
void sharpen(const Core& a, const Core& b, CoreGap& nearest) {
  if (is_strictly_round(a)) {
    nearest.on_a = a.support(-nearest.normal);
    nearest.on_b = nearest.on_a - nearest.gap * nearest.normal;
  } else if (is_strictly_round(b)) {
    nearest.on_b = b.support(nearest.normal);
    nearest.on_a = nearest.on_b + nearest.gap * nearest.normal;
  } else {
    const Vec3 middle = 0.5 * (nearest.on_a + nearest.on_b);
    nearest.on_a = middle + 0.5 * nearest.gap * nearest.normal;
    nearest.on_b = middle - 0.5 * nearest.gap * nearest.normal;
  }
}

/// A flat face that is the best direction to rounding is it exactly.
void snap_to_faces(const Core& a, const Core& b, CoreGap& nearest) {
  constexpr double nearly = 1e-6, as_good = 1e-11;
  static thread_local Patch patch;
  const auto try_direction = [&](const Vec3& n) {
    if (n.dot(nearest.normal) < 1.0 - nearly) return;
    const double separation = n.dot(a.support(-n) - b.support(n));
    if (separation < nearest.gap - as_good * (a.size + b.size)) return;
    nearest.gap = separation;
    nearest.normal = n;
  };
  find_patch(a, -nearest.normal, nearest.on_a, patch);
  if (patch.count > 2) try_direction(-patch.normal);
  find_patch(b, nearest.normal, nearest.on_b, patch);
  if (patch.count > 2) try_direction(patch.normal);
}

void add_box_contacts(const Core& a, const Core& b, const Vec3& origin, double margin, FaceManifold& manifold,
                      std::vector<SurfaceContact>& contacts) {
  const BoxAxis axis = find_separating_axis(a, b, margin);
  if (!(axis.separation <= margin)) return;
  const std::size_t start = contacts.size();
  CoreGap nearest{true, axis.separation, axis.normal, a.support(-axis.normal), b.support(axis.normal)};
  if (axis.separation <= 0.0) {
    sharpen(a, b, nearest);
    return manifold.add(a, b, nearest, origin, margin, contacts);
  }
  // The lower bound is the gap where a contact has it; else the nearest points are corners or edges out of line.
  manifold.add_common(a, b, nearest, origin, margin, contacts);
  if (manifold.reaches(axis.separation, contacts)) return keep_spread(contacts, start, FaceManifold::most);
  contacts.erase(contacts.begin() + static_cast<std::ptrdiff_t>(start), contacts.end());
  nearest = find_core_gap(a, b, margin);
  if (!nearest.found) return;
  sharpen(a, b, nearest);
  manifold.add(a, b, nearest, origin, margin, contacts);
}

}  // namespace

void add_convex_contacts(const Core& a, const Core& b, const Vec3& origin, double margin,
                         std::vector<SurfaceContact>& contacts) {
  if (!a.position.allFinite() || !b.position.allFinite()) return;
  const double limit = margin + a.radius + b.radius;
  const double far = std::max(0.0, a.size + b.size + limit);
  if ((a.position - b.position).squaredNorm() > far * far) return;
  static thread_local FaceManifold manifold;
  if (a.kind == Core::Kind::box && b.kind == Core::Kind::box) {
    return add_box_contacts(a, b, origin, margin, manifold, contacts);
  }
  CoreGap nearest = find_core_gap(a, b, limit);
  if (!nearest.found || !(nearest.gap <= limit)) return;
  const bool flat = a.is_flat() && b.is_flat();
  if (!nearest.is_proven) {
    if (!flat) snap_to_faces(a, b, nearest);
    sharpen(a, b, nearest);
  }
  manifold.add(a, b, nearest, origin, margin, contacts);
}

}  // namespace stiction
