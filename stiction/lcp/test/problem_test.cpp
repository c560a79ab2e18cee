#include "stiction/lcp/problem.h"

#include <gtest/gtest.h>

#include <limits>

#include "stiction/lcp/test/literals.h"

namespace stiction::lcp {
namespace {

using test::matrix;
using test::vector;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

Problem good() {
  return {"good", matrix(2, {2, 1, 1, 2}), vector({-5, -6}), vector({0, -infinity}), vector({infinity, 4})};
}

/// The defect names the place.
void expect_defect(const Problem& problem, const std::string& part) {
  const std::string defect = find_defect(problem);
  EXPECT_NE(defect.find(part), std::string::npos) << "'" << defect << "' should contain '" << part << "'";
}

TEST(Problem, WellFormedOnesHaveNoDefect) {
  EXPECT_EQ(find_defect(good()), "");
  EXPECT_EQ(find_defect(Problem{"", DenseMatrix(0, 0), Vector(0)}), "");
  EXPECT_EQ(find_defect(Problem{}), "");
  Problem fixed = good();
  fixed.lower = fixed.upper = vector({1, 1});
  EXPECT_EQ(find_defect(fixed), "");
}

TEST(Problem, SizesMustAgree) {
  Problem problem = good();
  problem.q = vector({1, 2, 3});
  expect_defect(problem, "2 by 2");
  problem = good();
  problem.M = DenseMatrix::Zero(2, 3).eval();
  expect_defect(problem, "2 by 3");
  problem = good();
  problem.lower = vector({0});
  expect_defect(problem, "lower has 1");
  problem = good();
  problem.upper = vector({0, 1, 2});
  expect_defect(problem, "upper has 3");
}

TEST(Problem, NumbersMustBeFinite) {
  for (const double bad : {nan, infinity, -infinity}) {
    Problem problem = good();
    problem.M = matrix(2, {2, 1, bad, 2});
    expect_defect(problem, "M[1][0]");
    problem.M = Matrix(SparseMatrix(problem.M.dense().sparseView()));
    expect_defect(problem, "M[1][0]");
    problem = good();
    problem.q[1] = bad;
    expect_defect(problem, "q[1]");
  }
}

TEST(Problem, BoundsMustLeaveAnInterval) {
  const auto with_bounds = [](double low, double high) {
    Problem problem = good();
    problem.lower[1] = low;
    problem.upper[1] = high;
    return problem;
  };
  EXPECT_EQ(find_defect(with_bounds(-infinity, infinity)), "");
  EXPECT_EQ(find_defect(with_bounds(3, 3)), "");
  for (const auto& [low, high] :
       {std::pair{2.0, 1.0}, {nan, 1.0}, {0.0, nan}, {infinity, infinity}, {-infinity, -infinity}})
    expect_defect(with_bounds(low, high), "variable 1");
}

TEST(Problem, EmptyBoundsAreThoseOfTheStandardProblem) {
  Problem problem{"", matrix(2, {1, 0, 0, 1}), vector({1, 1})};
  EXPECT_TRUE(problem.is_standard());
  EXPECT_EQ(problem.lower_bound(1), 0.0);
  EXPECT_EQ(problem.upper_bound(1), infinity);
  EXPECT_FALSE(problem.is_free(0));
  problem.lower = vector({0, 0});
  EXPECT_TRUE(problem.is_standard());
  problem.lower = vector({0, -infinity});
  EXPECT_FALSE(problem.is_standard());
  EXPECT_TRUE(problem.is_free(1));
  problem.upper = vector({infinity, 1});
  EXPECT_FALSE(problem.is_free(1));
}

}  // namespace
}  // namespace stiction::lcp
