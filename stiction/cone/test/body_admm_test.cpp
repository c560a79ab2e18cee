#include "stiction/cone/body_admm.h"

#include <gtest/gtest.h>

#include "stiction/cone/certificate.h"
#include "stiction/cone/test/random_body_problem.h"

namespace stiction::cone {
namespace {

TEST(BodyAdmm, SolvesNearlyAllRandomProblems) {
  int solved = 0;
  Random random(51);
  for (const int width : {3, 6})
    for (int turn = 0; turn < 20; ++turn) {
      const BodyProblem problem = random_body_problem(
          random, {.width = width, .nodes = 8, .contacts = 8, .redundant = turn % 3 == 0, .coupled = turn % 2 == 0});
      ASSERT_TRUE(BodyAdmm::can_solve(problem));
      BodyStart start(problem);
      BodyAdmm admm;
      if (!admm.solve(start.space, start.matrix, 1e-9, 2000, start.state)) continue;
      ++solved;
      EXPECT_LE(DenseBodies(problem).error(problem, start.state.r), 1e-8) << width << " " << turn;
    }
  EXPECT_GE(solved, 36);
}

TEST(BodyAdmm, PlainContactsAreCertifiedOnTheirRows) {
  int solved = 0;
  Random random(52);
  for (const int width : {3, 6})
    for (int turn = 0; turn < 10; ++turn) {
      const BodyProblem problem = random_body_problem(random, {.width = width, .nodes = 8, .joints = 0, .bounded = 0});
      BodyStart start(problem);
      BodyAdmm admm;
      if (!admm.solve(start.space, start.matrix, 1e-10, 2000, start.state)) continue;
      ++solved;
      EXPECT_TRUE(certify(condensed(problem), DenseBodies::as_vector(start.state.r)).certified(1e-8));
    }
  EXPECT_GE(solved, 18);
}

TEST(BodyAdmm, FrictionWithoutANormal) {
  // A body of mass 2 at (3, 4) against a ball of 1: it slows down by 1/2 along its way; against one of 20 it stops.
  for (const double radius : {1.0, 20.0}) {
    BodyProblem problem = make_bodies(3, 1);
    set_mass(problem, 0, 2.0 * DenseMatrix::Identity(3, 3));
    add_unit(problem, BodyProblem::Kind::contact, {0}, {DenseMatrix::Identity(2, 3)}, Vector::Zero(2));
    add_group(problem, 0, 2, 0.0, radius);
    problem.v = {3.0, 4.0, 1.0};
    ASSERT_TRUE(BodyAdmm::can_solve(problem));
    BodyStart start(problem);
    BodyAdmm admm;
    EXPECT_TRUE(admm.solve(start.space, start.matrix, 1e-12, 500, start.state));
    const double left = radius < 10.0 ? 4.5 / 5.0 : 0.0;
    EXPECT_NEAR(start.state.w[0], 3.0 * left, 1e-11);
    EXPECT_NEAR(start.state.w[1], 4.0 * left, 1e-11);
    EXPECT_EQ(start.state.w[2], 1.0);
  }
}

TEST(BodyAdmm, KnowsWhatItCannotSolve) {
  Random random(53);
  EXPECT_FALSE(BodyAdmm::can_solve(random_body_problem(random, {.several = true})));
  BodyProblem problem = random_body_problem(random, {});
  problem.groups[3].hf = 0.1;
  EXPECT_FALSE(BodyAdmm::can_solve(problem));
}

}  // namespace
}  // namespace stiction::cone
