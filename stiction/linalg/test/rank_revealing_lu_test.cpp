#include "stiction/linalg/rank_revealing_lu.h"

#include <gtest/gtest.h>

#include "stiction/base/random.h"

namespace stiction::linalg {
namespace {

DenseMatrix random_matrix(Random& random, Index rows, Index cols, Index rank) {
  const auto fill = [&](Index r, Index c) {
    return DenseMatrix(DenseMatrix::NullaryExpr(r, c, [&](Index, Index) { return random.normal(); }));
  };
  return fill(rows, rank) * fill(rank, cols);
}

TEST(RankRevealingLu, FindsTheRankOfRandomProducts) {
  Random random(1);
  RankRevealingLu lu;
  for (int round = 0; round < 500; ++round) {
    const Index rows = random.integer(1, 12), cols = random.integer(1, 12);
    const Index rank = random.integer(0, static_cast<int>(std::min(rows, cols)));
    const DenseMatrix A = random_matrix(random, rows, cols, rank);
    lu.begin(rows, cols) = A;
    EXPECT_EQ(lu.factorise(1e-11), rank) << rows << " by " << cols;
  }
}

TEST(RankRevealingLu, SolvesWhatIsSolvableAndMeasuresWhatIsNot) {
  Random random(2);
  RankRevealingLu lu;
  for (int round = 0; round < 500; ++round) {
    const Index rows = random.integer(1, 10), cols = random.integer(1, 10);
    const Index rank = random.integer(0, static_cast<int>(std::min(rows, cols)));
    const DenseMatrix A = random_matrix(random, rows, cols, rank);
    lu.begin(rows, cols) = A;
    lu.factorise(1e-11);
    const Vector known = Vector::NullaryExpr(cols, [&](Index) { return random.normal(); });
    Vector x(cols);
    EXPECT_LE(lu.solve(A * known, x), 1e-9);
    EXPECT_LE((A * x - A * known).norm(), 1e-8 * (1.0 + known.norm()));
    if (rank == rows) continue;
    const Vector anything = Vector::NullaryExpr(rows, [&](Index) { return random.normal(); });
    EXPECT_GE(lu.solve(anything, x), 1e-7);
  }
}

TEST(RankRevealingLu, SolvesTransposedSystems) {
  Random random(3);
  RankRevealingLu lu;
  for (int round = 0; round < 200; ++round) {
    const Index n = random.integer(0, 12);
    const DenseMatrix A = random_matrix(random, n, n, n) + 3.0 * DenseMatrix::Identity(n, n);
    lu.begin(n, n) = A;
    ASSERT_EQ(lu.factorise(1e-13), n);
    const Vector known = Vector::NullaryExpr(n, [&](Index) { return random.normal(); });
    Vector x(n);
    lu.solve_transposed(A.transpose() * known, x);
    EXPECT_LE((A.transpose() * (x - known)).norm(), 1e-9 * (1.0 + known.norm()));
  }
}

}  // namespace
}  // namespace stiction::linalg
