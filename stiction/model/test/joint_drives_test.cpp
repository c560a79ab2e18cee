#include "stiction/model/joint_drives.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "stiction/model/test/random_state.h"

namespace stiction {
namespace {

constexpr double h = 0.01;

TimeFormula formula(std::string_view text) {
  return TimeFormula(Expression::parse(text, time_variables).value());
}

/// A wheel about z and a carriage along x, each with everything that drives a joint.
Multibody driven(const CoordinateDef& turn, const CoordinateDef& slide) {
  ModelBuilder builder;
  const BodyId wheel = builder.add_body({.name = "wheel", .mass = 1.0, .shape = Sphere{0.1}});
  const BodyId cart = builder.add_body({.name = "cart", .mass = 1.0, .shape = Sphere{0.1}, .position = {0, 5, 0}});
  JointDef hinge{.kind = JointKind::revolute, .body = wheel};
  hinge.turn = turn;
  JointDef rail{.kind = JointKind::prismatic, .body = cart, .anchor = {0, 5, 0}, .axis = {2.0, 0.0, 0.0}};
  rail.slide = slide;
  builder.add_joint(hinge);
  builder.add_joint(rail);
  return Multibody(builder.build().value());
}

TEST(JointDrives, AreFrictionMotorsAndServos) {
  const Multibody system = driven({.friction = 0.3, .motor = MotorDef{formula("2*t"), 7.0}},
                                  {.servo = ServoDef{formula("sin(t)"), 100.0, 5.0, 9.0}});
  Vector v = Vector::Zero(12), q;
  v[5] = 0.4;
  v[6] = 0.25;
  system.advance(system.initial_positions(), v, 1.0, q);
  DriveSet set;
  system.find_drives(3.0, q, h, set);
  ASSERT_EQ(set.size(), 3);
  const Drive &friction = set.drives[0], &motor = set.drives[1], &servo = set.drives[2];
  EXPECT_TRUE(std::isinf(friction.damping));
  EXPECT_EQ(friction.velocity, 0.0);
  EXPECT_EQ(friction.lower, -0.3);
  EXPECT_EQ(friction.upper, 0.3);
  EXPECT_EQ(friction.owner, 0);
  EXPECT_TRUE(std::isinf(motor.damping));
  EXPECT_EQ(motor.velocity, 6.0);
  EXPECT_EQ(motor.upper, 7.0);
  EXPECT_NEAR(servo.position, 0.25 - std::sin(3.0), 1e-15);
  EXPECT_NEAR(servo.velocity, std::cos(3.0), 1e-15);
  EXPECT_EQ(servo.stiffness, 100.0);
  EXPECT_EQ(servo.damping, 5.0);
  EXPECT_EQ(servo.lower, -9.0);
  EXPECT_EQ(servo.owner, 1);
  EXPECT_NEAR(set.r.dot(0, v), 0.4, 1e-15);
  EXPECT_NEAR(set.r.dot(1, v), 0.4, 1e-15);
  EXPECT_NEAR(set.r.dot(2, v), 0.25, 1e-15);
  for (const Drive& drive : set.drives) EXPECT_FALSE(drive.is_applied);
}

TEST(JointDrives, AServoOfAHingeGoesTheShorterWay) {
  const Multibody system = driven({.servo = ServoDef{3.0, 1.0}}, {});
  Vector v = Vector::Zero(12), q;
  v[5] = -3.0;
  system.advance(system.initial_positions(), v, 1.0, q);
  DriveSet set;
  system.find_drives(0.0, q, h, set);
  ASSERT_EQ(set.size(), 1);
  EXPECT_NEAR(set.drives[0].position, 2.0 * std::numbers::pi - 6.0, 1e-14);
}

/// The speed of the coordinate is r'v and what the partner does: a motor at rest turns with a kinematic partner.
TEST(JointDrives, CountRelativeToAKinematicPartner) {
  ModelBuilder builder;
  const BodyId table = builder.add_body({.angular_velocity = {0.0, 0.0, 2.0}, .kinematic = true});
  const BodyId wheel = builder.add_body({.mass = 1.0, .shape = Sphere{0.1}});
  JointDef hinge{.kind = JointKind::revolute, .body = wheel, .partner = table};
  hinge.turn.motor = MotorDef{0.5};
  builder.add_joint(hinge);
  const Multibody system(builder.build().value());
  DriveSet set;
  system.find_drives(0.0, system.initial_positions(), h, set);
  ASSERT_EQ(set.size(), 1);
  EXPECT_NEAR(set.drives[0].velocity, 2.5, 1e-15);
  EXPECT_TRUE(std::isinf(set.drives[0].upper));
}

TEST(JointDrives, NothingIsDrivenWithoutAForce) {
  const Multibody system = driven({.motor = MotorDef{1.0, 0.0}}, {});
  EXPECT_TRUE(system.model().joint_drives().empty());
}

}  // namespace
}  // namespace stiction
