// Collisions that begin and end inside one step, and contacts that stay closed and are no collisions.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "stiction/base/random.h"
#include "stiction/sim/simulator.h"

namespace stiction {
namespace {

constexpr double aside = 0.19, radius = 0.1, fast = 20.0;

/// A ball flies past another at 20 m/s, 0.19 m aside: they overlap for 6 ms in the middle of a step of 10 ms.
Model grazing_balls(double restitution) {
  ModelBuilder builder;
  builder.set_gravity({0.0, 0.0, 0.0});
  const Material smooth{.mu = 0.0, .restitution = restitution};
  builder.add_body({.mass = 1.0,
                    .shape = Sphere{radius},
                    .material = smooth,
                    .position = {-0.1, 0.0, 0.0},
                    .velocity = {fast, 0.0, 0.0}});
  builder.add_body({.mass = 1.0, .shape = Sphere{radius}, .material = smooth, .position = {0.0, aside, 0.0}});
  return builder.build().value();
}

long count(const Simulator& run, EventKind kind) {
  return std::count_if(run.events().begin(), run.events().end(), [&](const Event& e) { return e.kind == kind; });
}

// Along the line of centres where they touch the velocities are exchanged.
TEST(CollisionsInsideSteps, AreLocatedOnTheVelocityLevel) {
  Simulator run(grazing_balls(1.0), {.h = 0.01, .end = 0.02, .scheme = preset(Scheme::anitescu_potra)});
  ASSERT_TRUE(run.run_until(0.02).ok()) << run.why();
  const double sine = aside / (2.0 * radius), cosine = std::sqrt(1.0 - sine * sine);
  EXPECT_NEAR((run.velocity({1}) - fast * cosine * Vec3(cosine, sine, 0.0)).norm(), 0.0, 1e-4);
  EXPECT_EQ(count(run, EventKind::impact), 1);
  EXPECT_NEAR(run.events().at(0).time, (0.1 - 2.0 * radius * cosine) / fast, 1e-6);
}

TEST(CollisionsInsideSteps, AreNotMissedOnThePositionLevel) {
  Simulator run(grazing_balls(0.0), {.h = 0.01, .end = 0.02, .scheme = preset(Scheme::stewart_trinkle)});
  ASSERT_TRUE(run.run_until(0.02).ok()) << run.why();
  // Half of the speed along the line of centres, plastic; the normal is taken a little after they touch.
  EXPECT_NEAR(run.velocity({1}).norm(), 0.5 * fast * std::sqrt(1.0 - 0.95 * 0.95), 0.2);
  EXPECT_NEAR((run.velocity({0}) + run.velocity({1}) - Vec3(fast, 0.0, 0.0)).norm(), 0.0, 1e-10);
  EXPECT_EQ(count(run, EventKind::impact), 1);
}

// A ball that touches another, comes nearer and would be past it at the end of the step leaves along the plane where
// they touch, in one step without division. Newton's law without bouncing, at the start's normal.
TEST(CollisionsInsideSteps, WhatTouchesAndLeavesTakesNoDivision) {
  ModelBuilder builder;
  builder.set_gravity({0.0, 0.0, 0.0});
  const Material smooth{.mu = 0.0, .restitution = 0.0};
  const double sine = 0.95, cosine = std::sqrt(1.0 - sine * sine);
  builder.add_body({.mass = 1.0,
                    .shape = Sphere{radius},
                    .material = smooth,
                    .position = {-2.0 * radius * cosine, 0.0, 0.0},
                    .velocity = {fast, 0.0, 0.0}});
  builder.add_body(
      {.mass = 1.0, .shape = Sphere{radius}, .material = smooth, .position = {0.0, 2.0 * radius * sine, 0}});
  Simulator run(builder.build().value(), {.h = 0.01, .end = 0.01, .scheme = preset(Scheme::stewart_trinkle)});
  ASSERT_TRUE(run.step()) << run.why();
  EXPECT_EQ(run.report().parts, 1);
  const Vec3 along(cosine, sine, 0.0);
  EXPECT_NEAR((run.velocity({1}) - 0.5 * fast * cosine * along).norm(), 0.0, 1e-9);
  EXPECT_NEAR((run.velocity({0}) + run.velocity({1}) - Vec3(fast, 0.0, 0.0)).norm(), 0.0, 1e-9);
  EXPECT_EQ(run.certificate().count(Grade::full), 1);
  EXPECT_EQ(run.certificate().grazing_steps, 0);
}

// A light ball at rest beside a thin wall, and a heavy one that falls on it and squeezes it sideways: nothing says
// before the step how fast it will be in it, and behind the wall there is an answer too.
TEST(CollisionsInsideSteps, NothingIsSqueezedThroughAWall) {
  Random random(11);
  int thrown = 0;
  for (int trial = 0; trial < 60; ++trial) {
    const double speed = std::pow(10.0, random.uniform(0.0, 1.3)), h = 5e-3, way = speed * h;
    const double small = way * random.uniform(0.1, 0.6), large = small * random.uniform(1.0, 3.0);
    const double wall = way * random.uniform(0.05, 0.5), gap = way * random.uniform(0.0, 0.1) + 1e-6;
    const double angle = random.uniform(0.1, 1.2), above = random.uniform(0.0, way);
    const double sideways = (small + large) * std::sin(angle), up = (small + large) * std::cos(angle);
    const Material material{.mu = trial % 2 == 0 ? 0.0 : 0.3};
    ModelBuilder builder;
    builder.add_ground(HalfSpace{}, material);
    builder.add_body(
        {.shape = Box{wall, 4.0, 4.0}, .material = material, .position = {-0.5 * wall, 0, 0}, .fixed = true});
    builder.add_body({.mass = 0.01 * std::pow(10.0, random.uniform(-3.0, 0.0)),
                      .shape = Sphere{small},
                      .material = material,
                      .position = {small + gap, 0.0, small}});
    builder.add_body({.mass = 1.0,
                      .shape = Sphere{large},
                      .material = material,
                      .position = {small + gap + sideways, 0.0, small + up + above},
                      .velocity = {0.0, 0.0, -speed}});
    Result<Model> model = builder.build();
    if (!model.ok()) continue;
    Simulator run(std::move(model).value(), {.h = h, .end = 5.0 * h, .scheme = preset(Scheme::stewart_trinkle)});
    for (int step = 0; step < 5; ++step) {
      ASSERT_TRUE(run.step()) << trial << ": " << run.why();
      ASSERT_GT(run.pose({2}).position.x(), 0.0) << trial << ", step " << step;
      ASSERT_GT(run.pose({3}).position.x(), 0.0) << trial << ", step " << step;
    }
    thrown += run.certificate().divided_steps > 0;
  }
  EXPECT_GT(thrown, 5) << "or nothing was tried";
}

// Corners of boxes that clip each other, twenty pairs at once. Where no division is left and rows of what grazes do not
// converge, they are let go, and that is told; the step is taken.
TEST(CollisionsInsideSteps, CornersInACrowdAreTakenOrTold) {
  Random random(3);
  ModelBuilder builder;
  builder.set_gravity({0.0, 0.0, 0.0});
  for (int i = 0; i < 20; ++i) {
    const Vec3 place(0.0, 0.0, 3.0 * i);
    BodyDef box{.mass = 1.0, .shape = Box{0.1414, 0.1414, 0.1414}, .material = {.mu = 0.3}};
    box.orientation = Quat(Eigen::AngleAxisd(0.25 * std::numbers::pi, Vec3::UnitZ()));
    box.position = place;
    builder.add_body(box);
    box.position += Vec3(random.uniform(-0.15, -0.05), random.uniform(0.185, 0.1999), 0.0);
    box.velocity = {30.0, 0.0, 0.0};
    builder.add_body(box);
  }
  const Model model = builder.build().value();
  for (const int halvings : {0, 10}) {
    SchemeOptions scheme = preset(Scheme::stewart_trinkle);
    scheme.most_halvings = halvings;
    Simulator run(model, {.h = 0.01, .end = 0.01, .scheme = scheme});
    ASSERT_TRUE(run.step()) << run.why();
    const bool is_told = run.certificate().grazing_steps == 1;
    EXPECT_EQ(run.certificate().count(Grade::full), is_told ? 0 : 1);
    EXPECT_EQ(run.certificate().count(Grade::linear), is_told ? 1 : 0);
    EXPECT_TRUE(halvings == 0 || !is_told);
    EXPECT_LE(run.report().solves, 400);
  }
}

TEST(CollisionsInsideSteps, PassingByIsNone) {
  ModelBuilder builder;
  builder.set_gravity({0.0, 0.0, 0.0});
  builder.add_body({.mass = 1.0, .shape = Sphere{radius}, .position = {-0.1, 0.0, 0.0}, .velocity = {fast, 0.0, 0.0}});
  builder.add_body({.mass = 1.0, .shape = Sphere{radius}, .position = {0.0, 0.201, 0.0}});
  for (const Scheme scheme : {Scheme::stewart_trinkle, Scheme::anitescu_potra}) {
    Simulator run(builder.build().value(), {.h = 0.01, .end = 0.02, .scheme = preset(scheme)});
    ASSERT_TRUE(run.run_until(0.02).ok()) << run.why();
    EXPECT_EQ(run.velocity({1}).norm(), 0.0);
    EXPECT_TRUE(run.events().empty());
  }
}

// A pendulum on a rope that stays taut leaves its circle by O(h^2) in each step and comes back: no impacts.
TEST(ContactsThatStayClosed, ATautRopeDoesNotCollide) {
  ModelBuilder builder;
  builder.set_gravity({0.0, -9.81, 0.0});
  const BodyId ball = builder.add_body({.mass = 1.0, .position = {0.6, -0.8, 0.0}, .freedom = Freedom::particle()});
  builder.add_joint({.kind = JointKind::rope, .body = ball, .anchor = {0.6, -0.8, 0}, .partner_anchor = Vec3(0, 0, 0)});
  for (const Scheme scheme : {Scheme::stewart_trinkle, Scheme::anitescu_potra}) {
    Simulator run(builder.build().value(), {.h = 0.002, .end = 2.0, .scheme = preset(scheme)});
    ASSERT_TRUE(run.run_until(2.0).ok()) << run.why();
    EXPECT_LE(count(run, EventKind::impact), 1) << to_string(scheme);
    EXPECT_LE(count(run, EventKind::take_off), 1) << to_string(scheme);
  }
}

// A ball that slides down a larger one keeps to it, or leaves it once.
TEST(ContactsThatStayClosed, ABallThatRollsOverAnotherDoesNotCollide) {
  ModelBuilder builder;
  builder.add_body({.shape = Sphere{1.0}, .material = {.mu = 0.0}, .fixed = true});
  builder.add_body({.mass = 1.0,
                    .shape = Sphere{0.1},
                    .material = {.mu = 0.0},
                    .position = {0.0, 0.0, 1.1},
                    .velocity = {0.5, 0.0, 0.0},
                    .freedom = Freedom::particle()});
  Simulator run(builder.build().value(), {.h = 0.002, .end = 0.5, .scheme = preset(Scheme::anitescu_potra)});
  ASSERT_TRUE(run.run_until(0.5).ok()) << run.why();
  EXPECT_LE(count(run, EventKind::impact), 1);
}

// Thrown up, a ball that bounces does collide, each time.
TEST(ContactsThatStayClosed, BouncesAreStillTold) {
  ModelBuilder builder;
  builder.add_ground(HalfSpace{}, {.mu = 0.0, .restitution = 0.5});
  builder.add_body(
      {.mass = 1.0, .shape = Sphere{0.1}, .material = {.mu = 0.0, .restitution = 0.5}, .position = {0, 0, 0.6}});
  Simulator run(builder.build().value(), {.h = 0.001, .end = 0.8, .scheme = preset(Scheme::anitescu_potra)});
  ASSERT_TRUE(run.run_until(0.8).ok()) << run.why();
  // 0.3193 s down, then 0.3193, 0.1597, ... s between them: 0.319, 0.639, 0.798 s.
  EXPECT_EQ(count(run, EventKind::impact), 3);
}

// Where no division is left either, the row where they are nearest keeps a ball before the wall.
TEST(CollisionsInsideSteps, AreSeenToWithoutDivision) {
  SchemeOptions scheme = preset(Scheme::stewart_trinkle);
  for (const int halvings : {0, 10}) {
    scheme.most_halvings = halvings;
    ModelBuilder builder;
    builder.add_ground(HalfSpace{}, {.mu = 0.3});
    builder.add_body({.shape = Box{0.007, 4.0, 4.0}, .position = {-0.0035, 0.0, 0.0}, .fixed = true});
    builder.add_body({.mass = 1e-4, .shape = Sphere{0.02}, .position = {0.021, 0.0, 0.02}});
    const Vec3 above(0.058, 0.0, 0.105);
    builder.add_body({.mass = 1.0, .shape = Sphere{0.053}, .position = above, .velocity = {0.0, 0.0, -8.6}});
    Simulator run(builder.build().value(), {.h = 0.005, .end = 0.005, .scheme = scheme});
    ASSERT_TRUE(run.step()) << run.why();
    EXPECT_GT(run.pose({2}).position.x(), 0.02 - 1e-7) << halvings;
    EXPECT_EQ(run.certificate().grazing_steps, 0);
    EXPECT_EQ(run.certificate().count(Grade::full), 1);
  }
}

// One that grazes is turned aside as far as it must be, where the two are nearest.
TEST(CollisionsInsideSteps, ThatGrazeHaveTheirRowWhereTheyAreNearest) {
  SchemeOptions scheme = preset(Scheme::stewart_trinkle);
  scheme.most_halvings = 0;
  Simulator run(grazing_balls(0.0), {.h = 0.01, .end = 0.01, .scheme = scheme});
  const Vec3 start = run.pose({0}).position - run.pose({1}).position;
  ASSERT_TRUE(run.step()) << run.why();
  EXPECT_EQ(run.report().parts, 1);
  EXPECT_EQ(run.certificate().count(Grade::full), 1);
  EXPECT_EQ(run.certificate().grazing_steps, 0);
  EXPECT_NEAR((run.velocity({0}) + run.velocity({1}) - Vec3(fast, 0.0, 0.0)).norm(), 0.0, 1e-9);
  const Vec3 along = run.velocity({0}) - run.velocity({1});
  EXPECT_NEAR(start.cross(along).norm() / along.norm(), 2.0 * radius, 1e-7) << "the least distance on the way";
}

// Rows of balls that fly past each other, forty meetings in a step: none divides it, and nothing overlaps between.
TEST(CollisionsInsideSteps, ThatAreManyDoNotDivideTheStep) {
  Random random(3);
  constexpr int pairs = 40;
  ModelBuilder builder;
  builder.set_gravity({0.0, 0.0, 0.0});
  std::vector<Vec3> start;
  for (int i = 0; i < pairs; ++i) {
    const Vec3 place(0.0, 0.0, i);
    const Vec3 apart(random.uniform(-0.15, -0.05), random.uniform(0.185, 0.1999), 0.0);
    if (apart.norm() < 2.0 * radius + 1e-6) continue;
    start.push_back(apart);
    const BodyDef ball{.mass = random.uniform(0.1, 10.0), .shape = Sphere{radius}, .material = {.mu = 0.3}};
    BodyDef moving = ball;
    moving.position = place + apart;
    moving.velocity = {fast, 0.0, 0.0};
    BodyDef waiting = ball;
    waiting.position = place;
    builder.add_body(moving);
    builder.add_body(waiting);
  }
  ASSERT_GT(start.size(), 20U);
  Simulator run(builder.build().value(), {.h = 0.01, .end = 0.01, .scheme = preset(Scheme::stewart_trinkle)});
  ASSERT_TRUE(run.step()) << run.why();
  EXPECT_EQ(run.report().parts, 1);
  EXPECT_LE(run.report().solves, 30);
  EXPECT_EQ(run.certificate().count(Grade::full), 1);
  for (std::size_t i = 0; i < start.size(); ++i) {
    const int first = 2 * static_cast<int>(i);
    const Vec3 along = run.velocity({first}) - run.velocity({first + 1});
    EXPECT_GE(start[i].cross(along).norm() / along.norm(), 2.0 * radius - 2e-6) << i;
  }
}

// 10 m/s to and fro in 1 cm: a hundred impacts in a step of 0.1 s, which is more than are followed; ten in 0.01 s are
// not.
TEST(CollisionsInsideSteps, StepsThatEndWithoutBouncingAreCounted) {
  const Material elastic{.mu = 0.0, .restitution = 1.0};
  ModelBuilder builder;
  builder.set_gravity({0.0, 0.0, 0.0});
  builder.add_ground(HalfSpace{{1.0, 0.0, 0.0}, 0.0}, elastic);
  builder.add_ground(HalfSpace{{-1.0, 0.0, 0.0}, -0.21}, elastic);
  const BodyId ball = builder.add_body({.mass = 1.0,
                                        .shape = Sphere{0.1},
                                        .material = elastic,
                                        .position = {0.105, 0.0, 0.0},
                                        .velocity = {10.0, 0.0, 0.0},
                                        .freedom = Freedom::particle()});
  const Model model = builder.build().value();
  Simulator coarse(model, {.h = 0.1, .end = 0.1, .scheme = preset(Scheme::trapezoidal)});
  ASSERT_TRUE(coarse.run_until(0.1).ok()) << coarse.why();
  EXPECT_EQ(coarse.certificate().plastic_steps, 1);
  Simulator fine(model, {.h = 0.01, .end = 0.1, .scheme = preset(Scheme::trapezoidal)});
  ASSERT_TRUE(fine.run_until(0.1).ok()) << fine.why();
  EXPECT_EQ(fine.certificate().plastic_steps, 0);
  EXPECT_NEAR(fine.velocity(ball).norm(), 10.0, 1e-10);
}

// Dropped from 1 m with e = 1/2: impacts at t0 (1 + 1 + 1/2 + ...) = 3 t0 and then rest, in a few long steps.
TEST(CollisionsInsideSteps, AreFollowedToRestHoweverManyInAStep) {
  ModelBuilder builder;
  builder.add_ground(HalfSpace{}, {.mu = 0.0, .restitution = 0.5});
  builder.add_body({.mass = 1.0,
                    .shape = Sphere{0.1},
                    .material = {.mu = 0.0, .restitution = 0.5},
                    .position = {0, 0, 1.1},
                    .freedom = Freedom::particle()});
  SchemeOptions scheme = preset(Scheme::trapezoidal);
  scheme.restitution_threshold = 0.0;
  Simulator run(builder.build().value(), {.h = 0.5, .end = 2.5, .scheme = scheme});
  ASSERT_TRUE(run.run_until(2.5).ok()) << run.why();
  const double fall = std::sqrt(2.0 / 9.81);
  ASSERT_GE(count(run, EventKind::impact), 10);
  for (int i = 0; i < 10; ++i) EXPECT_NEAR(run.events().at(i).time, fall * (3.0 - 2.0 * std::pow(0.5, i)), 1e-7) << i;
  EXPECT_LE(run.velocity({1}).norm(), gentle);
}

}  // namespace
}  // namespace stiction
