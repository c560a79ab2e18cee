#include "stiction/linalg/sparse_lu.h"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <algorithm>

#include "stiction/base/random.h"
#include "stiction/linalg/matrix.h"

namespace stiction::linalg {
namespace {

void factorise(const DenseMatrix& B, SparseLu& lu) {
  lu.begin(static_cast<int>(B.rows()));
  for (Index j = 0; j < B.cols(); ++j) {
    for (Index i = 0; i < B.rows(); ++i)
      if (B(i, j) != 0.0) lu.add_entry(static_cast<int>(i), B(i, j));
    lu.end_column();
  }
  lu.factorise();
}

DenseMatrix random_matrix(Random& random, Index n, double density) {
  DenseMatrix B = DenseMatrix::Zero(n, n);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j)
      if (random.uniform() < density) B(i, j) = random.normal();
  for (Index i = 0; i < n; ++i) B(i, (i * 7 + 3) % n) += 2.0;
  return B;
}

TEST(SparseLu, SolvesWhatDenseLuSolves) {
  Random random(7);
  SparseLu lu;
  for (const Index n : {1, 2, 5, 13, 40, 97, 211}) {
    for (const double density : {0.005, 0.03, 0.1, 0.5, 1.0}) {
      const DenseMatrix B = random_matrix(random, n, density);
      Eigen::FullPivLU<DenseMatrix> oracle(B);
      if (!oracle.isInvertible() || oracle.rcond() < 1e-9) continue;
      factorise(B, lu);
      EXPECT_TRUE(lu.deficiency().empty());
      Vector b(n);
      for (Index i = 0; i < n; ++i) b[i] = random.normal();
      std::vector<double> x(b.data(), b.data() + n);
      lu.solve(x);
      const Vector solution = Eigen::Map<Vector>(x.data(), n);
      EXPECT_LT((B * solution - b).lpNorm<Eigen::Infinity>(), 1e-9 * (1.0 + solution.lpNorm<Eigen::Infinity>()))
          << n << " " << density;
    }
  }
}

TEST(SparseLu, TheSignOfTheDeterminantIsThatOfAnother) {
  Random random(3);
  SparseLu lu;
  int negative = 0, positive = 0;
  for (int i = 0; i < 60; ++i) {
    const DenseMatrix B = random_matrix(random, 3 + i, i % 2 == 0 ? 0.1 : 0.6);
    const Eigen::FullPivLU<DenseMatrix> oracle(B);
    if (!oracle.isInvertible() || oracle.rcond() < 1e-9) continue;
    factorise(B, lu);
    const double expected = oracle.determinant();
    EXPECT_EQ(lu.determinant_sign(), expected < 0.0 ? -1 : 1) << i;
    (expected < 0.0 ? negative : positive) += 1;
  }
  EXPECT_GT(std::min(negative, positive), 10);
  factorise(DenseMatrix::Ones(20, 20), lu);
  EXPECT_EQ(lu.determinant_sign(), 0);
}

TEST(SparseLu, DependentColumnsBecomeUnitColumns) {
  Random random(11);
  SparseLu lu;
  for (const Index n : {6, 30, 90}) {
    for (const double density : {0.05, 0.3, 1.0}) {
      DenseMatrix B = random_matrix(random, n, density);
      B.col(n / 2) = 2.0 * B.col(0) - B.col(1);
      B.col(n - 1) = B.col(2);
      const Index rank = Eigen::FullPivLU<DenseMatrix>(B).rank();
      factorise(B, lu);
      ASSERT_EQ(static_cast<Index>(lu.deficiency().size()), n - rank);
      DenseMatrix mended = B;
      for (const auto& [column, row] : lu.deficiency()) mended.col(column) = Vector::Unit(n, row);
      ASSERT_EQ(Eigen::FullPivLU<DenseMatrix>(mended).rank(), n);
      const Vector b = Vector::LinSpaced(n, -1.0, 2.0);
      std::vector<double> x(b.data(), b.data() + n);
      lu.solve(x);
      EXPECT_LT((mended * Eigen::Map<Vector>(x.data(), n) - b).norm(), 1e-7);
    }
  }
}

Vector solve(SparseLu& lu, const Vector& b) {
  std::vector<double> x(b.data(), b.data() + b.size());
  lu.solve(x);
  return Eigen::Map<Vector>(x.data(), b.size());
}

DenseMatrix mended(const DenseMatrix& B, const SparseLu& lu) {
  DenseMatrix result = B;
  for (const auto& [column, row] : lu.deficiency()) result.col(column) = Vector::Unit(B.rows(), row);
  return result;
}

std::vector<int> shuffled(Random& random, int n) {
  std::vector<int> order(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) order[i] = i;
  for (int i = n - 1; i > 0; --i) std::swap(order[i], order[random.integer(0, i)]);
  return order;
}

TEST(SparseLu, NothingAndOneByOne) {
  SparseLu lu;
  factorise(DenseMatrix(0, 0), lu);
  EXPECT_EQ(solve(lu, Vector(0)).size(), 0);
  EXPECT_TRUE(lu.deficiency().empty());
  factorise(DenseMatrix{{-4.0}}, lu);
  EXPECT_EQ(solve(lu, Vector{{8.0}}), (Vector{{-2.0}}));
  factorise(DenseMatrix{{0.0}}, lu);
  ASSERT_EQ(lu.deficiency().size(), 1U);
  EXPECT_EQ(solve(lu, Vector{{8.0}}), (Vector{{8.0}}));
}

TEST(SparseLu, PermutedTriangularMatricesDoNotFill) {
  Random random(13);
  SparseLu lu;
  for (const int n : {2, 17, 60, 150}) {
    const std::vector<int> rows = shuffled(random, n), columns = shuffled(random, n);
    DenseMatrix B = DenseMatrix::Zero(n, n);
    std::size_t entries = 0;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j <= i; ++j)
        if (i == j || random.uniform() < 0.1) {
          B(rows[i], columns[j]) = i == j ? random.uniform(0.5, 1.0) : random.uniform(-0.2, 0.2);
          ++entries;
        }
    factorise(B, lu);
    EXPECT_TRUE(lu.deficiency().empty());
    EXPECT_EQ(lu.fill(), entries) << n;
    const Vector b = Vector::LinSpaced(n, -1.0, 1.0);
    const Vector x = solve(lu, b);
    EXPECT_LT((B * x - b).lpNorm<Eigen::Infinity>(), 1e-13 * (1.0 + x.lpNorm<Eigen::Infinity>()));
  }
}

TEST(SparseLu, ArrowsAreEliminatedFromTheirTip) {
  SparseLu lu;
  for (const Index n : {20, 100, 300}) {
    // The wrong way round: eliminated in the given order this would fill all of the matrix.
    DenseMatrix B = DenseMatrix::Identity(n, n);
    B.row(0).setConstant(0.01);
    B.col(0).setConstant(0.02);
    B(0, 0) = 5.0;
    factorise(B, lu);
    EXPECT_LE(lu.fill(), static_cast<std::size_t>(3 * n + 12 * 12));
    const Vector b = Vector::LinSpaced(n, 0.0, 3.0);
    EXPECT_LT((B * solve(lu, b) - b).lpNorm<Eigen::Infinity>(), 1e-12);
  }
}

TEST(SparseLu, StructurallySingularMatrices) {
  Random random(17);
  SparseLu lu;
  for (const Index n : {3, 20, 70}) {
    DenseMatrix B = random_matrix(random, n, 0.1);
    B.row(1).setZero();      // an empty row,
    B.col(n - 1).setZero();  // an empty column,
    B.col(0) = Vector::Unit(n, 0);
    if (n > 3) B.col(4) = -2.0 * Vector::Unit(n, 0);  // two columns for one row
    const Index rank = Eigen::FullPivLU<DenseMatrix>(B).rank();
    factorise(B, lu);
    ASSERT_EQ(static_cast<Index>(lu.deficiency().size()), n - rank) << n;
    const DenseMatrix C = mended(B, lu);
    ASSERT_EQ(Eigen::FullPivLU<DenseMatrix>(C).rank(), n);
    const Vector b = Vector::LinSpaced(n, 1.0, 2.0);
    const Vector x = solve(lu, b);
    EXPECT_LT((C * x - b).lpNorm<Eigen::Infinity>(), 1e-10 * (1.0 + x.lpNorm<Eigen::Infinity>()));
  }
}

TEST(SparseLu, SmallIntegerMatricesOfEveryRank) {
  Random random(19);
  SparseLu lu;
  int deficient = 0;
  for (int trial = 0; trial < 600; ++trial) {
    const Index n = random.integer(1, 24);
    const int zeros = random.integer(0, 6);
    const DenseMatrix B = DenseMatrix::NullaryExpr(
        n, n, [&](Index, Index) { return random.integer(0, 8) < zeros ? 0.0 : double(random.integer(-1, 1)); });
    const Index rank = Eigen::FullPivLU<DenseMatrix>(B).rank();
    factorise(B, lu);
    ASSERT_EQ(static_cast<Index>(lu.deficiency().size()), n - rank) << trial;
    deficient += rank < n;
    const DenseMatrix C = mended(B, lu);
    const Vector b = Vector::LinSpaced(n, -2.0, 1.0);
    const Vector x = solve(lu, b);
    EXPECT_LT((C * x - b).lpNorm<Eigen::Infinity>(), 1e-10 * (1.0 + x.lpNorm<Eigen::Infinity>())) << trial;
  }
  EXPECT_GT(deficient, 50);
}

TEST(SparseLu, NearlySingularIsNotSingularUntilRounding) {
  SparseLu lu;
  for (const Index n : {4, 40}) {
    for (const double epsilon : {1e-3, 1e-6, 1e-9}) {
      DenseMatrix B = DenseMatrix::Identity(n, n) + DenseMatrix::Constant(n, n, 0.01);
      B.col(1) = B.col(0);
      B(1, 1) += epsilon;
      factorise(B, lu);
      EXPECT_TRUE(lu.deficiency().empty()) << epsilon;
      const Vector b = B * Vector::LinSpaced(n, -1.0, 1.0);
      EXPECT_LT((B * solve(lu, b) - b).lpNorm<Eigen::Infinity>(), 1e-13) << epsilon;
    }
    DenseMatrix B = DenseMatrix::Identity(n, n) + DenseMatrix::Constant(n, n, 0.01);
    B.col(1) = B.col(0);
    B(1, 1) += 1e-14;
    factorise(B, lu);
    EXPECT_EQ(lu.deficiency().size(), 1U);
  }
}

TEST(SparseLu, ThresholdKeepsMultipliersInCheck) {
  // Markowitz's rule alone would take the entries 1e-9 of the short rows and columns, and lose nine digits.
  Random random(23);
  SparseLu lu;
  const Index half = 40, n = 2 * half;
  DenseMatrix B = DenseMatrix::Zero(n, n);
  for (Index i = 0; i < half; ++i) {
    B(i, i) = 1e-9;
    B(i, half + i) = 1.0;
    B(half + i, i) = 1.0;
    for (int k = 0; k < 4; ++k) B(half + i, half + random.integer(0, static_cast<int>(half) - 1)) += random.normal();
  }
  const Vector exact = Vector::LinSpaced(n, 1.0, 2.0);
  factorise(B, lu);
  EXPECT_LT((solve(lu, B * exact) - exact).lpNorm<Eigen::Infinity>(), 1e-12);
}

TEST(SparseLu, LeavesNothingOfTheMatrixBefore) {
  Random random(29);
  const DenseMatrix large = random_matrix(random, 80, 0.1), small = random_matrix(random, 50, 0.1);
  const Vector b = Vector::Ones(50);
  SparseLu used, fresh;
  factorise(large, used);
  factorise(small, used);
  factorise(small, fresh);
  EXPECT_EQ(solve(used, b), solve(fresh, b));
  EXPECT_EQ(used.fill(), fresh.fill());
  EXPECT_EQ(used.work(), fresh.work());
}

}  // namespace
}  // namespace stiction::linalg
