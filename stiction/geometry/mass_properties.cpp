#include "stiction/geometry/mass_properties.h"

#include <Eigen/Eigenvalues>
#include <limits>
#include <numbers>
#include <sstream>

#include "stiction/base/assert.h"

namespace stiction {
namespace {

using std::numbers::pi;

/// Relative to the trace: rounding of moments typed with nine digits, and discs, for which equality holds.
constexpr double inertia_tolerance = 1e-9;

/// mass * |x|^2 about the origin, as a tensor: the parallel axis theorem's term.
Mat3 point_inertia(double mass, const Vec3& x) {
  return mass * (x.squaredNorm() * Mat3::Identity() - x * x.transpose());
}

double volume_of(const Sphere& s) {
  return 4.0 / 3.0 * pi * s.radius * s.radius * s.radius;
}
double volume_of(const HalfSpace&) {
  return std::numeric_limits<double>::infinity();
}
double volume_of(const Capsule& c) {
  return pi * c.radius * c.radius * (c.length + 4.0 / 3.0 * c.radius);
}
double volume_of(const Box& b) {
  return b.x * b.y * b.z;
}

Mat3 inertia_of(const Sphere& s, double mass) {
  return 0.4 * mass * s.radius * s.radius * Mat3::Identity();
}

Mat3 inertia_of(const HalfSpace&, double /*mass*/) {
  STICTION_ASSERT(false, "a half-space has no mass");
  return Mat3::Zero();
}

/// A cylinder and two half balls, whose shares of the mass are those of L and 4/3 r.
Mat3 inertia_of(const Capsule& c, double mass) {
  const double L = c.length, r = c.radius;
  const double extent = L + 4.0 / 3.0 * r;
  if (extent == 0.0) return Mat3::Zero();
  const double cylinder = mass * L / extent;
  const double balls = mass - cylinder;
  const double along = cylinder * 0.5 * r * r + balls * 0.4 * r * r;
  const double across = cylinder * (L * L / 12.0 + 0.25 * r * r) + balls * (0.4 * r * r + 0.25 * L * L + 0.375 * L * r);
  const Vec3 axis = c.axis.normalized();
  return across * Mat3::Identity() + (along - across) * axis * axis.transpose();
}

Mat3 inertia_of(const Box& b, double mass) {
  const Vec3 squares(b.x * b.x, b.y * b.y, b.z * b.z);
  return Vec3(mass / 12.0 * (squares.sum() * Vec3::Ones() - squares)).asDiagonal();
}

}  // namespace

double volume(const Shape& shape) {
  return std::visit([](const auto& s) { return volume_of(s); }, shape);
}

MassProperties mass_properties(const Shape& shape, double mass) {
  return {mass, Vec3::Zero(), std::visit([mass](const auto& s) { return inertia_of(s, mass); }, shape)};
}

MassProperties moved(const MassProperties& solid, const Pose& pose) {
  const Mat3 R = pose.orientation.toRotationMatrix();
  return {solid.mass, pose.to_world(solid.center), R * solid.inertia * R.transpose()};
}

MassProperties operator+(const MassProperties& a, const MassProperties& b) {
  const double mass = a.mass + b.mass;
  if (mass == 0.0) return {};
  const Vec3 center = (a.mass * a.center + b.mass * b.center) / mass;
  return {mass, center,
          a.inertia + point_inertia(a.mass, a.center - center) + b.inertia + point_inertia(b.mass, b.center - center)};
}

std::optional<std::string> inertia_defect(const Mat3& inertia) {
  if (!inertia.allFinite()) return "has an entry that is not a finite number";
  const double scale = inertia.cwiseAbs().maxCoeff();
  if ((inertia - inertia.transpose()).cwiseAbs().maxCoeff() > inertia_tolerance * scale) return "is not symmetric";
  const Vec3 moments =
      Eigen::SelfAdjointEigenSolver<Mat3>(0.5 * (inertia + inertia.transpose()), Eigen::EigenvaluesOnly).eigenvalues();
  std::ostringstream text;
  text << "has principal moments " << moments[0] << ", " << moments[1] << ", " << moments[2] << ", ";
  if (!(moments[0] > 1e-14 * scale)) {
    text << "which must all be positive";
    return text.str();
  }
  if (moments[2] - moments[0] - moments[1] > inertia_tolerance * moments.sum()) {
    text << "and no body has one that is larger than the sum of the other two";
    return text.str();
  }
  return std::nullopt;
}

}  // namespace stiction
