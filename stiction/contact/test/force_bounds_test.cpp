#include "stiction/contact/force_bounds.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "stiction/contact/least_forces.h"
#include "stiction/contact/polyhedral_solver.h"
#include "stiction/contact/test/one_body_problem.h"
#include "stiction/contact/test/random_step_problem.h"

namespace stiction {
namespace {

std::vector<ForceBound> bounds_of(const StepProblem& problem) {
  PolyhedralSolver solver({});
  StepSolution solution;
  StepCertificate certificate;
  EXPECT_TRUE(solver.solve(problem, solution, certificate));
  EXPECT_TRUE(certificate.certified());
  std::vector<ForceBound> bounds;
  ForceBounds(true).find(problem, solution, bounds);
  for (const ForceBound& bound : bounds) EXPECT_TRUE(bound.is_tight) << bound.contact;
  return bounds;
}

// A load W in the middle: opposite legs bear the same, one pair all or nothing. Friction, all at one height,
// changes nothing of that.
TEST(ForceBounds, ALegOfATableBearsNothingToHalf) {
  for (const double mu : {0.0, 0.5}) {
    const std::vector<ForceBound> bounds = bounds_of(table_problem(mu, 8.0, 0.0, 0.0));
    ASSERT_EQ(bounds.size(), 4U);
    for (const ForceBound& bound : bounds) {
      EXPECT_NEAR(bound.least, 0.0, 1e-8) << mu;
      EXPECT_NEAR(bound.most, 4.0, 1e-8) << mu;
    }
  }
}

// Load at (a, 0), legs at (+-1, +-1): both legs on a side bear W (1 +- a)/2 together, and each of them all that the
// other side's leg beside it lets: f1 - f2 = f4 - f3 up to the smaller pair.
TEST(ForceBounds, ALoadBesideTheMiddle) {
  constexpr double load = 8.0, a = 0.5;
  const std::vector<ForceBound> bounds = bounds_of(table_problem(0.0, load, a, 0.0));
  const double light = load * (1.0 - a) / 2.0, heavy = load * (1.0 + a) / 2.0;
  for (const int j : {0, 1}) {
    EXPECT_NEAR(bounds[j].least, 0.0, 1e-8);
    EXPECT_NEAR(bounds[j].most, light, 1e-8);
  }
  for (const int j : {2, 3}) {
    EXPECT_NEAR(bounds[j].least, (heavy - light) / 2.0, 1e-8);
    EXPECT_NEAR(bounds[j].most, (heavy + light) / 2.0, 1e-8);
  }
}

TEST(ForceBounds, ThreeLegsHaveNoChoice) {
  StepProblem problem = one_body_problem(
      {{Vec3(1, 0, -1), Vec3::UnitZ()}, {Vec3(-1, 1, -1), Vec3::UnitZ()}, {Vec3(-1, -1, -1), Vec3::UnitZ()}}, 0.4);
  problem.k[2] = -8.0;
  const std::vector<ForceBound> bounds = bounds_of(problem);
  const double expected[] = {4.0, 2.0, 2.0};
  for (int j = 0; j < 3; ++j) {
    EXPECT_NEAR(bounds[j].least, expected[j], 1e-9);
    EXPECT_NEAR(bounds[j].most, expected[j], 1e-9);
  }
}

/// A ball of unit radius in a groove whose walls rise at `slope`, under a weight of 2.
StepProblem groove(double slope, double mu) {
  const Vec3 left(std::sin(slope), 0.0, std::cos(slope)), right(-std::sin(slope), 0.0, std::cos(slope));
  StepProblem problem = one_body_problem({{-left, left}, {-right, right}}, mu);
  problem.k[2] = -2.0;
  return problem;
}

// Moments about the middle want the same friction F up both walls, sideways forces the same N: N cos a + F sin a = W/2,
// |F| <= mu N.
TEST(ForceBounds, ABallInAGroove) {
  constexpr double slope = 0.6;
  for (const double mu : {0.1, 0.5, 1.0, 1.4}) {
    const std::vector<ForceBound> bounds = bounds_of(groove(slope, mu));
    for (const ForceBound& bound : bounds) {
      EXPECT_NEAR(bound.least, 1.0 / (std::cos(slope) + mu * std::sin(slope)), 1e-8) << mu;
      EXPECT_NEAR(bound.most, 1.0 / (std::cos(slope) - mu * std::sin(slope)), 1e-7) << mu;
    }
  }
}

// For mu > cot a the ball can be jammed as hard as one likes.
TEST(ForceBounds, ABallCanJam) {
  constexpr double slope = 1.2;
  for (const double mu : {0.5, 1.0}) {
    const std::vector<ForceBound> bounds = bounds_of(groove(slope, mu));
    for (const ForceBound& bound : bounds) {
      EXPECT_NEAR(bound.least, 1.0 / (std::cos(slope) + mu * std::sin(slope)), 1e-8);
      EXPECT_EQ(bound.most, std::numeric_limits<double>::infinity());
    }
  }
  const std::vector<ForceBound> bounds = bounds_of(groove(slope, 0.3));
  EXPECT_NEAR(bounds[0].most, 1.0 / (std::cos(slope) - 0.3 * std::sin(slope)), 1e-7);
}

// Along the groove it slides: friction is used up, and nothing is left to choose.
TEST(ForceBounds, ABallThatSlidesAlongItsGrooveHasNoChoice) {
  StepProblem problem = groove(0.6, 0.3);
  problem.k[1] = 50.0;
  for (const ForceBound& bound : bounds_of(problem)) EXPECT_NEAR(bound.most - bound.least, 0.0, 1e-9);
}

// Whatever answer there is lies within, and some answer comes near the ends.
TEST(ForceBounds, HoldAllAnswers) {
  Random random(23);
  int wide = 0;
  for (int trial = 0; trial < 15; ++trial) {
    StepProblem problem = random_step_problem(random, 1, 8, 0);
    std::fill(problem.b_n.begin(), problem.b_n.end(), 0.0);
    PolyhedralSolver solver({});
    StepSolution solution;
    StepCertificate certificate;
    ASSERT_TRUE(solver.solve(problem, solution, certificate));
    std::vector<ForceBound> bounds;
    ForceBounds(true).find(problem, solution, bounds);
    ForceSetFinder finder(true);
    ForceSet set;
    Islands islands;
    islands.split(problem);
    finder.find(problem, islands, 0, solution, speed_of(problem, solution), set);
    ForceProjection projection;
    const double size = 1.0 + *std::max_element(solution.c_n.begin(), solution.c_n.end());
    for (int sample = 0; sample < 40; ++sample) {
      std::vector<double> target;
      for (int c = 0; c < set.size(); ++c) target.push_back(5.0 * size * random.normal());
      if (!projection.solve(set, target)) continue;
      for (const ForceSet::Group& group : set.groups) {
        if (group.normal < 0) continue;
        EXPECT_GE(projection.x()[group.normal], bounds[group.contact].least - 1e-7 * size) << trial;
        EXPECT_LE(projection.x()[group.normal], bounds[group.contact].most + 1e-7 * size) << trial;
      }
    }
    for (const ForceBound& bound : bounds) {
      EXPECT_LE(bound.least, solution.c_n[bound.contact] + 1e-8 * size);
      EXPECT_GE(bound.most, solution.c_n[bound.contact] - 1e-8 * size);
      wide += bound.most > bound.least + 1e-3 * size;
    }
  }
  EXPECT_GE(wide, 10);
}

}  // namespace
}  // namespace stiction
