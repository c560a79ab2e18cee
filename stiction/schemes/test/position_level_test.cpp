#include "stiction/schemes/position_level.h"

#include <gtest/gtest.h>

#include <cmath>

#include "stiction/model/model_builder.h"
#include "stiction/model/multibody.h"
#include "stiction/schemes/test/flat_system.h"
#include "stiction/schemes/test/random_scene.h"
#include "stiction/schemes/time_stepper.h"

namespace stiction {
namespace {

using linalg::DenseMatrix;

SchemeOptions position_options(GeometryAt geometry) {
  SchemeOptions options = preset(Scheme::stewart_trinkle);
  options.geometry = geometry;
  options.linear = geometry != GeometryAt::end && geometry != GeometryAt::average;
  return options;
}

constexpr GeometryAt everywhere[] = {GeometryAt::start, GeometryAt::midpoint, GeometryAt::predicted, GeometryAt::end,
                                     GeometryAt::average};

/// A point over the floor q >= 0.
FlatSystem point_over_floor() {
  FlatSystem system(DenseMatrix::Identity(1, 1), Vector::Constant(1, -10.0));
  system.contacts.push_back({.n = Vector::Constant(1, 1.0), .restitution = 0.9});
  return system;
}

// 1996, (14): v+ = max(v + h k/m, -(q - alpha_0)/h): lands on the floor at the end of the step, without an event, and
// does not bounce, whatever the restitution.
TEST(PositionLevel, LandsAtTheEndOfTheStep) {
  for (const GeometryAt geometry : everywhere) {
    const FlatSystem system = point_over_floor();
    TimeStepper stepper(system, position_options(geometry));
    const double h = 0.01;
    State state{0.0, Vector::Constant(1, 0.02), Vector::Constant(1, -3.0), Vector::Constant(1, -3.0)};
    StepReport report;
    ASSERT_TRUE(stepper.step(state, h, report));
    EXPECT_NEAR(state.v[0], -2.0, 1e-12);
    EXPECT_NEAR(state.q[0], 0.0, 1e-14);
    EXPECT_NEAR(report.contacts.at(0).c_n, 1.0 + 0.1, 1e-12);  // what slows it from -3.1 to -2
    ASSERT_TRUE(stepper.step(state, h, report));
    EXPECT_NEAR(state.v[0], 0.0, 1e-12);
    EXPECT_NEAR(report.contacts.at(0).c_n, 2.0 + 0.1, 1e-12);
    ASSERT_TRUE(stepper.step(state, h, report));
    EXPECT_NEAR(report.contacts.at(0).c_n, 0.1, 1e-12);
    EXPECT_TRUE(report.converged);
  }
}

// A point between a floor and a ceiling that overlap: no place is outside both, of whatever length the step is. It goes
// without its position part, says so, and sinks into neither.
TEST(PositionLevel, AContradictionIsRelaxed) {
  for (const GeometryAt geometry : everywhere) {
    FlatSystem system = point_over_floor();
    system.contacts.push_back({.n = Vector::Constant(1, -1.0), .offset = 1e-5});
    TimeStepper stepper(system, position_options(geometry));
    State state{0.0, Vector::Constant(1, -5e-6), Vector::Zero(1), Vector::Zero(1)};
    StepReport report;
    for (int i = 0; i < 5; ++i) {
      ASSERT_TRUE(stepper.step(state, 0.01, report));
      EXPECT_TRUE(report.relaxed);
      EXPECT_EQ(report.parts, 1);
      EXPECT_TRUE(report.certificate.certified());
      EXPECT_NEAR(state.q[0], -5e-6, 1e-15);
      if (geometry == GeometryAt::end) {
        EXPECT_EQ(report.solves, i == 0 ? 8 : 4) << "a jam that lasts is asked once more";
      }
    }
  }
}

// A ball between such a floor and ceiling, and a pendulum far from it, whose joint once drifted by centimetres because
// the ball's jam took the position part from all.
TEST(PositionLevel, AJamLeavesTheOthersAlone) {
  ModelBuilder builder;
  builder.add_ground(HalfSpace{}, {.mu = 0.3});
  const BodyId ceiling = builder.add_body({.shape = HalfSpace{-Vec3::UnitZ(), -0.1999}, .fixed = true});
  builder.add_body({.mass = 1.0, .shape = Sphere{0.1}, .position = {0.0, 0.0, 0.09995}});
  const BodyId bob = builder.add_body({.mass = 1.0, .shape = Sphere{0.05}, .position = {5.0, 0.0, 10.0}});
  builder.ignore_pair(ceiling, bob);
  builder.add_joint(
      {.kind = JointKind::distance, .body = bob, .anchor = {5.0, 0.0, 10.0}, .partner_anchor = Vec3(4.0, 0.0, 10.0)});
  const Multibody system(builder.build().value());
  TimeStepper stepper(system, preset(Scheme::stewart_trinkle));
  State state = start_of(system);
  StepReport report;
  for (int i = 0; i < 100; ++i) {
    ASSERT_TRUE(stepper.step(state, 0.005, report));
    EXPECT_TRUE(report.relaxed);
    EXPECT_TRUE(report.converged);
    EXPECT_TRUE(report.certificate.certified());
    EXPECT_LE(report.joint_error, 1e-12);
    EXPECT_NEAR(report.penetration, 0.00005, 1e-9);
  }
}

// A force that is no number has no problem that could be posed without its position part.
TEST(PositionLevel, AForceThatIsNoNumberFailsTheFirstStep) {
  const FlatSystem system(DenseMatrix::Identity(1, 1), Vector::Constant(1, std::nan("")));
  TimeStepper stepper(system, position_options(GeometryAt::end));
  State state{0.0, Vector::Constant(1, 1.0), Vector::Zero(1), Vector::Zero(1)};
  StepReport report;
  EXPECT_FALSE(stepper.step(state, 0.01, report));
  EXPECT_FALSE(report.forces_are_finite);
  EXPECT_FALSE(report.relaxed);
  EXPECT_EQ(state.q[0], 1.0);
}

// A step that is short of iterations is as honest: it fails, or says that it went without.
TEST(PositionLevel, AContradictionWithFewIterationsIsToldToo) {
  for (int most = 1; most <= 9; ++most) {
    FlatSystem system = point_over_floor();
    system.contacts.push_back({.n = Vector::Constant(1, -1.0), .offset = 1e-5});
    SchemeOptions options = position_options(GeometryAt::end);
    options.most_iterations = most;
    TimeStepper stepper(system, options);
    State state{0.0, Vector::Constant(1, -5e-6), Vector::Zero(1), Vector::Zero(1)};
    StepReport report;
    const bool solved = stepper.step(state, 0.01, report);
    EXPECT_TRUE(!solved || report.relaxed) << most;
    EXPECT_EQ(solved, most > 1) << most;
  }
}

// k is taken at q + h v/2, 1996 (14): on a spring that is k (q + h v/2).
TEST(PositionLevel, ForcesAreThoseOfTheMidpoint) {
  ModelBuilder builder;
  builder.set_gravity(Vec3::Zero());
  const BodyId body = builder.add_body({.mass = 2.0,
                                        .inertia = Mat3(Mat3::Identity()),
                                        .position = {1.0, 0.0, 0.0},
                                        .velocity = {0.5, 0.0, 0.0},
                                        .freedom = Freedom::along_x()});
  builder.add_spring({.body = body, .anchor = {1.0, 0.0, 0.0}, .stiffness = 8.0, .length = 0.25});
  const Multibody system(builder.build().value());
  TimeStepper stepper(system, preset(Scheme::stewart_trinkle));
  State state = start_of(system);
  StepReport report;
  ASSERT_TRUE(stepper.step(state, 0.1, report));
  EXPECT_NEAR(state.v[0], 0.5 - 0.1 * 8.0 * (1.0 + 0.1 * 0.5 / 2.0 - 0.25) / 2.0, 1e-15);
  EXPECT_NEAR(state.q[0], 1.0 + 0.1 * state.v[0], 1e-15);
}

/// A box that lands on an edge, tumbling: its corners move on curves.
Model tumbling_box() {
  ModelBuilder builder;
  builder.add_ground(HalfSpace{}, {.mu = 0.4});
  builder.add_body({.mass = 1.0,
                    .shape = Box{0.2, 0.3, 0.4},
                    .material = {.mu = 0.4},
                    .position = {0.0, 0.0, 0.32},
                    .orientation = exponential(Vec3(0.5, 0.3, 0.1)),
                    .velocity = {0.5, 0.1, -1.0},
                    .angular_velocity = {3.0, -4.0, 2.0}});
  return builder.build().value();
}

TEST(PositionLevel, TheNonlinearSchemeDoesNotPenetrate) {
  for (const GeometryAt geometry : {GeometryAt::end, GeometryAt::average}) {
    const Multibody system(tumbling_box());
    TimeStepper stepper(system, position_options(geometry));
    State state = start_of(system);
    StepReport report;
    double deepest = 0.0;
    long contacts = 0;
    for (int step = 0; step < 150; ++step) {
      ASSERT_TRUE(stepper.step(state, 5e-3, report)) << step;
      EXPECT_TRUE(report.converged) << step;
      EXPECT_TRUE(report.certificate.certified()) << step;
      GapSet gaps;
      system.find_gaps(state.t, state.q, 1.0, gaps);
      for (const ContactPoint& contact : gaps.contacts) {
        EXPECT_GE(contact.Phi, -1e-10) << step;
        deepest = std::max(deepest, -contact.Phi);
        // Complementary at q+: what pushes is closed there.
        for (const ContactRecord& record : report.contacts) {
          const bool pushes = record.geometry.id == contact.id && record.c_n > 0.0;
          EXPECT_TRUE(!pushes || contact.Phi <= 1e-10) << step;
        }
      }
      EXPECT_NEAR(report.penetration, std::max(0.0, deepest), 1e-10);
      contacts += static_cast<long>(report.contacts.size());
    }
    EXPECT_GT(contacts, 100);
  }
}

// The linear scheme sees the corners' arcs as straight: what pushes is off the floor by at most arm (omega h)^2 and the
// like, and smaller steps make it better by their square.
TEST(PositionLevel, TheLinearSchemeIsOffByOrderTwo) {
  const auto farthest = [](double h, GeometryAt geometry) {
    const Multibody system(tumbling_box());
    TimeStepper stepper(system, position_options(geometry));
    State state = start_of(system);
    StepReport report;
    GapSet gaps;
    double off = 0.0;
    for (int step = 0; step < std::lround(0.3 / h); ++step) {
      EXPECT_TRUE(stepper.step(state, h, report));
      system.find_gaps(state.t, state.q, 1.0, gaps);
      for (const ContactRecord& record : report.contacts)
        if (record.c_n > 0.0) off = std::max(off, std::abs(gaps.contacts[gaps.find(record.geometry.id)].Phi));
    }
    // Angular speeds stay below 20 rad/s, arms below 0.27 m; the velocity may change wholly in a step.
    EXPECT_LE(off, 0.27 * std::pow(20.0 * h, 2));
    return off;
  };
  for (const GeometryAt geometry : {GeometryAt::start, GeometryAt::midpoint, GeometryAt::predicted}) {
    const double coarse = farthest(4e-3, geometry), fine = farthest(1e-3, geometry);
    EXPECT_GT(coarse, 1e-6) << static_cast<int>(geometry);  // or the nonlinear test would show nothing
    EXPECT_LT(fine, coarse / 4.0) << static_cast<int>(geometry);
  }
}

TEST(PositionLevel, JointsHoldAtTheEndOfTheStep) {
  ModelBuilder builder;
  builder.set_gravity({0.0, -9.81, 0.0});
  const BodyId bob = builder.add_body({.mass = 1.0,
                                       .inertia = Mat3(0.01 * Mat3::Identity()),
                                       .position = {1.0, 0.0, 0.0},
                                       .freedom = Freedom::planar()});
  builder.add_joint({.kind = JointKind::revolute, .body = bob});
  const Multibody system(builder.build().value());
  for (const GeometryAt geometry : everywhere) {
    TimeStepper stepper(system, position_options(geometry));
    State state = start_of(system);
    StepReport report;
    double worst = 0.0;
    for (int step = 0; step < 200; ++step) {
      ASSERT_TRUE(stepper.step(state, 5e-3, report));
      worst = std::max(worst, report.joint_error);
    }
    // One linearisation misses by at most (h v)^2 = (5e-3 * 4.5)^2.
    EXPECT_LE(worst, position_options(geometry).linear ? 5.1e-4 : 1e-12) << static_cast<int>(geometry);
  }
}

// 1996, section 4: a contact that the prediction does not see is found at q+ and the step solved again.
TEST(PositionLevel, ContactsMissedByThePredictionAreAdded) {
  // Two floors at right angles: the push of the first drives the point through the second within the step.
  FlatSystem system(DenseMatrix::Identity(2, 2), Vector::Zero(2));
  const auto row = [](double x, double y) { return Vector((Vector(2) << x, y).finished()); };
  system.contacts.push_back({.n = row(-std::sqrt(0.5), std::sqrt(0.5)), .offset = 0.0});  // a slope that pushes left
  system.contacts.push_back({.n = row(1.0, 0.0), .offset = -0.001});                      // a wall on the left
  for (const GeometryAt geometry : everywhere) {
    TimeStepper stepper(system, position_options(geometry));
    State state{0.0, row(0.0, 0.0), row(0.0, -1.0), row(0.0, -1.0)};
    StepReport report;
    ASSERT_TRUE(stepper.step(state, 0.01, report));
    EXPECT_GE(state.q[0], -0.001 - 1e-12);
    EXPECT_GE(report.solves, 2);
    EXPECT_TRUE(report.certificate.certified());
  }
}

TEST(PositionLevel, AKinematicFloorCarries) {
  for (const GeometryAt geometry : everywhere) {
    ModelBuilder builder;
    builder.add_body({.name = "lift", .shape = HalfSpace{}, .velocity = {0.0, 0.0, 0.5}, .kinematic = true});
    const BodyId ball = builder.add_body({.mass = 1.0, .shape = Sphere{0.1}, .position = {0.0, 0.0, 0.1}});
    const Multibody system(builder.build().value());
    TimeStepper stepper(system, position_options(geometry));
    State state = start_of(system);
    StepReport report;
    for (int step = 0; step < 10; ++step) {
      ASSERT_TRUE(stepper.step(state, 0.01, report));
      EXPECT_NEAR(system.velocity(ball, state.t, state.q, state.v).z(), 0.5, 1e-9) << static_cast<int>(geometry);
    }
    EXPECT_NEAR(system.pose(ball, state.t, state.q).position.z(), 0.1 + 0.5 * state.t, 1e-11);
  }
}

}  // namespace
}  // namespace stiction
