#include "stiction/lcp/standard_form.h"

#include <gtest/gtest.h>

#include "stiction/lcp/certificate.h"
#include "stiction/lcp/enumeration.h"
#include "stiction/lcp/test/literals.h"
#include "stiction/lcp/test/random_problems.h"
#include "stiction/linalg/equilibrate.h"

namespace stiction::lcp {
namespace {

using test::matrix;
using test::vector;

/// The header's definition, built slowly: S and s such that the standard form is w = S y + s.
struct SlowForm {
  DenseMatrix S;
  Vector s;
};

SlowForm slow_form(const Problem& problem, const std::vector<bool>& split) {
  const Index n = problem.size();
  Vector R, C;
  linalg::equilibrate(problem.M, R, C);
  const DenseMatrix M = problem.M.to_dense();
  Vector sign = Vector::Ones(n), offset = Vector::Zero(n);
  std::vector<Index> added;
  for (Index i = 0; i < n; ++i) {
    const double low = problem.lower_bound(i), high = problem.upper_bound(i);
    if (low > -infinity) offset[i] = low;
    if (low == -infinity && high < infinity) {
      offset[i] = high;
      sign[i] = -1.0;
    }
    const bool is_split = problem.is_free(i) && !split.empty() && split[static_cast<std::size_t>(i)];
    if (is_split || (low > -infinity && high < infinity)) added.push_back(i);
  }
  const auto size = n + static_cast<Index>(added.size());
  SlowForm form{DenseMatrix::Zero(size, size), Vector::Zero(size)};
  form.S.topLeftCorner(n, n) = (sign.cwiseProduct(R)).asDiagonal() * M * (sign.cwiseProduct(C)).asDiagonal();
  form.s.head(n) = sign.cwiseProduct(R).cwiseProduct(problem.q + M * offset);
  for (Index k = 0; k < static_cast<Index>(added.size()); ++k) {
    const Index i = added[static_cast<std::size_t>(k)], e = n + k;
    if (problem.is_free(i)) continue;
    form.S(e, i) = -1.0;
    form.S(i, e) = 1.0;
    form.s[e] = (problem.upper_bound(i) - problem.lower_bound(i)) / C[i];
  }
  for (Index k = 0; k < static_cast<Index>(added.size()); ++k) {
    const Index i = added[static_cast<std::size_t>(k)], e = n + k;
    if (!problem.is_free(i)) continue;
    form.S.row(e) = -form.S.row(i);
    form.s[e] = -form.s[i];
  }
  for (Index k = 0; k < static_cast<Index>(added.size()); ++k)
    if (const Index i = added[static_cast<std::size_t>(k)]; problem.is_free(i)) form.S.col(n + k) = -form.S.col(i);
  return form;
}

DenseMatrix columns_of(const StandardForm& form) {
  DenseMatrix S = DenseMatrix::Zero(form.size(), form.size());
  for (int j = 0; j < form.size(); ++j) form.for_each_in_column(j, [&](int i, double value) { S(i, j) += value; });
  return S;
}

Problem random_problem(Random& random, Index n, bool with_bounds) {
  Problem problem = random.integer(0, 1) == 0 ? test::random_any(random, n) : test::random_p(random, n);
  if (with_bounds) test::random_bounds(random, problem);
  if (random.integer(0, 1) == 0) problem.M = Matrix(SparseMatrix(problem.M.dense().sparseView()));
  return problem;
}

std::vector<bool> random_split(Random& random, Index n) {
  std::vector<bool> split(static_cast<std::size_t>(n));
  for (auto&& entry : split) entry = random.integer(0, 1) == 0;
  return split;
}

TEST(StandardForm, ColumnsAreThoseOfTheSlowConstruction) {
  Random random(1);
  StandardForm form;
  for (int trial = 0; trial < 300; ++trial) {
    const Index n = random.integer(1, 9);
    const Problem problem = random_problem(random, n, trial % 3 != 0);
    const std::vector<bool> split = trial % 2 == 0 ? std::vector<bool>{} : random_split(random, n);
    form.build(problem, split);
    const SlowForm slow = slow_form(problem, split);
    ASSERT_EQ(form.size(), slow.s.size());
    EXPECT_EQ(columns_of(form), slow.S) << trial;  // powers of two round nothing
    EXPECT_LT((Eigen::Map<const Vector>(form.q().data(), form.size()) - slow.s).lpNorm<Eigen::Infinity>(), 1e-12);
    for (Index i = 0; i < n; ++i) {
      const bool is_split = !split.empty() && split[static_cast<std::size_t>(i)];
      EXPECT_EQ(form.is_free(static_cast<int>(i)), problem.is_free(i) && !is_split);
    }
    for (int e = static_cast<int>(n); e < form.size(); ++e) EXPECT_FALSE(form.is_free(e));
  }
}

TEST(StandardForm, SubtractsColumnsInPlaceAndFromTheCopy) {
  Random random(2);
  StandardForm form;
  for (int trial = 0; trial < 100; ++trial) {
    const Problem problem = random_problem(random, random.integer(1, 12), trial % 2 == 0);
    form.build(problem, {});
    const DenseMatrix S = columns_of(form);
    std::vector<int> columns;
    std::vector<double> x;
    Vector expected = Vector::Ones(form.size());
    for (int j = 0; j < form.size(); ++j) {
      if (random.integer(0, 2) == 0) continue;
      columns.push_back(j);
      x.push_back(random.integer(0, 4) == 0 ? 0.0 : random.normal());
      expected -= x.back() * S.col(j);
    }
    std::vector<double> y(static_cast<std::size_t>(form.size()), 1.0);
    form.subtract_columns(columns, x, y);
    EXPECT_LT((Eigen::Map<Vector>(y.data(), form.size()) - expected).lpNorm<Eigen::Infinity>(), 1e-13);
  }
}

/// The standard form as a problem of its own.
Problem as_problem(const StandardForm& form) {
  const Index n = form.size();
  Problem problem{"", columns_of(form), Eigen::Map<const Vector>(form.q().data(), n), Vector::Zero(n),
                  Vector::Constant(n, infinity)};
  for (int i = 0; i < n; ++i)
    if (form.is_free(i)) problem.lower[i] = -infinity;
  return problem;
}

TEST(StandardForm, SolutionsAreSolutionsOfTheProblem) {
  Random random(3);
  StandardForm form;
  Enumeration enumeration;
  int solved = 0;
  for (int trial = 0; trial < 200; ++trial) {
    const Index n = random.integer(1, 4);
    const Problem problem = random_problem(random, n, true);
    form.build(problem, trial % 2 == 0 ? std::vector<bool>{} : random_split(random, n));
    Vector z;
    for (const Vector& y : enumeration.all_solutions(as_problem(form))) {
      form.to_problem({y.data(), static_cast<std::size_t>(y.size())}, z);
      EXPECT_TRUE(certify(problem, z).certified(1e-9)) << trial << ": " << certify(problem, z).residual;
      for (Index i = 0; i < n; ++i) EXPECT_TRUE(problem.lower_bound(i) <= z[i] && z[i] <= problem.upper_bound(i));
      ++solved;
    }
    const bool has_solution = enumeration.has_solution(problem);
    EXPECT_EQ(has_solution, enumeration.has_solution(as_problem(form))) << trial;
  }
  EXPECT_GT(solved, 100);
}

TEST(StandardForm, ZeroIsTheBoundItself) {
  const Problem problem{"", matrix(3, {1, 0, 0, 0, 1e7, 0, 0, 0, 1}), vector({0, 0, 0}), vector({0.1, -infinity, -0.3}),
                        vector({infinity, 0.7, 0.9})};
  StandardForm form;
  form.build(problem, {});
  Vector z;
  const std::vector<double> zero(static_cast<std::size_t>(form.size()), 0.0);
  form.to_problem(zero, z);
  EXPECT_EQ(z, vector({0.1, 0.7, -0.3}));
  std::vector<double> far(static_cast<std::size_t>(form.size()), 0.0);
  far[2] = 1e9;
  form.to_problem(far, z);
  EXPECT_EQ(z[2], 0.9);
}

TEST(StandardForm, BasesRoundTrip) {
  Random random(4);
  StandardForm form;
  for (int trial = 0; trial < 200; ++trial) {
    const Index n = random.integer(1, 10);
    const Problem problem = random_problem(random, n, true);
    form.build(problem, {});
    std::vector<Place> places, back;
    for (Index i = 0; i < n; ++i) {
      const bool has_lower = problem.lower_bound(i) > -infinity, has_upper = problem.upper_bound(i) < infinity;
      const int choice = random.integer(0, 2);
      places.push_back(choice == 0 && has_lower   ? Place::lower
                       : choice == 1 && has_upper ? Place::upper
                                                  : Place::basic);
    }
    std::vector<bool> basic;
    form.basis_from_problem(places, basic);
    ASSERT_EQ(static_cast<int>(basic.size()), form.size());
    form.basis_to_problem(basic, back);
    EXPECT_EQ(places, back) << trial;
  }
}

TEST(StandardForm, PlacesThatAVariableDoesNotHaveAreReadAsBasic) {
  // A suggestion from another problem: "upper" where there is no upper bound, "lower" where there is none.
  const Problem problem{"", matrix(3, {1, 0, 0, 0, 1, 0, 0, 0, 1}), vector({0, 0, 0}),
                        vector({0, -infinity, -infinity}), vector({infinity, 0, infinity})};
  StandardForm form;
  form.build(problem, {});
  std::vector<bool> basic;
  form.basis_from_problem({Place::upper, Place::lower, Place::lower}, basic);
  EXPECT_EQ(basic, (std::vector<bool>{true, true, true}));
}

TEST(StandardForm, ProofsAreProofsOfTheProblem) {
  // y of the standard form is turned back through the sign, the scale and the split.
  const Problem problem{"", matrix(3, {0, 0, 0, 0, 0, 0, 0, 0, 0}), vector({-1e6, 2, 3}),
                        vector({0, -infinity, -infinity}), vector({infinity, 0, infinity})};
  StandardForm form;
  form.build(problem, {false, false, true});
  ASSERT_EQ(form.size(), 4);
  Vector proof;
  form.proof_to_problem(std::vector<double>{1, 0, 0, 0}, proof);
  EXPECT_TRUE(certify_infeasible(problem, proof).valid);
  form.proof_to_problem(std::vector<double>{0, 1, 0, 0}, proof);
  EXPECT_EQ(proof[1], -1.0);
  form.proof_to_problem(std::vector<double>{0, 0, 2, 5}, proof);
  EXPECT_EQ(proof[2], -3.0);
}

TEST(StandardForm, TheEmptyProblem) {
  StandardForm form;
  form.build(Problem{"", DenseMatrix(0, 0), Vector(0)}, {});
  EXPECT_EQ(form.size(), 0);
}

}  // namespace
}  // namespace stiction::lcp
