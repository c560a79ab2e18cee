#include "stiction/cone/body_interior.h"

#include <gtest/gtest.h>

#include "stiction/cone/certificate.h"
#include "stiction/cone/test/random_body_problem.h"
#include "stiction/cone/test/slow_slider.h"

namespace stiction::cone {
namespace {

TEST(BodyInterior, SolvesNearlyAllRandomProblems) {
  int solved = 0;
  Random random(61);
  for (const int width : {3, 6})
    for (int turn = 0; turn < 40; ++turn) {
      const BodyProblem problem = random_body_problem(random, {.width = width,
                                                               .nodes = 8,
                                                               .bounded = 4,
                                                               .several = turn % 2 == 0,
                                                               .redundant = turn % 3 == 0,
                                                               .coupled = turn % 4 == 0});
      BodyStart start(problem);
      BodyInterior interior;
      if (!interior.solve(start.space, start.matrix, 1e-9, 1.0, start.state)) continue;
      ++solved;
      EXPECT_LE(DenseBodies(problem).error(problem, start.state.r), 1e-8) << width << " " << turn;
    }
  EXPECT_GE(solved, 76);
}

TEST(BodyInterior, PlainContactsAreCertifiedOnTheirRows) {
  int solved = 0;
  Random random(62);
  for (const int width : {3, 6})
    for (int turn = 0; turn < 20; ++turn) {
      const BodyProblem problem =
          random_body_problem(random, {.width = width, .nodes = 8, .contacts = 14, .joints = 0, .bounded = 0});
      BodyStart start(problem);
      BodyInterior interior;
      if (!interior.solve(start.space, start.matrix, 1e-10, 1.0, start.state)) continue;
      ++solved;
      EXPECT_TRUE(certify(condensed(problem), DenseBodies::as_vector(start.state.r)).certified(1e-8));
    }
  EXPECT_GE(solved, 38);
}

TEST(BodyInterior, NothingOfAColdStartIsUsed) {
  Random random(63);
  const BodyProblem problem = random_body_problem(random, {.joints = 0});
  std::vector<double> first;
  for (const double scale : {0.0, 3.0}) {
    BodyStart start(problem);
    for (double& r : start.state.r) r = scale * random.normal();
    start.state.find(start.space);
    start.state.error = 1e9;
    BodyInterior interior;
    ASSERT_TRUE(interior.solve(start.space, start.matrix, 1e-9, 1.0, start.state));
    if (first.empty()) first = start.state.r;
    EXPECT_EQ(first, start.state.r);
  }
}

TEST(BodyInterior, AWarmStartNearTheAnswerTakesFewerSteps) {
  Random random(64);
  int cold = 0, warm = 0;
  for (int turn = 0; turn < 10; ++turn) {
    const BodyProblem problem = random_body_problem(random, {.several = turn % 2 == 0});
    BodyStart start(problem);
    BodyInterior interior;
    ASSERT_TRUE(interior.solve(start.space, start.matrix, 1e-10, 1.0, start.state));
    cold += interior.iterations();
    for (double& r : start.state.r) r *= 1.0 + 1e-5 * random.normal();
    start.state.find(start.space);
    EXPECT_TRUE(interior.solve(start.space, start.matrix, 1e-10, 1e-2, start.state)) << turn;
    warm += interior.iterations();
    EXPECT_LE(DenseBodies(problem).error(problem, start.state.r), 1e-9);
  }
  EXPECT_LT(warm, cold);
}

TEST(BodyInterior, OneOfTwoPointsMustSlideSlowly) {
  for (const double force : {0.0, 0.05, -0.02}) {
    const BodyProblem problem = slow_slider(force);
    BodyStart start(problem);
    BodyInterior interior;
    EXPECT_TRUE(interior.solve(start.space, start.matrix, 1e-10, 1.0, start.state)) << force;
    EXPECT_LE(DenseBodies(problem).error(problem, start.state.r), 1e-9) << force;
    EXPECT_TRUE(certify(condensed(problem), DenseBodies::as_vector(start.state.r)).certified(1e-8)) << force;
    // The two differ by 1e-7 and cannot both rest.
    EXPECT_NEAR(start.state.u[3] - start.state.u[1], slow_speed, 1e-18);
    EXPECT_LE(start.state.u[1], 1e-10) << force;
    EXPECT_GE(start.state.u[3], -1e-10) << force;
  }
}

}  // namespace
}  // namespace stiction::cone
