#include "stiction/lcp/basic_point.h"

#include <gtest/gtest.h>

#include <Eigen/LU>

#include "stiction/lcp/certificate.h"
#include "stiction/lcp/test/literals.h"
#include "stiction/lcp/test/random_problems.h"

namespace stiction::lcp {
namespace {

using test::matrix;
using test::vector;

Vector point(const Problem& problem, const std::vector<bool>& basic) {
  StandardForm form;
  form.build(problem, {});
  BasicPoint basic_point;
  Vector z;
  EXPECT_TRUE(basic_point.evaluate(form, basic, z));
  return z;
}

TEST(BasicPoint, IsTheSolutionOfItsEquations) {
  const Problem problem{"", matrix(2, {2, 1, 1, 2}), vector({-5, -6})};
  EXPECT_LT((point(problem, {true, true}) - vector({4.0 / 3, 7.0 / 3})).norm(), 1e-15);
  EXPECT_EQ(point(problem, {false, false}), vector({0, 0}));
  EXPECT_EQ(point(problem, {true, false}), vector({2.5, 0}));
}

TEST(BasicPoint, WhatIsNotFeasibleIsPutOnItsBound) {
  const Problem problem{"", matrix(2, {1, 0, 0, 1}), vector({1, -2})};
  EXPECT_EQ(point(problem, {true, true}), vector({0, 2}));
}

TEST(BasicPoint, RefinementReachesRounding) {
  Random random(1);
  for (int trial = 0; trial < 20; ++trial) {
    Problem problem = test::random_p(random, 30);
    const Vector exact = test::random_vector(random, 30).cwiseAbs();
    problem.q = -(problem.M.dense() * exact);
    const Vector z = point(problem, std::vector<bool>(30, true));
    EXPECT_LT((problem.M.dense() * z + problem.q).lpNorm<Eigen::Infinity>(),
              1e-14 * problem.M.dense().lpNorm<Eigen::Infinity>() * exact.lpNorm<Eigen::Infinity>());
  }
}

TEST(BasicPoint, SingularBasesHaveNone) {
  const Problem problem{"", matrix(2, {1, 1, 1, 1}), vector({-1, -1})};
  StandardForm form;
  form.build(problem, {});
  BasicPoint basic_point;
  Vector z;
  EXPECT_FALSE(basic_point.evaluate(form, {true, true}, z));
  EXPECT_TRUE(basic_point.evaluate(form, {true, false}, z));
}

TEST(BasicPoint, AnAnswerThatIsSmallBesideItsBoundsKeepsItsDigits) {
  // z = bound + y cancels: without a step in z itself what is left is rounding of the bound.
  for (const double q : {0.0, 1e-20, 1.0}) {
    const Problem box{"", matrix(2, {3, 1, -1, 3}), vector({q, -2 * q}), vector({-1.45659, -1e6}), vector({1.2, 7e5})};
    const Vector z = point(box, {true, true, false, false});
    EXPECT_TRUE(certify(box, z).certified(1e-15)) << q << ": " << z.transpose();
    const Problem one_sided{"", matrix(2, {3, 1, -1, 3}), vector({q, -2 * q}), vector({-infinity, -infinity}),
                            vector({1e7, infinity})};
    EXPECT_TRUE(certify(one_sided, point(one_sided, {true, true})).certified(1e-15)) << q;
  }
}

TEST(BasicPoint, RedundantFreeVariablesAreZero) {
  // The same equality twice.
  const Problem problem{"", matrix(2, {1, 1, 1, 1}), vector({-3, -3}), Vector::Constant(2, -infinity),
                        Vector::Constant(2, infinity)};
  const Vector z = point(problem, {true, true});
  EXPECT_DOUBLE_EQ(z.sum(), 3.0);
  EXPECT_EQ(z.cwiseAbs().minCoeff(), 0.0);
}

}  // namespace
}  // namespace stiction::lcp
