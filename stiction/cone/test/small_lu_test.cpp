#include "stiction/cone/small_lu.h"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>

#include "stiction/base/random.h"
#include "stiction/base/test/allocation_hooks.h"

namespace stiction::cone {
namespace {

using linalg::DenseMatrix;
using linalg::Vector;

void fill(const DenseMatrix& A, SmallLu& lu) {
  lu.begin(static_cast<int>(A.rows()));
  for (int i = 0; i < A.rows(); ++i)
    for (int j = 0; j < A.cols(); ++j) lu.row(i)[j] = A(i, j);
}

TEST(SmallLu, SolvesWhatEigenSolvesAndKnowsTheDeterminantsSign) {
  Random random(3);
  SmallLu lu;
  int negative = 0;
  for (int trial = 0; trial < 200; ++trial) {
    const int n = 1 + trial % 40;
    DenseMatrix A(n, n);
    for (double& value : A.reshaped()) value = random.integer(0, 2) == 0 ? 0.0 : random.normal();
    A.diagonal().array() += trial % 2 == 0 ? 0.0 : 4.0;
    const Eigen::FullPivLU<DenseMatrix> exact(A);
    if (!exact.isInvertible() || exact.rcond() < 1e-6) continue;
    Vector b(n);
    for (double& value : b) value = random.normal();
    fill(A, lu);
    lu.factorise();
    Vector x = b;
    ASSERT_TRUE(lu.solve(x));
    EXPECT_LT((x - exact.solve(b)).norm(), 1e-8 * (1.0 + x.norm())) << trial;
    EXPECT_EQ(lu.determinant_sign(), exact.determinant() > 0.0 ? 1 : -1) << trial;
    negative += lu.determinant_sign() < 0 ? 1 : 0;
  }
  EXPECT_GT(negative, 20);
}

// The pivot is the largest of its column: without the search 1e-20 would eat the one beside it.
TEST(SmallLu, PivotsAreSearchedFor) {
  SmallLu lu;
  fill((DenseMatrix(2, 2) << 1e-20, 1.0, 1.0, 1.0).finished(), lu);
  lu.factorise();
  Vector x(2);
  x << 1.0, 2.0;
  ASSERT_TRUE(lu.solve(x));
  EXPECT_NEAR(x[0], 1.0, 1e-15);
  EXPECT_NEAR(x[1], 1.0, 1e-15);
  EXPECT_EQ(lu.determinant_sign(), -1);
}

TEST(SmallLu, ASingularMatrixGivesNoNumbers) {
  SmallLu lu;
  fill((DenseMatrix(2, 2) << 1.0, 2.0, 2.0, 4.0).finished(), lu);
  lu.factorise();
  EXPECT_EQ(lu.determinant_sign(), 0);
  Vector x = Vector::Ones(2);
  EXPECT_FALSE(lu.solve(x));
}

TEST(SmallLu, SmallerSystemsAfterALargeOneAllocateNothing) {
  if (!AllocationCounter::works()) GTEST_SKIP() << "this build has another malloc";
  SmallLu lu;
  long first = 0, later = 0;
  for (const int n : {30, 7, 19, 30, 1}) {
    const DenseMatrix A = DenseMatrix::Identity(n, n);
    Vector x = Vector::Ones(n);
    const AllocationCounter counter;
    fill(A, lu);
    lu.factorise();
    EXPECT_TRUE(lu.solve(x));
    (first == 0 ? first : later) += counter.count();
  }
  EXPECT_GT(first, 0);
  EXPECT_EQ(later, 0);
}

}  // namespace
}  // namespace stiction::cone
