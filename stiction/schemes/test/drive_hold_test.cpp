// Motors that come to their speed, impacts without an answer, and projection at rest, against closed forms.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "stiction/model/model_builder.h"
#include "stiction/schemes/test/event_run.h"

namespace stiction {
namespace {

constexpr double g = 9.81, h = 1e-3;

/// 1 kg lifted along z by a motor of up to 15 N.
ModelBuilder lift(const TimeFormula& speed) {
  ModelBuilder builder;
  const BodyId body = builder.add_body({.mass = 1.0, .inertia = 0.1 * Mat3::Identity()});
  CoordinateDef slide;
  slide.motor = MotorDef{.velocity = speed, .max_force = 15.0};
  builder.add_joint({.kind = JointKind::prismatic, .body = body, .slide = slide});
  return builder;
}

/// Largest deviation of the motor's mean force from an expected one in the steps to come.
double off_until(EventRun& run, double end, double (*expected)(double middle)) {
  double off = 0.0;
  while (end - run.state().t > 1e-9) {
    const double start = run.state().t;
    run.until(start + h, h);
    off = std::max(off, std::abs(run.report().joint_impulses.back() / h - expected(start + 0.5 * h)));
  }
  return off;
}

// With 15 N - m g it comes to 1 m/s after 1/5.19 s, and is held there with m g.
TEST(DriveHold, AMotorThatComesToItsSpeedHoldsItSmoothly) {
  EventRun run(lift(TimeFormula(1.0)).build().value(), preset(Scheme::trapezoidal));
  const double reached = 1.0 / (15.0 - g);
  run.until(0.2, h);
  EXPECT_LE(off_until(run, 0.5, [](double) { return g; }), 1e-7);
  EXPECT_NEAR(run.velocity({0}).z(), 1.0, 1e-10);
  EXPECT_NEAR(run.place({0}).z(), 0.5 - 0.5 * reached, 1e-9);
}

// Asked for 1 + t m/s it comes to it at 1/4.19 s and goes on with m (g + 1).
TEST(DriveHold, SoDoesOneWhoseSpeedChanges) {
  const TimeFormula ramp(Expression::parse("1 + t", time_variables).value());
  EventRun run(lift(ramp).build().value(), preset(Scheme::trapezoidal));
  run.until(0.25, h);
  EXPECT_LE(off_until(run, 0.5, [](double) { return g + 1.0; }), 1e-6);
  EXPECT_NEAR(run.velocity({0}).z(), 1.5, 1e-9);
}

// A ball on a ratchet meets a wall: Newton's law sends it back, the ratchet forbids it. It stops.
TEST(ImpactWithoutAnAnswer, IsPlastic) {
  for (const Scheme scheme :
       {Scheme::anitescu_potra, Scheme::trapezoidal, Scheme::moreau_midpoint, Scheme::implicit_euler}) {
    ModelBuilder builder;
    builder.set_gravity({0, 0, 0});
    const Material bouncy{.mu = 0.0, .restitution = 0.5};
    builder.add_body({.shape = Box{1.0, 1.0, 1.0}, .material = bouncy, .position = {1, 0, 0}, .fixed = true});
    const BodyId ball = builder.add_body({.mass = 1.0,
                                          .inertia = 0.1 * Mat3::Identity(),
                                          .shape = Sphere{0.1},
                                          .material = bouncy,
                                          .velocity = {1, 0, 0}});
    CoordinateDef slide;
    slide.one_way = true;
    builder.add_joint({.kind = JointKind::prismatic, .body = ball, .axis = {1, 0, 0}, .slide = slide});
    SchemeOptions options = preset(scheme);
    options.impact = ImpactLaw::newton;
    EventRun run(builder.build().value(), options);
    bool is_relaxed = false;
    while (run.state().t < 0.6 && !testing::Test::HasFatalFailure()) {
      run.until(run.state().t + h, h);
      is_relaxed = is_relaxed || run.report().relaxed;
    }
    EXPECT_TRUE(is_relaxed) << to_string(scheme) << ": it is said";
    EXPECT_NEAR(run.place({1}).x(), 0.4, 1e-6) << to_string(scheme);
    EXPECT_NEAR(run.velocity({1}).x(), 0.0, 1e-9) << to_string(scheme);
    ASSERT_FALSE(run.events().empty());
    EXPECT_EQ(run.events()[0].kind, EventKind::impact);
    EXPECT_NEAR(run.events()[0].time, 0.4, 1e-6);
  }
}

// v^2/(2 mu g) further on it lies, and goes on lying there.
TEST(ProjectionAtRest, LeavesWhatRestsAlone) {
  for (const Scheme scheme : {Scheme::trapezoidal, Scheme::moreau_midpoint, Scheme::implicit_euler}) {
    for (const double speed : {0.0, 1.0}) {
      ModelBuilder builder;
      const Material rough{.mu = 0.3};
      builder.add_body({.shape = HalfSpace{}, .material = rough, .fixed = true});
      builder.add_body({.mass = 1.0,
                        .shape = Sphere{0.1},
                        .material = rough,
                        .position = {0, 0, 0.1},
                        .velocity = {speed, 0, 0},
                        .freedom = Freedom::particle()});
      SchemeOptions options = preset(scheme);
      options.projection = true;
      EventRun run(builder.build().value(), options);
      run.until(0.5, h);
      EXPECT_NEAR(run.place({1}).x(), speed * speed / (0.6 * g), speed * h) << to_string(scheme);
      EXPECT_NEAR(run.velocity({1}).norm(), 0.0, 1e-9) << to_string(scheme);
    }
  }
}

}  // namespace
}  // namespace stiction
