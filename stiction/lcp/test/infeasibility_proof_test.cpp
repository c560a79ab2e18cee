#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "stiction/lcp/certificate.h"
#include "stiction/lcp/test/literals.h"
#include "stiction/lcp/test/random_problems.h"

namespace stiction::lcp {
namespace {

using test::matrix;
using test::vector;

bool proves(const Problem& problem, const Vector& y) {
  return certify_infeasible(problem, y).valid;
}

/// w1 + w2 = -2 whatever z is.
Problem contradiction() {
  return {"contradiction", matrix(2, {1, -1, -1, 1}), vector({-1, -1})};
}

TEST(InfeasibilityProof, FarkasIsAccepted) {
  const InfeasibilityProof proof = certify_infeasible(contradiction(), vector({3, 3}));
  EXPECT_TRUE(proof.valid);
  EXPECT_DOUBLE_EQ(proof.gap, 1.0);
  EXPECT_EQ(proof.slope, 0.0);
  EXPECT_EQ(proof.radius, infinity);
  EXPECT_TRUE(proves({"", matrix(1, {-1}), vector({-1})}, vector({1})));
}

TEST(InfeasibilityProof, EveryWrongSignIsRejected) {
  for (const double a : {-1.0, 1.0})
    for (const double b : {-1.0, 1.0}) EXPECT_EQ(proves(contradiction(), vector({a, b})), a > 0.0 && b > 0.0);
  EXPECT_FALSE(proves(contradiction(), vector({1, 0})));                  // M'y = (1, -1)
  EXPECT_FALSE(proves({"", matrix(1, {1}), vector({-1})}, vector({1})));  // M'y > 0
  EXPECT_FALSE(proves({"", matrix(1, {-1}), vector({1})}, vector({1})));  // q'y > 0
  EXPECT_FALSE(proves({"", matrix(1, {-1}), vector({0})}, vector({1})));  // q'y = 0: z = 0 solves it
  EXPECT_FALSE(proves({"", matrix(1, {-1}), vector({-1})}, vector({-1})));
}

TEST(InfeasibilityProof, WhatIsNoProofIsRejected) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const Vector& y :
       {vector({0, 0}), vector({1}), vector({1, 1, 1}), vector({nan, 1}), vector({1, infinity}), Vector()})
    EXPECT_FALSE(proves(contradiction(), y));
  EXPECT_FALSE(proves({"", DenseMatrix(0, 0), Vector(0)}, Vector(0)));
}

TEST(InfeasibilityProof, RoundingIsForgivenAndNothingMore) {
  const InfeasibilityProof rounded = certify_infeasible(contradiction(), vector({1, 1 + 1e-15}));
  EXPECT_TRUE(rounded.valid);
  EXPECT_LT(rounded.radius, infinity);
  EXPECT_GT(rounded.radius, 1e14);
  EXPECT_FALSE(proves(contradiction(), vector({1, 1 + 1e-11})));
  EXPECT_FALSE(proves(contradiction(), vector({1, 1 + 1e-6})));
}

TEST(InfeasibilityProof, ANearlySingularProblemWithASolutionIsNotRefuted) {
  // z = (2/e + 1, 2/e) solves it: a proof by (1, 1) would reach up to 2/e only.
  for (const double epsilon : {1e-3, 1e-6, 1e-9, 1e-12}) {
    const Problem problem{"", matrix(2, {1, -1, -1, 1 + epsilon}), vector({-1, -1})};
    const InfeasibilityProof proof = certify_infeasible(problem, vector({1, 1}));
    EXPECT_FALSE(proof.valid) << epsilon;
    EXPECT_NEAR(proof.radius * epsilon, 2.0, 1e-3) << epsilon;
  }
}

TEST(InfeasibilityProof, AGapThatAnswersMayHaveIsNone) {
  Problem problem = contradiction();
  problem.q = vector({1, -1 - 1e-9});
  // z = (0, 1 + 1e-9) leaves w1 = -1e-9: certified.
  EXPECT_TRUE(certify(problem, vector({0, 1 + 1e-9})).certified(1e-8));
  EXPECT_FALSE(proves(problem, vector({1, 1})));
  problem.q = vector({1, -1 - 1e-3});
  EXPECT_TRUE(proves(problem, vector({1, 1})));
}

TEST(InfeasibilityProof, UnitsDoNotMatter) {
  Random random(1);
  for (int trial = 0; trial < 50; ++trial) {
    const auto scale = [&] { return std::pow(10.0, random.uniform(-9.0, 9.0)); };
    const Vector S = vector({scale(), scale()}), T = vector({scale(), scale()});
    Problem problem = contradiction();
    problem.M = DenseMatrix(S.asDiagonal() * problem.M.dense() * T.asDiagonal());
    problem.q = scale() * S.cwiseProduct(problem.q);
    EXPECT_TRUE(proves(problem, S.cwiseInverse())) << trial;
    EXPECT_FALSE(proves(problem, Vector(-S.cwiseInverse())));
  }
}

TEST(InfeasibilityProof, EqualitiesTakeEitherSign) {
  // z1 + z2 = 1 and z1 + z2 = 2.
  const Problem problem{"", matrix(2, {1, 1, 1, 1}), vector({-1, -2}), Vector::Constant(2, -infinity),
                        Vector::Constant(2, infinity)};
  EXPECT_FALSE(proves(problem, vector({1, -1})));
  EXPECT_TRUE(proves(problem, vector({-1, 1})));
  EXPECT_FALSE(proves(problem, vector({1, 1})));
  EXPECT_FALSE(proves(problem, vector({-1, 1 + 1e-9}))) << "a free variable forgives no slope of either sign";
  EXPECT_FALSE(proves(problem, vector({-1, 1 - 1e-9})));
}

TEST(InfeasibilityProof, UpperBoundsTurnTheSigns) {
  // z <= 0 and w = 1 - z <= 0.
  const Problem problem{"", matrix(1, {-1}), vector({1}), vector({-infinity}), vector({0})};
  EXPECT_TRUE(proves(problem, vector({-1})));
  EXPECT_FALSE(proves(problem, vector({1})));
  // z <= 2: z = 2 gives w = -1.
  EXPECT_FALSE(proves({"", matrix(1, {-1}), vector({1}), vector({-infinity}), vector({2})}, vector({-1})));
}

TEST(InfeasibilityProof, FiniteBoundsCountExactly) {
  // w2 = z1 - 2 >= 0 with z1 in [0, u].
  const auto problem = [](double u) {
    return Problem{"", matrix(2, {1, 0, 1, 0}), vector({0, -2}), vector({0, 0}), vector({u, infinity})};
  };
  EXPECT_TRUE(proves(problem(1), vector({0, 1})));
  EXPECT_DOUBLE_EQ(certify_infeasible(problem(1), vector({0, 1})).gap, 1.0);
  EXPECT_FALSE(proves(problem(2), vector({0, 1})));
  EXPECT_FALSE(proves(problem(3), vector({0, 1})));
  EXPECT_FALSE(proves(problem(infinity), vector({0, 1})));
  // w1 may have either sign: it proves nothing.
  EXPECT_FALSE(proves(problem(1), vector({1e-3, 1})));
  EXPECT_FALSE(proves(problem(1), vector({-1e-3, 1})));
}

TEST(InfeasibilityProof, LowerBoundsCountExactly) {
  // w = 4 - z >= 0 with z >= low.
  const auto problem = [](double low) {
    return Problem{"", matrix(1, {-1}), vector({4}), vector({low}), vector({infinity})};
  };
  EXPECT_TRUE(proves(problem(5), vector({1})));
  EXPECT_FALSE(proves(problem(4), vector({1})));
  EXPECT_FALSE(proves(problem(3), vector({1})));
}

TEST(InfeasibilityProof, FixedVariablesAreNumbers) {
  // w2 = s z1 - 2 >= 0 with z1 = 1.
  const auto problem = [](double s) {
    return Problem{"", matrix(2, {1, 0, s, 0}), vector({0, -2}), vector({1, 0}), vector({1, infinity})};
  };
  EXPECT_TRUE(proves(problem(1), vector({0, 1})));
  EXPECT_TRUE(proves(problem(-1), vector({0, 1})));
  EXPECT_FALSE(proves(problem(3), vector({0, 1})));
  EXPECT_FALSE(proves(problem(1), vector({1, 1}))) << "w1 is bound by nothing";
}

}  // namespace
}  // namespace stiction::lcp
