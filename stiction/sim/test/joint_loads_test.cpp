// What joints bear: loads shared with drives that hold, within their bounds, and all that acts through a joint.
#include <gtest/gtest.h>

#include <cmath>

#include "stiction/sim/simulator.h"

namespace stiction {
namespace {

constexpr double g = 9.81;
constexpr Scheme steppers[] = {Scheme::stewart_trinkle, Scheme::anitescu_potra, Scheme::trapezoidal,
                               Scheme::moreau_midpoint, Scheme::implicit_euler};

/// 1 kg on a slider along z that holds with up to 3 N, and on a weld beside it.
ModelBuilder slider_and_weld(bool by_motor, double bears) {
  ModelBuilder builder;
  const BodyId body = builder.add_body({.mass = 1.0, .inertia = 0.1 * Mat3::Identity()});
  JointDef slider{.kind = JointKind::prismatic, .body = body};
  if (by_motor)
    slider.slide.motor = MotorDef{.velocity = TimeFormula(0.0), .max_force = 3.0};
  else
    slider.slide.friction = 3.0;
  builder.add_joint(slider);
  builder.add_joint({.kind = JointKind::fixed, .body = body, .break_force = bears});
  return builder;
}

// The least sum of squares is (4.905, 4.905), and within the slider's bound (3, 6.81).
TEST(JointLoads, AWeldAndADriveShareALoad) {
  for (const Scheme scheme : steppers) {
    for (const bool by_motor : {true, false}) {
      Simulator run(slider_and_weld(by_motor, 11.0).build().value(), {.h = 1e-3, .scheme = preset(scheme)});
      ASSERT_TRUE(run.run_until(0.05).ok()) << to_string(scheme);
      EXPECT_TRUE(run.events().empty()) << to_string(scheme) << ": it holds";
      EXPECT_NEAR(run.pose({0}).position.z(), 0.0, 1e-9) << to_string(scheme);
      EXPECT_NEAR(run.reactions()[0].force.z(), 3.0, 1e-8) << to_string(scheme);
      EXPECT_NEAR(run.reactions()[1].force.z(), g - 3.0, 1e-8) << to_string(scheme);
    }
  }
}

TEST(JointLoads, AWeldBreaksWhereTheDriveCannotBearTheRest) {
  for (const Scheme scheme : steppers) {
    Simulator run(slider_and_weld(true, 6.0).build().value(), {.h = 1e-3, .scheme = preset(scheme)});
    ASSERT_TRUE(run.run_until(0.01).ok()) << to_string(scheme);
    ASSERT_FALSE(run.events().empty()) << to_string(scheme);
    EXPECT_EQ(run.events()[0].kind, EventKind::breakage) << to_string(scheme);
  }
}

/// A wheel in two bearings along z.
ModelBuilder wheel(const CoordinateDef& first, const CoordinateDef& second, double torque) {
  ModelBuilder builder;
  builder.set_gravity({0, 0, 0});
  const BodyId body = builder.add_body({.mass = 10.0, .inertia = Mat3::Identity(), .position = {0, 0, 0.5}});
  builder.add_joint({.kind = JointKind::revolute, .body = body, .turn = first});
  builder.add_joint({.kind = JointKind::revolute, .body = body, .anchor = {0, 0, 1}, .turn = second});
  builder.add_force({.body = body, .torque = VectorFormula(Vec3(0, 0, torque))});
  return builder;
}

CoordinateDef friction_of(double torque) {
  CoordinateDef def;
  def.friction = torque;
  return def;
}

CoordinateDef motor_of(double speed, double torque) {
  CoordinateDef def;
  def.motor = MotorDef{.velocity = TimeFormula(speed), .max_force = torque};
  return def;
}

TEST(JointLoads, TwoDrivesShareATorqueWithinTheirBounds) {
  for (const Scheme scheme : steppers) {
    Simulator held(wheel(friction_of(1.0), friction_of(4.0), 3.0).build().value(),
                   {.h = 1e-3, .scheme = preset(scheme)});
    ASSERT_TRUE(held.run_until(0.01).ok());
    EXPECT_NEAR(held.reactions()[0].torque.z(), -1.0, 1e-8) << to_string(scheme);
    EXPECT_NEAR(held.reactions()[1].torque.z(), -2.0, 1e-8) << to_string(scheme);
  }
}

// A motor that holds 1 rad/s against friction does not do so at rest: friction that slips gives all it has.
TEST(JointLoads, FrictionThatSlipsIsNotShared) {
  for (const Scheme scheme : {Scheme::stewart_trinkle, Scheme::anitescu_potra, Scheme::implicit_euler}) {
    Simulator run(wheel(motor_of(1.0, 20.0), friction_of(4.0), 0.0).build().value(),
                  {.h = 1e-3, .scheme = preset(scheme)});
    ASSERT_TRUE(run.run_until(1.5).ok());
    EXPECT_NEAR(run.angular_velocity({0}).z(), 1.0, 1e-9) << to_string(scheme);
    EXPECT_NEAR(run.reactions()[0].torque.z(), 4.0, 1e-6) << to_string(scheme);
    EXPECT_NEAR(run.reactions()[1].torque.z(), -4.0, 1e-6) << to_string(scheme);
  }
}

TEST(JointLoads, ATautRopePulls) {
  for (const Scheme scheme : steppers) {
    ModelBuilder builder;
    const BodyId body = builder.add_body({.mass = 3.0, .inertia = 0.1 * Mat3::Identity(), .position = {0, 0, -1}});
    builder.add_joint(
        {.kind = JointKind::rope, .body = body, .anchor = {0, 0, -1}, .partner_anchor = Vec3(0, 0, 0), .length = 1.0});
    Simulator run(builder.build().value(), {.h = 1e-3, .scheme = preset(scheme)});
    ASSERT_TRUE(run.run_until(0.01).ok());
    EXPECT_NEAR((run.reactions()[0].force - Vec3(0, 0, 3.0 * g)).norm(), 0.0, 1e-7) << to_string(scheme);
  }
}

// 6 N m against the lower limit, with a lever to show that the anchor is where the torque is taken about.
TEST(JointLoads, ALimitPushesBack) {
  for (const Scheme scheme : steppers) {
    CoordinateDef limited;
    limited.limits = std::array<double, 2>{0.0, 1.0};
    ModelBuilder builder;
    builder.set_gravity({0, 0, 0});
    const BodyId body = builder.add_body({.mass = 10.0, .inertia = Mat3::Identity(), .position = {0.5, 0, 0.5}});
    builder.add_joint({.kind = JointKind::revolute, .body = body, .turn = limited});
    builder.add_force({.body = body, .torque = VectorFormula(Vec3(0, 0, -6.0))});
    Simulator run(builder.build().value(), {.h = 1e-3, .scheme = preset(scheme)});
    ASSERT_TRUE(run.run_until(0.01).ok());
    EXPECT_NEAR(run.reactions()[0].torque.z(), 6.0, 1e-6) << to_string(scheme);
    EXPECT_NEAR(run.reactions()[0].force.norm(), 0.0, 1e-6) << to_string(scheme);
  }
}

TEST(JointLoads, AOneWayEdgeHoldsFromOneSide) {
  for (const Scheme scheme : steppers) {
    ModelBuilder builder;
    builder.set_gravity({0, 0, 0});
    const BodyId body = builder.add_body({.mass = 2.0, .inertia = 0.4 * Mat3::Identity()});
    builder.add_joint({.kind = JointKind::knife_edge, .body = body, .axis = {0, 1, 0}, .one_way = true});
    builder.add_force({.body = body, .force = VectorFormula(Vec3(1.0, -6.0, 0.0))});
    Simulator run(builder.build().value(), {.h = 1e-3, .scheme = preset(scheme)});
    ASSERT_TRUE(run.run_until(0.01).ok());
    EXPECT_NEAR((run.reactions()[0].force - Vec3(0, 6, 0)).norm(), 0.0, 1e-6) << to_string(scheme);
  }
}

// Turning about (1, 2, 2)/3 it is slowed by 0.5 N m about that; at rest it bears what it is loaded with.
TEST(JointLoads, FrictionOfABallTurnsAgainstTheMotion) {
  for (const Scheme scheme : steppers) {
    for (const bool turns : {true, false}) {
      ModelBuilder builder;
      builder.set_gravity({0, 0, 0});
      const BodyId body = builder.add_body({.mass = 2.0,
                                            .inertia = 0.1 * Mat3::Identity(),
                                            .orientation = Quat(Eigen::AngleAxisd(1.0, Vec3::UnitX())),
                                            .angular_velocity = turns ? Vec3(1, 2, 2) : Vec3(0, 0, 0)});
      builder.add_joint({.kind = JointKind::spherical, .body = body, .friction = 0.5});
      if (!turns) builder.add_force({.body = body, .torque = VectorFormula(Vec3(0.1, 0.2, 0.3))});
      Simulator run(builder.build().value(), {.h = 1e-3, .scheme = preset(scheme)});
      ASSERT_TRUE(run.run_until(0.01).ok());
      const Vec3 expected = turns ? Vec3(Vec3(-1, -2, -2) / 6.0) : Vec3(-0.1, -0.2, -0.3);
      EXPECT_NEAR((run.reactions()[0].torque - expected).norm(), 0.0, 1e-6) << to_string(scheme);
    }
  }
}

}  // namespace
}  // namespace stiction
