// Orders of the family of 2008 for single mass points and generalized coordinates, against fine integrations.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <functional>

#include "stiction/model/model_builder.h"
#include "stiction/model/multibody.h"
#include "stiction/schemes/time_stepper.h"

namespace stiction {
namespace {

using Pair = std::array<double, 4>;

/// Fourth-order Runge and Kutta.
Pair integrate(Pair y, double end, int n, const std::function<Pair(const Pair&)>& f) {
  const double h = end / n;
  const auto moved = [](const Pair& from, const Pair& by, double factor) {
    Pair to{};
    for (std::size_t i = 0; i < 4; ++i) to[i] = from[i] + factor * by[i];
    return to;
  };
  for (int k = 0; k < n; ++k) {
    const Pair k1 = f(y), k2 = f(moved(y, k1, 0.5 * h)), k3 = f(moved(y, k2, 0.5 * h)), k4 = f(moved(y, k3, h));
    for (std::size_t i = 0; i < 4; ++i) y[i] += h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]);
  }
  return y;
}

State march(const System& system, const SchemeOptions& options, State state, double end, int steps) {
  TimeStepper stepper(system, options);
  StepReport report;
  for (int k = 0; k < steps; ++k) {
    EXPECT_TRUE(stepper.step(state, end / steps, report));
    EXPECT_TRUE(report.certified(1e-8));
  }
  return state;
}

/// log2 of the ratio of two errors at steps that differ by two.
template <class Error>
double order_of(const char* name, int steps, Error&& error_at) {
  const double coarse = error_at(steps), fine = error_at(2 * steps);
  const double order = std::log2(coarse / fine);
  std::printf("%s: %.3e, %.3e, order %.2f\n", name, coarse, fine, order);
  return order;
}

/// A point on a spring that swings in the plane: the spring's Jacobian has a part of rank one and one across it.
struct SpringPendulum {
  static constexpr double k = 40.0, d = 0.5, L = 1.0, end = 2.0;
  Multibody system{make()};
  Pair exact = integrate({1.2, 0.0, 0.0, 1.0}, end, 20000, [](const Pair& y) {
    const double r = std::hypot(y[0], y[1]), ux = y[0] / r, uy = y[1] / r;
    const double f = -k * (r - L) - d * (ux * y[2] + uy * y[3]);
    return Pair{y[2], y[3], f * ux, f * uy - 9.81};
  });

  static Model make() {
    ModelBuilder builder;
    builder.set_gravity({0, -9.81, 0});
    const BodyId point = builder.add_body({.mass = 1.0,
                                           .position = {1.2, 0, 0},
                                           .velocity = {0, 1, 0},
                                           .freedom = {true, true, false, false, false, false}});
    builder.add_spring({.body = point,
                        .anchor = {1.2, 0, 0},
                        .partner_anchor = Vec3::Zero(),
                        .stiffness = k,
                        .damping = d,
                        .length = L});
    return builder.build().value();
  }
  [[nodiscard]] double error(const SchemeOptions& options, int steps) const {
    const Vector v = system.initial_velocities();
    const State found = march(system, options, {0.0, system.initial_positions(), v, v}, end, steps);
    return std::hypot(std::hypot(found.q[0] - exact[0], found.q[1] - exact[1]),
                      std::hypot(found.v[0] - exact[2], found.v[1] - exact[3]));
  }
};

// Theorem 3.4: exact Jacobians keep the second order, those of rank one do not.
TEST(ThetaOrder, Theorem34ExactAndRankOneJacobians) {
  const SpringPendulum pendulum;
  SchemeOptions options = preset(Scheme::trapezoidal);
  const auto error = [&](int steps) { return pendulum.error(options, steps); };
  EXPECT_NEAR(order_of("exact Jacobians", 200, error), 2.0, 0.15);
  options.newton = true;
  EXPECT_NEAR(order_of("Newton's method", 200, error), 2.0, 0.15);
  options.newton = false;
  options.jacobian = ForceJacobian::rank_one;
  EXPECT_NEAR(order_of("rank one", 400, error), 1.0, 0.25);
  EXPECT_NEAR(
      order_of("implicit_euler", 400, [&](int steps) { return pendulum.error(preset(Scheme::implicit_euler), steps); }),
      1.0, 0.2);
  EXPECT_NEAR(order_of("moreau_midpoint", 400,
                       [&](int steps) { return pendulum.error(preset(Scheme::moreau_midpoint), steps); }),
              1.0, 0.2);
}

/// A bead of 1 kg on the wire y = x^2/2 in its coordinate x: (1 + x^2) x'' = -g x - x x'^2.
class Bead final : public System {
 public:
  [[nodiscard]] int positions() const override { return 1; }
  [[nodiscard]] int velocities() const override { return 1; }
  void mass(double /*t*/, const Vector& q, SparseMatrix& M) const override {
    M.resize(1, 1);
    M.setIdentity();
    M.coeffRef(0, 0) = 1.0 + q[0] * q[0];
  }
  void applied_force(double /*t*/, const Vector& q, const Vector& v, Vector& k) const override {
    k.resize(1);
    k[0] = -9.81 * q[0] - q[0] * v[0] * v[0];
  }
  void advance(const Vector& q, const Vector& v, double h, Vector& q_new) const override { q_new = q + h * v; }
  [[nodiscard]] double potential_energy(double /*t*/, const Vector& q) const override { return 4.905 * q[0] * q[0]; }
};

TEST(ThetaOrder, MassMatricesThatDependOnThePosition) {
  const Bead bead;
  const Pair exact = integrate({1.0, 0.0, 0.0, 0.0}, 3.0, 20000, [](const Pair& y) {
    return Pair{y[1], (-9.81 * y[0] - y[0] * y[1] * y[1]) / (1.0 + y[0] * y[0]), 0.0, 0.0};
  });
  SchemeOptions options = preset(Scheme::trapezoidal);
  const Vector zero = Vector::Zero(1), one = Vector::Ones(1);
  const auto error = [&](int steps) {
    const State found = march(bead, options, {0.0, one, zero, zero}, 3.0, steps);
    return std::hypot(found.q[0] - exact[0], found.v[0] - exact[1]);
  };
  EXPECT_NEAR(order_of("bead", 300, error), 2.0, 0.15);
  options.newton = true;
  EXPECT_NEAR(order_of("bead, Newton's method", 300, error), 2.0, 0.15);
}

}  // namespace
}  // namespace stiction
