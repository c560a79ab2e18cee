#include "stiction/lcp/minimum_norm.h"

#include <gtest/gtest.h>

#include <Eigen/QR>

#include "stiction/lcp/test/literals.h"
#include "stiction/lcp/test/random_problems.h"

namespace stiction::lcp {
namespace {

using test::random_matrix;
using test::vector;

/// Force and two moments of a square table's legs: rank 3 with 4 columns, null vector (1, -1, 1, -1).
DenseMatrix table() {
  DenseMatrix G(3, 4);
  G << 1, 1, 1, 1, -1, 1, 1, -1, -1, -1, 1, 1;
  return G;
}

MultiplierSet nonnegative(DenseMatrix C, Vector start) {
  const Index n = start.size();
  return {std::move(C), std::move(start), Vector::Zero(n), Vector::Constant(n, infinity)};
}

TEST(MinimumNorm, SharesTheWeightOfATableEvenly) {
  const Vector x = minimum_norm(nonnegative(table(), vector({2, 0, 2, 0})));
  EXPECT_TRUE(x.isApprox(vector({1, 1, 1, 1}), 1e-14)) << x.transpose();
}

TEST(MinimumNorm, KeepsALegFromPulling) {
  // The least norm without signs, x - (1, -1, 1, -1) mean, has a negative leg; with signs the step stops at zero.
  const Vector start = vector({5, 1, 0, 3});
  const Vector unconstrained = Eigen::CompleteOrthogonalDecomposition<DenseMatrix>(table()).solve(table() * start);
  EXPECT_LT(unconstrained.minCoeff(), 0.0);
  const Vector x = minimum_norm(nonnegative(table(), start));
  EXPECT_GE(x.minCoeff(), 0.0);
  EXPECT_TRUE((table() * x).isApprox(table() * start, 1e-14));
  // On the line start + s (1, -1, 1, -1), 0 <= s <= 1, the norm is least at s = 0 since 5 - 1 + 0 - 3 > 0.
  EXPECT_TRUE(x.isApprox(start, 1e-14)) << x.transpose();
}

TEST(MinimumNorm, SharesBetweenAnEqualityAndAnInequality) {
  // Lotstedt's proof of part 4 takes the least lambda_2 first, (1, 0); the least of both is (1/2, 1/2).
  MultiplierSet set{DenseMatrix::Ones(1, 2), vector({1, 0}), vector({-infinity, 0}), Vector::Constant(2, infinity)};
  EXPECT_TRUE(minimum_norm(set).isApprox(vector({0.5, 0.5}), 1e-14));
}

TEST(MinimumNorm, ObeysUpperBounds) {
  MultiplierSet set{DenseMatrix::Ones(1, 3), vector({0, 1, 3}), Vector::Zero(3), vector({1, 1, 4})};
  EXPECT_TRUE(minimum_norm(set).isApprox(vector({1, 1, 2}), 1e-14));
}

TEST(MinimumNorm, LeavesFixedOnesAlone) {
  MultiplierSet set{DenseMatrix::Ones(1, 3), vector({0, 1, 3}), vector({0, 0, 3}), vector({infinity, infinity, 3})};
  EXPECT_TRUE(minimum_norm(set).isApprox(vector({0.5, 0.5, 3}), 1e-14));
}

/// x is the projection of zero on the set: no direction inside the set makes it shorter. For every other member y of a
/// convex set, x'(y - x) >= 0; members are made by stepping along null vectors as far as the bounds let them.
void expect_shortest(const MultiplierSet& set, const Vector& x, Random& random, int round) {
  const double size = 1.0 + set.start.norm();
  for (Index i = 0; i < x.size(); ++i) {
    ASSERT_GE(x[i], set.lower[i]) << round;
    ASSERT_LE(x[i], set.upper[i]) << round;
  }
  ASSERT_LE((set.C * (x - set.start)).norm(), 1e-10 * size * (1.0 + set.C.norm())) << round;
  Vector y = set.start;
  const Eigen::CompleteOrthogonalDecomposition<DenseMatrix> cod(set.C);
  const DenseMatrix projector = DenseMatrix::Identity(x.size(), x.size()) - cod.pseudoInverse() * set.C;
  for (int k = 0; k < 30; ++k) {
    EXPECT_GE(x.dot(y - x), -1e-9 * size * size) << round;
    Vector v = projector * test::random_vector(random, x.size());
    for (Index i = 0; i < x.size(); ++i)
      if (std::abs(v[i]) < 1e-12) v[i] = 0.0;
    double step = 5.0;
    for (Index i = 0; i < x.size(); ++i) {
      if (v[i] > 0.0) step = std::min(step, (set.upper[i] - y[i]) / v[i]);
      if (v[i] < 0.0) step = std::min(step, (set.lower[i] - y[i]) / v[i]);
    }
    y += random.uniform() * step * v;
  }
}

TEST(MinimumNorm, IsTheProjectionOfZero) {
  Random random(51);
  for (int round = 0; round < 1000; ++round) {
    const Index n = random.integer(1, 10), m = random.integer(1, 6);
    const DenseMatrix C = round % 2 == 0 ? test::random_integers(random, m, n)
                                         : DenseMatrix(random_matrix(random, m, 2) * random_matrix(random, 2, n));
    MultiplierSet set = nonnegative(C, test::random_vector(random, n).cwiseMax(0.0));
    for (Index i = 0; i < n; ++i) {
      if (round % 3 == 0 && random.integer(0, 3) == 0) set.lower[i] = -infinity;
      if (round % 3 == 1 && random.integer(0, 2) == 0) set.upper[i] = set.start[i] + random.integer(0, 1);
    }
    expect_shortest(set, minimum_norm(set), random, round);
  }
}

TEST(IndependentColumns, LeavesThreeLegsOfATable) {
  const MultiplierSet set = nonnegative(table(), vector({2, 1, 2, 1}));
  const Vector x = independent_columns(set);
  EXPECT_EQ((x.array() > 0.0).count(), 2);  // along (1, -1, 1, -1) two legs reach zero together: (3, 0, 3, 0)
  EXPECT_TRUE((table() * x).isApprox(table() * set.start, 1e-14));
  const Vector uneven = independent_columns(nonnegative(table(), vector({2, 1, 2, 0.5})));
  EXPECT_EQ((uneven.array() > 0.0).count(), 3);
}

TEST(IndependentColumns, IsIndependentAndEquivalent) {
  Random random(52);
  for (int round = 0; round < 1000; ++round) {
    const Index n = random.integer(1, 12), m = random.integer(1, 6);
    const DenseMatrix C = round % 2 == 0 ? test::random_integers(random, m, n)
                                         : DenseMatrix(random_matrix(random, m, 3) * random_matrix(random, 3, n));
    MultiplierSet set = nonnegative(C, test::random_vector(random, n).cwiseMax(0.0));
    for (Index i = 0; i < n; ++i) {
      if (round % 3 == 0 && random.integer(0, 3) == 0) set.lower[i] = -infinity;
      if (round % 3 == 1 && random.integer(0, 2) == 0) set.upper[i] = set.start[i] + 1.0;
    }
    const Vector x = independent_columns(set);
    std::vector<Index> inside;
    for (Index i = 0; i < n; ++i) {
      ASSERT_GE(x[i], set.lower[i]);
      ASSERT_LE(x[i], set.upper[i]);
      const bool free = set.lower[i] == -infinity;
      if (free ? x[i] != 0.0 : (x[i] > set.lower[i] && x[i] < set.upper[i])) inside.push_back(i);
      EXPECT_GE(x[i] * set.start[i], 0.0) << round;
    }
    EXPECT_LE((C * (x - set.start)).norm(), 1e-9 * (1.0 + C.norm()) * (1.0 + set.start.norm())) << round;
    if (inside.empty()) continue;
    Eigen::ColPivHouseholderQR<DenseMatrix> qr(DenseMatrix(C(Eigen::all, inside)));
    qr.setThreshold(1e-10);
    EXPECT_EQ(qr.rank(), static_cast<Index>(inside.size())) << round;
  }
}

TEST(NonnegativeLeastSquares, MeetsItsOptimalityConditions) {
  Random random(53);
  for (int round = 0; round < 500; ++round) {
    const Index m = random.integer(1, 8), n = random.integer(1, 12);
    const DenseMatrix A = round % 2 == 0 ? test::random_integers(random, m, n) : random_matrix(random, m, n);
    const Vector b = test::random_vector(random, m);
    const Vector x = nonnegative_least_squares(A, b);
    const Vector gradient = A.transpose() * (A * x - b);
    EXPECT_GE(x.minCoeff(), 0.0);
    EXPECT_GE(gradient.minCoeff(), -1e-10) << round;
    EXPECT_LE(std::abs(gradient.dot(x)), 1e-9 * (1.0 + x.norm())) << round;
  }
}

}  // namespace
}  // namespace stiction::lcp
