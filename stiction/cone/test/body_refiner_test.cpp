#include "stiction/cone/body_refiner.h"

#include <gtest/gtest.h>

#include "stiction/base/test/allocation_counter.h"
#include "stiction/cone/body_solver.h"
#include "stiction/cone/test/random_body_problem.h"

namespace stiction::cone {
namespace {

constexpr double many_products = 1e9, rounding = 1e-13;

BodyState start_of(BodySpace& space, const BodyProblem& problem, const std::vector<double>& r) {
  EXPECT_TRUE(space.prepare(problem));
  BodyState state;
  state.r = r;
  state.find(space);
  return state;
}

/// Every row of J, and v, turned a little.
BodyProblem disturbed(const BodyProblem& problem, double by, Random& random) {
  BodyProblem next = problem;
  for (double& j : next.J) j += by * random.normal();
  for (double& v : next.v) v += by * random.normal();
  return next;
}

TEST(BodyRefiner, JointsOfTheNextIterationNeedNoNewFactors) {
  Random random(81);
  for (const bool coupled : {false, true})
    for (int turn = 0; turn < 10; ++turn) {
      const BodyProblem problem =
          random_body_problem(random, {.nodes = 8, .contacts = 0, .joints = 5, .bounded = 0, .coupled = coupled});
      BodyRefiner refiner;
      BodySpace space;
      BodyState state = start_of(space, problem, std::vector<double>(problem.b.size(), 0.0));
      ASSERT_TRUE(refiner.refine(space, rounding, 1e-11, many_products, state)) << state.error;
      EXPECT_EQ(refiner.factorisations(), 1);
      const BodyProblem next = disturbed(problem, 1e-5, random);
      BodyState again = start_of(space, next, state.r);
      ASSERT_GT(again.error, 1e-9);
      EXPECT_TRUE(refiner.refine(space, rounding, 1e-11, many_products, again)) << again.error;
      EXPECT_EQ(refiner.factorisations(), 0);
      EXPECT_LE(refiner.steps(), 4);
      EXPECT_LE(DenseBodies(next).error(next, again.r), 1e-11);
    }
}

TEST(BodyRefiner, AnotherIslandOfTheSameSizeTakesNewFactors) {
  Random random(82);
  const BodyFamily family{.nodes = 8, .contacts = 0, .joints = 5, .bounded = 0};
  BodyRefiner refiner;
  for (int turn = 0; turn < 10; ++turn) {
    const BodyProblem problem = random_body_problem(random, family);
    BodySpace space;
    BodyState state = start_of(space, problem, std::vector<double>(problem.b.size(), 0.0));
    EXPECT_TRUE(refiner.refine(space, rounding, 1e-11, many_products, state)) << turn;
    EXPECT_EQ(refiner.factorisations(), 1) << turn;
    EXPECT_LE(DenseBodies(problem).error(problem, state.r), 1e-11) << turn;
  }
}

TEST(BodyRefiner, NeverLeavesAWorseAnswer) {
  Random random(83);
  for (int turn = 0; turn < 50; ++turn) {
    const BodyProblem problem = random_body_problem(random, {.several = turn % 2 == 0});
    BodySpace space;
    BodyState state = start_of(space, problem, std::vector<double>(problem.b.size(), 0.0));
    const double before = state.error;
    BodyRefiner refiner;
    const bool found = refiner.refine(space, rounding, 1e-11, many_products, state);
    EXPECT_LE(state.error, before) << turn;
    EXPECT_EQ(found, state.error <= 1e-11) << turn;
    BodyState judged = start_of(space, problem, state.r);
    EXPECT_EQ(judged.error, state.error) << turn;
  }
}

TEST(BodyRefiner, ContactsThatKeepTheirStatesAreRefined) {
  Random random(84);
  int refined = 0, tried = 0;
  for (int turn = 0; turn < 40; ++turn) {
    const BodyProblem problem = random_body_problem(random, {.contacts = 4, .bounded = 1});
    BodySolver solver;
    std::vector<double> r(problem.b.size(), 0.0);
    if (!solver.solve(problem, 1e-8, true, BodyStage::none, r) || solver.state().error > 1e-13) continue;
    const BodyProblem next = disturbed(problem, 1e-9, random);
    BodySpace space;
    BodyState state = start_of(space, next, r);
    BodyRefiner refiner;
    ++tried;
    refined += refiner.refine(space, rounding, 1e-11, many_products, state);
  }
  EXPECT_GE(tried, 20);
  EXPECT_GE(10 * refined, 8 * tried);
}

TEST(BodyRefiner, LeavesWhatIsDearToOthers) {
  Random random(85);
  const BodyProblem problem = random_body_problem(random, {.contacts = 0, .joints = 5, .bounded = 0});
  BodySpace space;
  BodyState state = start_of(space, problem, std::vector<double>(problem.b.size(), 0.0));
  BodyRefiner refiner;
  EXPECT_FALSE(refiner.refine(space, rounding, 1e-11, 0.0, state));
  EXPECT_EQ(refiner.factorisations(), 0);
}

TEST(BodyRefiner, ASecondCallTakesNothingFromTheHeap) {
  if (!AllocationCounter::works()) GTEST_SKIP() << "this build has another malloc";
  Random random(86);
  const BodyProblem problem = random_body_problem(random, {.contacts = 0, .joints = 5, .bounded = 0});
  BodySpace space;
  BodyRefiner refiner;
  const std::vector<double> zero(problem.b.size(), 0.0);
  BodyState state = start_of(space, problem, zero);
  refiner.refine(space, rounding, 1e-11, many_products, state);
  state.r = zero;
  state.find(space);
  refiner.forget();
  const AllocationCounter counter;
  refiner.refine(space, rounding, 1e-11, many_products, state);
  EXPECT_EQ(counter.count(), 0);
}

}  // namespace
}  // namespace stiction::cone
