#include "stiction/lcp/quadratic_program.h"

#include <gtest/gtest.h>

#include <Eigen/QR>

#include "stiction/lcp/enumeration.h"
#include "stiction/lcp/principal_pivoting.h"
#include "stiction/lcp/test/literals.h"
#include "stiction/lcp/test/random_problems.h"

namespace stiction::lcp {
namespace {

using test::random_integers;
using test::random_matrix;
using test::random_vector;
using test::vector;

/// A random one with redundant columns of G. d = G'r + s with s >= 0 has a feasible x = -r.
LeastConstraint random_principle(Random& random) {
  const Index m = random.integer(1, 5), n = random.integer(1, 7);
  const DenseMatrix B = random_matrix(random, m, m);
  LeastConstraint principle;
  principle.M = B * B.transpose() + 0.5 * DenseMatrix::Identity(m, m);
  principle.f = 3.0 * random_vector(random, m);
  principle.G = random_integers(random, m, n);
  if (n > 2) principle.G.col(n - 1) = principle.G.col(0) + principle.G.col(1);
  principle.d = principle.G.transpose() * random_vector(random, m);
  principle.equalities = random.integer(0, 3) == 0 ? random.integer(0, static_cast<int>(n)) : 0;
  const Index rest = n - principle.equalities;
  principle.d.tail(rest) += random_vector(random, rest).cwiseMax(0.0);
  return principle;
}

/// A square table of unit mass and unit inertia on four legs under gravity 9.81: x = (height, two tilts), at rest.
LeastConstraint table() {
  LeastConstraint principle{DenseMatrix::Identity(3, 3), vector({-9.81, 0, 0}), DenseMatrix(3, 4), Vector::Zero(4)};
  principle.G << 1, 1, 1, 1, -1, 1, 1, -1, -1, -1, 1, 1;
  return principle;
}

TEST(QuadraticProgram, StandsATableOnFourLegs) {
  for (const Multiplier choice : {Multiplier::any, Multiplier::minimum_norm, Multiplier::independent}) {
    const auto answer = solve(table(), choice);
    ASSERT_TRUE(answer.ok());
    EXPECT_EQ(answer.value().status, Status::solved);
    EXPECT_LE(answer.value().x.norm(), 1e-13);
    EXPECT_NEAR(answer.value().lambda.sum(), 9.81, 1e-12);
  }
  EXPECT_TRUE(solve(table(), Multiplier::minimum_norm).value().lambda.isApprox(Vector::Constant(4, 9.81 / 4), 1e-13));
  EXPECT_LE((solve(table(), Multiplier::independent).value().lambda.array() > 0.0).count(), 3);
}

TEST(QuadraticProgram, LetsGoWhereTheTableIsLifted) {
  LeastConstraint principle = table();
  principle.f[0] = 2.0;
  const auto answer = solve(principle, Multiplier::minimum_norm);
  EXPECT_EQ(answer.value().status, Status::solved);
  EXPECT_TRUE(answer.value().x.isApprox(vector({2, 0, 0})));
  EXPECT_EQ(answer.value().lambda.norm(), 0.0);
}

TEST(QuadraticProgram, ProvesContradictoryConstraints) {
  LeastConstraint principle{DenseMatrix::Identity(1, 1), vector({0}), DenseMatrix(1, 2), vector({-1, -1})};
  principle.G << 1, -1;  // x >= 1 and x <= -1
  const auto answer = solve(principle);
  ASSERT_TRUE(answer.ok());
  EXPECT_EQ(answer.value().status, Status::infeasible);
}

/// (6.1) and (6.3) have the same x, opposite objectives up to the constant of f (strong duality, Dorn 1960), and
/// complementary multipliers.
TEST(QuadraticProgram, IsTheDualOfLeastConstraint) {
  Random random(61);
  for (int round = 0; round < 1000; ++round) {
    const LeastConstraint principle = random_principle(random);
    const auto program = to_quadratic_program(principle);
    ASSERT_TRUE(program.ok());
    const auto result = solve(principle);
    ASSERT_TRUE(result.ok());
    const LeastConstraintAnswer& answer = result.value();
    ASSERT_EQ(answer.status, Status::solved) << round;
    const double size = 1.0 + answer.x.norm() + answer.lambda.norm();

    const Problem mixed = to_mixed_problem(principle);
    Vector both(mixed.size());
    both << answer.x, answer.lambda;
    EXPECT_LE(certify(mixed, both).residual, 1e-8) << round;
    EXPECT_NEAR(objective(principle, answer.x), -objective(program.value(), answer.lambda), 1e-8 * size * size)
        << round;

    // Gauss: every other admissible x is further from M^-1 f. Those on the way to another admissible point are
    // admissible.
    if (principle.equalities > 0) continue;
    const Vector inside = principle.G.transpose().completeOrthogonalDecomposition().solve(-principle.d);
    if ((principle.G.transpose() * inside + principle.d).minCoeff() < -1e-12) continue;
    for (const double t : {0.01, 0.1, 1.0})
      EXPECT_GE(objective(principle, answer.x + t * (inside - answer.x)),
                objective(principle, answer.x) - 1e-9 * size * size);
  }
}

TEST(QuadraticProgram, AgreesWithTheMixedProblemSolvedDirectly) {
  Random random(62);
  int compared = 0;
  for (int round = 0; round < 500; ++round) {
    const LeastConstraint principle = random_principle(random);
    const Index m = principle.f.size();
    Enumeration enumeration;
    const auto solutions = enumeration.all_solutions(to_mixed_problem(principle));
    ASSERT_FALSE(solutions.empty()) << round;
    const auto answer = solve(principle, Multiplier::minimum_norm);
    ASSERT_EQ(answer.value().status, Status::solved);
    const double size = 1.0 + answer.value().x.norm() + answer.value().lambda.norm();
    for (const Vector& solution : solutions) {
      EXPECT_LE((solution.head(m) - answer.value().x).norm(), 1e-7 * size) << round;
      EXPECT_GE(solution.tail(solution.size() - m).norm(), answer.value().lambda.norm() - 1e-7 * size) << round;
      ++compared;
    }
  }
  EXPECT_GT(compared, 500);
}

TEST(QuadraticProgram, EveryChoiceOfMultiplierMovesTheSame) {
  Random random(63);
  for (int round = 0; round < 1000; ++round) {
    const LeastConstraint principle = random_principle(random);
    const auto any = solve(principle, Multiplier::any).value();
    const auto least = solve(principle, Multiplier::minimum_norm).value();
    const auto independent = solve(principle, Multiplier::independent).value();
    ASSERT_EQ(least.status, Status::solved) << round;
    ASSERT_EQ(independent.status, Status::solved) << round;
    const double size = 1.0 + any.x.norm() + any.lambda.norm();
    EXPECT_LE((any.x - least.x).norm(), 1e-8 * size) << round;
    EXPECT_LE((any.x - independent.x).norm(), 1e-8 * size) << round;
    EXPECT_LE(least.lambda.norm(), any.lambda.norm() + 1e-9 * size) << round;
    EXPECT_LE(least.lambda.norm(), independent.lambda.norm() + 1e-9 * size) << round;
    std::vector<Index> support;
    for (Index i = 0; i < independent.lambda.size(); ++i)
      if (independent.lambda[i] != 0.0) support.push_back(i);
    if (support.empty()) continue;
    EXPECT_EQ(DenseMatrix(principle.G(Eigen::all, support)).colPivHouseholderQr().rank(),
              static_cast<Index>(support.size()))
        << round;
  }
}

TEST(QuadraticProgram, SaysWhatIsWrong) {
  LeastConstraint principle = table();
  principle.M(1, 1) = -1.0;
  EXPECT_NE(solve(principle).error().find("positive definite"), std::string::npos);
  principle = table();
  principle.M(0, 1) = 0.5;
  EXPECT_NE(solve(principle).error().find("symmetric"), std::string::npos);
  principle = table();
  principle.d.resize(3);
  EXPECT_NE(solve(principle).error().find("column for each of the 3"), std::string::npos);
  principle = table();
  principle.f[2] = infinity;
  EXPECT_NE(solve(principle).error().find("not finite"), std::string::npos);
  principle = table();
  principle.equalities = 5;
  EXPECT_NE(solve(principle).error().find("equalities is 5"), std::string::npos);
}

}  // namespace
}  // namespace stiction::lcp
