#include "stiction/cone/body_gradient.h"

#include <gtest/gtest.h>

#include "stiction/cone/certificate.h"
#include "stiction/cone/test/random_body_problem.h"

namespace stiction::cone {
namespace {

TEST(BodyGradient, SolvesNearlyAllRandomProblems) {
  int solved = 0;
  Random random(61);
  for (const int width : {3, 6})
    for (int turn = 0; turn < 20; ++turn) {
      const BodyProblem problem = random_body_problem(random, {.width = width, .nodes = 8, .contacts = 8, .joints = 1});
      ASSERT_TRUE(BodyGradient::can_solve(problem));
      BodyStart start(problem);
      BodyGradient gradient;
      gradient.options.few_digits = 0.0;
      if (!gradient.solve(start.space, 1e-9, 20'000, start.state)) continue;
      ++solved;
      EXPECT_LE(DenseBodies(problem).error(problem, start.state.r), 1e-8) << width << " " << turn;
    }
  EXPECT_GE(solved, 36);
}

TEST(BodyGradient, PlainContactsAreCertifiedOnTheirRows) {
  int solved = 0;
  Random random(62);
  for (int turn = 0; turn < 20; ++turn) {
    const BodyProblem problem = random_body_problem(random, {.width = 6, .nodes = 8, .joints = 0, .bounded = 0});
    BodyStart start(problem);
    BodyGradient gradient;
    gradient.options.few_digits = 0.0;
    if (!gradient.solve(start.space, 1e-10, 20'000, start.state)) continue;
    ++solved;
    EXPECT_TRUE(certify(condensed(problem), DenseBodies::as_vector(start.state.r)).certified(1e-8));
  }
  EXPECT_GE(solved, 18);
}

TEST(BodyGradient, IsContentWithAFewDigitsAfterAWhile) {
  Random random(63);
  const BodyProblem problem = random_body_problem(random, {.width = 6, .nodes = 8, .joints = 0, .bounded = 0});
  BodyStart start(problem);
  BodyGradient gradient;
  gradient.options.few_digits = 1e-3;
  gradient.options.contented_after = 10;
  EXPECT_FALSE(gradient.solve(start.space, 0.0, 20'000, start.state));
  EXPECT_LE(start.state.error, 1e-3);
  EXPECT_LT(gradient.iterations(), 20'000);
}

TEST(BodyGradient, LeavesCoupledNodesToOthers) {
  Random random(64);
  EXPECT_FALSE(BodyGradient::can_solve(random_body_problem(random, {.coupled = true})));
  EXPECT_FALSE(BodyGradient::can_solve(random_body_problem(random, {.several = true})));
}

}  // namespace
}  // namespace stiction::cone
