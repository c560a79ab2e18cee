#include <cmath>
#include <limits>
#include <numbers>

#include "stiction/base/assert.h"
#include "stiction/geometry/mass_properties.h"
#include "stiction/geometry/polytope.h"

/// Volumes, centres and moments of the shapes.
namespace stiction {
namespace {

using std::numbers::pi;

/// Of revolution about the axis.
Mat3 about_axis(const Vec3& axis, double along, double across) {
  const Vec3 a = axis.stableNormalized();
  return across * Mat3::Identity() + (along - across) * a * a.transpose();
}

MassProperties without_mass() {
  STICTION_ASSERT(false, "a solid without end has no mass");
  return {};
}

/// Integrals of 1, x and x x' over a solid, by simplices from one of its points.
struct Integrals {
  double volume = 0.0;
  Vec3 first = Vec3::Zero();
  Mat3 second = Mat3::Zero();

  /// The tetrahedron (0, a, b, c).
  void add_tetrahedron(const Vec3& a, const Vec3& b, const Vec3& c) {
    const double part = a.dot(b.cross(c)) / 6.0;
    const Vec3 sum = a + b + c;
    volume += part;
    first += part / 4.0 * sum;
    second += part / 20.0 * (a * a.transpose() + b * b.transpose() + c * c.transpose() + sum * sum.transpose());
  }
  /// The triangle (0, a, b) in x, y.
  void add_triangle(const Vec3& a, const Vec3& b) {
    const double part = a.cross(b).z() / 2.0;
    const Vec3 sum = a + b;
    volume += part;
    first += part / 3.0 * sum;
    second += part / 12.0 * (a * a.transpose() + b * b.transpose() + sum * sum.transpose());
  }
  [[nodiscard]] MassProperties with_mass(double mass, const Vec3& origin) const {
    const Vec3 center = first / volume;
    const Mat3 spread = mass / volume * (second - volume * center * center.transpose());
    return {mass, origin + center, spread.trace() * Mat3::Identity() - spread};
  }
};

Integrals integrals_of(const Hull& s) {
  Integrals sum;
  const Vec3 origin = s.solid->vertices.front();
  for (const Polytope::Face& face : s.solid->faces) {
    const auto corners = s.solid->corners_of(face);
    for (std::size_t i = 2; i < corners.size(); ++i) {
      sum.add_tetrahedron(s.solid->vertices[corners[0]] - origin, s.solid->vertices[corners[i - 1]] - origin,
                          s.solid->vertices[corners[i]] - origin);
    }
  }
  return sum;
}

Integrals integrals_of(const Polygon& s) {
  const auto& points = *s.points;
  const auto from_first = [&](std::size_t i) {
    const Eigen::Vector2d x = points[i] - points[0];
    return Vec3(x.x(), x.y(), 0.0);
  };
  Integrals sum;
  for (std::size_t i = 2; i < points.size(); ++i) sum.add_triangle(from_first(i - 1), from_first(i));
  return sum;
}

struct Volume {
  double operator()(const Sphere& s) const { return 4.0 / 3.0 * pi * s.radius * s.radius * s.radius; }
  double operator()(const HalfSpace& /*s*/) const { return std::numeric_limits<double>::infinity(); }
  double operator()(const Capsule& s) const { return pi * s.radius * s.radius * (s.length + 4.0 / 3.0 * s.radius); }
  double operator()(const Box& s) const { return s.x * s.y * s.z; }
  double operator()(const Cylinder& s) const { return pi * s.radius * s.radius * s.length; }
  double operator()(const Cone& s) const { return pi * s.radius * s.radius * s.height / 3.0; }
  double operator()(const Ellipsoid& s) const { return 4.0 / 3.0 * pi * s.x * s.y * s.z; }
  double operator()(const Hull& s) const { return integrals_of(s).volume; }
  double operator()(const HollowCylinder& /*s*/) const { return std::numeric_limits<double>::infinity(); }
  double operator()(const HollowSphere& /*s*/) const { return std::numeric_limits<double>::infinity(); }
  double operator()(const Disc& s) const { return pi * s.radius * s.radius; }
  double operator()(const Polygon& s) const { return integrals_of(s).volume; }
};

struct Solid {
  double mass;

  [[nodiscard]] MassProperties at_origin(const Mat3& inertia) const { return {mass, Vec3::Zero(), inertia}; }
  [[nodiscard]] Mat3 of_block(double x, double y, double z, double share) const {
    const Vec3 squares(x * x, y * y, z * z);
    return Vec3(share * mass * (squares.sum() * Vec3::Ones() - squares)).asDiagonal();
  }

  MassProperties operator()(const Sphere& s) const {
    return at_origin(0.4 * mass * s.radius * s.radius * Mat3::Identity());
  }
  MassProperties operator()(const HalfSpace& /*s*/) const { return without_mass(); }
  /// A cylinder and two half balls, whose shares of the mass are those of L and 4/3 r.
  MassProperties operator()(const Capsule& s) const {
    const double L = s.length, r = s.radius;
    const double extent = L + 4.0 / 3.0 * r;
    if (extent == 0.0) return at_origin(Mat3::Zero());
    const double cylinder = mass * L / extent;
    const double balls = mass - cylinder;
    const double along = cylinder * 0.5 * r * r + balls * 0.4 * r * r;
    const double across =
        cylinder * (L * L / 12.0 + 0.25 * r * r) + balls * (0.4 * r * r + 0.25 * L * L + 0.375 * L * r);
    return at_origin(about_axis(s.axis, along, across));
  }
  MassProperties operator()(const Box& s) const { return at_origin(of_block(s.x, s.y, s.z, 1.0 / 12.0)); }
  MassProperties operator()(const Cylinder& s) const {
    const double r2 = s.radius * s.radius;
    return at_origin(about_axis(s.axis, 0.5 * mass * r2, mass * (0.25 * r2 + s.length * s.length / 12.0)));
  }
  MassProperties operator()(const Cone& s) const {
    const double r2 = s.radius * s.radius;
    return at_origin(about_axis(s.axis, 0.3 * mass * r2, mass * (0.15 * r2 + 0.0375 * s.height * s.height)));
  }
  MassProperties operator()(const Ellipsoid& s) const { return at_origin(of_block(s.x, s.y, s.z, 0.2)); }
  MassProperties operator()(const Hull& s) const { return integrals_of(s).with_mass(mass, s.solid->vertices.front()); }
  MassProperties operator()(const HollowCylinder& /*s*/) const { return without_mass(); }
  MassProperties operator()(const HollowSphere& /*s*/) const { return without_mass(); }
  MassProperties operator()(const Disc& s) const {
    const double r2 = mass * s.radius * s.radius;
    return at_origin(Vec3(0.25 * r2, 0.25 * r2, 0.5 * r2).asDiagonal());
  }
  MassProperties operator()(const Polygon& s) const {
    return integrals_of(s).with_mass(mass, Vec3(s.points->front().x(), s.points->front().y(), 0.0));
  }
};

}  // namespace

double volume(const Shape& shape) {
  return std::visit(Volume{}, shape);
}

MassProperties mass_properties(const Shape& shape, double mass) {
  return std::visit(Solid{mass}, shape);
}

}  // namespace stiction
