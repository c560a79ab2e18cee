#include <gtest/gtest.h>

#include <cmath>

#include "stiction/model/model_builder.h"
#include "stiction/schemes/test/event_run.h"

/// What moves so fast that neither end of a step shows that it met something.
namespace stiction {
namespace {

const Material elastic{.mu = 0.0, .restitution = 1.0};
constexpr double radius = 0.02;
const Mat3 inertia = 0.1 * Mat3::Identity();

/// A wall of 1 cm at x = 1 and a ball at 0: it flies 0.975 m.
Model wall_and_ball(double ball_speed, double wall_speed) {
  ModelBuilder builder;
  builder.set_gravity(Vec3::Zero());
  BodyDef wall{.shape = Box{0.01, 2, 2}, .material = elastic, .position = {1, 0, 0}};
  wall.fixed = wall_speed == 0.0;
  wall.kinematic = wall_speed != 0.0;
  wall.velocity = {wall_speed, 0, 0};
  builder.add_body(wall);
  builder.add_body(
      {.mass = 1.0, .inertia = inertia, .shape = Sphere{radius}, .material = elastic, .velocity = {ball_speed, 0, 0}});
  return builder.build().value();
}

const BodyId ball{1};
constexpr double flight = 0.975;

TEST(LotstedtFast, ABallDoesNotPassThroughAWall) {
  for (const double speed : {3.0, 37.0, 100.0, 1000.0})
    for (const double h : {0.05, 1.0}) {
      EventRun run(wall_and_ball(speed, 0.0));
      run.until(1.0, h);
      ASSERT_EQ(run.events().size(), 1U) << speed;
      EXPECT_NEAR(run.events()[0].time, flight / speed, 1e-12);
      EXPECT_NEAR(run.place(ball).x(), 2.0 * flight - speed, 1e-11 * speed);
    }
}

TEST(LotstedtFast, AMovingWallDoesNotPassThroughABall) {
  EventRun run(wall_and_ball(0.0, -50.0));
  run.until(0.1, 0.05);
  ASSERT_EQ(run.events().size(), 1U);
  EXPECT_NEAR(run.events()[0].time, flight / 50.0, 1e-12);
  EXPECT_NEAR(run.velocity(ball).x(), -100.0, 1e-9);
}

// From rest, so that nothing is fast when the step begins: s = a t^2/2.
TEST(LotstedtFast, AForceThatMakesItFast) {
  constexpr double a = 1e4;
  ModelBuilder builder;
  builder.set_gravity({a, 0, 0});
  builder.add_body({.shape = Box{0.01, 2, 2}, .material = elastic, .position = {1, 0, 0}, .fixed = true});
  builder.add_body({.mass = 1.0, .inertia = inertia, .shape = Sphere{radius}, .material = elastic});
  EventRun run(builder.build().value(), EventRun::options_for(1e-10, 1.0));
  run.until(0.05, 0.05);
  ASSERT_EQ(run.events().size(), 2U);
  const double first = std::sqrt(2.0 * flight / a);
  EXPECT_NEAR(run.events()[0].time, first, 1e-11);
  EXPECT_NEAR(run.events()[1].time, 3.0 * first, 1e-9);
}

// Two balls of 2 cm, one at rest, 3.9 cm off each other's line: the gap dips by 1 mm for 0.4 ms of 0.1 s.
TEST(LotstedtFast, BallsThatGrazeEachOther) {
  constexpr double speed = 40.0, off = 0.039;
  ModelBuilder builder;
  builder.set_gravity(Vec3::Zero());
  const BodyDef def{.mass = 1.0, .inertia = inertia, .shape = Sphere{radius}, .material = elastic};
  BodyDef moving = def;
  moving.position = {-1.3, off, 0};
  moving.velocity = {speed, 0, 0};
  const BodyId at_rest = builder.add_body(def);
  builder.add_body(moving);
  EventRun run(builder.build().value());
  run.until(0.1, 0.1);
  ASSERT_EQ(run.events().size(), 1U);
  const double along = std::sqrt(4.0 * radius * radius - off * off);
  EXPECT_NEAR(run.events()[0].time, (1.3 - along) / speed, 1e-11);
  // Equal masses: the part along the line of centres goes over.
  EXPECT_NEAR(run.velocity(at_rest).x(), speed * along * along / (4.0 * radius * radius), 1e-8);
}

// 50 rad/s between stops that leave 6.2 of the 6.28 rad: half a radian a step, 0.08 are behind them.
TEST(LotstedtFast, AHingeDoesNotTurnThroughItsStops) {
  ModelBuilder builder;
  builder.set_gravity(Vec3::Zero());
  const BodyId body = builder.add_body({.mass = 1.0, .inertia = inertia, .angular_velocity = {0, 0, 50}});
  CoordinateDef turn;
  turn.limits = {-0.1, 6.1};
  turn.restitution = 1.0;
  builder.add_joint({.body = body, .anchor = {0, 0, 0}, .axis = Vec3::UnitZ(), .turn = turn});
  EventRun run(builder.build().value());
  run.until(2.0, 0.01);
  ASSERT_EQ(run.events().size(), 16U);
  for (int i = 0; i < 16; ++i) EXPECT_NEAR(run.events()[i].time, (6.1 + 6.2 * i) / 50.0, 1e-9);
}

}  // namespace
}  // namespace stiction
