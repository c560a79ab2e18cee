#include "stiction/linalg/equilibrate.h"

#include <gtest/gtest.h>

#include <cmath>

#include "stiction/base/random.h"

namespace stiction::linalg {
namespace {

bool is_power_of_two(double x) {
  int exponent = 0;
  return std::frexp(x, &exponent) == 0.5;
}

DenseMatrix random_matrix(Random& random, Index rows, Index cols, double density) {
  return DenseMatrix::NullaryExpr(rows, cols,
                                  [&](Index, Index) { return random.uniform() < density ? random.normal() : 0.0; });
}

DenseMatrix scaled(const DenseMatrix& M) {
  Vector R, C;
  equilibrate(Matrix(M), R, C);
  return R.asDiagonal() * M * C.asDiagonal();
}

void expect_equilibrated(const DenseMatrix& M) {
  for (Index i = 0; i < M.rows(); ++i)
    if (const double largest = M.row(i).cwiseAbs().maxCoeff(); largest > 0.0) {
      EXPECT_GE(largest, 0.5) << "row " << i;
      EXPECT_LT(largest, 2.0) << "row " << i;
    }
  for (Index j = 0; j < M.cols(); ++j)
    if (const double largest = M.col(j).cwiseAbs().maxCoeff(); largest > 0.0) {
      EXPECT_GE(largest, 0.5) << "column " << j;
      EXPECT_LT(largest, 2.0) << "column " << j;
    }
}

TEST(Equilibrate, BringsRowsAndColumnsNearOneFromAnyUnits) {
  Random random(3);
  for (int trial = 0; trial < 50; ++trial) {
    DenseMatrix M = random_matrix(random, random.integer(1, 30), random.integer(1, 30), random.uniform(0.1, 1.0));
    const double decades = random.integer(0, 25);
    for (Index i = 0; i < M.rows(); ++i) M.row(i) *= std::pow(10.0, random.uniform(-decades, decades));
    for (Index j = 0; j < M.cols(); ++j) M.col(j) *= std::pow(10.0, random.uniform(-decades, decades));
    expect_equilibrated(scaled(M));
  }
}

TEST(Equilibrate, ScalesArePositivePowersOfTwo) {
  Random random(4);
  DenseMatrix M = 1e5 * random_matrix(random, 20, 20, 0.3);
  M.row(3) *= 1e-7;
  Vector R, C;
  equilibrate(Matrix(M), R, C);
  for (Index i = 0; i < 20; ++i) {
    EXPECT_TRUE(is_power_of_two(R[i]) && R[i] > 0.0) << R[i];
    EXPECT_TRUE(is_power_of_two(C[i]) && C[i] > 0.0) << C[i];
  }
}

TEST(Equilibrate, DiagonalIsDoneByBothSidesAlike) {
  const Vector diagonal{{1.0, 16.0, 0x1p40, 0x1p-20}};
  Vector R, C;
  equilibrate(Matrix(DenseMatrix(diagonal.asDiagonal())), R, C);
  EXPECT_EQ(R, (Vector{{1.0, 0.25, 0x1p-20, 0x1p10}}));
  EXPECT_EQ(C, R);
}

TEST(Equilibrate, ZeroRowsAndColumnsKeepOne) {
  DenseMatrix M = DenseMatrix::Constant(3, 3, 1e6);
  M.row(1).setZero();
  M.col(2).setZero();
  Vector R, C;
  equilibrate(Matrix(M), R, C);
  EXPECT_EQ(R[1], 1.0);
  EXPECT_EQ(C[2], 1.0);
  expect_equilibrated(R.asDiagonal() * M * C.asDiagonal());
}

TEST(Equilibrate, WhatIsNearOneIsLeftAlone) {
  const DenseMatrix M{{1.0, -0.6}, {0.0, 1.9}};
  EXPECT_EQ(scaled(M), M);
}

TEST(Equilibrate, DenseAndSparseAgreeToTheBit) {
  Random random(5);
  DenseMatrix M = random_matrix(random, 40, 25, 0.2);
  for (Index i = 0; i < 40; ++i) M.row(i) *= std::ldexp(1.0, random.integer(-30, 30));
  Vector R, C, R_sparse, C_sparse;
  equilibrate(Matrix(M), R, C);
  equilibrate(Matrix(SparseMatrix(M.sparseView())), R_sparse, C_sparse);
  EXPECT_EQ(R, R_sparse);
  EXPECT_EQ(C, C_sparse);
}

TEST(Equilibrate, TheEmptyMatrix) {
  Vector R{{1.0}}, C{{1.0}};
  equilibrate(Matrix(DenseMatrix(0, 0)), R, C);
  EXPECT_EQ(R.size(), 0);
  EXPECT_EQ(C.size(), 0);
}

}  // namespace
}  // namespace stiction::linalg
