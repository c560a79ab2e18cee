#include "stiction/schemes/time_stepper.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "stiction/model/model_builder.h"
#include "stiction/model/multibody.h"
#include "stiction/schemes/test/random_scene.h"

namespace stiction {
namespace {

/// A ball or block thrown along a floor.
Model thrown(double height, double mu) {
  ModelBuilder builder;
  builder.add_ground(HalfSpace{}, {.mu = mu});
  builder.add_body({.mass = 1.0,
                    .inertia = Mat3(Mat3::Identity()),
                    .shape = Sphere{0.1},
                    .material = {.mu = mu},
                    .position = {0.0, 0.0, 0.1 + height},
                    .velocity = {0.5, 0.0, 0.0},
                    .freedom = Freedom::particle()});
  return builder.build().value();
}

int count(const StepReport& report, EventKind kind) {
  return static_cast<int>(std::count_if(report.events.begin(), report.events.end(),
                                        [&](const Event& event) { return event.kind == kind; }));
}

TEST(TimeStepper, TellsOfImpactSlipStickAndTakeOff) {
  for (const Scheme scheme : {Scheme::stewart_trinkle, Scheme::anitescu_potra}) {
    const Multibody system(thrown(0.05, 0.5));
    TimeStepper stepper(system, preset(scheme));
    EXPECT_EQ(stepper.options().scheme, scheme);
    State state = start_of(system);
    StepReport report;
    int impacts = 0, sticks = 0, others = 0;
    double stopped = 0.0;
    for (int step = 0; step < 300; ++step) {
      ASSERT_TRUE(stepper.step(state, 1e-3, report));
      impacts += count(report, EventKind::impact);
      sticks += count(report, EventKind::stick);
      if (count(report, EventKind::stick) > 0) stopped = state.t;
      others += count(report, EventKind::take_off) + count(report, EventKind::slip);
    }
    EXPECT_EQ(impacts, 1);
    EXPECT_EQ(sticks, 1);
    EXPECT_EQ(others, 0);
    EXPECT_NEAR(state.v[0], 0.0, 1e-15);
    // It falls for sqrt(2 z/g); the landing at sqrt(2 g z) = 0.99 m/s takes 0.5 * 0.99 < 0.5 of its speed.
    const double fall = std::sqrt(2.0 * 0.05 / 9.81);
    EXPECT_NEAR(stopped, fall + (0.5 - 0.5 * 9.81 * fall) / (0.5 * 9.81), 5e-3);

    state.v[0] = 0.3;  // pushed again: it slips; then thrown up: it takes off
    ASSERT_TRUE(stepper.step(state, 1e-3, report));
    EXPECT_EQ(count(report, EventKind::slip), 1);
    state.v[2] = 1.0;
    ASSERT_TRUE(stepper.step(state, 1e-3, report));
    EXPECT_EQ(count(report, EventKind::take_off), 1);
  }
}

TEST(TimeStepper, StepsMayVary) {
  for (const Scheme scheme : {Scheme::stewart_trinkle, Scheme::anitescu_potra}) {
    const Multibody system(thrown(0.0, 0.0));
    TimeStepper stepper(system, preset(scheme));
    State state = start_of(system);
    StepReport report;
    double t = 0.0;
    for (const double h : {1e-2, 1e-5, 3e-3, 0.1}) {
      ASSERT_TRUE(stepper.step(state, h, report));
      t += h;
      EXPECT_NEAR(state.t, t, 1e-15);
      EXPECT_NEAR(state.q[0], 0.5 * t, 1e-14);
      EXPECT_NEAR(report.contacts.at(0).c_n, 9.81 * h, 1e-12);
    }
  }
}

// 1997, section 6: in steady motion the last basis answers.
TEST(TimeStepper, ReusesTheBasisInSteadyMotion) {
  const Multibody system(thrown(0.0, 0.1));
  TimeStepper stepper(system, preset(Scheme::anitescu_potra));
  State state = start_of(system);
  StepReport report;
  for (int step = 0; step < 100; ++step) ASSERT_TRUE(stepper.step(state, 1e-3, report));
  EXPECT_GE(stepper.counts().reused, stepper.counts().problems - 3);
  EXPECT_GE(stepper.counts().problems, 100);
}

TEST(TimeStepper, TheSameRunTwiceIsTheSameToTheLastBit) {
  for (const Scheme scheme : {Scheme::stewart_trinkle, Scheme::anitescu_potra}) {
    Vector ends[2];
    for (Vector& end : ends) {
      Random random(77);
      const Multibody system(random_scene(random));
      TimeStepper stepper(system, preset(scheme));
      State state = start_of(system);
      StepReport report;
      for (int step = 0; step < 50; ++step) ASSERT_TRUE(stepper.step(state, 2e-3, report));
      end = state.q;
    }
    EXPECT_EQ(ends[0], ends[1]);
  }
}

TEST(StepReport, ClearIsAFreshOne) {
  StepReport report;
  report.solved = report.converged = false;
  report.relaxed = true;
  report.solves = 3;
  report.penetration = report.joint_error = 1.0;
  report.deepest_contact = 4;
  report.certificate.residual = 1.0;
  report.events.emplace_back();
  report.contacts.emplace_back();
  report.joint_impulses.push_back(1.0);
  report.clear();
  EXPECT_TRUE(report.solved && report.converged && !report.relaxed);
  EXPECT_EQ(report.solves, 0);
  EXPECT_EQ(report.penetration + report.joint_error + report.certificate.residual, 0.0);
  EXPECT_EQ(report.deepest_contact, 0U);
  EXPECT_TRUE(report.events.empty() && report.contacts.empty() && report.joint_impulses.empty());
}

TEST(StepReport, EventsHaveNames) {
  EXPECT_EQ(to_string(EventKind::impact), "impact");
  EXPECT_EQ(to_string(EventKind::take_off), "take_off");
  EXPECT_EQ(to_string(EventKind::stick), "stick");
  EXPECT_EQ(to_string(EventKind::slip), "slip");
}

TEST(Options, WhatNoSchemeCanDoIsRefusedInWords) {
  for (const Scheme scheme : {Scheme::stewart_trinkle, Scheme::anitescu_potra, Scheme::lotstedt, Scheme::implicit_euler,
                              Scheme::trapezoidal, Scheme::moreau_midpoint, Scheme::theta})
    EXPECT_FALSE(check(preset(scheme)));
  const auto refused = [](Scheme scheme, auto change, const std::string& option, const std::string& expected) {
    SchemeOptions options = preset(scheme);
    change(options);
    const std::optional<Error> error = check(options);
    ASSERT_TRUE(error) << option;
    EXPECT_NE(error->message.find("option " + option), std::string::npos) << error->message;
    EXPECT_NE(error->message.find(expected), std::string::npos) << error->message;
  };
  using enum Scheme;
  const double nan = std::nan("");
  refused(stewart_trinkle, [](auto& o) { o.geometry = GeometryAt::start; }, "geometry", "`end` or `average`");
  refused(stewart_trinkle, [](auto& o) { o.linear = true; }, "geometry", "`start`, `midpoint` or `predicted`");
  refused(anitescu_potra, [](auto& o) { o.geometry = GeometryAt::average; }, "geometry", "`predicted`");
  refused(anitescu_potra, [](auto& o) { o.stabilisation = 1.5; }, "stabilisation", "is 1.5, expected a share");
  refused(anitescu_potra, [&](auto& o) { o.stabilisation = nan; }, "stabilisation", "from 0 to 1");
  refused(anitescu_potra, [&](auto& o) { o.restitution_threshold = nan; }, "restitution_threshold", "a speed");
  refused(anitescu_potra, [](auto& o) { o.contact_tolerance = 0.0; }, "contact_tolerance", "positive");
  refused(anitescu_potra, [](auto& o) { o.most_events = -1; }, "most_events", "0 or more");
  refused(stewart_trinkle, [](auto& o) { o.most_iterations = 0; }, "most_iterations", "1 or more");
  refused(stewart_trinkle, [](auto& o) { o.cone.facets = 7; }, "cone.facets", "is 7, expected an even number");
  refused(stewart_trinkle, [](auto& o) { o.cone.facets = 2; }, "cone.facets", "from 4");
  refused(stewart_trinkle, [](auto& o) { o.cone.most_turns = -1; }, "cone.most_turns", "0 or more");
  refused(stewart_trinkle, [](auto& o) { o.cone.tolerance = -1e-8; }, "cone.tolerance", "positive");
}

TEST(Options, PresetsAreThePapers) {
  EXPECT_EQ(preset(Scheme::stewart_trinkle).geometry, GeometryAt::end);
  EXPECT_FALSE(preset(Scheme::stewart_trinkle).linear);
  EXPECT_EQ(preset(Scheme::anitescu_potra).geometry, GeometryAt::predicted);
  EXPECT_EQ(preset(Scheme::anitescu_potra).impact, ImpactLaw::poisson);
  EXPECT_EQ(preset(Scheme::anitescu_potra).stabilisation, 0.0);
  EXPECT_EQ(to_string(Scheme::stewart_trinkle), "stewart_trinkle");
  EXPECT_EQ(to_string(Scheme::anitescu_potra), "anitescu_potra");
}

}  // namespace
}  // namespace stiction
