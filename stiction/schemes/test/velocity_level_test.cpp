#include "stiction/schemes/velocity_level.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "stiction/model/model_builder.h"
#include "stiction/model/multibody.h"
#include "stiction/schemes/test/flat_system.h"
#include "stiction/schemes/test/random_scene.h"
#include "stiction/schemes/time_stepper.h"

namespace stiction {
namespace {

using linalg::DenseMatrix;

constexpr double g = 10.0;

SchemeOptions velocity_options() {
  return preset(Scheme::anitescu_potra);
}

/// A point of mass 1 over the floor q >= 0.
FlatSystem point_over_floor(double restitution) {
  FlatSystem system(DenseMatrix::Identity(1, 1), Vector::Constant(1, -g));
  system.contacts.push_back({.n = Vector::Constant(1, 1.0), .restitution = restitution});
  return system;
}

State state_of(double q, double v) {
  return {0.0, Vector::Constant(1, q), Vector::Constant(1, v), Vector::Constant(1, v)};
}

int impacts(const StepReport& report) {
  return static_cast<int>(std::count_if(report.events.begin(), report.events.end(),
                                        [](const Event& event) { return event.kind == EventKind::impact; }));
}

// q + s (v - g s) = tolerance/2: the scheme's own motion over a part s of the step ends at the contact.
TEST(VelocityLevel, TheStepIsCutWhereTheCollisionIs) {
  const FlatSystem system = point_over_floor(0.5);
  const SchemeOptions options = velocity_options();
  TimeStepper stepper(system, options);
  const double q = 0.02, v = -3.0, h = 0.01;
  State state = state_of(q, v);
  StepReport report;
  ASSERT_TRUE(stepper.step(state, h, report));
  const double gap = q - 0.5 * options.contact_tolerance;
  const double part = (v + std::sqrt(v * v + 4.0 * g * gap)) / (2.0 * g);
  ASSERT_EQ(impacts(report), 1);
  EXPECT_NEAR(report.events[0].time, part, options.contact_tolerance / std::abs(v));
  // It hits at v - g s, leaves at half of that, and flies on for the rest of the step.
  const double after = -0.5 * (v - g * part) - g * (h - part);
  EXPECT_NEAR(state.v[0], after, 1e-6);
  EXPECT_NEAR(state.q[0], (h - part) * after, 1e-6);
  EXPECT_DOUBLE_EQ(state.t, h);
  EXPECT_EQ(report.penetration, 0.0);
}

TEST(VelocityLevel, AStepOfJustThatLengthEndsAtTheContact) {
  const FlatSystem system = point_over_floor(0.0);
  TimeStepper stepper(system, velocity_options());
  State state = state_of(0.02, -3.0);
  StepReport report;
  ASSERT_TRUE(stepper.step(state, 0.01, report));
  EXPECT_NEAR(state.q[0], 0.0, 1e-7);
  EXPECT_EQ(state.v[0], 0.0);
  EXPECT_EQ(impacts(report), 1);
  for (const double h : {0.002, 0.013, 1e-5}) {  // and stays, whatever the steps
    ASSERT_TRUE(stepper.step(state, h, report));
    EXPECT_NEAR(state.v[0], 0.0, 1e-15);
    EXPECT_NEAR(report.contacts.at(0).c_n, g * h, 1e-15);
    EXPECT_EQ(impacts(report), 0);
  }
}

// 1997, section 4: an initial velocity against a constraint is a collision.
TEST(VelocityLevel, AnInconsistentStartIsACollision) {
  for (const double depth : {0.0, 1e-4}) {  // in persistent penetration too: n'v <= 0 decides
    const FlatSystem system = point_over_floor(0.5);
    TimeStepper stepper(system, velocity_options());
    State state = state_of(-depth, -1.0);
    StepReport report;
    ASSERT_TRUE(stepper.step(state, 1e-3, report));
    ASSERT_EQ(impacts(report), 1);
    EXPECT_EQ(report.events[0].time, 0.0);
    EXPECT_NEAR(state.v[0], 0.5 - g * 1e-3, 1e-15);
    // Nothing calls this one when the body leaves while still inside.
    ASSERT_TRUE(stepper.step(state, 1e-3, report));
    EXPECT_EQ(impacts(report), 0);
    EXPECT_NEAR(state.v[0], 0.5 - 2.0 * g * 1e-3, 1e-15);
  }
}

TEST(VelocityLevel, BothPositionUpdates) {
  const FlatSystem system(DenseMatrix::Identity(1, 1), Vector::Constant(1, -g));
  for (const PositionUpdate update : {PositionUpdate::new_velocity, PositionUpdate::old_velocity}) {
    SchemeOptions options = velocity_options();
    options.position_update = update;
    TimeStepper stepper(system, options);
    State state = state_of(1.0, 2.0);
    StepReport report;
    ASSERT_TRUE(stepper.step(state, 0.1, report));
    EXPECT_DOUBLE_EQ(state.v[0], 1.0);
    EXPECT_DOUBLE_EQ(state.q[0], update == PositionUpdate::new_velocity ? 1.1 : 1.2);
  }
}

// The closed forms' case 1: infinitely many bounces end at sqrt(2 z/g) (1 + e)/(1 - e).
TEST(VelocityLevel, PassesTheEndOfInfinitelyManyBounces) {
  for (const PositionUpdate update : {PositionUpdate::new_velocity, PositionUpdate::old_velocity}) {
    const FlatSystem system = point_over_floor(0.5);
    SchemeOptions options = velocity_options();
    options.position_update = update;
    TimeStepper stepper(system, options);
    State state = state_of(1.0, 0.0);
    StepReport report;
    double last = 0.0;
    int bounces = 0;
    for (int step = 0; step < 2000; ++step) {
      ASSERT_TRUE(stepper.step(state, 1e-3, report)) << step;
      if (const int count = impacts(report)) {
        bounces += count;
        last = state.t;
      }
      ASSERT_LE(report.penetration, 1e-7);
    }
    const double end = std::sqrt(2.0 / g) * (1.0 + 0.5) / (1.0 - 0.5);
    // Euler's velocities are off by up to g h at an impact, with what is left of earlier ones by 2 g h: each flight by
    // 4 h. Below the threshold of 2 g h what is left takes 4 h/(1 - e).
    EXPECT_NEAR(last, end, 4e-3 * bounces + 8e-3);
    EXPECT_GE(bounces, 6);
    EXPECT_LE(bounces, 20);  // the explicit update gains height, so it has more of them
    EXPECT_NEAR(state.q[0], 0.0, 1e-7);
    EXPECT_NEAR(state.v[0], 0.0, 1e-12);
  }
}

TEST(VelocityLevel, TooManyEventsEndAsAPlasticStep) {
  // A point between two walls 1e-4 apart at 10 m/s: a thousand bounces a step.
  FlatSystem system(DenseMatrix::Identity(1, 1), Vector::Zero(1));
  system.contacts.push_back({.n = Vector::Constant(1, 1.0), .restitution = 1.0});
  system.contacts.push_back({.n = Vector::Constant(1, -1.0), .restitution = 1.0, .offset = -1e-4});
  SchemeOptions options = velocity_options();
  options.most_events = 7;
  TimeStepper stepper(system, options);
  State state = state_of(5e-5, 10.0);
  StepReport report;
  ASSERT_TRUE(stepper.step(state, 0.01, report));
  EXPECT_TRUE(report.certificate.certified());
  EXPECT_GE(impacts(report), 3);
  EXPECT_LE(impacts(report), 7);
  EXPECT_NEAR(state.v[0], 0.0, 0.01);  // stopped: it may approach the wall by no more than the gap in the step
  EXPECT_GE(state.q[0], -1e-6);
  EXPECT_LE(state.q[0], 1e-4 + 1e-6);
}

Model pendulum() {
  ModelBuilder builder;
  const BodyId bob = builder.add_body({.mass = 1.0,
                                       .inertia = Mat3(0.01 * Mat3::Identity()),
                                       .position = {1.0, 0.0, 0.0},
                                       .freedom = Freedom::planar()});
  builder.set_gravity({0.0, -9.81, 0.0});
  builder.add_joint(
      {.kind = JointKind::distance, .body = bob, .anchor = {1.0, 0.0, 0.0}, .partner_anchor = Vec3::Zero()});
  return builder.build().value();
}

TEST(VelocityLevel, StabilisationReducesDrift) {
  const auto drift = [](double stabilisation, GeometryAt geometry) {
    const Multibody system(pendulum());
    SchemeOptions options = velocity_options();
    options.stabilisation = stabilisation;
    options.geometry = geometry;
    TimeStepper stepper(system, options);
    State state = start_of(system);
    StepReport report;
    double worst = 0.0;
    for (int step = 0; step < 1000; ++step) {
      EXPECT_TRUE(stepper.step(state, 2e-3, report) && report.certificate.certified());
      worst = std::max(worst, report.joint_error);
    }
    return worst;
  };
  for (const GeometryAt geometry : {GeometryAt::start, GeometryAt::midpoint, GeometryAt::predicted}) {
    const double without = drift(0.0, geometry), half = drift(0.5, geometry), whole = drift(1.0, geometry);
    // Each step bends off the circle by (h v)^2/2 <= (2e-3 * 4.43)^2/2 = 4e-5 m (less at the midpoint), which theta
    // takes out again: 4e-5/theta stays.
    EXPECT_LE(half, 8e-5);
    EXPECT_LE(whole, 4e-5);
    EXPECT_GE(without, geometry == GeometryAt::midpoint ? 2.0 * whole : 100.0 * whole) << static_cast<int>(geometry);
  }
}

// A floor that rises carries what lies on it at its own speed, with and without stabilisation, wherever the geometry is
// evaluated: [Phi(q^, t^) - s h (n'v + dPhi/dt)]/h is the gap at the start.
TEST(VelocityLevel, AMovingFloorCarriesAtItsOwnSpeed) {
  for (const GeometryAt geometry : {GeometryAt::start, GeometryAt::midpoint, GeometryAt::predicted}) {
    for (const double stabilisation : {0.0, 0.5, 1.0}) {
      ModelBuilder builder;
      builder.add_body({.name = "lift", .shape = HalfSpace{}, .velocity = {0.0, 0.0, 0.5}, .kinematic = true});
      const BodyId ball = builder.add_body(
          {.mass = 1.0, .shape = Sphere{0.1}, .position = {0.0, 0.0, 0.1}, .velocity = {0.0, 0.0, 0.5}});
      const Multibody system(builder.build().value());
      SchemeOptions options = velocity_options();
      options.geometry = geometry;
      options.stabilisation = stabilisation;
      TimeStepper stepper(system, options);
      State state = start_of(system);
      StepReport report;
      for (int step = 0; step < 20; ++step) {
        ASSERT_TRUE(stepper.step(state, 0.01, report));
        EXPECT_NEAR(system.velocity(ball, state.t, state.q, state.v).z(), 0.5, 1e-9) << stabilisation;
      }
      EXPECT_NEAR(system.pose(ball, state.t, state.q).position.z(), 0.1 + 0.5 * state.t, 1e-8) << stabilisation;
    }
  }
}

// The same of a joint on a moving body.
TEST(VelocityLevel, AMovingAnchorCarriesAtItsOwnSpeed) {
  for (const double stabilisation : {0.0, 0.5, 1.0}) {
    ModelBuilder builder;
    const BodyId cart = builder.add_body({.name = "cart", .velocity = {0.7, 0.0, 0.0}, .kinematic = true});
    const BodyId bob = builder.add_body({.mass = 1.0, .inertia = Mat3(Mat3::Identity()), .velocity = {0.7, 0.0, 0.0}});
    builder.add_joint({.kind = JointKind::fixed, .body = bob, .partner = cart});
    const Multibody system(builder.build().value());
    SchemeOptions options = velocity_options();
    options.stabilisation = stabilisation;
    TimeStepper stepper(system, options);
    State state = start_of(system);
    StepReport report;
    for (int step = 0; step < 20; ++step) {
      ASSERT_TRUE(stepper.step(state, 0.01, report));
      EXPECT_NEAR(system.velocity(bob, state.t, state.q, state.v).x(), 0.7, 1e-9) << stabilisation;
    }
    EXPECT_LE(report.joint_error, 1e-9);
  }
}

// A collision may cut off a part of any length, and an error of position over a tiny time is any velocity:
// stabilisation goes by the length of the whole step.
TEST(VelocityLevel, StabilisationDoesNotBlowUpInShortParts) {
  FlatSystem system(DenseMatrix::Identity(2, 2), Vector::Zero(2));
  system.joint_rows.emplace_back((Vector(2) << 0.0, 1.0).finished(), 0.0);
  system.contacts.push_back({.n = (Vector(2) << 1.0, 0.0).finished(), .restitution = 0.5});
  SchemeOptions options = velocity_options();
  options.stabilisation = 0.5;
  TimeStepper stepper(system, options);
  const double h = 0.01, error = 1e-3;
  const Vector v = (Vector(2) << -1.0, 0.0).finished();
  State state{0.0, (Vector(2) << 1e-6, error).finished(), v, v};
  StepReport report;
  ASSERT_TRUE(stepper.step(state, h, report));
  EXPECT_LE(std::abs(state.v[1]), options.stabilisation * error / h * 1.001);
  EXPECT_NEAR(state.q[1], (1.0 - options.stabilisation) * error, 1e-6);
}

// DESIGN.md, section 4: only if nothing certifies is the stabilising term dropped, and the step says so. Here two
// joints ask for the same coordinate to be 0 and 1.
TEST(VelocityLevel, AContradictionIsRelaxed) {
  FlatSystem system(DenseMatrix::Identity(1, 1), Vector::Constant(1, -g));
  system.joint_rows.emplace_back(Vector::Constant(1, 1.0), 0.0);
  system.joint_rows.emplace_back(Vector::Constant(1, 1.0), 1.0);
  SchemeOptions options = velocity_options();
  options.stabilisation = 1.0;
  TimeStepper stepper(system, options);
  State state = state_of(0.3, 0.1);
  StepReport report;
  ASSERT_TRUE(stepper.step(state, 0.01, report));
  EXPECT_TRUE(report.relaxed);
  EXPECT_NEAR(state.v[0], 0.0, 1e-12);
  EXPECT_TRUE(report.certificate.certified());
}

}  // namespace
}  // namespace stiction
