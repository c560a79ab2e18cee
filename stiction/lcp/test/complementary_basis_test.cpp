#include "stiction/lcp/complementary_basis.h"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>

#include "stiction/lcp/test/literals.h"
#include "stiction/lcp/test/random_problems.h"

namespace stiction::lcp {
namespace {

using test::matrix;
using test::vector;

/// The basis matrix of w - M z - d z0, column by position, as the class describes itself.
DenseMatrix dense_basis(const ComplementaryBasis& basis, int n) {
  DenseMatrix B(n, n);
  for (int p = 0; p < n; ++p) {
    std::vector<double> column(static_cast<std::size_t>(n), 0.0);
    basis.add_column(basis.at(p), 1.0, column);
    B.col(p) = Eigen::Map<Vector>(column.data(), n);
  }
  return B;
}

/// Column of a variable from the form alone.
Vector column_of(const StandardForm& form, int variable, const std::vector<double>& cover) {
  const int n = form.size();
  Vector column = Vector::Zero(n);
  if (variable < n)
    column[variable] = 1.0;
  else if (variable == 2 * n)
    column = -Eigen::Map<const Vector>(cover.data(), n);
  else
    form.for_each_in_column(variable - n, [&](int i, double value) { column[i] -= value; });
  return column;
}

Vector solve(ComplementaryBasis& basis, const Vector& v) {
  std::vector<double> x(v.data(), v.data() + v.size());
  basis.solve(x);
  return Eigen::Map<Vector>(x.data(), v.size());
}

/// Random pivots, a free variable never leaving, each checked against a dense inverse.
void walk(Random& random, const Problem& problem, int pivots) {
  StandardForm form;
  form.build(problem, {});
  const int n = form.size();
  std::vector<bool> basic(static_cast<std::size_t>(n), false);
  std::vector<double> cover(static_cast<std::size_t>(n));
  for (double& d : cover) d = random.uniform(1.0, 2.0);
  ComplementaryBasis basis;
  basis.reset(form, basic);
  basis.set_cover(cover);
  ASSERT_TRUE(basis.factorise(false));
  std::vector<bool> in_basis(static_cast<std::size_t>(2 * n + 1), false);
  for (int p = 0; p < n; ++p) in_basis[basis.at(p)] = true;
  int refactorised = 0;
  for (int k = 0; k < pivots; ++k) {
    int entering = 0;
    do entering = random.integer(0, 2 * n);
    while (in_basis[entering]);
    const Vector a = column_of(form, entering, cover);
    const DenseMatrix B = dense_basis(basis, n);
    for (int p = 0; p < n; ++p) ASSERT_EQ(B.col(p), column_of(form, basis.at(p), cover));
    const DenseMatrix inverse = B.inverse();
    const Vector column = solve(basis, a);
    const double condition = inverse.lpNorm<Eigen::Infinity>() * B.lpNorm<Eigen::Infinity>();
    ASSERT_LT((column - inverse * a).lpNorm<Eigen::Infinity>(), 1e-12 * condition) << k;

    int leaving = -1;
    for (int p = 0; p < n; ++p)
      if (!basis.is_free(p) && (leaving < 0 || std::abs(column[p]) > std::abs(column[leaving])) &&
          random.integer(0, 3) != 0)
        leaving = p;
    if (leaving < 0 || std::abs(column[leaving]) < 0.05) continue;
    in_basis[basis.at(leaving)] = false;
    in_basis[entering] = true;
    basis.replace(leaving, entering, std::vector<double>(column.data(), column.data() + n));
    EXPECT_EQ(basis.at(leaving), entering);
    if (basis.is_worn()) {
      ASSERT_TRUE(basis.factorise(false));
      ++refactorised;
      EXPECT_EQ(basis.updates(), 0);
      for (int p = 0; p < n; ++p) {
        ASSERT_TRUE(in_basis[basis.at(p)]);
        EXPECT_TRUE(!basis.is_slack(basis.at(p)) || basis.at(p) == p) << "slacks go home";
      }
    }
  }
  EXPECT_GT(refactorised, 0);
}

TEST(ComplementaryBasis, FollowsTheDenseInverseThroughPivots) {
  Random random(1);
  walk(random, test::random_any(random, 12), 200);
  walk(random, test::random_p(random, 25), 200);
}

TEST(ComplementaryBasis, FollowsTheDenseInverseOfSparseMixedProblems) {
  Random random(2);
  for (int trial = 0; trial < 3; ++trial) {
    Problem problem = test::random_p(random, 20);
    test::random_bounds(random, problem);
    problem.M = Matrix(SparseMatrix(problem.M.dense().sparseView()));
    walk(random, problem, 200);
  }
}

TEST(ComplementaryBasis, SubtractsItsProduct) {
  Random random(3);
  const Problem problem = test::random_p(random, 9);
  StandardForm form;
  form.build(problem, {});
  ComplementaryBasis basis;
  basis.reset(form, {true, false, true, true, false, false, true, false, true});
  ASSERT_TRUE(basis.factorise(false));
  const Vector x = test::random_vector(random, 9);
  std::vector<double> v(9, 0.5);
  basis.subtract_product(std::vector<double>(x.data(), x.data() + 9), v);
  const Vector expected = Vector::Constant(9, 0.5) - dense_basis(basis, 9) * x;
  EXPECT_LT((Eigen::Map<Vector>(v.data(), 9) - expected).lpNorm<Eigen::Infinity>(), 1e-13);
}

TEST(ComplementaryBasis, ComplementsArePairs) {
  StandardForm form;
  const Problem problem{"", matrix(2, {1, 0, 0, 1}), vector({1, 1})};
  form.build(problem, {});
  ComplementaryBasis basis;
  basis.reset(form, {false, true});
  EXPECT_EQ(basis.at(0), basis.slack(0));
  EXPECT_EQ(basis.at(1), basis.structural(1));
  for (int v = 0; v < 4; ++v) EXPECT_EQ(basis.complement(basis.complement(v)), v);
  EXPECT_EQ(basis.complement(basis.slack(1)), basis.structural(1));
}

TEST(ComplementaryBasis, SingularIsAFailureUnlessByFreeVariablesAlone) {
  // Two equal columns: of bounded variables, then of free ones.
  Problem problem{"", matrix(3, {1, 1, 0, 1, 1, 0, 0, 0, 1}), vector({1, 1, 1})};
  StandardForm form;
  ComplementaryBasis basis;
  form.build(problem, {});
  basis.reset(form, {true, true, false});
  EXPECT_FALSE(basis.factorise(false));
  basis.reset(form, {true, true, false});
  EXPECT_FALSE(basis.factorise(true));

  problem.lower = vector({-infinity, -infinity, 0});
  problem.upper = Vector::Constant(3, infinity);
  form.build(problem, {});
  basis.reset(form, {false, false, false});
  EXPECT_FALSE(basis.factorise(false));
  basis.reset(form, {false, false, false});
  ASSERT_TRUE(basis.factorise(true));
  ASSERT_EQ(basis.repaired().size(), 1U);
  EXPECT_TRUE(form.is_free(basis.repaired()[0].column));
  EXPECT_NE(dense_basis(basis, 3).determinant(), 0.0);
  EXPECT_TRUE(basis.repair_is_harmless());
}

TEST(ComplementaryBasis, MultipliersOfEqualitiesAreNotRedundant) {
  // x >= 0, y free: w = x - y + 1, 0 = x - 2. The free block is zero, but y acts on x.
  const Problem problem{"", matrix(2, {1, -1, 1, 0}), vector({1, -2}), vector({0, -infinity}),
                        Vector::Constant(2, infinity)};
  StandardForm form;
  form.build(problem, {});
  ComplementaryBasis basis;
  basis.reset(form, {false, false});
  ASSERT_TRUE(basis.factorise(true));
  EXPECT_EQ(basis.repaired().size(), 1U);
  EXPECT_FALSE(basis.repair_is_harmless());
}

TEST(ComplementaryBasis, ResetForgets) {
  Random random(4);
  const Problem large = test::random_p(random, 11), small = test::random_p(random, 5);
  StandardForm large_form, small_form;
  large_form.build(large, {});
  small_form.build(small, {});
  ComplementaryBasis used, fresh;
  used.reset(large_form, std::vector<bool>(11, true));
  used.set_cover(std::vector<double>(11, 1.0));
  ASSERT_TRUE(used.factorise(true));
  const std::vector<bool> basic{true, false, true, true, false};
  used.reset(small_form, basic);
  fresh.reset(small_form, basic);
  ASSERT_TRUE(used.factorise(true) && fresh.factorise(true));
  EXPECT_EQ(solve(used, Vector::Ones(5)), solve(fresh, Vector::Ones(5)));
  EXPECT_EQ(used.updates(), 0);
}

}  // namespace
}  // namespace stiction::lcp
