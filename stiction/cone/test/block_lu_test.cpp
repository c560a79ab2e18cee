#include "stiction/cone/block_lu.h"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <algorithm>
#include <limits>
#include <vector>

#include "problems/generator/cone_problem.h"
#include "problems/generator/families.h"
#include "stiction/base/random.h"

namespace stiction::cone {
namespace {

ScaledProblem load(const char* family, Index contacts, std::uint64_t seed) {
  ScaledProblem scaled;
  scaled.load(families::to_cone(families::find_family(family)->make({.contacts = contacts, .seed = seed})));
  return scaled;
}

/// The same without the second tangents: a problem of the plane.
ScaledProblem load_flat(const char* family, Index contacts, std::uint64_t seed) {
  const Problem round = families::to_cone(families::find_family(family)->make({.contacts = contacts, .seed = seed}));
  std::vector<Index> kept;
  for (Index i = 0; i < round.size(); ++i)
    if (i % 3 != 2) kept.push_back(i);
  const DenseMatrix W = round.W.to_dense()(kept, kept);
  ScaledProblem scaled;
  scaled.load({.dimension = 2, .W = SparseMatrix(W.sparseView()), .q = round.q(kept), .mu = round.mu});
  return scaled;
}

/// Contacts that have nothing to do with each other.
ScaledProblem load_apart(Index contacts) {
  Problem problem;
  problem.q = Vector::Ones(3 * contacts);
  problem.mu = Vector::Ones(contacts);
  SparseMatrix identity(3 * contacts, 3 * contacts);
  identity.setIdentity();
  problem.W = identity;
  ScaledProblem scaled;
  scaled.load(problem);
  return scaled;
}

/// Random blocks where W has them, with a diagonal that makes the matrix regular; the same in a dense one.
DenseMatrix fill(const ScaledProblem& problem, Random& random, double diagonal, BlockLu& lu) {
  DenseMatrix dense = DenseMatrix::Zero(problem.size(), problem.size());
  lu.begin();
  const int width = problem.width();
  if (width == 2) dense.diagonal().setOnes();  // the unknowns that are not there are left as they are
  std::size_t place = 0;
  for (int c = 0; c < problem.contacts(); ++c)
    for (auto block = problem.begin(c); block != problem.end(c); ++block, ++place)
      for (int i = 0; i < width; ++i)
        for (int j = 0; j < width; ++j) {
          double& value = lu.block(place)[width * i + j];
          value = random.normal();
          if (c == block.column() && i == j) value += random.integer(0, 1) == 0 ? diagonal : -diagonal;
          dense(3 * c + i, 3 * block.column() + j) = value;
        }
  return dense;
}

TEST(BlockLu, SolvesWhatDenseLuSolves) {
  Random random(4);
  BlockLu lu;
  int negative = 0;
  for (const std::uint64_t seed : {1, 2, 3, 4, 5, 6, 7, 8}) {
    const ScaledProblem problem = seed % 2 == 0 ? load("sphere_pile", 40, seed) : load_flat("sphere_pile", 40, seed);
    EXPECT_EQ(problem.width(), seed % 2 == 0 ? 3 : 2);
    ASSERT_TRUE(lu.analyse(problem));
    const DenseMatrix dense = fill(problem, random, 15.0, lu);
    ASSERT_TRUE(lu.factorise());
    const Eigen::PartialPivLU<DenseMatrix> oracle(dense);
    int sign = static_cast<int>(oracle.permutationP().determinant());
    for (const double pivot : Vector(oracle.matrixLU().diagonal())) sign = pivot < 0.0 ? -sign : sign;
    EXPECT_EQ(lu.determinant_sign(), sign);
    negative += sign < 0 ? 1 : 0;
    Vector b(problem.size());
    for (double& value : b) value = random.normal();
    const Vector expected = oracle.solve(b);
    ASSERT_TRUE(lu.solve(b));
    EXPECT_LT((b - expected).norm(), 1e-11 * expected.norm());
  }
  EXPECT_GT(negative, 0);
  EXPECT_LT(negative, 8);
}

TEST(BlockLu, SaysWhereItCannot) {
  Random random(4);
  BlockLu lu;
  EXPECT_FALSE(lu.analyse(load("single_body", 30, 1)));  // all contacts are neighbours
  const ScaledProblem problem = load("sphere_pile", 40, 1);
  ASSERT_TRUE(lu.analyse(problem));
  lu.begin();
  EXPECT_FALSE(lu.factorise());
  EXPECT_EQ(lu.determinant_sign(), 0);
  Vector b = Vector::Ones(problem.size());
  EXPECT_FALSE(lu.solve(b));
}

// A zero pivot block needs a search for pivots, which this one has not: it must not pretend.
TEST(BlockLu, DoesNotPretendWherePivotsAreBad) {
  Random random(8);
  BlockLu lu;
  const ScaledProblem problem = load("sphere_pile", 40, 2);
  ASSERT_TRUE(lu.analyse(problem));
  fill(problem, random, 0.0, lu);
  std::size_t place = 0;
  for (int c = 0; c < problem.contacts(); ++c)
    for (auto block = problem.begin(c); block != problem.end(c); ++block, ++place)
      if (c == block.column())
        for (int k = 0; k < 9; ++k) lu.block(place)[k] *= 1e-14;
  Vector b = Vector::Ones(problem.size());
  EXPECT_FALSE(lu.factorise() && lu.solve(b));
}

TEST(BlockLu, RefusesOneBlockThatHasNoInverse) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  struct Case {
    const char* what;
    double block[9];
  };
  for (const Case& bad : {Case{"not a number", {2, 0, 0, 0, nan, 0, 0, 0, 2}},
                          Case{"not a number off the diagonal", {2, 0, nan, 0, 2, 0, 0, 0, 2}},
                          Case{"singular", {1, 2, 3, 2, 4, 6, 0, 0, 1}},
                          Case{"an inverse that overflows", {1e-310, 0, 0, 0, 1e5, 0, 0, 0, 1}},
                          Case{"a determinant that overflows", {1e200, 0, 0, 0, 1e200, 0, 0, 0, 1}}}) {
    Random random(5);
    BlockLu lu;
    const ScaledProblem problem = load_apart(8);
    ASSERT_TRUE(lu.analyse(problem));
    fill(problem, random, 15.0, lu);
    Vector b = Vector::Ones(problem.size());
    ASSERT_TRUE(lu.factorise() && lu.solve(b));
    std::copy_n(bad.block, 9, lu.block(2));
    EXPECT_FALSE(lu.factorise()) << bad.what;
    EXPECT_EQ(lu.determinant_sign(), 0) << bad.what;
    EXPECT_FALSE(lu.solve(b)) << bad.what;
  }
}

// The rows after it, which are solved well, must not hide a row that is not.
TEST(BlockLu, RefusesAnAnswerThatIsNoNumberInOneRow) {
  Random random(5);
  BlockLu lu;
  const ScaledProblem problem = load_apart(8);
  ASSERT_TRUE(lu.analyse(problem));
  fill(problem, random, 15.0, lu);
  ASSERT_TRUE(lu.factorise());
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    Vector b = Vector::Ones(problem.size());
    b[7] = bad;
    EXPECT_FALSE(lu.solve(b)) << bad;
  }
}

}  // namespace
}  // namespace stiction::cone
