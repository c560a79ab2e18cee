#include <gtest/gtest.h>

#include <array>

#include "stiction/geometry/polygon.h"
#include "stiction/model/model_builder.h"
#include "stiction/schemes/test/event_run.h"

/// Supports that end, with real shapes: the contact keeps its name there and its normal turns (1982, end of section 2).
namespace stiction {
namespace {

constexpr double g = 9.81, radius = 0.1;
const Material smooth{.mu = 0.0};

/// A table up to x = 1, z = 0, and a body that slides on it from x = 0 along x.
Model table_with(const Shape& shape, double height, double speed, Freedom freedom) {
  ModelBuilder builder;
  builder.add_body({.shape = Box{2, 2, 1}, .material = smooth, .position = {0, 0, -0.5}, .fixed = true});
  builder.add_body({.mass = 1.0,
                    .inertia = Mat3(0.1 * Mat3::Identity()),
                    .shape = shape,
                    .material = smooth,
                    .position = {0, 0, height},
                    .velocity = {speed, 0, 0},
                    .freedom = freedom});
  return builder.build().value();
}

const BodyId slider{1};

void expect_leaves_at(const EventRun& run, double time) {
  ASSERT_EQ(run.events().size(), 1U);
  EXPECT_EQ(run.events()[0].kind, EventKind::take_off);
  EXPECT_NEAR(run.events()[0].time, time, 1e-11);
}

// 2 m/s around an edge of 0.1 m would take 40 m/s^2: it leaves at once, at 0.5 s, and falls g/8 in the rest.
TEST(LotstedtEdge, AFastBallLeavesABoxAtItsEdge) {
  for (const double h : {0.001, 0.07, 1.0})
    for (const Freedom freedom : {Freedom::particle(), Freedom::full()}) {
      EventRun run(table_with(Sphere{radius}, radius, 2.0, freedom));
      run.until(1.0, h);
      expect_leaves_at(run, 0.5);
      EXPECT_NEAR(run.place(slider).z(), radius - g / 8.0, 1e-9);
      EXPECT_NEAR(run.place(slider).x(), 2.0, 1e-10);
      EXPECT_LE(run.largest_energy_error(), 1e-9);
      EXPECT_TRUE(run.certificate().certified());
    }
}

// A slow one turns about the edge until its force is zero: v^2 = g r cos(a), with v^2 = v0^2 + 2 g r (1 - cos(a)).
TEST(LotstedtEdge, ASlowBallTurnsAboutTheEdgeFirst) {
  constexpr double v0 = 0.5;
  for (const double h : {0.001, 0.07}) {
    EventRun run(table_with(Sphere{radius}, radius, v0, Freedom::full()));
    run.until(2.3, h);
    ASSERT_EQ(run.events().size(), 1U);
    EXPECT_LE(run.largest_energy_error(), 1e-9);
    EventRun again(run.model());
    again.until(run.events()[0].time, h);
    const double cosine = (v0 * v0 + 2.0 * g * radius) / (3.0 * g * radius);
    EXPECT_NEAR(again.place(slider).z(), radius * cosine, 1e-8);
  }
}

// Without a radius the normal itself jumps.
TEST(LotstedtEdge, APointLeavesABoxAtItsEdge) {
  EventRun run(table_with(Sphere{0.0}, 0.0, 2.0, Freedom::particle()));
  run.until(1.0, 0.01);
  expect_leaves_at(run, 0.5);
  EXPECT_NEAR(run.place(slider).z(), -g / 8.0, 1e-9);
}

TEST(LotstedtEdge, ADiscLeavesAPolygonAtItsCorner) {
  for (const double v0 : {2.0, 0.5}) {
    ModelBuilder builder;
    builder.set_gravity({0, -g, 0});
    const std::array<Eigen::Vector2d, 4> corners{{{-1, -1}, {1, -1}, {1, 0}, {-1, 0}}};
    builder.add_body({.shape = make_polygon(corners).value(), .material = smooth, .fixed = true});
    builder.add_body({.mass = 1.0,
                      .shape = Disc{radius},
                      .material = smooth,
                      .position = {0, radius, 0},
                      .velocity = {v0, 0, 0},
                      .freedom = Freedom::planar()});
    EventRun run(builder.build().value());
    run.until(v0 > 1.0 ? 1.0 : 2.3, 0.01);
    ASSERT_EQ(run.events().size(), 1U);
    EXPECT_LE(run.largest_energy_error(), 1e-9);
    if (v0 < 1.0) continue;
    expect_leaves_at(run, 0.5);
    EXPECT_NEAR(run.place(slider).y(), radius - g / 8.0, 1e-9);
  }
}

// From the straight side of a lying capsule onto its end, which is as the edge of a box but of twice the radius; 2 m/s
// are too fast for 0.2 m.
TEST(LotstedtEdge, ABallGoesFromASideToAnEnd) {
  ModelBuilder builder;
  builder.add_body({.shape = Capsule{radius, 2.0, Vec3::UnitX()}, .material = smooth, .fixed = true});
  builder.add_body({.mass = 1.0,
                    .shape = Sphere{radius},
                    .material = smooth,
                    .position = {0, 0, 2.0 * radius},
                    .velocity = {2, 0, 0},
                    .freedom = Freedom::particle()});
  EventRun run(builder.build().value());
  run.until(1.0, 0.01);
  expect_leaves_at(run, 0.5);
  EXPECT_NEAR(run.place(slider).z(), 2.0 * radius - g / 8.0, 1e-9);
}

// From one box onto the next: nothing happens but that one contact takes over from the other.
TEST(LotstedtEdge, ASeamIsNoObstacle) {
  for (const double h : {0.001, 0.07}) {
    ModelBuilder builder;
    for (const double x : {0.0, 2.0})
      builder.add_body({.shape = Box{2, 2, 1}, .material = smooth, .position = {x, 0, -0.5}, .fixed = true});
    const BodyId ball = builder.add_body({.mass = 1.0,
                                          .inertia = Mat3(0.1 * Mat3::Identity()),
                                          .shape = Sphere{radius},
                                          .material = smooth,
                                          .position = {0, 0, radius},
                                          .velocity = {2, 0, 0}});
    EventRun run(builder.build().value());
    run.until(1.0, h);
    for (const Event& event : run.events()) EXPECT_EQ(event.kind, EventKind::take_off);
    EXPECT_NEAR(run.place(ball).z(), radius, 1e-12);
    EXPECT_NEAR(run.place(ball).x(), 2.0, 1e-10);
    EXPECT_NEAR(run.impulses(), g, 1e-8);
    EXPECT_TRUE(run.certificate().certified());
  }
}

}  // namespace
}  // namespace stiction
