#include "stiction/geometry/bounds.h"

#include <cmath>
#include <limits>

#include "stiction/geometry/polytope.h"

namespace stiction {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

Bounds around(const Vec3& center, const Vec3& half) {
  return {center - half, center + half};
}

Bounds everything() {
  return {Vec3::Constant(-infinity), Vec3::Constant(infinity)};
}

/// How far a disc of radius 1 across the axis reaches along each of the world's.
Vec3 disc_extent(const Vec3& axis) {
  return (1.0 - axis.array().square()).max(0.0).sqrt();
}

struct BoundsIn {
  const Vec3& position;
  const Mat3& R;

  Bounds operator()(const Sphere& s) const { return around(position, Vec3::Constant(s.radius)); }
  Bounds operator()(const HalfSpace& /*s*/) const { return everything(); }
  Bounds operator()(const Capsule& s) const {
    return around(position, (R * (0.5 * s.length * s.axis)).cwiseAbs().array() + s.radius);
  }
  Bounds operator()(const Box& s) const {
    return around(position, R.cwiseAbs() * Vec3(0.5 * s.x, 0.5 * s.y, 0.5 * s.z));
  }
  Bounds operator()(const Cylinder& s) const {
    const Vec3 axis = R * s.axis;
    return around(position, 0.5 * s.length * axis.cwiseAbs() + s.radius * disc_extent(axis));
  }
  Bounds operator()(const Cone& s) const {
    const Vec3 axis = R * s.axis;
    const Vec3 base = position - 0.25 * s.height * axis, apex = position + 0.75 * s.height * axis;
    const Vec3 disc = s.radius * disc_extent(axis);
    return {apex.cwiseMin(base - disc), apex.cwiseMax(base + disc)};
  }
  Bounds operator()(const Ellipsoid& s) const {
    return around(position, (R * Vec3(s.x, s.y, s.z).asDiagonal()).rowwise().norm());
  }
  Bounds operator()(const Hull& s) const {
    Bounds box{Vec3::Constant(infinity), Vec3::Constant(-infinity)};
    for (const Vec3& local : s.solid->vertices) {
      const Vec3 x = position + R * local;
      if (x.hasNaN()) return everything();
      box.low = box.low.cwiseMin(x);
      box.high = box.high.cwiseMax(x);
    }
    return box;
  }
  Bounds operator()(const HollowCylinder& /*s*/) const { return everything(); }
  Bounds operator()(const HollowSphere& /*s*/) const { return everything(); }
  Bounds operator()(const Disc& s) const { return around(position, Vec3(s.radius, s.radius, infinity)); }
  Bounds operator()(const Polygon& s) const {
    Bounds box{Vec3::Constant(infinity), Vec3::Constant(-infinity)};
    for (const Eigen::Vector2d& local : *s.points) {
      const Vec3 x = position + R.leftCols<2>() * local;
      if (x.hasNaN()) return everything();
      box.low = box.low.cwiseMin(x);
      box.high = box.high.cwiseMax(x);
    }
    box.low.z() = -infinity;
    box.high.z() = infinity;
    return box;
  }
};

}  // namespace

Bounds bounds(const Shape& shape, const Pose& pose) {
  const Mat3 R = pose.orientation.toRotationMatrix();
  const Bounds box = std::visit(BoundsIn{pose.position, R}, shape);
  // NaN has no place in an order.
  return box.low.hasNaN() || box.high.hasNaN() ? everything() : box;
}

}  // namespace stiction
