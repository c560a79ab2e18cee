// The cascade beside Lemke's method alone, on small problems that have an answer: games, planted answers, and integers
// whose answers enumeration finds.
#include "stiction/lcp/cascade.h"

#include <gtest/gtest.h>

#include <functional>
#include <iostream>

#include "stiction/lcp/test/random_problems.h"

namespace stiction::lcp {
namespace {

using test::random_integers;
using test::random_matrix;
using test::random_vector;

/// A bimatrix game with the costs A and B, all positive, as Lemke and Howson (1964) wrote it: w = (A y - e, B'x - e).
/// Nash (1950): it has an equilibrium.
Problem random_game(Random& random, Index rows, Index cols) {
  const auto costs = [&] {
    return DenseMatrix::NullaryExpr(rows, cols, [&](Index, Index) { return random.uniform(0.1, 1.0); }).eval();
  };
  DenseMatrix M = DenseMatrix::Zero(rows + cols, rows + cols);
  M.topRightCorner(rows, cols) = costs();
  M.bottomLeftCorner(cols, rows) = costs().transpose();
  return {"game", M, Vector::Constant(rows + cols, -1.0)};
}

/// M any; z and w with one of each pair zero, from which q follows.
Problem random_planted(Random& random, Index n) {
  const DenseMatrix M = random.integer(0, 1) == 0 ? random_matrix(random, n, n) : random_integers(random, n, n);
  Vector z = random_vector(random, n).cwiseAbs(), w = random_vector(random, n).cwiseAbs();
  for (Index i = 0; i < n; ++i) (random.integer(0, 1) == 0 ? z[i] : w[i]) = 0.0;
  return {"planted", M, w - M * z};
}

struct Count {
  int solvable = 0, lemke = 0, cascade = 0;
};

Count count(int trials, std::uint64_t seed, const std::function<Problem(Random&)>& draw) {
  Random random(seed);
  Lemke lemke;
  Cascade cascade;
  Enumeration enumeration;
  Count count;
  for (int trial = 0; trial < trials; ++trial) {
    const Problem problem = draw(random);
    if (problem.size() <= 12 && !enumeration.has_solution(problem)) {
      Solution solution;
      cascade.solve(problem, solution);
      EXPECT_NE(solution.status, Status::solved) << problem.name << " " << trial << ", which enumeration does not find";
      continue;
    }
    ++count.solvable;
    Solution one, other;
    lemke.solve(problem, one);
    cascade.solve(problem, other);
    EXPECT_NE(one.status, Status::infeasible) << problem.name << " " << trial;
    EXPECT_NE(other.status, Status::infeasible) << problem.name << " " << trial;
    count.lemke += one.status == Status::solved ? 1 : 0;
    count.cascade += other.status == Status::solved ? 1 : 0;
    if (other.status == Status::solved) {
      EXPECT_TRUE(certify(problem, other.z).certified(1e-8));
    }
    if (one.status == Status::solved) {
      EXPECT_EQ(other.attempts.size(), 1u) << "Lemke's method was enough";
    }
  }
  std::cout << "solvable " << count.solvable << ", by lemke " << count.lemke << ", by auto " << count.cascade << "\n";
  return count;
}

TEST(LcpCascade, FindsEquilibriaThatLemkeMisses) {
  const Count games =
      count(60, 1, [](Random& random) { return random_game(random, random.integer(2, 6), random.integer(2, 6)); });
  EXPECT_EQ(games.solvable, 60);
  EXPECT_EQ(games.cascade, 60);
  EXPECT_LT(games.lemke, 60) << "a test that Lemke's method passes shows nothing";
}

TEST(LcpCascade, FindsPlantedAnswers) {
  const Count planted = count(200, 2, [](Random& random) { return random_planted(random, random.integer(2, 8)); });
  EXPECT_EQ(planted.solvable, 200);
  EXPECT_EQ(planted.cascade, 200);
  EXPECT_LT(planted.lemke, 200);
}

TEST(LcpCascade, FindsWhatEnumerationFinds) {
  const Count any = count(200, 3, [](Random& random) { return test::random_any(random, random.integer(2, 7)); });
  EXPECT_GT(any.solvable, 50);
  EXPECT_EQ(any.cascade, any.solvable);
}

TEST(LcpCascade, ProblemsTooLargeToEnumerate) {
  for (const Index n : {8, 10}) {
    const Count games = count(10, 4, [&](Random& random) { return random_game(random, n, n); });
    EXPECT_EQ(games.cascade, 10) << n;
  }
  for (const Index n : {14, 20}) {
    const Count planted = count(10, 5, [&](Random& random) { return random_planted(random, n); });
    EXPECT_EQ(planted.cascade, 10) << n;
  }
}

TEST(LcpCascade, SaysWhoWasAsked) {
  const Problem problem{"two rays of solutions", DenseMatrix{{0.0, 2.0}, {3.0, 0.0}}, Vector{{-4.0, -6.0}}};
  Cascade cascade;
  Solution solution;
  cascade.solve(problem, solution);
  ASSERT_EQ(solution.status, Status::solved);
  ASSERT_GE(solution.attempts.size(), 2u);
  EXPECT_EQ(solution.attempts.front().method, "lemke");
  EXPECT_GT(solution.attempts.front().residual, 1e-3);
  EXPECT_EQ(solution.attempts.back().residual, solution.certificate.residual);
  int iterations = 0;
  for (const Attempt& attempt : solution.attempts) iterations += attempt.iterations;
  EXPECT_EQ(solution.iterations, iterations);
}

// Feasible (z_1 >= 1) and without a solution: nobody has a proof, so nobody may claim one, and the best point is left.
TEST(LcpCascade, ClaimsNothingWhereAllFail) {
  const Problem problem{"blocked", DenseMatrix{{1.0, 0.0}, {0.0, 0.0}}, Vector{{-1.0, -1.0}}};
  Cascade cascade;
  Solution solution;
  cascade.solve(problem, solution);
  EXPECT_EQ(solution.status, Status::infeasible) << "w_2 = -1 is a proof";
  EXPECT_TRUE(certify_infeasible(problem, solution.proof).valid);
  const Problem feasible{"feasible", DenseMatrix{{0.0, 1.0}, {1.0, 1.0}}, Vector{{-1.0, 0.0}}};
  cascade.solve(feasible, solution);
  EXPECT_EQ(solution.status, Status::ray);
  EXPECT_EQ(solution.attempts.size(), 5u);
  EXPECT_EQ(solution.proof.size(), 0);
  for (const Attempt& attempt : solution.attempts) EXPECT_LE(solution.certificate.residual, attempt.residual);
}

}  // namespace
}  // namespace stiction::lcp
