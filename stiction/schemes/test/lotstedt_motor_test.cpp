#include <gtest/gtest.h>

#include <cmath>
#include <tuple>
#include <utility>

#include "stiction/model/model_builder.h"
#include "stiction/schemes/test/event_run.h"

/// Drives that share their load with others, contradict others, or change their velocity at once.
namespace stiction {
namespace {

const Mat3 inertia = 0.1 * Mat3::Identity();

TimeFormula formula(const char* text) {
  return TimeFormula(Expression::parse(text, time_variables).value());
}

BodyId add_block(ModelBuilder& builder, const Vec3& gravity) {
  builder.set_gravity(gravity);
  return builder.add_body({.mass = 1.0, .inertia = inertia});
}

JointDef slider(BodyId body, const Vec3& axis, const CoordinateDef& slide) {
  return {.kind = JointKind::prismatic, .body = body, .axis = axis, .slide = slide};
}

/// Impulses of the drives, in their order.
double drive_force(const EventRun& run, int drive, double h) {
  JointSet joints;
  run.system().find_joints(0.0, run.state().q, joints);
  return run.report().joint_impulses.at(static_cast<std::size_t>(joints.size() + drive)) / h;
}

// 25 N against a stop, and a motor of 4 N that holds: the stop bears 21 N, not half of all.
TEST(LotstedtMotor, AMotorAtAStopGivesNoMoreThanItCan) {
  ModelBuilder builder;
  const BodyId block = add_block(builder, {25, 0, 0});
  CoordinateDef slide;
  slide.limits = {-1.0, 0.0};
  slide.motor = MotorDef{.max_force = 4.0};
  builder.add_joint(slider(block, Vec3::UnitX(), slide));
  EventRun run(builder.build().value());
  run.until(0.1, 0.01);
  EXPECT_NEAR(drive_force(run, 0, 0.01), -4.0, 1e-9);
  ASSERT_EQ(run.report().contacts.size(), 1U);
  EXPECT_NEAR(run.report().contacts[0].c_n / 0.01, 21.0, 1e-9);
  EXPECT_TRUE(run.certificate().certified());
}

// 9.81 N on a slider with friction of 3 N and a weld: the friction is too weak for its half.
TEST(LotstedtMotor, FrictionBesideAWeldTakesWhatItCan) {
  ModelBuilder builder;
  const BodyId block = add_block(builder, {0, 0, -9.81});
  CoordinateDef slide;
  slide.friction = 3.0;
  builder.add_joint(slider(block, Vec3::UnitZ(), slide));
  builder.add_joint({.kind = JointKind::fixed, .body = block});
  EventRun run(builder.build().value());
  run.until(0.1, 0.01);
  EXPECT_NEAR(drive_force(run, 0, 0.01), 3.0, 1e-9);
  EXPECT_NEAR(run.state().v.norm(), 0.0, 1e-12);
}

// Frictions of 1 and 4 N m on one axis under 6 t: one is at its bound from 1/3 s on where they share, both slip at 5/6.
TEST(LotstedtMotor, TwoFrictionsOnOneAxisSlipTogether) {
  for (const double h : {0.01, 0.07}) {
    ModelBuilder builder;
    builder.set_gravity(Vec3::Zero());
    const BodyId door = builder.add_body({.mass = 10.0, .inertia = Mat3(Mat3::Identity()), .position = {0.5, 0, 0.5}});
    for (const double z : {0.0, 1.0}) {
      CoordinateDef turn;
      turn.friction = z == 0.0 ? 1.0 : 4.0;
      builder.add_joint({.body = door, .anchor = {0, 0, z}, .axis = Vec3::UnitZ(), .turn = turn});
    }
    const Expression none = Expression::constant(0.0);
    const Expression ramp = Expression::parse("6*t", force_variables).value();
    builder.add_force({.body = door, .torque = VectorFormula({none, none, ramp})});
    EventRun run(builder.build().value());
    run.until(0.5, h);
    // Over the last 10 ms.
    run.until(0.51, 0.01);
    EXPECT_NEAR(drive_force(run, 0, 0.01), -1.0, 1e-9);
    EXPECT_NEAR(drive_force(run, 1, 0.01), -(6.0 * 0.505 - 1.0), 1e-9);
    run.until(1.5, h);
    ASSERT_EQ(run.events().size(), 2U);
    for (const Event& event : run.events()) {
      EXPECT_EQ(event.kind, EventKind::slip);
      EXPECT_NEAR(event.time, 5.0 / 6.0, 1e-8);
    }
    // 3.5 kg m^2 about the hinges.
    EXPECT_NEAR(run.state().v[5], 3.0 * std::pow(1.5 - 5.0 / 6.0, 2) / 3.5, 1e-9);
  }
}

// A motor without bounds whose velocity jumps by 1 m/s: an impulse of 1 N s, where a step ends or within one.
TEST(LotstedtMotor, AVelocityThatJumpsIsAnImpulse) {
  for (const auto& [text, way] : {std::pair{"step(t-0.25)", 0.25}, {"step(t-0.2533)", 0.2467}}) {
    ModelBuilder builder;
    const BodyId block = add_block(builder, Vec3::Zero());
    CoordinateDef slide;
    slide.motor = MotorDef{.velocity = formula(text)};
    builder.add_joint(slider(block, Vec3::UnitX(), slide));
    EventRun run(builder.build().value());
    double impulse = 0.0;
    for (int i = 1; i <= 50; ++i) {
      run.until(0.01 * i, 0.01);
      impulse += drive_force(run, 0, 1.0);
    }
    EXPECT_NEAR(impulse, 1.0, 1e-9);
    EXPECT_NEAR(run.velocity(block).x(), 1.0, 1e-12);
    EXPECT_NEAR(run.place(block).x(), way, 1e-9);
  }
}

// Two motors on one slider, and one that a weld forbids.
TEST(LotstedtMotor, MotorsThatContradictOthersAreRefused) {
  for (const auto& [first, second, fits] : {std::tuple{"1", "1", true}, {"1", "2", false}, {"t", "2*t", false}}) {
    ModelBuilder builder;
    const BodyId block = add_block(builder, Vec3::Zero());
    for (const char* text : {first, second}) {
      CoordinateDef slide;
      slide.motor = MotorDef{.velocity = formula(text)};
      builder.add_joint(slider(block, Vec3::UnitX(), slide));
    }
    const Multibody system(builder.build().value());
    TimeStepper stepper(system, preset(Scheme::lotstedt));
    State state{0.0, system.initial_positions(), system.initial_velocities(), system.initial_velocities()};
    StepReport report;
    EXPECT_EQ(stepper.step(state, 0.01, report), fits) << first << " " << second;
    EXPECT_TRUE(report.forces_are_finite);
  }
  ModelBuilder builder;
  const BodyId block = add_block(builder, Vec3::Zero());
  CoordinateDef slide;
  slide.motor = MotorDef{.velocity = 0.5};
  builder.add_joint(slider(block, Vec3::UnitX(), slide));
  builder.add_joint({.kind = JointKind::fixed, .body = block});
  const Multibody system(builder.build().value());
  TimeStepper stepper(system, preset(Scheme::lotstedt));
  State state{0.0, system.initial_positions(), system.initial_velocities(), system.initial_velocities()};
  StepReport report;
  EXPECT_FALSE(stepper.step(state, 0.01, report));
  EXPECT_TRUE(report.forces_are_finite);
}

}  // namespace
}  // namespace stiction
