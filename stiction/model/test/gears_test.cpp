#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "stiction/model/pair_row.h"
#include "stiction/model/test/random_state.h"

namespace stiction {
namespace {

constexpr double pi = std::numbers::pi;

enum class Carrier { world, movable, kinematic };

/// Two bodies and what carries them, geared about axes that no frame is special for.
Multibody geared(Random& random, JointKind kind, Carrier carrier) {
  ModelBuilder builder;
  const BodyId a = builder.add_body(brick(random, "a")), b = builder.add_body(brick(random, "b"));
  JointDef joint{.kind = kind, .body = a, .partner = b, .axis = random_vector(random, 1.0)};
  joint.partner_axis = random_vector(random, 1.0);
  if (kind == JointKind::gear) joint.teeth = {2, -3};
  if (kind == JointKind::rack) joint.radius = 0.7;
  if (carrier != Carrier::world) {
    BodyDef arm = brick(random, "arm");
    if (carrier == Carrier::kinematic) arm = kinematic(arm, random);
    joint.carrier = builder.add_body(arm);
  }
  builder.add_joint(joint);
  return Multibody(builder.build().value());
}

/// Far from hinges a wheel has hardly an angle, and differences are of no use.
bool has_angle(const Multibody& system, const AngleCoordinate& angle, int body, double t, const Vector& q) {
  const Quat a = system.pose({body}, t, q).orientation;
  const Quat c = system.pose({system.model().joints()[0].carrier}, t, q).orientation;
  const Vec3 p = a * angle.p_a;
  return std::hypot(p.dot(c * angle.x_b), p.dot(c * angle.y_b)) > 0.4;
}

TEST(Gears, GradientsAgreeWithDifferences) {
  Random random(1);
  int compared = 0;
  for (const JointKind kind : {JointKind::gear, JointKind::rack}) {
    for (const Carrier carrier : {Carrier::world, Carrier::movable, Carrier::kinematic}) {
      const Multibody system = geared(random, kind, carrier);
      for (int trial = 0; trial < 20; ++trial) {
        const double t = random.uniform(0.0, 2.0);
        const Vector q = random_positions(system, random), v = random_velocities(system, random);
        const ConstraintPart& part = system.model().joints()[0].parts[0];
        if (const auto* gear = std::get_if<GearPart>(&part)) {
          if (!has_angle(system, gear->angle_a, 0, t, q) || !has_angle(system, gear->angle_b, 1, t, q)) continue;
        } else if (!has_angle(system, std::get<RackPart>(part).angle_a, 0, t, q)) {
          continue;
        }
        JointSet joints, moved;
        system.find_joints(t, q, joints);
        ASSERT_EQ(joints.size(), 1);
        EXPECT_FALSE(joints.is_pfaffian(0));
        const double slope = slope_along(system, t, q, v, [&](double time, const Vector& at) {
          system.find_joints(time, at, moved);
          // Of the same tooth.
          return joints.Theta[0] +
                 std::remainder(moved.Theta[0] - joints.Theta[0], kind == JointKind::gear ? pi : 1.4 * pi);
        });
        EXPECT_NEAR(joints.nu.dot(0, v) - joints.velocity[0], slope, 1e-6);
        ++compared;
      }
    }
  }
  EXPECT_GT(compared, 60);
}

/// Wheels on world axes, z for the first and x for the second.
Multibody pair_of_wheels(std::optional<std::array<int, 2>> teeth, std::optional<double> ratio) {
  ModelBuilder builder;
  const BodyId a = builder.add_body({.name = "a", .mass = 1.0, .shape = Sphere{0.1}});
  const BodyId b = builder.add_body({.name = "b", .mass = 1.0, .shape = Sphere{0.1}, .position = {1.0, 0.0, 0.0}});
  JointDef joint{.kind = JointKind::gear, .body = a, .partner = b};
  joint.partner_axis = Vec3::UnitX();
  joint.teeth = teeth;
  joint.ratio = ratio;
  builder.add_joint(joint);
  return Multibody(builder.build().value());
}

/// Where the first has turned by alpha about z and the second by beta about x.
double residual(const Multibody& system, double alpha, double beta) {
  Vector v = Vector::Zero(12), q;
  v[5] = alpha;
  v[9] = beta;
  system.advance(system.initial_positions(), v, 1.0, q);
  JointSet joints;
  system.find_joints(0.0, q, joints);
  return joints.Theta[0];
}

/// Whole turns of either wheel leave the residual as it is, though a pose forgets them: 12 and 7 teeth.
TEST(Gears, ManyTurnsAreTheSameTeeth) {
  const Multibody system = pair_of_wheels(std::array{12, 7}, std::nullopt);
  for (int k = -40; k <= 40; ++k) {
    const double beta = 0.9 * k;
    EXPECT_NEAR(residual(system, -7.0 / 12.0 * beta, beta), 0.0, 1e-13);
    EXPECT_NEAR(residual(system, -7.0 / 12.0 * beta + 0.01, beta), 0.01, 1e-13);
    EXPECT_NEAR(residual(system, -7.0 / 12.0 * beta, beta + 0.01), 0.07 / 12.0, 1e-13);
  }
}

TEST(Gears, ATurnOfOneToothsPitchMeshesAgain) {
  const Multibody system = pair_of_wheels(std::array{12, 7}, std::nullopt);
  EXPECT_NEAR(residual(system, 2.0 * pi / 12.0, 0.0), 0.0, 1e-15);
  EXPECT_NEAR(std::abs(residual(system, pi / 12.0, 0.0)), pi / 12.0, 1e-15);
}

TEST(Gears, ARatioIsHeldAsARate) {
  const Multibody system = pair_of_wheels(std::nullopt, -std::numbers::sqrt2);
  JointSet joints;
  system.find_joints(0.0, system.initial_positions(), joints);
  EXPECT_TRUE(joints.is_pfaffian(0));
  EXPECT_EQ(residual(system, 3.0, 1.0), 0.0);
  Vector v = Vector::Zero(12);
  v[5] = 1.0;
  v[9] = 0.5;
  EXPECT_NEAR(joints.nu.dot(0, v), 1.0 + 0.5 * std::numbers::sqrt2, 1e-15);
}

/// Equal turns of both wheels and of the carrier are no turn of the wheels.
TEST(Gears, CountRelativeToTheCarrier) {
  Random random(2);
  const Multibody system = geared(random, JointKind::gear, Carrier::movable);
  JointSet joints;
  system.find_joints(0.0, system.initial_positions(), joints);
  const Vec3 turn = random_vector(random, 1.0);
  Vector v = Vector::Zero(18);
  for (int body = 0; body < 3; ++body) {
    v.segment<3>(6 * body + 3) = system.model().bodies()[body].pose.orientation.conjugate() * turn;
  }
  EXPECT_NEAR(joints.nu.dot(0, v), 0.0, 1e-14);
}

}  // namespace
}  // namespace stiction
