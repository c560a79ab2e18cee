#include "stiction/linalg/sparse_lu.h"

#include <gtest/gtest.h>

#include <Eigen/LU>

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

}  // namespace
}  // namespace stiction::linalg
