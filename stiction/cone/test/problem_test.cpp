#include "stiction/cone/problem.h"

#include <gtest/gtest.h>

#include <limits>

namespace stiction::cone {
namespace {

TEST(ConeProblem, NumbersThatAreNotFiniteAreNamedByTheirColumn) {
  const double infinity = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  for (const double bad : {infinity, -infinity, nan})
    for (Index at = 0; at < 6; ++at) {
      DenseMatrix W = DenseMatrix::Identity(6, 6);
      const Problem good{.W = W, .q = Vector::Ones(6), .mu = Vector::Ones(2)};
      EXPECT_EQ(find_defect(good), "");
      W(at, 5 - at) = bad;
      for (const bool sparse : {false, true}) {
        Problem problem = good;
        if (sparse)
          problem.W = SparseMatrix(W.sparseView());
        else
          problem.W = W;
        EXPECT_EQ(find_defect(problem), "W has a number that is not finite in column " + std::to_string(5 - at));
      }
    }
}

// The largest numbers are finite, whatever their sum.
TEST(ConeProblem, LargeNumbersAreNumbers) {
  const DenseMatrix W = DenseMatrix::Constant(6, 6, std::numeric_limits<double>::max());
  EXPECT_EQ(find_defect({.W = W, .q = Vector::Ones(6), .mu = Vector::Ones(2)}), "");
}

TEST(ConeProblem, AContactBetweenBodiesThatDoNotMoveIsNamed) {
  for (const bool sparse : {false, true}) {
    DenseMatrix W = DenseMatrix::Identity(6, 6);
    W.bottomRightCorner(3, 3).setZero();
    Problem problem{.W = W, .q = Vector::Ones(6), .mu = Vector::Ones(2)};
    if (sparse) problem.W = SparseMatrix(W.sparseView());
    EXPECT_EQ(find_defect(problem).substr(0, 45), "contact 1 is between bodies that do not move:");
  }
}

}  // namespace
}  // namespace stiction::cone
