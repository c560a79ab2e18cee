// When contacts leave, stick and slip, and that nothing else is told, against closed forms.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>
#include <string>

#include "stiction/model/model_builder.h"
#include "stiction/schemes/test/event_run.h"

namespace stiction {
namespace {

constexpr double g = 9.81, h = 1e-3;

Expression formula(std::string_view text) {
  return Expression::parse(text, force_variables).value();
}

/// Simpson's rule.
double integral(const std::function<double(double)>& f, double from, double to) {
  constexpr int parts = 2000;
  const double step = (to - from) / parts;
  double sum = f(from) + f(to);
  for (int i = 1; i < parts; ++i) sum += (i % 2 == 1 ? 4.0 : 2.0) * f(from + i * step);
  return sum * step / 3.0;
}

std::string listed(const EventRun& run) {
  std::string text;
  for (const Event& event : run.events())
    text += std::string(to_string(event.kind)) + " " + std::to_string(event.time) + "; ";
  return text;
}

/// The events of a run, by kind and time to a tolerance, and no others.
void expect_events(const EventRun& run, const std::vector<std::pair<EventKind, double>>& expected, double tolerance,
                   const std::string& by) {
  ASSERT_EQ(run.events().size(), expected.size()) << by << ": " << listed(run);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(run.events()[i].kind, expected[i].first) << by << ": " << listed(run);
    EXPECT_NEAR(run.events()[i].time, expected[i].second, tolerance) << by << ": " << listed(run);
  }
}

// From the lowest point with v^2 = 4 g L the rope goes slack where its angle from the top has the cosine 2/3, with
// v^2 = 2 g L/3; a parabola that leaves a circle so meets it again after 4 v sin/g.
TEST(EventTimes, ARopeGoesSlackOnceAndTautOnce) {
  const double angle = std::acos(-2.0 / 3.0);
  const double slack =
      integral([](double a) { return 1.0 / std::sqrt(4.0 * g - 2.0 * g * (1.0 - std::cos(a))); }, 0.0, angle);
  const double taut = slack + 4.0 * std::sqrt(2.0 * g / 3.0) * std::sin(angle) / g;
  for (const auto& [scheme, tolerance] :
       {std::pair{Scheme::anitescu_potra, 0.02}, std::pair{Scheme::implicit_euler, 0.02},
        std::pair{Scheme::moreau_midpoint, 0.01}, std::pair{Scheme::trapezoidal, 1e-3}}) {
    ModelBuilder builder;
    const BodyId ball = builder.add_body(
        {.mass = 1.0, .position = {0, 0, -1}, .velocity = {2.0 * std::sqrt(g), 0, 0}, .freedom = Freedom::particle()});
    builder.add_joint(
        {.kind = JointKind::rope, .body = ball, .anchor = {0, 0, -1}, .partner_anchor = Vec3(0, 0, 0), .length = 1.0});
    for (const double step : {h, 0.25 * h}) {
      EventRun run(builder.build().value(), preset(scheme));
      run.until(1.4, step);
      expect_events(run, {{EventKind::take_off, slack}, {EventKind::impact, taut}}, tolerance,
                    std::string(to_string(scheme)));
    }
  }
}

// A point on a ball of radius 1 leaves it at two thirds of the height at which it began.
TEST(EventTimes, APointLeavesABallOnce) {
  const double start = 0.1, end = std::acos(2.0 / 3.0 * std::cos(start));
  // t = int da / sqrt(2 g (cos start - cos a)), with a = start + s^2 to take the root at the start away.
  const double leaves = integral(
      [&](double s) {
        if (s == 0.0) return 2.0 / std::sqrt(2.0 * g * std::sin(start));
        return 2.0 * s / std::sqrt(2.0 * g * (std::cos(start) - std::cos(start + s * s)));
      },
      0.0, std::sqrt(end - start));
  for (const auto& [scheme, tolerance] :
       {std::pair{Scheme::anitescu_potra, 0.02}, std::pair{Scheme::implicit_euler, 0.02},
        std::pair{Scheme::moreau_midpoint, 0.02}, std::pair{Scheme::trapezoidal, 1e-3}}) {
    ModelBuilder builder;
    builder.add_body({.shape = Sphere{1.0}, .material = {.mu = 0.0}, .fixed = true});
    builder.add_body({.mass = 1.0,
                      .shape = Sphere{0.0},
                      .material = {.mu = 0.0},
                      .position = {std::sin(start), 0, std::cos(start)},
                      .freedom = Freedom::particle()});
    EventRun run(builder.build().value(), preset(scheme));
    run.until(1.1, h);
    expect_events(run, {{EventKind::take_off, leaves}}, tolerance, std::string(to_string(scheme)));
  }
}

// A force of -6 cos t presses the edge until pi/2.
TEST(EventTimes, AOneWayEdgeLetsGoWhenTheForceTurns) {
  for (const Scheme scheme : {Scheme::stewart_trinkle, Scheme::anitescu_potra, Scheme::trapezoidal,
                              Scheme::moreau_midpoint, Scheme::implicit_euler}) {
    ModelBuilder builder;
    builder.set_gravity({0, 0, 0});
    const BodyId body = builder.add_body({.mass = 2.0, .inertia = 0.4 * Mat3::Identity()});
    builder.add_joint({.kind = JointKind::knife_edge, .body = body, .axis = {0, 1, 0}, .one_way = true});
    builder.add_force({.body = body, .force = VectorFormula({formula("1"), formula("-6*cos(t)"), formula("0")})});
    EventRun run(builder.build().value(), preset(scheme));
    run.until(2.0, h);
    expect_events(run, {{EventKind::take_off, 0.5 * std::numbers::pi}}, 2.01 * h, std::string(to_string(scheme)));
  }
}

// I dw/dt = 2 cos 3t: it turns until pi/3 and is pressed from there to pi/2.
TEST(EventTimes, ARatchetHoldsWhileItIsPressed) {
  for (const Scheme scheme : {Scheme::trapezoidal, Scheme::moreau_midpoint, Scheme::implicit_euler}) {
    ModelBuilder builder;
    builder.set_gravity({0, 0, 0});
    const BodyId body = builder.add_body({.mass = 2.0, .inertia = 0.5 * Mat3::Identity()});
    CoordinateDef turn;
    turn.one_way = true;
    builder.add_joint({.kind = JointKind::revolute, .body = body, .turn = turn});
    builder.add_force({.body = body, .torque = VectorFormula({formula("0"), formula("0"), formula("2*cos(3*t)")})});
    EventRun run(builder.build().value(), preset(scheme));
    run.until(1.2, h);
    const std::size_t before = run.events().size();
    run.until(1.56, h);
    EXPECT_EQ(run.events().size(), before) << to_string(scheme) << ": " << listed(run);
    run.until(2.0, h);
    ASSERT_EQ(run.events().size(), before + 1) << to_string(scheme) << ": " << listed(run);
    EXPECT_EQ(run.events().back().kind, EventKind::take_off) << to_string(scheme);
    EXPECT_NEAR(run.events().back().time, 0.5 * std::numbers::pi, 1.01 * h) << to_string(scheme);
  }
}

/// Sliders along x with friction of 4 N, pulled with this.
ModelBuilder sliders(std::initializer_list<double> pulls) {
  ModelBuilder builder;
  CoordinateDef slide;
  slide.friction = 4.0;
  double y = 0.0;
  for (const double pull : pulls) {
    const BodyId body = builder.add_body({.mass = 2.0, .inertia = 0.1 * Mat3::Identity(), .position = {0, y, 0}});
    builder.add_joint(
        {.kind = JointKind::prismatic, .body = body, .anchor = {0, y, 0}, .axis = {1, 0, 0}, .slide = slide});
    builder.add_force({.body = body, .force = VectorFormula(Vec3(pull, 0, 0))});
    y += 1.0;
  }
  return builder;
}

constexpr Scheme second_family[] = {Scheme::trapezoidal, Scheme::moreau_midpoint, Scheme::implicit_euler};

TEST(EventTimes, WhatSlipsFromTheStartIsTold) {
  for (const Scheme scheme : second_family) {
    EventRun run(sliders({3.9, -3.9, 4.1, -4.1}).build().value(), preset(scheme));
    run.until(0.1, h);
    expect_events(run, {{EventKind::slip, 0.0}, {EventKind::slip, 0.0}}, 1.01 * h, std::string(to_string(scheme)));
  }
}

// 1 N s gives 2 kg half a metre per second, which 4 N take in 0.25 s.
TEST(EventTimes, WhatSlipsAfterABlowIsTold) {
  for (const Scheme scheme : second_family) {
    ModelBuilder builder = sliders({0.0});
    builder.add_impulse({.body = {0}, .time = 0.1003, .impulse = {1, 0, 0}});
    EventRun run(builder.build().value(), preset(scheme));
    run.until(0.5, h);
    expect_events(run, {{EventKind::slip, 0.1003}, {EventKind::stick, 0.3503}}, 1.01 * h,
                  std::string(to_string(scheme)));
  }
}

// The same on a floor: mu m g = 4 N.
TEST(EventTimes, AContactThatSlipsAfterABlowIsTold) {
  for (const Scheme scheme : second_family) {
    ModelBuilder builder;
    const Material rough{.mu = 4.0 / (2.0 * g)};
    builder.add_body({.shape = HalfSpace{}, .material = rough, .fixed = true});
    const BodyId body =
        builder.add_body({.mass = 2.0, .shape = Sphere{0.0}, .material = rough, .freedom = Freedom::particle()});
    builder.add_impulse({.body = body, .time = 0.1003, .impulse = {1, 0, 0}});
    EventRun run(builder.build().value(), preset(scheme));
    run.until(0.5, h);
    expect_events(run, {{EventKind::slip, 0.1003}, {EventKind::stick, 0.3503}}, 1.01 * h,
                  std::string(to_string(scheme)));
  }
}

}  // namespace
}  // namespace stiction
