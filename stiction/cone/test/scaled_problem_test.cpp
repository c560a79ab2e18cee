#include "stiction/cone/scaled_problem.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "stiction/base/random.h"
#include "stiction/cone/certificate.h"

namespace stiction::cone {
namespace {

/// W with a full diagonal, and off it blocks of which some have nothing in their first column, some in none.
Problem make_problem(int dimension, Index contacts, bool elliptic, Random& random) {
  const Index n = dimension * contacts;
  DenseMatrix W = DenseMatrix::Zero(n, n);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) {
      const Index a = i / dimension, b = j / dimension;
      const bool present = a == b || (a + 2 * b) % 3 == 0 || ((a + 2 * b) % 3 == 1 && j % dimension == dimension - 1);
      if (present) W(i, j) = random.normal() + (i == j ? 4.0 : 0.0);
    }
  Problem problem{.dimension = dimension, .W = W, .q = Vector(n), .mu = Vector(contacts)};
  for (double& value : problem.q) value = random.normal();
  for (double& value : problem.mu) value = random.uniform(0.1, 1.0);
  if (elliptic) {
    problem.mu2 = problem.mu;
    for (double& value : problem.mu2) value *= random.uniform(0.3, 2.0);
  }
  return problem;
}

// The certificate knows nothing of scales and blocks.
TEST(ScaledProblem, ItsResidualIsTheLargerOfTheCertificates) {
  Random random(8);
  ScaledProblem scaled;
  Vector s, u, back;
  for (int trial = 0; trial < 30; ++trial) {
    const bool sparse = trial % 3 == 0, plane = trial % 2 == 0, elliptic = trial % 5 == 1 && !plane;
    Problem problem = make_problem(plane ? 2 : 3, 1 + trial % 7, elliptic, random);
    if (trial % 4 == 3)
      for (Index c = 0; c < problem.contacts(); ++c) {
        problem.borne.push_back(c % 2 == 0 ? 1 : 0);
        if (c % 2 == 0) problem.q[c * problem.dimension] *= 1e3;
      }
    if (!problem.borne.empty()) {
      problem.free = problem.q;
      for (Index c = 0; c < problem.contacts(); c += 2) problem.free[c * problem.dimension] = 0.0;
    }
    if (sparse) problem.W = SparseMatrix(problem.W.dense().sparseView());
    Vector r(problem.size());
    for (double& value : r) value = random.normal();
    scaled.load(problem);
    scaled.from_original(r, s);
    scaled.velocity(s, u);
    const Certificate certificate = certify(problem, r);
    const double larger = std::max(certificate.residual, certificate.contact_residual);
    EXPECT_NEAR(scaled.residual(s, u) / larger, 1.0, 1e-12) << trial;
    scaled.to_original(s, back);
    EXPECT_LT((back - r).norm(), 1e-14 * r.norm()) << trial;
  }
}

TEST(ScaledProblem, HasABlockWhereWHasAnEntryAndOnTheDiagonal) {
  DenseMatrix W = DenseMatrix::Zero(9, 9);
  W.diagonal().head(3).setOnes();  // the second and the third contact have nothing of their own
  W(0, 5) = 1.0;                   // last column of the second contact alone
  ScaledProblem scaled;
  scaled.load({.W = W, .q = Vector::Ones(9), .mu = Vector::Ones(3)});
  ASSERT_EQ(scaled.blocks(), 4U);
  EXPECT_EQ(scaled.width(), 3);
  EXPECT_EQ(scaled.end(0) - scaled.begin(0), 2);
  auto block = scaled.begin(0);
  EXPECT_EQ(block.column(), 0);
  ++block;
  EXPECT_EQ(block.column(), 1);
  EXPECT_GT(block.a[2], 0.0);
  EXPECT_EQ(scaled.diagonal(2).column(), 2);
}

TEST(ScaledProblem, HasTwoRowsAContactInThePlane) {
  const DenseMatrix W{{2.0, 0.5, 0.25, 0.0}, {0.5, 3.0, 0.0, 0.0}, {0.25, 0.0, 4.0, 1.0}, {0.0, 0.0, 1.0, 5.0}};
  ScaledProblem scaled;
  scaled.load({.dimension = 2, .W = W, .q = Vector::Ones(4), .mu = Vector{{0.5, 0.0}}});
  EXPECT_EQ(scaled.width(), 2);
  ASSERT_EQ(scaled.blocks(), 4U);
  const auto own = scaled.diagonal(0);
  EXPECT_NEAR(own.a[3] / own.a[0], 1.5, 1e-15);
  EXPECT_EQ(own.a[1], own.a[2]);
  EXPECT_EQ(scaled.diagonal(1).a[3], 1.0) << "without friction a row of its own";
  double full[9];
  own.expand(full);
  for (const int k : {2, 5, 6, 7}) EXPECT_EQ(full[k], 0.0);
  EXPECT_EQ(full[4], own.a[3]);
  EXPECT_EQ(full[8], 1.0);
}

}  // namespace
}  // namespace stiction::cone
