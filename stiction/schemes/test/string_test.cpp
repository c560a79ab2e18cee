#include <gtest/gtest.h>

#include <cmath>

#include "stiction/model/model_builder.h"
#include "stiction/schemes/test/event_run.h"

/// 1982, section 1: a ball on a string, which is slack or pulls.
namespace stiction {
namespace {

constexpr double g = 9.81;

Model ball_on_string(const Vec3& place, const Vec3& velocity, double restitution) {
  ModelBuilder builder;
  builder.set_gravity({0.0, -g, 0.0});
  builder.add_body(
      {.name = "ball", .mass = 2.0, .position = place, .velocity = velocity, .freedom = Freedom::particle()});
  builder.add_gap({.name = "string",
                   .value = [](const std::vector<Pose>& bodies) { return 1.0 - bodies[0].position.norm(); },
                   .restitution = restitution,
                   .gradient = [](const std::vector<Pose>& bodies,
                                  Vector& gradient) { gradient = -bodies[0].position.normalized(); }});
  return builder.build().value();
}

// Falls from (0.6, 0) to (0.6, -0.8), loses its velocity along the string, and swings on with the rest.
TEST(BallOnString, FallsIsCaughtAndSwings) {
  EventRun run(ball_on_string({0.6, 0, 0}, {0, 0, 0}, 0.0), 1e-12);
  run.until(0.39, 0.01);
  EXPECT_TRUE(run.events().empty());
  const double caught = std::sqrt(1.6 / g), speed = 0.6 * g * caught;  // along the tangent (0.8, -0.6) there: 0.6 v
  run.until(1.0, 0.01);
  ASSERT_EQ(run.events().size(), 1U);
  EXPECT_NEAR(run.events()[0].time, caught, 1e-12);
  EXPECT_NEAR(run.energy(), 2.0 * (0.5 * speed * speed - 0.8 * g), 1e-9);
  EXPECT_NEAR(run.place({0}).norm(), 1.0, 1e-14);
  EXPECT_TRUE(run.certificate().certified());
}

// Thrown up at the lowest point with v^2 = 3.5 g L it goes slack where cos a = -(v^2/(g L) - 2)/3 = -1/2, flies a
// parabola, and is caught again.
TEST(BallOnString, GoesSlackWhereItShould) {
  EventRun run(ball_on_string({0, -1, 0}, {std::sqrt(3.5 * g), 0, 0}, 0.0), 1e-12);
  run.until(2.0, 0.01);
  ASSERT_GE(run.events().size(), 2U);
  EXPECT_EQ(run.events()[0].kind, EventKind::take_off);
  EXPECT_EQ(run.events()[1].kind, EventKind::impact);
  EventRun to_slack(run.model(), 1e-12), to_catch(run.model(), 1e-12);
  to_slack.until(run.events()[0].time, 0.01);
  EXPECT_NEAR(to_slack.place({0}).y(), 0.5, 1e-8);
  EXPECT_LE(to_slack.largest_energy_error(), 1e-9);
  // Circle and parabola have three points in common where it leaves, at 60 degrees from the top, and their fourth at
  // three times that angle on the other side: straight below.
  to_catch.until(run.events()[1].time, 0.01);
  EXPECT_NEAR(to_catch.place({0}).x(), 0.0, 1e-7);
  EXPECT_NEAR(to_catch.place({0}).y(), -1.0, 1e-10);
}

TEST(BallOnString, TimeSteppingAgrees) {
  const Model model = ball_on_string({0.6, 0, 0}, {0, 0, 0.3}, 0.5);
  EventRun events(model, 1e-11, 0.05);
  events.until(0.8, 0.01);
  EXPECT_GE(events.events().size(), 2U);
  SchemeOptions options = preset(Scheme::anitescu_potra);
  options.impact = ImpactLaw::newton;
  options.restitution_threshold = 0.05;
  double last = 0.0;
  for (const double h : {0.004, 0.002, 0.001}) {
    EventRun steps(model, options);
    steps.until(0.8, h);
    const double error = (steps.state().q - events.state().q).norm();
    EXPECT_LT(error, last == 0.0 ? 0.1 : 0.65 * last) << h;
    last = error;
  }
  EXPECT_LT(last, 0.02);
}

}  // namespace
}  // namespace stiction
