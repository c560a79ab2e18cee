#pragma once

#include <optional>

#include "stiction/linalg/pose.h"

namespace stiction {

/// Two unit vectors across a contact normal.
struct Tangents {
  Vec3 t1, t2;
};

/// 1996, section 3: t1 = n x up made one in length, t2 = t1 x n. Where n is along up (within 1e-6, where the cross
/// product has lost its meaning), t1 is the world's x, or y where that is along n, made perpendicular to n.
[[nodiscard]] Tangents tangents(const Vec3& normal, const Vec3& up);

/// t1 along a direction as far as it lies across the normal, t2 = t1 x n; nothing where it does not.
[[nodiscard]] std::optional<Tangents> tangents_along(const Vec3& normal, const Vec3& direction);

/// Of a contact between bodies in the plane x, y: t1 = n x z, so that it is +x for n = +y.
[[nodiscard]] Tangents planar_tangents(const Vec3& normal);

}  // namespace stiction
