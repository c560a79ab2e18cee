#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "stiction/base/random.h"
#include "stiction/geometry/contact_points.h"
#include "stiction/geometry/hull.h"
#include "stiction/geometry/test/random_poses.h"

/// What judges the narrow phase. It shares no code with it: shapes are what they reach in a direction, and whether a
/// point is inside.
namespace stiction::oracle {

struct Reach {
  const Vec3& l;
  double operator()(const Sphere& s) const { return s.radius * l.norm(); }
  double operator()(const Capsule& s) const { return s.radius * l.norm() + 0.5 * s.length * std::abs(s.axis.dot(l)); }
  double operator()(const Box& s) const {
    return 0.5 * (s.x * std::abs(l.x()) + s.y * std::abs(l.y()) + s.z * std::abs(l.z()));
  }
  double operator()(const Cylinder& s) const {
    return 0.5 * s.length * std::abs(s.axis.dot(l)) + s.radius * s.axis.cross(l).norm();
  }
  double operator()(const Cone& s) const {
    const double up = s.axis.dot(l);
    return std::max(0.75 * s.height * up, -0.25 * s.height * up + s.radius * s.axis.cross(l).norm());
  }
  double operator()(const Ellipsoid& s) const { return Vec3(s.x * l.x(), s.y * l.y(), s.z * l.z()).norm(); }
  double operator()(const Hull& s) const {
    double most = -std::numeric_limits<double>::infinity();
    for (const Vec3& x : s.solid->vertices) most = std::max(most, l.dot(x));
    return most;
  }
  double operator()(const auto& /*s*/) const { return std::numeric_limits<double>::infinity(); }
};

/// max d . x over the solid, in the world; closed form for each shape.
inline double reach(const Shape& shape, const Pose& pose, const Vec3& d) {
  const Vec3 l = pose.orientation.conjugate() * d;
  return d.dot(pose.position) + std::visit(Reach{l}, shape);
}

struct Outside {
  const Vec3& l;
  double operator()(const Sphere& s) const { return l.norm() - s.radius; }
  double operator()(const Capsule& s) const {
    const double t = std::clamp(s.axis.dot(l), -0.5 * s.length, 0.5 * s.length);
    return (l - t * s.axis).norm() - s.radius;
  }
  double operator()(const Box& s) const { return (l.cwiseAbs() - 0.5 * Vec3(s.x, s.y, s.z)).maxCoeff(); }
  double operator()(const Cylinder& s) const {
    return std::max(std::abs(s.axis.dot(l)) - 0.5 * s.length, s.axis.cross(l).norm() - s.radius);
  }
  double operator()(const Cone& s) const {
    const double up = s.axis.dot(l), slant = std::hypot(s.radius, s.height);
    const double side = (s.height * s.axis.cross(l).norm() + s.radius * (up - 0.75 * s.height)) / slant;
    return std::max(-0.25 * s.height - up, side);
  }
  double operator()(const Ellipsoid& s) const {
    const Vec3 y(l.x() / s.x, l.y() / s.y, l.z() / s.z);
    return (y.norm() - 1.0) * std::min({s.x, s.y, s.z});
  }
  double operator()(const Hull& s) const {
    double most = -std::numeric_limits<double>::infinity();
    for (const auto& face : s.solid->faces) most = std::max(most, face.normal.dot(l) - face.offset);
    return most;
  }
  double operator()(const auto& /*s*/) const { return 0.0; }
};

/// How far outside a point is, at most; not positive inside. Zero or less to rounding is what contacts promise.
inline double outside(const Shape& shape, const Pose& pose, const Vec3& x) {
  const Vec3 l = pose.to_local(x);
  return std::visit(Outside{l}, shape);
}

/// The separation along a unit direction from b to a. The signed gap is its largest value over all directions.
inline double separation(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b, const Vec3& n) {
  return -reach(a, pose_a, -n) - reach(b, pose_b, n);
}

/// A local search for the direction of largest separation: steps to the better of a ring of neighbours, halved.
inline double climb(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b, Vec3 n, double step,
                    double last_step) {
  double best = separation(a, pose_a, b, pose_b, n);
  while (step > last_step) {
    const Vec3 u = n.unitOrthogonal(), v = n.cross(u);
    Vec3 better = n;
    for (int i = 0; i < 8; ++i) {
      const double angle = i * 0.25 * 3.14159265358979;
      const Vec3 m = (n + step * (std::cos(angle) * u + std::sin(angle) * v)).normalized();
      const double there = separation(a, pose_a, b, pose_b, m);
      if (there > best) {
        best = there;
        better = m;
      }
    }
    if (better == n) step *= 0.5;
    n = better;
  }
  return best;
}

/// The signed gap of two polytopes by all directions that can be best in penetration: faces and pairs of edges. A lower
/// bound where they are apart.
struct Points {
  std::vector<Vec3> vertices, normals, edges;
};
inline Points points_of(const Shape& shape, const Pose& pose) {
  Points points;
  const Polytope solid =
      std::holds_alternative<Box>(shape)
          ? box_polytope(0.5 * Vec3(std::get<Box>(shape).x, std::get<Box>(shape).y, std::get<Box>(shape).z))
          : *std::get<Hull>(shape).solid;
  for (const Vec3& x : solid.vertices) points.vertices.push_back(pose.to_world(x));
  for (const auto& face : solid.faces) points.normals.push_back(pose.orientation * face.normal);
  for (const auto& edge : solid.edges) {
    points.edges.emplace_back(points.vertices[edge.to] - points.vertices[edge.from]);
  }
  return points;
}
inline double deepest_axis(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b) {
  const Points at_a = points_of(a, pose_a), at_b = points_of(b, pose_b);
  double best = -std::numeric_limits<double>::infinity();
  const auto try_direction = [&](const Vec3& n) { best = std::max(best, separation(a, pose_a, b, pose_b, n)); };
  for (const Vec3& n : at_a.normals) try_direction(-n);
  for (const Vec3& n : at_b.normals) try_direction(n);
  for (const Vec3& x : at_a.edges) {
    for (const Vec3& y : at_b.edges) {
      const Vec3 n = x.cross(y);
      if (n.norm() < 1e-9 * x.norm() * y.norm()) continue;
      try_direction(n.normalized());
      try_direction(-n.normalized());
    }
  }
  return best;
}

inline bool is_polytope(const Shape& shape) {
  return std::holds_alternative<Box>(shape) || std::holds_alternative<Hull>(shape);
}

inline Hull random_hull(Random& random, int points, double size) {
  std::vector<Vec3> list;
  list.reserve(points);
  for (int i = 0; i < points; ++i) list.emplace_back(size * random_direction(random));
  return make_hull(list).value();
}

inline const std::vector<std::string>& solid_kinds() {
  static const std::vector<std::string> kinds = {"sphere", "capsule", "box", "cylinder", "cone", "ellipsoid", "hull"};
  return kinds;
}

/// Sizes from 0.2 to 1 m.
inline Shape random_solid(const std::string& kind, Random& random) {
  const double x = random.uniform(0.2, 1.0), y = random.uniform(0.2, 1.0), z = random.uniform(0.2, 1.0);
  if (kind == "sphere") return Sphere{0.5 * x};
  if (kind == "capsule") return Capsule{0.3 * x, y, random_direction(random)};
  if (kind == "box") return Box{x, y, z};
  if (kind == "cylinder") return Cylinder{0.5 * x, y, random_direction(random)};
  if (kind == "cone") return Cone{0.5 * x, y, random_direction(random)};
  if (kind == "ellipsoid") return Ellipsoid{0.5 * x, 0.5 * y, 0.5 * z};
  return random_hull(random, random.integer(4, 20), 0.5 * x);
}

/// What the contacts of one pair promise, measured.
struct Verdict {
  double gap = std::numeric_limits<double>::infinity();  ///< The least of the contacts.
  double lower = 0.0;             ///< How much the separation along that contact's normal is below the gap.
  double outside = 0.0;           ///< How far its points are outside of their shapes,
  double farthest_outside = 0.0;  ///< and those of any contact.
  double missed = 0.0;            ///< How much larger a separation along another direction is than the gap.
  int contacts = 0;
};

/// Without `random` no other directions are tried.
inline Verdict judge(const std::vector<SurfaceContact>& contacts, const Shape& a, const Pose& pose_a, const Shape& b,
                     const Pose& pose_b, Random* random) {
  Verdict verdict;
  verdict.contacts = static_cast<int>(contacts.size());
  const SurfaceContact* deepest = nullptr;
  for (const SurfaceContact& contact : contacts) {
    if (deepest == nullptr || contact.gap < deepest->gap) deepest = &contact;
  }
  if (deepest == nullptr) return verdict;
  verdict.gap = deepest->gap;
  verdict.lower = deepest->gap - separation(a, pose_a, b, pose_b, deepest->normal);
  const auto off = [&](const SurfaceContact& contact) {
    return std::max(outside(a, pose_a, contact.point_a), outside(b, pose_b, contact.point_b));
  };
  verdict.outside = off(*deepest);
  for (const SurfaceContact& contact : contacts) {
    verdict.farthest_outside = std::max(verdict.farthest_outside, off(contact));
  }
  if (random == nullptr) return verdict;
  const bool flat = is_polytope(a) && is_polytope(b);
  double best = -std::numeric_limits<double>::infinity();
  if (flat) best = deepest_axis(a, pose_a, b, pose_b);
  for (int i = 0; i < 3; ++i) best = std::max(best, climb(a, pose_a, b, pose_b, random_direction(*random), 0.5, 1e-5));
  verdict.missed = best - deepest->gap;
  return verdict;
}

inline Verdict judge(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b, Random& random) {
  std::vector<SurfaceContact> contacts;
  find_contact_points(a, pose_a, b, pose_b, 100.0, contacts);
  return judge(contacts, a, pose_a, b, pose_b, &random);
}

}  // namespace stiction::oracle
