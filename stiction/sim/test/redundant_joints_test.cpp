// Random mechanisms, trees and loops, with and without redundant copies of their joints: the motion is the same.
#include <gtest/gtest.h>

#include <array>

#include "stiction/model/joint_reaction.h"
#include "stiction/sim/test/random_mechanism.h"

namespace stiction {
namespace {

/// Runs random mechanisms with and without copies.
void expect_same_motion(const SchemeOptions& scheme, int trials) {
  Random random(1);
  int copies = 0;
  for (int i = 0; i < trials; ++i) {
    const test::RedundancyTrial trial = test::try_redundancy(random, scheme);
    EXPECT_EQ(trial.error, "") << "trial " << i;
    EXPECT_LE(trial.apart, 1e-9) << "trial " << i;
    copies += trial.copies;
  }
  EXPECT_GT(copies, 2 * trials);
}

TEST(RedundantJoints, DoNotChangeTheMotionOnThePositionLevel) {
  expect_same_motion(preset(Scheme::stewart_trinkle), 20);
}

TEST(RedundantJoints, DoNotChangeTheMotionOnTheVelocityLevel) {
  expect_same_motion(preset(Scheme::anitescu_potra), 30);
  SchemeOptions stabilised = preset(Scheme::anitescu_potra);
  stabilised.stabilisation = 0.2;
  expect_same_motion(stabilised, 8);
}

TEST(RedundantJoints, DoNotChangeTheMotionBetweenEvents) {
  expect_same_motion(preset(Scheme::lotstedt), 5);
}

// Which of two joints is the copy only their order says: the first is held.
TEST(RedundantJoints, MayComeInAnyOrder) {
  for (const Scheme scheme : {Scheme::stewart_trinkle, Scheme::anitescu_potra, Scheme::trapezoidal}) {
    Random random(2);
    int copies = 0;
    for (int i = 0; i < 12; ++i) {
      const test::RedundancyTrial trial = test::try_any_order(random, preset(scheme));
      EXPECT_EQ(trial.error, "") << to_string(scheme) << " trial " << i;
      EXPECT_LE(trial.apart, 1e-9) << to_string(scheme) << " trial " << i;
      copies += trial.copies;
    }
    EXPECT_GT(copies, 24);
  }
}

/// A shaft along x with a disc, 0.6 kg m^2 about it, that a torque of 3 N m speeds up.
ModelBuilder shaft(double height) {
  ModelBuilder builder;
  const BodyId body = builder.add_body({.mass = 2.0, .inertia = Mat3(Vec3(0.6, 0.4, 0.4).asDiagonal())});
  builder.add_force({.body = body, .torque = VectorFormula(Vec3(3.0, 0.0, 0.0))});
  builder.add_joint({.kind = JointKind::revolute, .body = body, .anchor = {0.5, 0, 0}, .axis = {1, 0, 0}});
  builder.add_joint({.kind = JointKind::revolute, .body = body, .anchor = {-0.5, 0, height}, .axis = {1, 0, 0}});
  return builder;
}

// Bearings whose numbers have six digits miss each other by up to 1e-6 m, as much as the reader lets frames differ.
TEST(RedundantJoints, BearingsThatMissEachOtherByAMicrometreNeitherFailNorLock) {
  for (const Scheme scheme : {Scheme::stewart_trinkle, Scheme::anitescu_potra, Scheme::lotstedt}) {
    for (const double height : {1e-9, 1e-7, 1e-6}) {
      Simulator run(shaft(height).build().value(), {.h = 0.01, .end = 2.0, .scheme = preset(scheme)});
      const auto steps = run.run_until(2.0);
      ASSERT_TRUE(steps.ok()) << steps.error();
      EXPECT_NEAR(run.angular_velocity({0}).x(), 10.0, 1e-6) << to_string(scheme) << " " << height;
      EXPECT_LE(run.certificate().max_joint_error, 2.0 * height + 1e-11) << "what the bearings miss is measured";
    }
  }
}

// A millimetre is no mistake of writing: such bearings hold the shaft.
TEST(RedundantJoints, BearingsThatMissEachOtherByAMillimetreLock) {
  const Multibody system(shaft(1e-3).build().value());
  JointSet joints;
  system.find_joints(0.0, system.initial_positions(), joints);
  EXPECT_GE(joints.size(), 6);
}

/// Two wheels geared, a planet, a rack and a rolling ball, each said once or twice.
ModelBuilder gears(int times) {
  ModelBuilder builder;
  builder.set_gravity({0, 0, 0});
  const Mat3 inertia = 0.1 * Mat3::Identity();
  const BodyId a = builder.add_body({.mass = 1.0, .inertia = inertia, .angular_velocity = {0, 0, 2}});
  const BodyId b = builder.add_body({.mass = 1.0, .inertia = inertia, .position = {1, 0, 0}});
  const BodyId bar = builder.add_body({.mass = 1.0, .inertia = inertia, .position = {0, 1, 0}});
  const BodyId ball = builder.add_body(
      {.mass = 1.0, .inertia = inertia, .position = {3, 0, 0.5}, .velocity = {1, 0, 0}, .angular_velocity = {0, 2, 0}});
  for (int i = 0; i < times; ++i) {
    builder.add_joint({.kind = JointKind::revolute, .body = a, .anchor = {0, 0, 0.3 * i}});
    builder.add_joint({.kind = JointKind::revolute, .body = b, .anchor = {1, 0, -0.2 * i}});
    builder.add_joint({.kind = JointKind::prismatic, .body = bar, .anchor = {0.1 * i, 1, 0}, .axis = {1, 0, 0}});
    builder.add_joint({.kind = JointKind::gear, .body = a, .partner = b, .teeth = std::array<int, 2>{20, 30}});
    builder.add_joint({.kind = JointKind::gear, .body = b, .partner = a, .ratio = -2.0 / 3.0});
    builder.add_joint(
        {.kind = JointKind::rack, .body = a, .partner = bar, .partner_axis = Vec3(1, 0, 0), .radius = 0.5});
    builder.add_joint({.kind = JointKind::rolling_ball, .body = ball, .anchor = {3, 0, 0.5}, .radius = 0.5});
  }
  builder.add_force({.body = b, .torque = VectorFormula(Vec3(0.0, 0.0, 1.0))});
  builder.add_force({.body = ball, .force = VectorFormula(Vec3(0.3, 0.2, -1.0))});
  return builder;
}

TEST(RedundantJoints, GearsRailsAndRollingMayBeSaidTwice) {
  for (const Scheme scheme : {Scheme::stewart_trinkle, Scheme::anitescu_potra, Scheme::lotstedt}) {
    const SimulationOptions options{.h = 0.005, .end = 0.5, .scheme = preset(scheme)};
    Simulator once(gears(1).build().value(), options), thrice(gears(3).build().value(), options);
    const auto steps = once.run_until(options.end), again = thrice.run_until(options.end);
    ASSERT_TRUE(steps.ok()) << steps.error();
    ASSERT_TRUE(again.ok()) << again.error();
    EXPECT_LE((once.state().q - thrice.state().q).lpNorm<Eigen::Infinity>(), 1e-9) << to_string(scheme);
    EXPECT_LE((once.state().v - thrice.state().v).lpNorm<Eigen::Infinity>(), 1e-9) << to_string(scheme);
  }
}

// Two rods of one length that lie one on the other at the start could be one rod there; elsewhere they are two.
TEST(RedundantJoints, AStartInASingularPositionHidesNoJoint) {
  ModelBuilder builder;
  builder.set_gravity({0, -9.81, 0});
  const Mat3 inertia = 0.01 * Mat3::Identity();
  const auto bar = [&](const Vec3& position) {
    return builder.add_body({.mass = 1.0, .inertia = inertia, .position = position, .freedom = Freedom::planar()});
  };
  // A parallelogram folded flat: cranks from (0, 0) to (1, 0) and from (2, 0) to (3, 0), the coupler between them.
  const BodyId crank = bar({0.5, 0, 0}), other = bar({2.5, 0, 0}), coupler = bar({2.0, 0, 0});
  builder.add_joint({.kind = JointKind::revolute, .body = crank, .anchor = {0, 0, 0}});
  builder.add_joint({.kind = JointKind::revolute, .body = coupler, .partner = crank, .anchor = {1, 0, 0}});
  builder.add_joint({.kind = JointKind::revolute, .body = coupler, .partner = other, .anchor = {3, 0, 0}});
  builder.add_joint({.kind = JointKind::revolute, .body = other, .anchor = {2, 0, 0}});
  const Multibody system(builder.build().value());
  JointSet joints;
  system.find_joints(0.0, system.initial_positions(), joints);
  EXPECT_EQ(joints.size(), 8);
}

// Three bearings bear a shaft's weight in equal parts; the sum is what one would bear.
TEST(RedundantJoints, ShareTheLoadWithTheLeastSumOfSquares) {
  ModelBuilder builder;
  const BodyId body = builder.add_body({.mass = 3.0, .inertia = Mat3(Mat3::Identity())});
  for (const double x : {-0.5, 0.0, 0.5})
    builder.add_joint({.kind = JointKind::revolute, .body = body, .anchor = {x, 0, 0}, .axis = {1, 0, 0}});
  Simulator run(builder.build().value(), {.h = 0.01, .end = 0.1});
  ASSERT_TRUE(run.run_until(0.1).ok());
  const auto reactions = run.reactions();
  for (const Reaction& reaction : reactions) {
    EXPECT_NEAR((reaction.force - Vec3(0, 0, 9.81)).norm(), 0.0, 1e-9);
    EXPECT_NEAR(reaction.torque.norm(), 0.0, 1e-9);
  }
}

}  // namespace
}  // namespace stiction
