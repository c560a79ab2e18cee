#include "problems/generator/small_problems.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "stiction/base/random.h"

namespace stiction::families {
namespace {

using lcp::DenseMatrix;
using lcp::Index;
using lcp::Vector;

double principal_minor(const DenseMatrix& M, unsigned subset) {
  std::vector<Index> rows;
  for (Index i = 0; i < M.rows(); ++i)
    if (subset >> i & 1u) rows.push_back(i);
  return DenseMatrix(M(rows, rows)).determinant();
}

TEST(SmallProblems, PHasPositivePrincipalMinors) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const lcp::Problem problem = make_small(SmallClass::p, seed);
    const DenseMatrix M = problem.M.to_dense();
    for (unsigned subset = 1; subset < (1u << M.rows()); ++subset) EXPECT_GT(principal_minor(M, subset), 1e-3);
  }
}

TEST(SmallProblems, SemidefiniteIsSymmetricAndOftenSingular) {
  int singular = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const DenseMatrix M = make_small(SmallClass::positive_semidefinite, seed).M.to_dense();
    EXPECT_EQ(M, DenseMatrix(M.transpose()));
    const double smallest = Eigen::SelfAdjointEigenSolver<DenseMatrix>(M).eigenvalues().minCoeff();
    EXPECT_GE(smallest, -1e-12);
    singular += smallest < 1e-12;
  }
  EXPECT_GT(singular, 50);
}

TEST(SmallProblems, CopositiveIs) {
  Random random(1);
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const DenseMatrix M = make_small(SmallClass::copositive, seed).M.to_dense();
    for (int trial = 0; trial < 50; ++trial) {
      Vector z(M.rows());
      for (Index i = 0; i < z.size(); ++i) z[i] = random.integer(0, 1) * random.uniform();
      EXPECT_GE(z.dot(M * z), -1e-12);
    }
  }
}

TEST(SmallProblems, SeedsNameProblems) {
  for (const SmallClass small_class : all_small_classes) {
    const lcp::Problem one = make_small(small_class, 17), again = make_small(small_class, 17);
    EXPECT_EQ(one.M.to_dense(), again.M.to_dense());
    EXPECT_EQ(one.q, again.q);
    int sizes = 0, different = 0;
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
      const lcp::Problem problem = make_small(small_class, seed);
      EXPECT_EQ(lcp::find_defect(problem), "");
      EXPECT_GE(problem.size(), 1);
      EXPECT_LE(problem.size(), 8);
      sizes |= 1 << problem.size();
      different += problem.size() != one.size() || problem.q != one.q;
    }
    EXPECT_EQ(sizes, 0x1fe);
    EXPECT_GT(different, 90);
  }
}

TEST(SmallProblems, MurtysFamilyIsWhatMurtyWrote) {
  const lcp::Problem problem = make_murty(3);
  DenseMatrix M(3, 3);
  M << 1, 0, 0, 2, 1, 0, 2, 2, 1;
  EXPECT_EQ(problem.M.to_dense(), M);
  EXPECT_EQ(problem.q, Vector({{-8.0, -12.0, -14.0}}));
}

}  // namespace
}  // namespace stiction::families
