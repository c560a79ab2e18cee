#pragma once

#include <cmath>
#include <vector>

#include "stiction/geometry/contact_points.h"
#include "stiction/geometry/hull.h"
#include "stiction/geometry/test/random_poses.h"

/// Shapes and places at the ends of what is allowed: needles, plates, slivers, sizes from 1e-6 to 1e6 m.
namespace stiction::oracle {

inline Shape extreme_solid(Random& random, double size) {
  const double thin = size * (random.integer(0, 1) == 0 ? 1e-4 : 1.0);
  const double other = size * (random.integer(0, 1) == 0 ? 1e-4 : 1.0);
  const Vec3 axis = random.integer(0, 1) == 0 ? Vec3(Vec3::UnitZ()) : random_direction(random);
  switch (random.integer(0, 6)) {
    case 0:
      return Sphere{size};
    case 1:
      return Capsule{thin, size, axis};
    case 2:
      return Box{size, thin, other};
    case 3:
      return Cylinder{thin, other, axis};
    case 4:
      return Cone{thin, other, axis};
    case 5:
      return Ellipsoid{size, thin, other};
    default: {
      std::vector<Vec3> points;
      points.reserve(8);
      for (int i = 0; i < 8; ++i) {
        points.emplace_back(random_direction(random).cwiseProduct(Vec3(size, thin, i < 4 ? other : size)));
      }
      const auto hull = make_hull(points);
      return hull ? Shape(hull.value()) : Shape(Box{size, thin, other});
    }
  }
}

inline bool extreme_pair_is_sane(Random& random) {
  const double size = std::pow(10.0, random.uniform(-6.0, 6.0));
  const double ratio = random.integer(0, 2) == 0 ? std::pow(10.0, random.uniform(-6.0, 6.0)) : 1.0;
  const double second = std::min(1e6, std::max(1e-6, size * ratio));
  const Shape a = extreme_solid(random, size), b = extreme_solid(random, second);
  Pose pose_a = random_pose(random, size), pose_b = random_pose(random, size);
  switch (random.integer(0, 3)) {
    case 0:
      pose_b = pose_a;
      break;
    case 1:
      pose_a.orientation = pose_b.orientation = Quat::Identity();
      break;
    case 2:
      pose_b.orientation = pose_a.orientation;
      pose_b.position = pose_a.position + size * (pose_a.orientation * Vec3::UnitZ());
      break;
    default:
      break;
  }
  std::vector<SurfaceContact> contacts;
  find_contact_points(a, pose_a, b, pose_b, 1e9, contacts);
  bool sane = !contacts.empty() && contacts.size() <= 8;
  int last = -1;
  for (const SurfaceContact& contact : contacts) {
    sane = sane && contact.point_a.allFinite() && contact.point_b.allFinite() && std::isfinite(contact.gap) &&
           std::isfinite(contact.curvature) && std::abs(contact.normal.norm() - 1.0) < 1e-9 && contact.feature > last;
    last = contact.feature;
  }
  return sane;
}

}  // namespace stiction::oracle
