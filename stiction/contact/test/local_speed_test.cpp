#include "stiction/contact/local_speed.h"

#include <gtest/gtest.h>

namespace stiction {
namespace {

/// Points of mass 1 on a line, x alone.
StepProblem points(int count) {
  StepProblem problem;
  problem.M.resize(count, count);
  problem.M.setIdentity();
  problem.v = problem.k = Vector::Zero(count);
  return problem;
}

/// A contact without friction between points a and b, or a and the world.
void touch(StepProblem& problem, int a, int b = -1) {
  problem.n.push(a, 1.0);
  if (b >= 0) problem.n.push(b, -1.0);
  problem.n.end_row();
  problem.t1.end_row();
  problem.t2.end_row();
  problem.contacts.push_back({static_cast<std::uint64_t>(problem.size() + 1)});
  for (auto* list : {&problem.b_n, &problem.b_t1, &problem.b_t2}) list->push_back(0.0);
}

double speed_at(const StepProblem& problem, int j) {
  judge::Mobilities mobilities;
  mobilities.find(problem);
  LocalSpeed speeds;
  speeds.find(problem, mobilities, problem.v);
  return speeds.contact(j);
}

// At rest under gravity it is |g| h: once as what approaches, once as weight.
TEST(LocalSpeed, OfABodyAtRestIsThatOfItsWeight) {
  StepProblem problem = points(1);
  problem.k[0] = -0.05;
  touch(problem, 0);
  EXPECT_NEAR(speed_at(problem, 0), 0.1, 1e-5);
}

// A point that hits counts for the contacts of its neighbours, and for no others.
TEST(LocalSpeed, ReachesTheNeighboursOfABodyAndNoFurther) {
  StepProblem problem = points(5);
  problem.k.setConstant(-0.01);
  problem.v[4] = -7.0;
  touch(problem, 0);
  for (int i = 1; i < 5; ++i) touch(problem, i, i - 1);
  EXPECT_NEAR(speed_at(problem, 4), 7.0, 0.1);  // 3 - 4
  EXPECT_NEAR(speed_at(problem, 3), 7.0, 0.1);  // 2 - 3
  EXPECT_NEAR(speed_at(problem, 2), 7.0, 0.1);  // 1 - 2: 2 is a neighbour of 3
  EXPECT_LT(speed_at(problem, 1), 0.1);
  EXPECT_LT(speed_at(problem, 0), 0.1);
}

// No impulse can raise it: a wall that is far away, a gap that opens and a huge answer change nothing.
TEST(LocalSpeed, DoesNotGrowWithWhatOpens) {
  StepProblem problem = points(2);
  problem.k.setConstant(-0.01);
  touch(problem, 0);
  touch(problem, 1);
  const double alone = speed_at(problem, 0);
  problem.b_n[0] = 100.0;
  EXPECT_LE(speed_at(problem, 0), alone);
  problem.b_n[0] = -3.0;  // it must give way at 3 m/s
  EXPECT_NEAR(speed_at(problem, 0), 3.0, 0.1);
}

// An impact takes no time and has no impulse of forces: what rests in it is measured by the step's weight.
TEST(LocalSpeed, OfAnImpactTakesTheWeightThatItIsGiven) {
  StepProblem problem = points(1);
  touch(problem, 0);
  EXPECT_LT(speed_at(problem, 0), 1e-40);
  problem.weight = Vector::Constant(1, 0.05);
  EXPECT_NEAR(speed_at(problem, 0), 0.05, 1e-12);
}

// Without gravity and in rigid motion the floor is left: a part of the bodies' own speed.
TEST(LocalSpeed, OfBodiesThatMoveTogetherIsAPartOfTheirSpeed) {
  StepProblem problem = points(2);
  problem.v.setConstant(10.0);
  touch(problem, 0, 1);
  EXPECT_NEAR(speed_at(problem, 0), 20.0 * LocalSpeed::floor_share, 1e-12);
}

// A joint's row in other units, here a thousand times as fine, is a thousand times as fast.
TEST(LocalSpeed, OfARowIsInItsOwnUnit) {
  StepProblem problem = points(2);
  problem.k.setConstant(-0.01);
  touch(problem, 0);
  for (const double unit : {1.0, 1000.0}) {
    problem.nu.push(0, unit);
    problem.nu.push(1, -unit);
    problem.nu.end_row();
    problem.b_nu.push_back(0.0);
  }
  judge::Mobilities mobilities;
  mobilities.find(problem);
  LocalSpeed speeds;
  speeds.find(problem, mobilities, problem.v);
  EXPECT_GT(speeds.row(0), 0.01);
  EXPECT_NEAR(speeds.row(1), 1000.0 * speeds.row(0), 1e-9);
}

}  // namespace
}  // namespace stiction
