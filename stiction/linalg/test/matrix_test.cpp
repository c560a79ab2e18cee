#include "stiction/linalg/matrix.h"

#include <gtest/gtest.h>

#include "stiction/base/random.h"

namespace stiction::linalg {
namespace {

TEST(Matrix, DenseAndSparseReadTheSame) {
  Random random(1);
  DenseMatrix dense = DenseMatrix::Zero(7, 5);
  for (Index i = 0; i < 7; ++i)
    for (Index j = 0; j < 5; ++j)
      if (random.uniform() < 0.5) dense(i, j) = random.normal();
  const Matrix a(dense), b(SparseMatrix(dense.sparseView()));
  ASSERT_TRUE(a.is_dense());
  ASSERT_FALSE(b.is_dense());
  EXPECT_EQ(a.to_dense(), b.to_dense());
  const Vector x = Vector::LinSpaced(5, -1, 1), y = Vector::LinSpaced(7, 2, 3);
  Vector r = y, s = y;
  a.multiply_add(x, 2.0, r);
  b.multiply_add(x, 2.0, s);
  EXPECT_LT((r - (y + 2.0 * dense * x)).norm(), 1e-14);
  EXPECT_EQ(r, s);
  Vector t = x, u = x;
  a.multiply_transposed_add(y, -1.0, t);
  b.multiply_transposed_add(y, -1.0, u);
  EXPECT_LT((t - (x - dense.transpose() * y)).norm(), 1e-13);
  EXPECT_EQ(t, u);
}

}  // namespace
}  // namespace stiction::linalg
