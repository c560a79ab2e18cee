#include "stiction/contact/step_problem.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "stiction/contact/test/random_step_problem.h"

namespace stiction {
namespace {

TEST(Facets, LieOnTheEllipseInPairs) {
  for (const int count : {4, 6, 8, 16}) {
    for (const double ratio : {1.0, 0.4}) {
      for (const double turn : {0.0, 0.3, -2.0}) {
        const Facets facets{count, turn};
        for (int i = 0; i < count; ++i) {
          double a1 = 0.0, a2 = 0.0, b1 = 0.0, b2 = 0.0;
          facets.direction(i, ratio, a1, a2);
          const double angle = turn + 2.0 * std::numbers::pi * i / count;
          EXPECT_NEAR(a1, std::cos(angle), 1e-15);
          EXPECT_NEAR(a2, ratio * std::sin(angle), 1e-15);
          // 1996, (13), to the last bit.
          facets.direction((i + count / 2) % count, ratio, b1, b2);
          EXPECT_EQ(b1, -a1);
          EXPECT_EQ(b2, -a2);
        }
      }
    }
  }
}

TEST(Facets, AreExactInThePlane) {
  const Facets facets{2, 0.0};
  for (int i = 0; i < 2; ++i) {
    double along1 = 0.0, along2 = 1.0;
    facets.direction(i, 1.0, along1, along2);
    EXPECT_EQ(along1, i == 0 ? 1.0 : -1.0);
    EXPECT_EQ(along2, 0.0);
  }
}

TEST(StepProblem, SpeedsAreThoseOfVAlpha) {
  Random random(401);
  const StepProblem problem = random_step_problem(random, 2, 2, 0, 0.75);
  const Vector v_plus = Vector::Constant(problem.velocities(), 0.3);
  const Vector v_alpha = 0.75 * v_plus + 0.25 * problem.v;
  for (int j = 0; j < problem.size(); ++j)
    EXPECT_NEAR(problem.speed(problem.n, j, v_plus), problem.n.dot(j, v_alpha), 1e-15);
}

TEST(StepProblem, ClearedConstraintsLeaveTheFreeMotion) {
  Random random(409);
  StepProblem problem = random_step_problem(random, 2, 3, 2);
  const Vector v = problem.v;
  problem.clear_constraints();
  EXPECT_EQ(problem.size(), 0);
  EXPECT_EQ(problem.joints(), 0);
  for (const linalg::Rows* rows : {&problem.nu, &problem.n, &problem.t1, &problem.t2}) EXPECT_EQ(rows->size(), 0);
  for (const auto* list : {&problem.b_nu, &problem.b_n, &problem.b_t1, &problem.b_t2}) EXPECT_TRUE(list->empty());
  EXPECT_EQ(problem.v, v);
  EXPECT_EQ(problem.velocities(), 12);
}

}  // namespace
}  // namespace stiction
