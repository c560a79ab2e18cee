#include "stiction/cone/body_proximal.h"

#include <gtest/gtest.h>

#include "stiction/base/test/allocation_counter.h"
#include "stiction/cone/certificate.h"
#include "stiction/cone/test/random_body_problem.h"
#include "stiction/cone/test/slow_slider.h"

namespace stiction::cone {
namespace {

constexpr int most_systems = 1000;
constexpr BodyProximal::Budget ample{most_systems, most_systems};

/// From no impulses, to the tolerance.
bool solve(double tolerance, BodyStart& start) {
  BodyProximal proximal;
  return proximal.solve(start.space, start.matrix, tolerance, tolerance, ample, start.state);
}

TEST(BodyProximal, SolvesRandomProblemsOfAllLaws) {
  Random random(81);
  int solved = 0;
  for (const int width : {3, 6})
    for (int turn = 0; turn < 40; ++turn) {
      const BodyProblem problem = random_body_problem(random, {.width = width,
                                                               .nodes = 8,
                                                               .bounded = 4,
                                                               .several = turn % 2 == 0,
                                                               .redundant = turn % 3 == 0,
                                                               .coupled = turn % 4 == 0});
      BodyStart start(problem);
      if (!solve(1e-9, start)) continue;
      ++solved;
      EXPECT_LE(DenseBodies(problem).error(problem, start.state.r), 1e-8) << width << " " << turn;
    }
  EXPECT_GE(solved, 76);
}

TEST(BodyProximal, CrowdedBodiesAreCertifiedOnTheirRows) {
  Random random(82);
  for (int turn = 0; turn < 20; ++turn) {
    const BodyProblem problem = random_body_problem(
        random, {.width = turn % 2 == 0 ? 6 : 3, .nodes = 6, .contacts = 60, .joints = 0, .bounded = 0});
    BodyStart start(problem);
    EXPECT_TRUE(solve(1e-9, start)) << turn;
    EXPECT_TRUE(certify(condensed(problem), DenseBodies::as_vector(start.state.r)).certified(1e-8)) << turn;
  }
}

TEST(BodyProximal, RowsThatContradictEachOther) {
  for (const double force : {0.1, 0.3, 1.0}) {
    const BodyProblem problem = slow_slider(force);
    BodyStart start(problem);
    EXPECT_TRUE(solve(1e-10, start)) << force;
    EXPECT_LE(DenseBodies(problem).error(problem, start.state.r), 1e-10) << force;
  }
}

TEST(BodyProximal, KeepsTheBestWithinItsBudget) {
  Random random(83);
  for (int turn = 0; turn < 20; ++turn) {
    const BodyProblem problem = random_body_problem(random, {.several = true, .coupled = turn % 2 == 0});
    BodyStart start(problem);
    const double before = start.state.error;
    BodyProximal proximal;
    const int most = 1 + turn % 7;
    proximal.solve(start.space, start.matrix, 1e-12, 1e-12, {most, most}, start.state);
    EXPECT_LE(proximal.iterations(), most);
    EXPECT_LE(start.state.error, before);
    EXPECT_LE((DenseBodies::as_vector(start.state.w) - DenseBodies(problem).velocities(start.state.r)).norm(), 1e-9);
  }
}

TEST(BodyProximal, FromWhereTheErrorIsAcceptedItGoesOnOnlyALittle) {
  Random random(84);
  const BodyProblem problem = random_body_problem(random, {.nodes = 8, .contacts = 30, .joints = 0});
  BodyStart start(problem);
  BodyProximal proximal;
  proximal.options.polish = 5;
  EXPECT_FALSE(proximal.solve(start.space, start.matrix, 0.0, 1e-6, ample, start.state));
  EXPECT_LE(start.state.error, 1e-6);
  EXPECT_LT(proximal.iterations(), most_systems);
}

// At rounding the error falls no more.
TEST(BodyProximal, EndsWhereNothingIsWonAnyMore) {
  Random random(86);
  const BodyProblem problem = random_body_problem(random, {.nodes = 8, .contacts = 30, .joints = 0});
  BodyStart start(problem);
  BodyProximal proximal;
  EXPECT_FALSE(proximal.solve(start.space, start.matrix, 0.0, 0.0, {most_systems, 40}, start.state));
  EXPECT_LE(start.state.error, 1e-10);
  EXPECT_LT(proximal.iterations(), most_systems / 2);
}

TEST(BodyProximal, ASecondSolveTakesNothingFromTheHeap) {
  if (!AllocationCounter::works()) GTEST_SKIP() << "this build has another malloc";
  Random random(85);
  const BodyProblem problem = random_body_problem(random, {.bounded = 2, .several = true});
  BodyStart start(problem);
  const BodyState first = start.state;
  BodyProximal proximal;
  proximal.solve(start.space, start.matrix, 1e-9, 1e-9, ample, start.state);
  const std::vector<double> r = start.state.r;
  start.state = first;
  const AllocationCounter counter;
  proximal.solve(start.space, start.matrix, 1e-9, 1e-9, ample, start.state);
  EXPECT_EQ(counter.count(), 0);
  EXPECT_EQ(start.state.r, r);
}

}  // namespace
}  // namespace stiction::cone
