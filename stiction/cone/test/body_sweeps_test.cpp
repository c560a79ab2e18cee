#include "stiction/cone/body_sweeps.h"

#include <gtest/gtest.h>

#include "stiction/cone/certificate.h"
#include "stiction/cone/test/random_body_problem.h"

namespace stiction::cone {
namespace {

/// Sweeps may stall: most are solved, and those are.
TEST(BodySweeps, SolveMostRandomProblems) {
  Random random(41);
  constexpr int turns = 40;
  int solved = 0;
  for (int turn = 0; turn < turns; ++turn) {
    const BodyProblem problem = random_body_problem(
        random, {.width = turn % 2 == 0 ? 6 : 3, .nodes = 8, .contacts = 8, .several = turn % 3 == 0});
    BodyStart start(problem);
    BodySweeps sweeps;
    if (!sweeps.solve(start.space, 1e-9, 5000, start.state)) continue;
    ++solved;
    EXPECT_GT(sweeps.sweeps(), 0);
    EXPECT_LE(DenseBodies(problem).error(problem, start.state.r), 1e-8) << turn;
  }
  EXPECT_GE(solved, turns * 9 / 10);
}

TEST(BodySweeps, PlainContactsAreCertifiedOnTheirRows) {
  Random random(42);
  constexpr int turns = 20;
  int solved = 0;
  for (int turn = 0; turn < turns; ++turn) {
    const int width = turn % 2 == 0 ? 6 : 3;
    const BodyProblem problem = random_body_problem(
        random, {.width = width, .nodes = 8, .contacts = width == 3 ? 6 : 10, .joints = 0, .bounded = 0});
    BodyStart start(problem);
    BodySweeps sweeps;
    if (!sweeps.solve(start.space, 1e-10, 5000, start.state)) continue;
    ++solved;
    EXPECT_TRUE(certify(condensed(problem), DenseBodies::as_vector(start.state.r)).certified(1e-8)) << turn;
  }
  EXPECT_GE(solved, turns * 9 / 10);
}

TEST(BodySweeps, SmoothingMakesNothingWorse) {
  Random random(43);
  int better = 0;
  for (int turn = 0; turn < 20; ++turn) {
    const BodyProblem problem = random_body_problem(random, {.several = true, .redundant = true});
    BodyStart start(problem);
    const double before = start.state.error;
    BodySweeps sweeps;
    sweeps.smooth(start.space, 10, start.state);
    EXPECT_LE(start.state.error, before);
    better += start.state.error < 0.5 * before;
    const DenseBodies dense(problem);
    EXPECT_LE((DenseBodies::as_vector(start.state.u) - dense.speeds(start.state.r)).norm(), 1e-10);
  }
  EXPECT_GE(better, 15);
}

TEST(BodySweeps, LeaveCoupledNodesToOthers) {
  Random random(44);
  EXPECT_FALSE(BodySweeps::can_solve(random_body_problem(random, {.coupled = true})));
  EXPECT_TRUE(BodySweeps::can_solve(random_body_problem(random, {.several = true})));
}

TEST(BodySweeps, GiveUpWhereTheErrorStays) {
  // Two joint rows that contradict each other.
  BodyProblem problem = make_bodies(3, 1);
  const DenseMatrix J = DenseMatrix::Identity(1, 3);
  add_unit(problem, BodyProblem::Kind::joint, {0}, {J}, Vector::Constant(1, 0.0));
  add_unit(problem, BodyProblem::Kind::joint, {0}, {J}, Vector::Constant(1, 1.0));
  BodyStart start(problem);
  BodySweeps sweeps;
  EXPECT_FALSE(sweeps.solve(start.space, 1e-9, 100000, start.state));
  EXPECT_LE(sweeps.sweeps(), 1000);
}

}  // namespace
}  // namespace stiction::cone
