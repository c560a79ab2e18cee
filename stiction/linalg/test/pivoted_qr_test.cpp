#include "stiction/linalg/pivoted_qr.h"

#include <gtest/gtest.h>

#include <Eigen/QR>
#include <cmath>

#include "stiction/base/random.h"

namespace stiction::linalg {
namespace {

DenseMatrix random_matrix(Random& random, Index rows, Index cols) {
  DenseMatrix matrix(rows, cols);
  for (Index i = 0; i < rows; ++i)
    for (Index j = 0; j < cols; ++j) matrix(i, j) = random.uniform(-1.0, 1.0);
  return matrix;
}

/// Of known rank, with columns of very different length.
DenseMatrix random_rank(Random& random, Index rows, Index cols, Index rank) {
  const DenseMatrix left = random_matrix(random, rows, rank);
  DenseMatrix matrix = left * random_matrix(random, rank, cols);
  for (Index j = 0; j < cols; ++j) matrix.col(j) *= std::pow(10.0, random.uniform(-4.0, 4.0));
  return matrix;
}

TEST(PivotedQr, FindsTheRankAndSolvesWithIt) {
  Random random(5);
  PivotedQr qr;
  for (int trial = 0; trial < 300; ++trial) {
    const Index rows = random.integer(1, 9), cols = random.integer(1, 9);
    const Index rank = random.integer(1, static_cast<int>(std::min(rows, cols)));
    const DenseMatrix A = random_rank(random, rows, cols, rank);
    qr.begin(rows, cols) = A;
    ASSERT_EQ(qr.factorise(1e-9), rank) << trial;
    for (Index j = 0; j < cols; ++j) EXPECT_DOUBLE_EQ(qr.length(j), A.col(j).norm());

    // A'x = b for b in the range, x in the range of A: the shortest x.
    Vector z, back;
    const Vector x0 = random_matrix(random, rows, 1), b = A.transpose() * x0;
    qr.solve_transposed(b, z);
    Vector x = Vector::Zero(rows);
    qr.add_from_range(z, 1.0, x);
    EXPECT_LE((A.transpose() * x - b).norm(), 1e-7 * b.norm()) << trial;
    EXPECT_LE(x.norm(), x0.norm() * (1.0 + 1e-9));
    qr.to_range(x, back);
    EXPECT_LE((back - z).norm(), 1e-12 * (1.0 + z.norm()));

    // A y = Q z, y of least length.
    Vector y;
    qr.solve_minimum_norm(z, y);
    EXPECT_LE((A * y - x).norm(), 1e-6 * (1.0 + x.norm())) << trial;
    const Vector expected = A.completeOrthogonalDecomposition().solve(x);
    EXPECT_LE(y.norm(), expected.norm() * (1.0 + 1e-6)) << trial;
  }
}

TEST(PivotedQr, NoColumnsAndZeroColumns) {
  PivotedQr qr;
  qr.begin(3, 0);
  EXPECT_EQ(qr.factorise(1e-9), 0);
  qr.begin(3, 2).setZero();
  EXPECT_EQ(qr.factorise(1e-9), 0);
  Vector z, y;
  qr.solve_transposed(Vector::Zero(2), z);
  qr.solve_minimum_norm(z, y);
  EXPECT_EQ(y, Vector(Vector::Zero(2)));
}

}  // namespace
}  // namespace stiction::linalg
