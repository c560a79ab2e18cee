#include "stiction/lcp/infeasibility.h"

#include <gtest/gtest.h>

#include "stiction/lcp/certificate.h"
#include "stiction/lcp/enumeration.h"
#include "stiction/lcp/test/literals.h"
#include "stiction/lcp/test/random_problems.h"

namespace stiction::lcp {
namespace {

using test::matrix;
using test::vector;

bool finds_proof(const Problem& problem) {
  Vector proof;
  const bool found = find_infeasibility_proof(problem, proof);
  EXPECT_EQ(found, found && certify_infeasible(problem, proof).valid);
  return found;
}

TEST(Infeasibility, FindsProofsWhereThereAreSome) {
  EXPECT_TRUE(finds_proof({"", matrix(1, {-1}), vector({-1})}));
  EXPECT_TRUE(finds_proof({"", matrix(1, {0}), vector({-1})}));
  EXPECT_TRUE(finds_proof({"", matrix(2, {1, -1, -1, 1}), vector({-1, -1})}));
}

TEST(Infeasibility, FindsNoneWhereThereIsAPoint) {
  EXPECT_FALSE(finds_proof({"", matrix(1, {1}), vector({-1})}));
  EXPECT_FALSE(finds_proof({"", matrix(1, {-1}), vector({1})}));
  EXPECT_FALSE(finds_proof({"", matrix(1, {0}), vector({0})}));
  // Feasible, and still without a solution.
  EXPECT_FALSE(finds_proof({"", matrix(2, {0, 1, 0, 0}), vector({-1, 1})}));
  EXPECT_FALSE(finds_proof({"", DenseMatrix(0, 0), Vector(0)}));
}

TEST(Infeasibility, KnowsEveryKindOfBound) {
  const auto one = [](double M, double q, double low, double high) {
    return Problem{"", matrix(1, {M}), vector({q}), vector({low}), vector({high})};
  };
  EXPECT_TRUE(finds_proof(one(0, 1, -infinity, infinity)));
  EXPECT_TRUE(finds_proof(one(0, -1, -infinity, infinity)));
  EXPECT_FALSE(finds_proof(one(2, -1, -infinity, infinity)));
  EXPECT_TRUE(finds_proof(one(-1, 1, -infinity, 0)));
  EXPECT_FALSE(finds_proof(one(-1, 1, -infinity, 2)));
  EXPECT_TRUE(finds_proof(one(-1, 4, 5, infinity)));
  EXPECT_FALSE(finds_proof(one(-1, 4, 3, infinity)));
  EXPECT_FALSE(finds_proof(one(0, -1, 0, 1))) << "a box always has a solution";
  EXPECT_FALSE(finds_proof(one(5, -1, 1, 1))) << "a fixed variable always has one";
  // w2 = z1 - 2 with z1 in [0, 1].
  EXPECT_TRUE(finds_proof({"", matrix(2, {1, 0, 1, 0}), vector({0, -2}), vector({0, 0}), vector({1, infinity})}));
}

TEST(Infeasibility, NeverRefutesAProblemThatEnumerationSolves) {
  Random random(1);
  Enumeration enumeration;
  int proofs = 0;
  for (int trial = 0; trial < 400; ++trial) {
    Problem problem = test::random_any(random, random.integer(1, 5));
    if (trial % 2 == 0) test::random_bounds(random, problem);
    if (!finds_proof(problem)) continue;
    ++proofs;
    EXPECT_FALSE(enumeration.has_solution(problem)) << trial;
  }
  EXPECT_GT(proofs, 50);
}

TEST(Infeasibility, FindsEveryProofThatWasHiddenInAProblem) {
  // y >= 0, M'y <= 0, q'y < 0 by making: the last row is made from the others.
  Random random(2);
  for (int trial = 0; trial < 100; ++trial) {
    const Index n = random.integer(2, 25);
    DenseMatrix M = test::random_matrix(random, n, n);
    Vector q = test::random_vector(random, n);
    const Vector y = test::random_vector(random, n).cwiseAbs();
    const Vector slack = test::random_vector(random, n).cwiseMax(0.0);
    M.row(n - 1) = (-slack.transpose() - y.head(n - 1).transpose() * M.topRows(n - 1)) / y[n - 1];
    q[n - 1] = (-random.uniform(0.1, 1.0) - y.head(n - 1).dot(q.head(n - 1))) / y[n - 1];
    EXPECT_TRUE(finds_proof({"", M, q})) << trial;
    EXPECT_TRUE(finds_proof({"", Matrix(SparseMatrix(M.sparseView())), q})) << trial;
  }
}

}  // namespace
}  // namespace stiction::lcp
