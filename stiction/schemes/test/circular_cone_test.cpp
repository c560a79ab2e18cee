// The circular cone against closed forms, at headings that have nothing to do with any facet.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>

#include "stiction/model/model_builder.h"
#include "stiction/model/multibody.h"
#include "stiction/schemes/test/random_scene.h"
#include "stiction/schemes/time_stepper.h"

namespace stiction {
namespace {

constexpr double g = 9.81, slope = std::numbers::pi / 6.0;
// Degrees; the facets of an unturned octagon lie at multiples of 45.
constexpr double headings[] = {0.0, 7.0, 22.5, 31.0, 45.0, 100.0, 171.0, 202.5, 260.0, 349.0};

class CircularCone : public testing::TestWithParam<Scheme> {
 protected:
  /// Steps to the end, every one certified.
  static State run(const Multibody& system, double h, double end) {
    TimeStepper stepper(system, preset(GetParam()));
    State state = start_of(system);
    StepReport report;
    for (int i = 0; i < static_cast<int>(std::lround(end / h)); ++i) {
      EXPECT_TRUE(stepper.step(state, h, report)) << i;
      EXPECT_TRUE(report.certified(1e-8)) << i << ": " << report.certificate.residual;
    }
    return state;
  }

  static Vec3 direction(double degrees) {
    const double angle = degrees * std::numbers::pi / 180.0;
    return {std::cos(angle), std::sin(angle), 0.0};
  }

  /// A box that lies on a level plane with its weight tilted towards `down`.
  static Multibody box_on_slope(const Vec3& down, double mu, const Vec3& velocity) {
    ModelBuilder builder;
    builder.set_gravity(g * std::sin(slope) * down - g * std::cos(slope) * Vec3::UnitZ());
    builder.add_ground(HalfSpace{}, {.mu = mu});
    builder.add_body({.mass = 2.0,
                      .shape = Box{0.4, 0.4, 0.1},
                      .material = {.mu = mu},
                      .position = {0.0, 0.0, 0.05},
                      .velocity = velocity});
    return Multibody(builder.build().value());
  }
};

TEST_P(CircularCone, ABoxSlidesOrStaysAtEveryHeading) {
  for (const double heading : headings) {
    const Vec3 down = direction(heading);
    const double mu = 0.98 * std::tan(slope), end = 0.5, a = g * (std::sin(slope) - mu * std::cos(slope));
    const State slid = run(box_on_slope(down, mu, Vec3::Zero()), 0.01, end);
    EXPECT_LT((slid.v.head<3>() / end - a * down).norm(), 1e-6 * a) << heading;

    const State stayed = run(box_on_slope(down, 1.02 * std::tan(slope), Vec3::Zero()), 0.01, end);
    EXPECT_LT((stayed.q.head<3>() - Vec3(0.0, 0.0, 0.05)).norm(), 1e-9) << heading;
  }
}

// With mu = tan(angle): |v|' = g sin (cos phi - 1), v_down' = g sin (1 - cos phi), phi between v and the line of fall.
// So |v| + v_down stays, and a particle thrown across ends straight down at half its speed.
TEST_P(CircularCone, AThrownParticleKeepsItsSpeedPlusItsFall) {
  const Vec3 down = direction(31.0), across = Vec3::UnitZ().cross(down);
  double last = 0.0;
  for (const double h : {0.01, 0.005, 0.0025}) {
    ModelBuilder builder;
    builder.set_gravity(g * std::sin(slope) * down - g * std::cos(slope) * Vec3::UnitZ());
    builder.add_ground(HalfSpace{}, {.mu = std::tan(slope)});
    builder.add_body({.mass = 1.0,
                      .shape = Sphere{0.1},
                      .material = {.mu = std::tan(slope)},
                      .position = {0.0, 0.0, 0.1},
                      .velocity = 2.0 * across,
                      .freedom = Freedom::particle()});
    const Vec3 v = run(Multibody(builder.build().value()), h, 0.4).v.head<3>();
    const double error = std::abs(v.norm() + v.dot(down) - 2.0);
    EXPECT_LT(error, 4.0 * h);
    EXPECT_GT(std::abs(v.dot(across)), 0.1);  // still on its way
    if (last > 0.0) {
      EXPECT_NEAR(last / error, 2.0, 0.3) << h;
    }
    last = error;
  }
}

// Slip u = v - r w x n keeps its direction until it is gone, and v - 2/7 u never changes: exactly so in a frame that
// does not turn; the body's own turns by h w in a step, which leaves an error of order h^2.
TEST_P(CircularCone, ASpinningSphereEndsAtTwoSeventhsOfItsSlip) {
  const double r = 0.1, mu = 0.3;
  for (const double heading : headings) {
    const Vec3 v = 1.5 * direction(heading), spin = 12.0 * direction(3.0 * heading + 50.0) + Vec3(0.0, 0.0, 4.0);
    const Vec3 slip = v - r * spin.cross(Vec3::UnitZ());
    ModelBuilder builder;
    builder.set_gravity({0.0, 0.0, -g});
    builder.add_ground(HalfSpace{}, {.mu = mu});
    builder.add_body({.mass = 0.7,
                      .shape = Sphere{r},
                      .material = {.mu = mu},
                      .position = {0.0, 0.0, r},
                      .velocity = v,
                      .angular_velocity = spin});
    const Multibody system(builder.build().value());
    const double rolls_from = 2.0 * slip.norm() / (7.0 * mu * g), end = std::ceil(rolls_from / 0.01) * 0.01 + 0.05;
    const auto error = [&](double h) { return (run(system, h, end).v.head<3>() - (v - 2.0 / 7.0 * slip)).norm(); };
    const double coarse = error(0.005), fine = error(0.0025);
    EXPECT_LT(fine, 2e-4) << heading;
    EXPECT_LT(fine, 0.3 * coarse) << heading;
  }
}

INSTANTIATE_TEST_SUITE_P(Schemes, CircularCone, testing::Values(Scheme::stewart_trinkle, Scheme::anitescu_potra),
                         [](const auto& tested) { return std::string(to_string(tested.param)); });

}  // namespace
}  // namespace stiction
