#include "stiction/model/contact_frame.h"

#include <cmath>

namespace stiction {

Tangents tangents(const Vec3& normal, const Vec3& up) {
  Vec3 t1 = normal.cross(up);
  if (t1.norm() < 1e-6) {
    const Vec3 axis = std::abs(normal.x()) < 0.9 ? Vec3::UnitX() : Vec3::UnitY();
    t1 = axis - normal * normal.dot(axis);
  }
  t1.normalize();
  return {t1, t1.cross(normal)};
}

std::optional<Tangents> tangents_along(const Vec3& normal, const Vec3& direction) {
  const Vec3 along = direction - normal * normal.dot(direction);
  const double length = along.norm();
  if (length < 1e-6) return std::nullopt;
  return Tangents{along / length, (along / length).cross(normal)};
}

Tangents planar_tangents(const Vec3& normal) {
  const Vec3 t1 = normal.cross(Vec3::UnitZ()).normalized();
  return {t1, t1.cross(normal)};
}

}  // namespace stiction
