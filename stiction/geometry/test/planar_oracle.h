#pragma once

#include <cmath>
#include <limits>
#include <numbers>
#include <string>
#include <vector>

#include "stiction/geometry/contact_points.h"
#include "stiction/geometry/polygon.h"
#include "stiction/geometry/test/random_poses.h"

/// What judges planar pairs. It shares no code with them: shapes are points that a radius thickens, and the signed gap
/// is the largest separation over the directions across two points of one of them or along a point of each.
namespace stiction::oracle {

struct FlatShape {
  std::vector<Eigen::Vector2d> points;
  double radius = 0.0;

  [[nodiscard]] double reach(const Eigen::Vector2d& d) const {
    double most = -std::numeric_limits<double>::infinity();
    for (const auto& x : points) most = std::max(most, d.dot(x));
    return most + radius;
  }
};

inline FlatShape seen_along_z(const Shape& shape, const Pose& pose) {
  FlatShape flat;
  const auto add = [&](const Vec3& x) { flat.points.emplace_back(pose.to_world(x).head<2>()); };
  if (const auto* disc = std::get_if<Disc>(&shape)) {
    add(Vec3::Zero());
    flat.radius = disc->radius;
  } else if (const auto* sphere = std::get_if<Sphere>(&shape)) {
    add(Vec3::Zero());
    flat.radius = sphere->radius;
  } else if (const auto* capsule = std::get_if<Capsule>(&shape)) {
    for (const double end : {-0.5, 0.5}) add(end * capsule->length * capsule->axis);
    flat.radius = capsule->radius;
  } else if (const auto* polygon = std::get_if<Polygon>(&shape)) {
    for (const auto& x : *polygon->points) add(Vec3(x.x(), x.y(), 0.0));
  } else if (const auto* box = std::get_if<Box>(&shape)) {
    for (const double x : {-0.5, 0.5}) {
      for (const double y : {-0.5, 0.5}) {
        for (const double z : {-0.5, 0.5}) add(Vec3(x * box->x, y * box->y, z * box->z));
      }
    }
  }
  return flat;
}

/// Along a unit direction from b to a.
inline double separation(const FlatShape& a, const FlatShape& b, const Eigen::Vector2d& n) {
  return -a.reach(-n) - b.reach(n);
}

inline double signed_gap(const FlatShape& a, const FlatShape& b) {
  double best = -std::numeric_limits<double>::infinity();
  const auto try_direction = [&](const Eigen::Vector2d& n) {
    if (n.norm() > 1e-13) best = std::max(best, separation(a, b, n.normalized()));
  };
  for (const FlatShape* shape : {&a, &b}) {
    for (const auto& x : shape->points) {
      for (const auto& y : shape->points) try_direction({(y - x).y(), -(y - x).x()});
    }
  }
  for (const auto& x : a.points) {
    for (const auto& y : b.points) try_direction(x - y);
  }
  return std::isfinite(best) ? best : -a.radius - b.radius;
}

inline const std::vector<std::string>& flat_kinds() {
  static const std::vector<std::string> kinds = {"disc", "polygon", "sphere", "capsule", "box"};
  return kinds;
}

/// Of about this size.
inline Shape random_flat(const std::string& kind, Random& random, double size) {
  const double x = size * random.uniform(0.2, 1.0), y = size * random.uniform(0.2, 1.0);
  if (kind == "disc") return Disc{0.5 * x};
  if (kind == "sphere") return Sphere{0.5 * x};
  if (kind == "capsule")
    return Capsule{0.3 * x, y, random.integer(0, 1) == 0 ? Vec3(Vec3::UnitX()) : random_direction(random)};
  if (kind == "box") return Box{x, y, size * random.uniform(0.2, 1.0)};
  const int count = random.integer(3, 12);
  std::vector<Eigen::Vector2d> points;
  for (int i = 0; i < count; ++i) {
    const double angle = 2.0 * std::numbers::pi * (i + random.uniform(0.0, 0.9)) / count;
    points.emplace_back(0.5 * x * std::cos(angle), 0.5 * y * std::sin(angle));
  }
  return make_polygon(points).value();
}

inline Pose random_flat_pose(Random& random, double spread) {
  const Vec3 at = random_vector(random, spread);
  return {at, exponential(random.uniform(-3.0, 3.0) * Vec3::UnitZ())};
}

}  // namespace stiction::oracle
