#include "stiction/geometry/mass_properties.h"

#include <Eigen/Eigenvalues>
#include <sstream>

namespace stiction {
namespace {

/// Relative to the trace: rounding of moments typed with nine digits, and discs, for which equality holds.
constexpr double inertia_tolerance = 1e-9;

/// mass * |x|^2 about the origin, as a tensor: the parallel axis theorem's term.
Mat3 point_inertia(double mass, const Vec3& x) {
  return mass * (x.squaredNorm() * Mat3::Identity() - x * x.transpose());
}

}  // namespace

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
