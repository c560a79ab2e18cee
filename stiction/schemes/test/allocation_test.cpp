#include <gtest/gtest.h>

#include "stiction/base/test/allocation_hooks.h"
#include "stiction/model/model_builder.h"
#include "stiction/model/multibody.h"
#include "stiction/schemes/time_stepper.h"

namespace stiction {
namespace {

/// A box that rests, a log that slides, a ball that spins where it lies, a pendulum and a spring: nothing changes but
/// numbers. Facets that turn follow any sliding; others stay the same only where it keeps its direction.
Multibody steady_scene(bool turns) {
  ModelBuilder builder;
  builder.add_ground(HalfSpace{}, {.mu = 0.5, .restitution = 0.0});
  const BodyId rests =
      builder.add_body({.name = "rests", .mass = 1.0, .shape = Box{0.2, 0.3, 0.2}, .position = {0.0, 0.0, 0.1}});
  const BodyId slides = builder.add_body({.name = "slides",
                                          .mass = 1.0,
                                          .shape = Capsule{0.1, 0.4, Vec3::UnitX()},
                                          .position = {3.0, 0.0, 0.1},
                                          .velocity = {10.0, turns ? 1.0 : 0.0, 0.0}});
  builder.add_body({.name = "spins",
                    .mass = 1.0,
                    .shape = Sphere{0.1},
                    .position = {0.0, 3.0, 0.1},
                    .angular_velocity = {0.0, 0.0, 5.0}});
  const BodyId bob = builder.add_body({.name = "bob", .mass = 1.0, .shape = Sphere{0.1}, .position = {0.0, 9.0, 3.0}});
  builder.ignore_pair(rests, slides);
  builder.add_joint({.name = "pivot", .body = bob, .anchor = {1.0, 9.0, 3.0}});
  builder.add_spring({.body = bob, .anchor = {0.0, 9.0, 3.0}, .partner_anchor = {0.0, 9.0, 5.0}, .stiffness = 5.0});
  return Multibody(builder.build().value());
}

void expect_no_allocation(const SchemeOptions& options) {
  const Multibody system = steady_scene(options.cone.turn);
  TimeStepper stepper(system, options);
  State state;
  state.q = system.initial_positions();
  state.v = state.v_alpha = system.initial_velocities();
  StepReport report;
  for (int step = 0; step < 200; ++step) ASSERT_TRUE(stepper.step(state, 1e-3, report)) << step;
  EXPECT_GE(report.contacts.size(), 7U);
  for (int step = 0; step < 100; ++step) {
    const AllocationCounter counter;
    const bool solved = stepper.step(state, 1e-3, report);
    const long taken = counter.count();
    ASSERT_TRUE(solved) << step;
    for (const Event& event : report.events)
      ADD_FAILURE() << "not steady: " << to_string(event.kind) << " of " << system.contact_name(event.contact)
                    << ", step " << step;
    ASSERT_EQ(taken, 0) << "step " << step;
  }
}

TEST(SchemeAllocation, SteadyStepsTakeNothingFromTheHeap) {
  if (!AllocationCounter::works()) GTEST_SKIP() << "this build has another malloc";
  for (const Scheme scheme :
       {Scheme::stewart_trinkle, Scheme::anitescu_potra, Scheme::trapezoidal, Scheme::implicit_euler}) {
    SchemeOptions options = preset(scheme);
    expect_no_allocation(options);
    options.cone.turn = false;
    expect_no_allocation(options);
    options.linear = true;
    expect_no_allocation(options);
  }
}

// Between events: a pendulum on a spring, a box that lies still on four redundant corners, a ball that slides.
TEST(SchemeAllocation, TheEventDrivenMethodTakesNothingBetweenEvents) {
  if (!AllocationCounter::works()) GTEST_SKIP() << "this build has another malloc";
  ModelBuilder builder;
  const Material smooth{.mu = 0.0};
  builder.add_ground(HalfSpace{}, smooth);
  const BodyId rests = builder.add_body(
      {.name = "rests", .mass = 1.0, .shape = Box{0.2, 0.3, 0.2}, .material = smooth, .position = {0.0, 0.0, 0.1}});
  const BodyId slides = builder.add_body({.name = "slides",
                                          .mass = 1.0,
                                          .shape = Sphere{0.1},
                                          .material = smooth,
                                          .position = {3.0, 0.0, 0.1},
                                          .velocity = {1.0, 0.5, 0.0}});
  const BodyId bob =
      builder.add_body({.name = "bob", .mass = 1.0, .position = {0.0, 9.0, 3.0}, .freedom = Freedom::particle()});
  builder.ignore_pair(rests, slides);
  builder.add_joint({.kind = JointKind::distance, .body = bob, .anchor = {0, 9, 3}, .partner_anchor = Vec3(1, 9, 3)});
  builder.add_spring({.body = bob, .anchor = {0.0, 9.0, 3.0}, .partner_anchor = {0.0, 9.0, 5.0}, .stiffness = 5.0});
  const Multibody system(builder.build().value());
  TimeStepper stepper(system, preset(Scheme::lotstedt));
  State state{0.0, system.initial_positions(), system.initial_velocities(), system.initial_velocities()};
  StepReport report;
  for (int step = 0; step < 50; ++step) ASSERT_TRUE(stepper.step(state, 1e-2, report)) << step;
  EXPECT_EQ(report.contacts.size(), 5U);
  for (int step = 0; step < 50; ++step) {
    const AllocationCounter counter;
    const bool solved = stepper.step(state, 1e-2, report);
    const long taken = counter.count();
    ASSERT_TRUE(solved) << step;
    EXPECT_TRUE(report.events.empty());
    ASSERT_EQ(taken, 0) << "step " << step;
  }
}

}  // namespace
}  // namespace stiction
