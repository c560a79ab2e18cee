#include "stiction/cone/body_matrix.h"

#include <gtest/gtest.h>

#include "stiction/base/test/allocation_counter.h"
#include "stiction/cone/test/random_body_problem.h"

namespace stiction::cone {
namespace {

/// M + J'D J with random D of positive definite symmetric parts, in both.
DenseMatrix fill(Random& random, const BodyProblem& problem, const DenseBodies& dense, BodyMatrix& matrix) {
  DenseMatrix D = DenseMatrix::Zero(problem.rows(), problem.rows());
  matrix.begin();
  for (std::size_t i = 0; i < problem.units.size(); ++i) {
    const BodyProblem::Unit& unit = problem.units[i];
    const int n = unit.rows;
    double block[BodyProblem::most_rows * BodyProblem::most_rows];
    for (int a = 0; a < n; ++a)
      for (int b = 0; b < n; ++b) {
        block[a * n + b] = 0.3 * random.normal() + (a == b ? 5.0 : 0.0);
        D(unit.first_row + a, unit.first_row + b) = block[a * n + b];
      }
    matrix.add(static_cast<int>(i), block);
  }
  return dense.M + dense.J.transpose() * D * dense.J;
}

TEST(BodyMatrix, SolvesWhatADenseFactorisationSolves) {
  Random random(21);
  for (const bool coupled : {false, true})
    for (const int width : {3, 6})
      for (int turn = 0; turn < 10; ++turn) {
        const BodyProblem problem = random_body_problem(
            random, {.width = width, .nodes = 9, .several = true, .redundant = turn % 2 == 0, .coupled = coupled});
        const DenseBodies dense(problem);
        BodyMatrix matrix;
        matrix.analyse(problem);
        const DenseMatrix A = fill(random, problem, dense, matrix);
        ASSERT_TRUE(matrix.factorise());
        Vector x(A.rows());
        for (double& entry : x) entry = random.normal();
        const Vector expected = A.partialPivLu().solve(x);
        matrix.solve(x.data());
        EXPECT_LE((x - expected).norm(), 1e-11 * expected.norm());
      }
}

TEST(BodyMatrix, AloneItIsM) {
  Random random(22);
  const BodyProblem problem = random_body_problem(random, {.coupled = true});
  const DenseBodies dense(problem);
  BodyMatrix matrix;
  matrix.analyse(problem);
  matrix.begin();
  ASSERT_TRUE(matrix.factorise());
  Vector x = Vector::Ones(problem.velocities());
  const Vector expected = dense.M.partialPivLu().solve(x);
  matrix.solve(x.data());
  EXPECT_LE((x - expected).norm(), 1e-12 * expected.norm());
}

TEST(BodyMatrix, TakesAnotherProblemAndNothingFromTheHeapForTheSame) {
  Random random(23);
  BodyMatrix matrix;
  for (const int nodes : {7, 4, 10}) {
    const BodyProblem problem = random_body_problem(random, {.nodes = nodes});
    const DenseBodies dense(problem);
    matrix.analyse(problem);
    const DenseMatrix first = fill(random, problem, dense, matrix);
    ASSERT_TRUE(matrix.factorise());
    Vector x = Vector::Ones(problem.velocities());
    const std::vector<double> D(36, 1.0);
    const AllocationCounter counter;
    matrix.analyse(problem);
    matrix.begin();
    for (std::size_t i = 0; i < problem.units.size(); ++i) matrix.add(static_cast<int>(i), D.data());
    ASSERT_TRUE(matrix.factorise());
    matrix.solve(x.data());
    EXPECT_EQ(AllocationCounter::works() ? counter.count() : 0, 0);
  }
}

TEST(BodyMatrix, AChainTakesThreeProductsALink) {
  BodyProblem problem = make_bodies(6, 50);
  for (int i = 0; i + 1 < 50; ++i) {
    const DenseMatrix J = DenseMatrix::Identity(3, 6);
    add_unit(problem, BodyProblem::Kind::joint, {i + 1, i}, {J, -J}, Vector::Zero(3));
  }
  BodyMatrix matrix;
  matrix.analyse(problem);
  EXPECT_EQ(matrix.products(), 3 * 49);
}

}  // namespace
}  // namespace stiction::cone
