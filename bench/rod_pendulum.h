#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <array>

namespace stiction::bench {

using Vec3 = Eigen::Vector3d;

/// Two thin uniform rods of 1 kg and 1 m, one hanging from the world's origin and one from the other's end: the double
/// pendulum of the work-precision tables. Gravity is along -y.
struct RodPendulum {
  const char* name = "";
  bool in_space = false;            ///< Ball joints; else hinges about z.
  std::array<Vec3, 2> direction{};  ///< Of each rod at the start, from its upper end down; unit.
  std::array<Vec3, 2> rate{};       ///< Of the directions.

  static constexpr double gravity = 9.8, end = 10.0;
  static constexpr double inertia = 1.0 / 12.0;  ///< Across a rod, about its centre, kg m^2.
  /// Along it. No torque is ever about a rod's own axis, so that any value gives the same motion.
  static constexpr double axial_inertia = 5e-3;

  [[nodiscard]] std::array<Vec3, 2> centres() const {
    return {Vec3(0.5 * direction[0]), Vec3(direction[0] + 0.5 * direction[1])};
  }
  [[nodiscard]] std::array<Vec3, 2> velocities() const { return {Vec3(0.5 * rate[0]), Vec3(rate[0] + 0.5 * rate[1])}; }
  /// Of a rod that does not spin about itself.
  [[nodiscard]] Vec3 angular_velocity(std::size_t rod) const { return direction[rod].cross(rate[rod]); }
};

/// The start of the 2006 paper's section 10.1, at rest; and the same with a push out of the plane.
inline std::array<RodPendulum, 2> rod_pendulums() {
  constexpr double s1 = 0.8660254037844386, c1 = 0.5, s2 = 0.5877852522924731, c2 = 0.8090169943749475;
  const std::array<Vec3, 2> down{Vec3(s1, -c1, 0), Vec3(s2, -c2, 0)};
  return {{{"planar", false, down, {Vec3::Zero(), Vec3::Zero()}},
           {"in space", true, down, {Vec3(0, 0, 1.0), Vec3(0, 0, -0.5)}}}};
}

/// Where the rods' centres are at the end. The unknowns are the directions u1, u2 themselves, each kept of unit length
/// by its own multiplier:
///
///     4/3 u1'' + 1/2 u2'' = 3/2 g + l1 u1,    1/2 u1'' + 1/3 u2'' = 1/2 g + l2 u2,    u_i . u_i'' = -|u_i'|^2
///
/// in fourth-order Runge-Kutta steps; nothing of Stiction is in it.
inline std::array<Vec3, 2> exact_end(const RodPendulum& start, int steps) {
  using State = Eigen::Matrix<double, 12, 1>;  // u1, u2, u1', u2'
  const auto slope = [](const State& x) {
    constexpr double a = 4.0 / 3.0, b = 0.5, c = 1.0 / 3.0, det = a * c - b * b;
    const Vec3 u1 = x.segment<3>(0), u2 = x.segment<3>(3), g(0, -RodPendulum::gravity, 0);
    const Vec3 f1 = 1.5 * g, f2 = 0.5 * g;
    // u'' = A^-1 (f + l u): two linear equations for the multipliers.
    const Vec3 free1 = (c * f1 - b * f2) / det, free2 = (a * f2 - b * f1) / det;
    const double m11 = c / det, m22 = a / det, m12 = -b / det * u1.dot(u2);
    const double r1 = -x.segment<3>(6).squaredNorm() - u1.dot(free1),
                 r2 = -x.segment<3>(9).squaredNorm() - u2.dot(free2);
    const double l1 = (m22 * r1 - m12 * r2) / (m11 * m22 - m12 * m12);
    const double l2 = (m11 * r2 - m12 * r1) / (m11 * m22 - m12 * m12);
    State rate;
    rate.segment<6>(0) = x.segment<6>(6);
    rate.segment<3>(6) = free1 + (c * l1 * u1 - b * l2 * u2) / det;
    rate.segment<3>(9) = free2 + (a * l2 * u2 - b * l1 * u1) / det;
    return rate;
  };
  State x;
  x << start.direction[0], start.direction[1], start.rate[0], start.rate[1];
  const double h = RodPendulum::end / steps;
  for (int i = 0; i < steps; ++i) {
    const State k1 = slope(x), k2 = slope(x + 0.5 * h * k1), k3 = slope(x + 0.5 * h * k2), k4 = slope(x + h * k3);
    x += h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
  }
  RodPendulum last = start;
  last.direction = {x.segment<3>(0), x.segment<3>(3)};
  return last.centres();
}

}  // namespace stiction::bench
