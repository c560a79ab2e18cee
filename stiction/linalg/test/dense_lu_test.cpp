#include "stiction/linalg/dense_lu.h"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <algorithm>

#include "stiction/base/random.h"
#include "stiction/linalg/matrix.h"

namespace stiction::linalg {
namespace {

void factorise(const DenseMatrix& A, DenseLu& lu) {
  lu.resize(static_cast<int>(A.rows()));
  for (int j = 0; j < A.cols(); ++j)
    for (int i = 0; i < A.rows(); ++i) lu.at(i, j) = A(i, j);
  lu.factorise();
}

Vector solve(DenseLu& lu, const Vector& b) {
  std::vector<double> x(b.data(), b.data() + b.size());
  lu.solve(x);
  return Eigen::Map<Vector>(x.data(), b.size());
}

DenseMatrix random_matrix(Random& random, Index n) {
  return DenseMatrix::NullaryExpr(n, n, [&](Index, Index) { return random.normal(); });
}

/// The matrix that was factorised, with unit columns in place of dependent ones.
DenseMatrix mended(const DenseMatrix& A, const DenseLu& lu) {
  DenseMatrix result = A;
  for (int k = lu.rank(); k < lu.size(); ++k)
    result.col(lu.column_order()[k]) = Vector::Unit(A.rows(), lu.row_order()[k]);
  return result;
}

bool is_permutation_of_all(std::vector<int> order) {
  std::sort(order.begin(), order.end());
  for (int k = 0; k < static_cast<int>(order.size()); ++k)
    if (order[k] != k) return false;
  return true;
}

TEST(DenseLu, SolvesEverySizeAroundThePanels) {
  Random random(1);
  DenseLu lu;
  for (Index n = 1; n <= 21; ++n) {
    const DenseMatrix A = random_matrix(random, n) + 2.0 * DenseMatrix::Identity(n, n);
    const Vector x = random_matrix(random, n).col(0);
    factorise(A, lu);
    ASSERT_EQ(lu.rank(), n);
    EXPECT_TRUE(is_permutation_of_all(lu.row_order()));
    EXPECT_TRUE(is_permutation_of_all(lu.column_order()));
    const double condition = A.inverse().lpNorm<Eigen::Infinity>() * A.lpNorm<Eigen::Infinity>();
    EXPECT_LT((solve(lu, A * x) - x).lpNorm<Eigen::Infinity>(), 1e-14 * condition) << n;
  }
}

TEST(DenseLu, NeedsRowExchanges) {
  DenseLu lu;
  factorise(DenseMatrix{{0.0, 1.0}, {1.0, 0.0}}, lu);
  EXPECT_EQ(solve(lu, Vector{{3.0, 5.0}}), (Vector{{5.0, 3.0}}));
  factorise(DenseMatrix{{1e-11, 1.0}, {1.0, 1.0}}, lu);
  EXPECT_NEAR(solve(lu, Vector{{1.0, 2.0}})[0], 1.0, 1e-10);
}

TEST(DenseLu, DependentColumnsAtAnyPlaceBecomeUnitColumns) {
  Random random(2);
  DenseLu lu;
  for (Index n = 2; n <= 13; ++n)
    for (Index dependent = 0; dependent < n; ++dependent) {
      DenseMatrix A = random_matrix(random, n);
      A.col(dependent) = A.col((dependent + 1) % n) * 0.5;
      factorise(A, lu);
      ASSERT_EQ(lu.rank(), n - 1) << n << " " << dependent;
      const DenseMatrix B = mended(A, lu);
      ASSERT_EQ(Eigen::FullPivLU<DenseMatrix>(B).rank(), n);
      const Vector b = random_matrix(random, n).col(0);
      const Vector x = solve(lu, b);
      EXPECT_LT((B * x - b).lpNorm<Eigen::Infinity>(), 1e-12 * (1.0 + x.lpNorm<Eigen::Infinity>()));
    }
}

TEST(DenseLu, RankOfSmallIntegerMatrices) {
  Random random(3);
  DenseLu lu;
  int deficient = 0;
  for (int trial = 0; trial < 500; ++trial) {
    const Index n = random.integer(1, 9);
    const DenseMatrix A = DenseMatrix::NullaryExpr(n, n, [&](Index, Index) { return random.integer(-1, 1); });
    factorise(A, lu);
    ASSERT_EQ(lu.rank(), Eigen::FullPivLU<DenseMatrix>(A).rank());
    deficient += lu.rank() < n;
    const DenseMatrix B = mended(A, lu);
    const Vector b = Vector::LinSpaced(n, 1.0, 2.0);
    EXPECT_LT((B * solve(lu, b) - b).lpNorm<Eigen::Infinity>(), 1e-11);
  }
  EXPECT_GT(deficient, 50);
}

TEST(DenseLu, WhatIsBelowRoundingIsZero) {
  DenseLu lu;
  factorise(DenseMatrix{{1.0, 1.0}, {1.0, 1.0 + 1e-13}}, lu);
  EXPECT_EQ(lu.rank(), 1);
  factorise(DenseMatrix{{1.0, 1.0}, {1.0, 1.0 + 1e-10}}, lu);
  EXPECT_EQ(lu.rank(), 2);
}

TEST(DenseLu, ZerosAndNothing) {
  DenseLu lu;
  factorise(DenseMatrix::Zero(5, 5), lu);
  EXPECT_EQ(lu.rank(), 0);
  const Vector b{{1.0, -2.0, 3.0, -4.0, 5.0}};
  EXPECT_EQ(mended(DenseMatrix::Zero(5, 5), lu) * solve(lu, b), b);
  factorise(DenseMatrix(0, 0), lu);
  EXPECT_EQ(lu.rank(), 0);
  EXPECT_EQ(solve(lu, Vector(0)).size(), 0);
}

TEST(DenseLu, LeavesNothingOfTheMatrixBefore) {
  Random random(4);
  const DenseMatrix large = random_matrix(random, 12), small = random_matrix(random, 7);
  const Vector b = Vector::Ones(7);
  DenseLu used, fresh;
  factorise(large, used);
  factorise(small, used);
  factorise(small, fresh);
  EXPECT_EQ(solve(used, b), solve(fresh, b));
}

}  // namespace
}  // namespace stiction::linalg
