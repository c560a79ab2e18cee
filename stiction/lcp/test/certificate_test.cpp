#include "stiction/lcp/certificate.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "stiction/lcp/lemke.h"
#include "stiction/lcp/test/literals.h"
#include "stiction/lcp/test/random_problems.h"

namespace stiction::lcp {
namespace {

using test::matrix;
using test::vector;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

TEST(Certificate, IsZeroExactlyAtSolutions) {
  const Problem problem{"", matrix(2, {2, 1, 1, 2}), vector({-4, -5})};
  const Certificate at_solution = certify(problem, vector({1, 2}));
  EXPECT_EQ(at_solution.residual, 0.0);
  EXPECT_EQ(at_solution.data_residual, 0.0);
  EXPECT_EQ(at_solution.bound_violation, 0.0);
  EXPECT_TRUE(at_solution.certified(0.0));
  for (const Vector& z : {vector({1, 2 + 1e-15}), vector({1, 2 - 1e-15}), vector({0, 2.5}), vector({0, 0})})
    EXPECT_GT(certify(problem, z).residual, 0.0);
}

TEST(Certificate, KnowsEveryKindOfBound) {
  const auto residual = [](double low, double high, double q, double z) {
    const Problem problem{"", matrix(1, {1}), vector({q}), vector({low}), vector({high})};
    return certify(problem, vector({z})).residual;
  };
  EXPECT_EQ(residual(0, 2, -3, 2), 0.0);                                     // on the upper bound, w = -1
  EXPECT_EQ(residual(0, 2, 3, 0), 0.0);                                      // on the lower, w = 3
  EXPECT_EQ(residual(0, 2, -1, 1), 0.0);                                     // between, w = 0
  EXPECT_EQ(residual(-infinity, 1, -3, 1), 0.0);                             // upper only
  EXPECT_EQ(residual(-infinity, 1, 3, -3), 0.0);                             //
  EXPECT_EQ(residual(-infinity, infinity, 3, -3), 0.0);                      // free
  EXPECT_EQ(residual(2, 2, 7, 2), 0.0);                                      // fixed, any w
  EXPECT_EQ(residual(2, 2, -7, 2), 0.0);                                     //
  EXPECT_DOUBLE_EQ(residual(0, 2, -3, 0), 2.0 / 3.0);                        // w = -3 pushes to the upper bound
  EXPECT_DOUBLE_EQ(residual(0, 2, 3, 2), 2.0 / 3.0);                         // w = 5 pushes to the lower bound
  EXPECT_DOUBLE_EQ(residual(-infinity, infinity, 3, -2), 0.25 * 4.0 / 3.0);  // w = 1
  EXPECT_DOUBLE_EQ(residual(2, 2, 7, 1), 1.0 / 7.0);                         // off its only value
}

TEST(Certificate, IsTheKnownValueAtAKnownWrongAnswer) {
  const Problem problem{"", matrix(3, {1, 0, 0, 0, 1, 0, 0, 0, 1}), vector({-1, -4, 2})};
  // w = (0, -1, 2): the second component should be 1 larger; the divisor is max|q| = 4.
  const Certificate certificate = certify(problem, vector({1, 3, 0}));
  EXPECT_DOUBLE_EQ(certificate.residual, 0.25);
  EXPECT_DOUBLE_EQ(certificate.data_residual, 0.25);
  EXPECT_EQ(certificate.worst, 1);
  // Below its bound by 2, with w = 0: the worst is the first, and the divisor max|z| = 8.
  const Problem other{"", matrix(2, {1, 0, 0, 1}), vector({2, -8})};
  const Certificate below = certify(other, vector({-2, 8}));
  EXPECT_DOUBLE_EQ(below.residual, 0.25);
  EXPECT_DOUBLE_EQ(below.bound_violation, 0.25);
  EXPECT_EQ(below.worst, 0);
}

TEST(Certificate, EqualityResidualIsThatOfFreeRows) {
  const Problem problem{"", matrix(2, {1, 0, 0, 1}), vector({-2, -4}), vector({-infinity, 0}),
                        vector({infinity, infinity})};
  const Certificate certificate = certify(problem, vector({3, 2}));
  EXPECT_DOUBLE_EQ(certificate.equality_residual, 0.25);
  EXPECT_DOUBLE_EQ(certificate.residual, 0.5);
}

TEST(Certificate, RefusesWhatIsNoAnswer) {
  const Problem problem{"", matrix(2, {1, 0, 0, 1}), vector({1, 1})};
  for (const Vector& z : {vector({0}), vector({0, 0, 0}), vector({nan, 0}), vector({0, infinity}), Vector()}) {
    EXPECT_EQ(certify(problem, z).residual, infinity);
    EXPECT_FALSE(certify(problem, z).certified(1e300));
  }
  const Problem large{"", matrix(1, {1e300}), vector({1})};
  EXPECT_FALSE(certify(large, vector({1e300})).certified(1.0)) << "w overflows";
}

TEST(Certificate, TheEmptyProblemIsSolved) {
  const Certificate certificate = certify(Problem{"", DenseMatrix(0, 0), Vector(0)}, Vector(0));
  EXPECT_EQ(certificate.residual, 0.0);
  EXPECT_EQ(certificate.worst, -1);
}

TEST(Certificate, WIsSummedInExtendedPrecision) {
  // w = 1e17 + 1 - 1e17 with terms that double precision loses.
  const Problem problem{"", matrix(3, {1e17, 1, -1e17, 0, 1, 0, 0, 0, 1e17}), vector({-1, -1, -1e17}),
                        Vector::Constant(3, -infinity), Vector::Constant(3, infinity)};
  EXPECT_EQ(certify(problem, vector({1, 1, 1})).residual, 0.0);
}

/// Units of rows and columns changed by powers of two: S M T, S q, z / T.
Problem in_other_units(const Problem& problem, const Vector& S, const Vector& T) {
  Problem result = problem;
  result.M = DenseMatrix(S.asDiagonal() * problem.M.to_dense() * T.asDiagonal());
  result.q = S.cwiseProduct(problem.q);
  if (problem.lower.size() != 0) result.lower = problem.lower.cwiseQuotient(T);
  if (problem.upper.size() != 0) result.upper = problem.upper.cwiseQuotient(T);
  return result;
}

Vector random_scales(Random& random, Index n, int most) {
  return Vector::NullaryExpr(n, [&](Index) { return std::ldexp(1.0, random.integer(-most, most)); });
}

TEST(Certificate, SolutionsStaySolutionsInAnyUnits) {
  Random random(5);
  Problem problem{"", matrix(3, {4, 1, 0, 1, 8, -2, 0, 2, 2}), vector({-6, -13, -8})};
  const Vector z = vector({1, 2, 2});  // w = (0, 0, 0)
  ASSERT_EQ(certify(problem, z).residual, 0.0);
  for (int trial = 0; trial < 20; ++trial) {
    const Vector S = random_scales(random, 3, 30), T = random_scales(random, 3, 30);
    EXPECT_EQ(certify(in_other_units(problem, S, T), z.cwiseQuotient(T)).residual, 0.0);
  }
}

TEST(Certificate, WrongAnswersAreAsWrongInAnyUnits) {
  Random random(6);
  double largest = 0.0;
  for (int trial = 0; trial < 100; ++trial) {
    const Problem problem = test::random_p(random, 12);
    const Vector z = test::random_vector(random, 12).cwiseMax(0.0);
    const Vector S = random_scales(random, 12, 20), T = random_scales(random, 12, 20);
    const double before = certify(problem, z).residual;
    const double after = certify(in_other_units(problem, S, T), z.cwiseQuotient(T)).residual;
    largest = std::max({largest, before / after, after / before});
  }
  // Units changed by up to 1e12 in each row and column: the scales that equilibrate finds leave a small factor.
  EXPECT_LT(largest, 32.0);
}

TEST(Certificate, AWrongSignIsNeverCertified) {
  Random random(7);
  int flipped = 0;
  for (int trial = 0; trial < 60; ++trial) {
    Problem problem = test::random_p(random, random.integer(2, 8));
    if (trial % 2 == 0) test::random_bounds(random, problem);
    Lemke lemke;
    Solution solution;
    lemke.solve(problem, solution);
    if (solution.status != Status::solved) continue;
    for (Index i = 0; i < problem.size(); ++i) {
      if (std::abs(solution.z[i]) < 1e-3) continue;
      Vector z = solution.z;
      z[i] = -z[i];
      // Certified only if it is another solution: a P-matrix has one.
      EXPECT_FALSE(certify(problem, z).certified(1e-8)) << problem.name << " " << i;
      ++flipped;
    }
  }
  EXPECT_GT(flipped, 100);
}

TEST(Certificate, AHugeAnswerHidesNothing) {
  // No solution: w1 + w2 = -2. Along (1, 1) the error stays 1 while z grows.
  const Problem problem{"", matrix(2, {1, -1, -1, 1}), vector({-1, -1})};
  for (const double t : {1e6, 1e9, 1e12, 1e15, 1e16, 1e17, 1e20, 1e100}) {
    const Certificate certificate = certify(problem, vector({t, t}));
    EXPECT_DOUBLE_EQ(certificate.residual, 1.0 / t);
    EXPECT_DOUBLE_EQ(certificate.data_residual, 1.0);
    EXPECT_FALSE(certificate.certified(1e-8)) << t;
  }
  EXPECT_FALSE(certify({"", matrix(1, {0}), vector({-1e-300})}, vector({1})).certified(1e-8));
}

TEST(Certificate, AHugeComponentHidesNothingElsewhere) {
  for (const double size : {1e3, 1e6, 1e8, 1e9}) {
    const Problem problem{"", matrix(2, {1, 0, 0, 1}), vector({size, -1})};
    EXPECT_FALSE(certify(problem, vector({0, 0})).certified(1e-8)) << size;
    EXPECT_DOUBLE_EQ(certify(problem, vector({0, 0})).row_residual, 1.0 / (1.0 + 1e-6 * size));
    EXPECT_TRUE(certify(problem, vector({0, 1})).certified(1e-15)) << size;
    const Problem large_answer{"", matrix(2, {1, 0, 0, 1}), vector({-size, -1})};
    EXPECT_FALSE(certify(large_answer, vector({size, 0})).certified(1e-8)) << size;
  }
}

TEST(Certificate, WhatOverflowsIsNotCertified) {
  const double bad = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(certify({"", matrix(2, {1e-300, 0, 0, 1}), vector({1e300, -1})}, vector({0, 0})).certified(1e-8));
  EXPECT_FALSE(certify({"", matrix(2, {1e200, -1e200, -1e200, 1e200}), vector({-1, -1})}, vector({1e300, 1e300}))
                   .certified(1e-8));
  EXPECT_FALSE(certify({"", matrix(1, {1}), vector({1}), vector({bad}), vector({1})}, vector({0})).certified(1e-8));
  EXPECT_FALSE(certify({"", matrix(1, {1}), vector({1}), vector({2}), vector({1})}, vector({1})).certified(1e-8));
  EXPECT_FALSE(certify({"", matrix(1, {1}), vector({1, 1})}, vector({0, 0})).certified(1e-8));
}

TEST(Certificate, BeyondTheLastBitsOfTheMatrixNothingIsCertified) {
  // z = (1 + 1/e, 1/e) solves it exactly, and a change of M in its last bits leaves no solution.
  const double epsilon = 0x1p-46;
  const Problem problem{"", matrix(2, {1, -1, -1, 1 + epsilon}), vector({-1, 0})};
  const Certificate certificate = certify(problem, vector({1 + 1 / epsilon, 1 / epsilon}));
  EXPECT_EQ(certificate.residual, 0.0);
  EXPECT_GT(certificate.distance, 1e14);
  EXPECT_FALSE(certificate.certified(1e-8));
  EXPECT_FALSE(certify_infeasible(problem, vector({1, 1})).valid);
}

TEST(Certificate, AnHonestHugeAnswerIsCertified) {
  const double epsilon = 0x1p-30;
  const Problem problem{"", matrix(2, {1, -1, -1, 1 + epsilon}), vector({-1, -1})};
  const double z2 = 2.0 / epsilon;
  EXPECT_TRUE(certify(problem, vector({z2 + 1, z2})).certified(1e-8));
  // Rounded in the last place of z: an error of 4e-7 in w.
  EXPECT_TRUE(certify(problem, vector({std::nextafter(z2 + 1, infinity), z2})).certified(1e-8));
}

TEST(Certificate, WithoutDataTheAnswerIsTheMeasure) {
  const Problem problem{"", matrix(2, {1, -1, -1, 1}), vector({0, 0})};
  EXPECT_TRUE(certify(problem, vector({0, 0})).certified(1e-8));
  EXPECT_TRUE(certify(problem, vector({3, 3})).certified(1e-8));
  EXPECT_FALSE(certify(problem, vector({3, 2})).certified(1e-8));
}

TEST(Certificate, ReusedStorageChangesNothing) {
  Random random(8);
  CertifyWork work;
  for (const Index n : {7, 3, 12}) {
    const Problem problem = test::random_any(random, n);
    const Vector z = test::random_vector(random, n);
    EXPECT_EQ(certify(problem, z, work).residual, certify(problem, z).residual);
  }
}

}  // namespace
}  // namespace stiction::lcp
