// Torsional, rolling and anisotropic friction against closed forms.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "stiction/model/model_builder.h"
#include "stiction/model/multibody.h"
#include "stiction/schemes/test/random_scene.h"
#include "stiction/schemes/time_stepper.h"

namespace stiction {
namespace {

constexpr double g = 9.81;

/// Steps to the end, every one certified.
State run(const Multibody& system, Scheme scheme, double h, double end) {
  TimeStepper stepper(system, preset(scheme));
  State state = start_of(system);
  StepReport report;
  for (int i = 0; i < static_cast<int>(std::lround(end / h)); ++i) {
    EXPECT_TRUE(stepper.step(state, h, report)) << i;
    EXPECT_TRUE(report.certified(1e-8)) << i << ": " << report.certificate.residual << ' '
                                        << report.certificate.energy_defect;
  }
  return state;
}

// What has come to rest is at rest where the law holds, at v_alpha: v of trapezoidal may swing about it (2008).
class TurningFriction : public testing::TestWithParam<Scheme> {};

// A ball that spins on the spot: I w' = -s m g, so it stops after 2/5 r^2 w/(s g), and not before.
TEST_P(TurningFriction, ASpinningBallStops) {
  const double r = 0.1, s = 0.002, w = 20.0, stops = 0.4 * r * r * w / (s * g);
  ModelBuilder builder;
  builder.add_ground(HalfSpace{}, {.mu = 0.5});
  builder.add_body({.mass = 2.0,
                    .shape = Sphere{r},
                    .material = {.mu = 0.5, .spin_friction = s},
                    .position = {0.0, 0.0, r},
                    .angular_velocity = {0.0, 0.0, w}});
  const Multibody system(builder.build().value());
  EXPECT_NEAR(run(system, GetParam(), 1e-3, 0.5 * stops).v[5], 0.5 * w, 0.01 * w);
  const State end = run(system, GetParam(), 1e-3, stops + 0.1);
  EXPECT_NEAR(end.v_alpha.norm(), 0.0, 1e-12);
}

// A ball that rolls without slipping: (m r^2 + I) w' = -rho m g, a = -rho g/(7/5 r).
TEST_P(TurningFriction, ARollingBallSlowsDownAndStops) {
  const double r = 0.1, rho = 0.005, v = 1.0, a = rho * g / (1.4 * r);
  ModelBuilder builder;
  builder.add_ground(HalfSpace{}, {.mu = 0.5});
  builder.add_body({.mass = 2.0,
                    .shape = Sphere{r},
                    .material = {.mu = 0.5, .roll_friction = rho},
                    .position = {0.0, 0.0, r},
                    .velocity = {0.6 * v, 0.8 * v, 0.0},
                    .angular_velocity = {-0.8 * v / r, 0.6 * v / r, 0.0}});
  const Multibody system(builder.build().value());
  const State half = run(system, GetParam(), 1e-3, 1.0);
  EXPECT_NEAR(half.v.head<3>().norm(), v - a, 1e-4);
  EXPECT_NEAR(half.v[0] / half.v[1], 0.75, 1e-6);
  const State end = run(system, GetParam(), 1e-3, v / a + 0.1);
  EXPECT_NEAR(end.v_alpha.norm(), 0.0, 1e-12);
  EXPECT_NEAR(end.q.head<2>().norm(), v * v / (2.0 * a), 2e-3 * v * v / (2.0 * a));
}

// On a slope a ball with rolling resistance rests while rho > r tan(angle), and rolls beyond.
TEST_P(TurningFriction, ABallRestsOnASlopeUpToItsRollingResistance) {
  const double r = 0.1, angle = 0.05, limit = r * std::tan(angle);
  for (const double share : {0.98, 1.02}) {
    ModelBuilder builder;
    builder.set_gravity({g * std::sin(angle), 0.0, -g * std::cos(angle)});
    builder.add_ground(HalfSpace{}, {.mu = 0.8});
    builder.add_body({.mass = 1.0,
                      .shape = Sphere{r},
                      .material = {.mu = 0.8, .roll_friction = share * limit},
                      .position = {0.0, 0.0, r}});
    const Multibody system(builder.build().value());
    const State end = run(system, GetParam(), 2e-3, 1.0);
    const double acceleration = share > 1.0 ? 0.0 : g * std::sin(angle) * (1.0 - share) / 1.4;
    EXPECT_NEAR(end.v[0], acceleration, 1e-9 + 1e-3 * acceleration) << share;
  }
}

// A disc-like wheel in the plane has rolling resistance about z alone.
TEST_P(TurningFriction, ARollingDiscInThePlaneStops) {
  const double r = 0.2, rho = 0.01, v = 1.0, a = rho * g / (1.4 * r);
  ModelBuilder builder;
  builder.set_gravity({0.0, -g, 0.0});
  builder.add_ground(HalfSpace{Vec3::UnitY(), 0.0}, {.mu = 0.5});
  builder.add_body({.mass = 1.0,
                    .shape = Sphere{r},
                    .material = {.mu = 0.5, .roll_friction = rho},
                    .position = {0.0, r, 0.0},
                    .velocity = {v, 0.0, 0.0},
                    .angular_velocity = {0.0, 0.0, -v / r},
                    .freedom = Freedom::planar()});
  const Multibody system(builder.build().value());
  EXPECT_NEAR(run(system, GetParam(), 1e-3, 0.5).v[0], v - 0.5 * a, 1e-3);
  EXPECT_NEAR(run(system, GetParam(), 1e-3, v / a + 0.1).v_alpha.norm(), 0.0, 1e-12);
}

// A box that spins flat on its four corners, d from the middle: I w' = -(mu d + s) m g. How they share its weight is
// open, and does not matter without mu; with mu it may make the box drift a little.
TEST_P(TurningFriction, ABoxSpinsToRestOnFourCorners) {
  const double a = 0.3, b = 0.2, s = 0.01, w = 10.0, I = (a * a + b * b) / 12.0, d = 0.5 * std::hypot(a, b);
  for (const double mu : {0.0, 0.2}) {
    const double slows = (mu * d + s) * g / I;
    ModelBuilder builder;
    builder.add_ground(HalfSpace{}, {.mu = mu});
    builder.add_body({.mass = 3.0,
                      .shape = Box{a, b, 0.1},
                      .material = {.mu = mu, .spin_friction = s, .roll_friction = 0.02},
                      .position = {0.0, 0.0, 0.05},
                      .angular_velocity = {0.0, 0.0, w}});
    const Multibody system(builder.build().value());
    const State half = run(system, GetParam(), 1e-3, 0.1);
    EXPECT_NEAR(half.v[5], w - 0.1 * slows, mu > 0.0 ? 2e-3 * w : 1e-9) << mu;
    EXPECT_LE(half.v.head<3>().norm(), mu > 0.0 ? 0.02 : 1e-9) << mu;
    EXPECT_NEAR(run(system, GetParam(), 1e-3, w / slows + 0.05).v_alpha.norm(), 0.0, 1e-11) << mu;
  }
}

// A plate on four balls, all rolling. The balls go half as fast and turn with V/2r, each contact below and above takes
// rho N V/2r from (M + 4 m 7/20) V^2/2: V' = -rho g (2 M + 4 m)/(2 r (M + 7/5 m)). Eight contacts, of three blocks
// each.
TEST_P(TurningFriction, APlateSlowsDownOnRollingBalls) {
  const double r = 0.1, rho = 0.002, m = 0.5, M = 8.0, V = 0.6;
  const double slows = rho * g * (2.0 * M + 4.0 * m) / (2.0 * r * (M + 1.4 * m));
  const Material material{.mu = 0.6, .spin_friction = 0.001, .roll_friction = rho};
  ModelBuilder builder;
  builder.add_ground(HalfSpace{}, material);
  builder.add_body({.mass = M,
                    .shape = Box{3.0, 1.0, 0.1},
                    .material = material,
                    .position = {0.0, 0.0, 2.0 * r + 0.05},
                    .velocity = {V, 0.0, 0.0}});
  for (const double x : {-0.8, 0.8})
    for (const double y : {-0.3, 0.3})
      builder.add_body({.mass = m,
                        .shape = Sphere{r},
                        .material = material,
                        .position = {x, y, r},
                        .velocity = {0.5 * V, 0.0, 0.0},
                        .angular_velocity = {0.0, 0.5 * V / r, 0.0}});
  const Multibody system(builder.build().value());
  const State later = run(system, GetParam(), 2e-3, 0.5);
  EXPECT_NEAR(later.v[0], V - 0.5 * slows, 1e-3 * V);
  EXPECT_NEAR(later.v[6], 0.5 * later.v[0], 1e-6);
  EXPECT_NEAR(run(system, GetParam(), 2e-3, V / slows + 0.1).v_alpha.norm(), 0.0, 1e-10);
}

// Balls that fall apart from a pile roll for ever on a level floor, and come to rest where rolling has its friction.
TEST_P(TurningFriction, APileOfBallsComesToRest) {
  for (const double rho : {0.0, 0.01}) {
    const double r = 0.1;
    const Material material{.mu = 0.5, .spin_friction = 0.2 * rho, .roll_friction = rho};
    ModelBuilder builder;
    builder.add_ground(HalfSpace{}, material);
    for (int i = 0; i < 9; ++i) {
      const int layer = i / 4, at = i % 4;
      const double turned = 0.4 * layer, out = (i == 8 ? 0.01 : 1.43 - 0.2 * layer) * r;
      const double heading = turned + std::numbers::pi * (0.25 + 0.5 * at);
      builder.add_body({.mass = 1.0,
                        .shape = Sphere{r},
                        .material = material,
                        .position = {out * std::cos(heading), out * std::sin(heading), r * (1.0 + 1.9 * layer)}});
    }
    const Multibody system(builder.build().value());
    const State end = run(system, GetParam(), 5e-3, 4.0);
    if (rho > 0.0) {
      EXPECT_LE(end.v_alpha.norm(), 1e-9);
    } else {
      EXPECT_GE(end.v_alpha.norm(), 0.05);
    }
  }
}

// Elliptic friction on a slope of 30 degrees with its direction 30 degrees off the line of fall. Sliding u from rest
// keeps one heading: friction -N (mu1^2 u1, mu2^2 u2)/|(mu1 u1, mu2 u2)| and gravity make an acceleration along u.
TEST_P(TurningFriction, ABlockDriftsDownAnAnisotropicSlope) {
  const double angle = std::numbers::pi / 6.0, turned = std::numbers::pi / 6.0, mu1 = 0.1, mu2 = 0.4;
  ModelBuilder builder;
  builder.set_gravity({g * std::sin(angle), 0.0, -g * std::cos(angle)});
  const Material material{.mu = mu1, .mu2 = mu2, .direction = Vec3(std::cos(turned), std::sin(turned), 0.0)};
  builder.add_ground(HalfSpace{}, material);
  Material other = material;
  other.direction.reset();
  builder.add_body({.mass = 1.0,
                    .shape = Sphere{0.1},
                    .material = other,
                    .position = {0.0, 0.0, 0.1},
                    .freedom = Freedom::particle()});
  const Multibody system(builder.build().value());
  const State end = run(system, GetParam(), 1e-3, 1.0);
  // Headings in the frame of the material, by bisection on the cross product of acceleration and heading.
  const double fall1 = g * std::sin(angle) * std::cos(turned), fall2 = -g * std::sin(angle) * std::sin(turned);
  const double N = g * std::cos(angle);
  const auto acceleration = [&](double heading, double& a1, double& a2) {
    const double u1 = std::cos(heading), u2 = std::sin(heading), size = std::hypot(mu1 * u1, mu2 * u2);
    a1 = fall1 - N * mu1 * mu1 * u1 / size;
    a2 = fall2 - N * mu2 * mu2 * u2 / size;
    return a1 * u2 - a2 * u1;
  };
  double low = -turned, high = 0.0, a1 = 0.0, a2 = 0.0;
  for (int i = 0; i < 100; ++i) {
    const double middle = 0.5 * (low + high);
    (acceleration(middle, a1, a2) > 0.0 ? high : low) = middle;
  }
  acceleration(0.5 * (low + high), a1, a2);
  const double v1 = end.v[0] * std::cos(turned) + end.v[1] * std::sin(turned);
  const double v2 = -end.v[0] * std::sin(turned) + end.v[1] * std::cos(turned);
  EXPECT_NEAR(v1, a1, 1e-6);
  EXPECT_NEAR(v2, a2, 1e-6);
  EXPECT_GT(std::abs(v2 / v1 - fall2 / fall1), 0.1);  // it drifts
}

INSTANTIATE_TEST_SUITE_P(Schemes, TurningFriction,
                         testing::Values(Scheme::stewart_trinkle, Scheme::anitescu_potra, Scheme::implicit_euler,
                                         Scheme::trapezoidal, Scheme::moreau_midpoint),
                         [](const auto& tested) { return std::string(to_string(tested.param)); });

}  // namespace
}  // namespace stiction
