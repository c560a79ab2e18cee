// A body that friction wedges between a floor and a wall: a line from one of its contacts to the other lies within both
// cones. No motion opens either of them, and what is left in their gaps is no b_n that could be met.
#include <gtest/gtest.h>

#include <algorithm>

#include "stiction/geometry/hull.h"
#include "stiction/model/model_builder.h"
#include "stiction/model/multibody.h"
#include "stiction/schemes/time_stepper.h"

namespace stiction {
namespace {

constexpr double h = 5e-3, mu = 1.3;  // at 45 degrees friction holds from 1 on

/// A tetrahedron that hangs below its upper edge, which leans at 45 degrees. With a ball on a string of joints, or not.
Model wedged(bool with_ball) {
  const std::vector<Vec3> corners{{0.3, 0, 0}, {0, 0, 0.3}, {0.04, 0.2, 0.04}, {0.04, -0.2, 0.04}};
  const auto hull = make_hull(corners);
  ModelBuilder builder;
  builder.add_body({.name = "floor", .shape = HalfSpace{}, .material = {.mu = mu}, .fixed = true});
  builder.add_body({.name = "wall", .shape = HalfSpace{Vec3::UnitX(), 0.0}, .material = {.mu = mu}, .fixed = true});
  BodyDef wedge;
  wedge.name = "wedge";
  wedge.mass = 2.0;
  wedge.shape = centered(hull.value());
  wedge.material.mu = mu;
  wedge.position = 0.25 * (corners[0] + corners[1] + corners[2] + corners[3]);
  const BodyId held = builder.add_body(wedge);
  if (with_ball) {
    const BodyId ball = builder.add_body({.name = "ball",
                                          .mass = 0.1,
                                          .shape = Sphere{0.01},
                                          .position = {0.095, 0.02, 0.03},
                                          .velocity = {0.0, 0.2, 0.0}});
    builder.add_joint({.kind = JointKind::spherical, .body = ball, .partner = held, .anchor = Vec3(0.095, 0, 0.085)});
    builder.ignore_pair(held, ball);
  }
  return builder.build().value();
}

/// It starts so far in the floor and in the wall.
State start_of(const Multibody& system, double depth) {
  State state;
  state.q = system.initial_positions();
  state.v = state.v_alpha = system.initial_velocities();
  state.q[0] -= depth;
  state.q[2] -= depth;
  return state;
}

struct Outcome {
  std::vector<Grade> grades;
  std::vector<int> solves;
  double penetration = 0.0, deepest = 0.0;  ///< At the end, and ever.
  double joint_error = 0.0;
};

Outcome run(const Multibody& system, double depth, int steps) {
  State state = start_of(system, depth);
  const SchemeOptions options = preset(Scheme::stewart_trinkle);
  TimeStepper stepper(system, options);
  StepReport report;
  Outcome out;
  for (int step = 0; step < steps && stepper.step(state, h, report); ++step) {
    out.grades.push_back(report.grade(options.cone.tolerance));
    out.solves.push_back(report.solves);
    out.penetration = report.penetration;
    out.deepest = std::max(out.deepest, report.penetration);
    out.joint_error = std::max(out.joint_error, report.joint_error);
  }
  return out;
}

// Within the contact tolerance nothing is lost, and what had no answer once is held from then on.
TEST(FrictionJam, GapsWithinTheToleranceStayAsTheyAre) {
  const Multibody system(wedged(false));
  const Outcome held = run(system, 3e-8, 100);
  ASSERT_EQ(held.grades.size(), 100);
  for (const Grade grade : held.grades) EXPECT_EQ(grade, Grade::full);
  for (std::size_t step = 1; step < held.solves.size(); ++step) EXPECT_EQ(held.solves[step], 1) << step;
  EXPECT_NEAR(held.penetration, 3e-8, 1e-12);
}

// Beyond it the steps say so until it is mended, apart from friction.
TEST(FrictionJam, WhatIsDeeperIsMendedAndTold) {
  const Multibody system(wedged(false));
  for (const double depth : {3e-7, 3e-6}) {
    const Outcome mended = run(system, depth, 20);
    ASSERT_EQ(mended.grades.size(), 20);
    EXPECT_EQ(mended.grades[0], Grade::relaxed) << "it ends as deep as it began";
    EXPECT_EQ(mended.grades[1], Grade::relaxed) << "it was put elsewhere";
    for (std::size_t step = 2; step < 20; ++step) EXPECT_EQ(mended.grades[step], Grade::full) << step;
    EXPECT_LT(mended.penetration, 1e-12);
  }
}

// Deeper than what adds up in a run: somebody put it there.
TEST(FrictionJam, WhatWasPutDeepInsideIsNotMovedBehindAnybodysBack) {
  const Multibody system(wedged(false));
  const Outcome deep = run(system, 1e-4, 5);
  ASSERT_EQ(deep.grades.size(), 5);
  for (const Grade grade : deep.grades) EXPECT_EQ(grade, Grade::relaxed);
  EXPECT_NEAR(deep.penetration, 1e-4, 1e-6);
}

// The contacts alone go without their position part.
TEST(FrictionJam, JointsKeepTheirPlace) {
  const Multibody system(wedged(true));
  const Outcome swings = run(system, 3e-8, 200);
  ASSERT_EQ(swings.grades.size(), 200);
  for (std::size_t step = 0; step < 200; ++step)
    EXPECT_TRUE(swings.grades[step] == Grade::full || swings.grades[step] == Grade::relaxed) << step;
  EXPECT_LT(swings.joint_error, 1e-11);
  EXPECT_LT(swings.deepest, 1e-7);
}

// What is mended turns by more than it moves, and takes joints along to the second order.
TEST(FrictionJam, WhatIsDeeperIsMendedWithJointsToo) {
  const Multibody system(wedged(true));
  const Outcome mended = run(system, 3e-6, 100);
  ASSERT_EQ(mended.grades.size(), 100);
  EXPECT_LT(mended.penetration, 1e-7);
  EXPECT_LT(mended.joint_error, 1e-8);
  EXPECT_LE(std::count(mended.grades.begin(), mended.grades.end(), Grade::relaxed), 5);
}

}  // namespace
}  // namespace stiction
