#include "stiction/lcp/lemke.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>

#include "stiction/base/test/allocation_counter.h"
#include "stiction/lcp/enumeration.h"
#include "stiction/lcp/problem_file.h"
#include "stiction/lcp/test/literals.h"
#include "stiction/lcp/test/random_problems.h"

namespace stiction::lcp {
namespace {

using test::matrix;
using test::vector;

Solution solve(const Problem& problem, Lemke::Options options = {}) {
  Lemke lemke(options);
  Solution solution;
  lemke.solve(problem, solution);
  return solution;
}

Problem sparse(Problem problem) {
  problem.M = Matrix(SparseMatrix(problem.M.to_dense().sparseView()));
  return problem;
}

// ---- Problems of the books

TEST(Lemke, TextbookProblemsEndAsTheBooksSay) {
  const char* folder = std::getenv("STICTION_DATA");  // NOLINT(concurrency-mt-unsafe): no other thread runs
  const std::filesystem::path path =
      std::filesystem::path(folder != nullptr ? folder : "../shared/data") / "lcp/textbook.json";
  if (!std::filesystem::exists(path))
    GTEST_SKIP() << path << " is not here; set STICTION_DATA to the folder of test data";
  const auto problems = read_problems(path);
  ASSERT_TRUE(problems.ok()) << problems.error();
  for (const StoredProblem& stored : problems.value()) {
    ASSERT_TRUE(stored.basic_solutions.has_value());
    const Solution solution = solve(stored.problem);
    if (stored.basic_solutions->empty()) {
      EXPECT_NE(solution.status, Status::solved) << stored.problem.name;
      continue;
    }
    ASSERT_EQ(solution.status, Status::solved) << stored.problem.name;
    bool known = false;
    for (const Vector& z : *stored.basic_solutions) known |= (z - solution.z).norm() <= 1e-10 * (1.0 + z.norm());
    EXPECT_TRUE(known) << stored.problem.name << ": " << solution.z.transpose();
  }
}

TEST(Lemke, DoesNotCycleWhereKostrevaDoes) {
  // Kostreva 1979, example 1: cycles with the least-index choice among ties.
  const Problem problem{"", matrix(3, {1, 2, 0, 0, 1, 2, 2, 0, 1}), vector({-1, -1, -1})};
  const Solution solution = solve(problem);
  ASSERT_EQ(solution.status, Status::solved);
  EXPECT_LT((solution.z - Vector::Constant(3, 1.0 / 3)).norm(), 1e-15);
  EXPECT_LE(solution.iterations, 12);
}

TEST(Lemke, SolvesMurtysExponentialFamily) {
  Lemke lemke;
  for (Index n = 1; n <= 16; ++n) {
    DenseMatrix M = DenseMatrix::Identity(n, n);
    Vector q(n);
    double sum = 0.0;
    for (Index i = 0; i < n; ++i) {
      M.row(i).head(i).setConstant(2.0);
      sum += std::ldexp(1.0, static_cast<int>(n - i));
      q[i] = -sum;
    }
    // Triangular: the solution follows row by row, z_1 = 2^n and the others zero.
    for (const DenseMatrix& matrix : {M, DenseMatrix(M * M.transpose())}) {
      Solution solution;
      lemke.solve({"murty", matrix, q}, solution);
      EXPECT_EQ(solution.status, Status::solved) << n;
    }
    Solution solution;
    lemke.solve({"murty", M, q}, solution);
    EXPECT_LT((solution.z - std::ldexp(1.0, static_cast<int>(n)) * Vector::Unit(n, 0)).norm(), 1e-9) << n;
  }
}

// ---- Classes

TEST(Lemke, SolvesEveryPProblem) {
  Random random(1);
  Lemke lemke;
  for (int trial = 0; trial < 150; ++trial) {
    Problem problem = test::random_p(random, random.integer(1, 60));
    if (trial % 3 == 1) problem = sparse(problem);
    Solution solution;
    lemke.solve(problem, solution);
    ASSERT_EQ(solution.status, Status::solved) << trial;
    EXPECT_LE(solution.certificate.residual, 1e-12);
    EXPECT_EQ(lemke.rung(), 0);
  }
}

TEST(Lemke, SolvesEverySolvableSemidefiniteProblem) {
  Random random(2);
  Lemke lemke;
  for (int trial = 0; trial < 150; ++trial) {
    const Problem problem = test::random_psd(random, random.integer(1, 60), true);
    Solution solution;
    lemke.solve(problem, solution);
    EXPECT_EQ(solution.status, Status::solved) << trial;
  }
}

TEST(Lemke, SolvesSemidefiniteProblemsOrProvesThatNobodyCan) {
  Random random(3);
  Lemke lemke;
  int infeasible = 0;
  for (int trial = 0; trial < 150; ++trial) {
    const Problem problem = test::random_psd(random, random.integer(1, 30), false);
    Solution solution;
    lemke.solve(problem, solution);
    ASSERT_TRUE(solution.status == Status::solved || solution.status == Status::infeasible) << trial;
    infeasible += solution.status == Status::infeasible;
  }
  EXPECT_GT(infeasible, 20);
}

TEST(Lemke, SolvesPProblemsWithEveryKindOfBound) {
  Random random(4);
  Lemke lemke;
  for (int trial = 0; trial < 150; ++trial) {
    Problem problem = test::random_p(random, random.integer(1, 60));
    test::random_bounds(random, problem);
    if (trial % 2 == 0) problem = sparse(problem);
    Solution solution;
    lemke.solve(problem, solution);
    ASSERT_EQ(solution.status, Status::solved) << trial;
    EXPECT_LE(solution.certificate.residual, 1e-12);
    for (Index i = 0; i < problem.size(); ++i) {
      EXPECT_GE(solution.z[i], problem.lower_bound(i));
      EXPECT_LE(solution.z[i], problem.upper_bound(i));
    }
  }
}

TEST(Lemke, ABoxAlwaysHasASolution) {
  // Whatever M is: the variational inequality of a continuous map on a box has one (Hartman and Stampacchia 1966), and
  // the path finds it, since a ray has nowhere to go.
  Random random(5);
  Lemke lemke;
  for (int trial = 0; trial < 200; ++trial) {
    Problem problem = test::random_any(random, random.integer(1, 12));
    problem.lower = -test::random_vector(random, problem.size()).cwiseAbs();
    problem.upper = test::random_vector(random, problem.size()).cwiseAbs();
    Solution solution;
    lemke.solve(problem, solution);
    EXPECT_EQ(solution.status, Status::solved) << trial;
  }
}

TEST(Lemke, AgreesWithEnumerationOnSmallBoundedProblems) {
  Random random(6);
  Lemke lemke;
  Enumeration enumeration;
  int unsolvable = 0;
  for (int trial = 0; trial < 300; ++trial) {
    Problem problem = test::random_any(random, random.integer(1, 5));
    test::random_bounds(random, problem);
    Solution solution;
    lemke.solve(problem, solution);
    const bool has_solution = enumeration.has_solution(problem);
    unsolvable += !has_solution;
    EXPECT_NE(solution.status, has_solution ? Status::infeasible : Status::solved) << trial;
  }
  EXPECT_GT(unsolvable, 20);
}

// ---- Free and fixed variables

TEST(Lemke, FreeVariablesAloneAreALinearSystem) {
  Random random(7);
  const Index n = 40;
  const DenseMatrix M = test::random_matrix(random, n, n);
  const Vector exact = test::random_vector(random, n);
  const Problem problem{"", M, Vector(-M * exact), Vector::Constant(n, -infinity), Vector::Constant(n, infinity)};
  for (const Problem& p : {problem, sparse(problem)}) {
    const Solution solution = solve(p);
    ASSERT_EQ(solution.status, Status::solved);
    EXPECT_EQ(solution.iterations, 0);
    EXPECT_LT((solution.z - exact).norm(), 1e-10 * exact.norm());
  }
}

TEST(Lemke, SolvesConsistentRedundantEqualitiesAndRefutesTheOthers) {
  const auto problem = [](double second) {
    return Problem{"", matrix(3, {1, 1, 0, 2, 2, 0, 0, 0, 1}), vector({-1, second, -1}),
                   vector({-infinity, -infinity, 0}), Vector::Constant(3, infinity)};
  };
  const Solution consistent = solve(problem(-2));
  ASSERT_EQ(consistent.status, Status::solved);
  EXPECT_DOUBLE_EQ(consistent.z[0] + consistent.z[1], 1.0);
  const Solution contradictory = solve(problem(-3));
  ASSERT_EQ(contradictory.status, Status::infeasible);
  EXPECT_TRUE(certify_infeasible(problem(-3), contradictory.proof).valid);
}

/// min x'Hx/2 + c'x with A x = b, x >= 0, feasible by making; some equalities are repeated. Unknowns x, y:
/// w = H x + c - A'y >= 0, A x - b = 0, y free. The block of the free variables is zero.
Problem equality_programme(Random& random, Index n, Index equalities, bool repeat) {
  DenseMatrix B = test::random_matrix(random, random.integer(0, static_cast<int>(n)), n);
  DenseMatrix A = test::random_matrix(random, equalities, n);
  if (repeat && equalities > 1) A.row(equalities - 1) = A.row(0) - (equalities > 2 ? 1.0 : 0.0) * A.row(1);
  const Vector b = A * test::random_vector(random, n).cwiseMax(0.0);
  const Index size = n + equalities;
  DenseMatrix M = DenseMatrix::Zero(size, size);
  M.topLeftCorner(n, n) = B.transpose() * B;
  M.topRightCorner(n, equalities) = -A.transpose();
  M.bottomLeftCorner(equalities, n) = A;
  Vector q(size);
  q << test::random_vector(random, n).cwiseAbs(), -b;
  Problem problem{"programme", M, q, Vector::Zero(size), Vector::Constant(size, infinity)};
  problem.lower.tail(equalities).setConstant(-infinity);
  return problem;
}

TEST(Lemke, SolvesQuadraticProgrammesWithEqualities) {
  Random random(8);
  Lemke lemke;
  int reused = 0;
  for (int trial = 0; trial < 100; ++trial) {
    const Index n = random.integer(1, 20), equalities = random.integer(1, static_cast<int>(n));
    Problem problem = equality_programme(random, n, equalities, trial % 2 == 0);
    if (trial % 3 == 0) problem = sparse(problem);
    Solution solution;
    lemke.solve(problem, solution);
    ASSERT_EQ(solution.status, Status::solved) << trial;
    lemke.solve(problem, solution);
    EXPECT_EQ(solution.status, Status::solved);
    reused += solution.reused_basis;
  }
  // The basis found on the split form is one of the problem itself, where multipliers are unique.
  EXPECT_GT(reused, 40);
}

TEST(Lemke, RefutesProgrammesWithContradictoryEqualities) {
  Random random(9);
  for (int trial = 0; trial < 30; ++trial) {
    Problem problem = equality_programme(random, random.integer(2, 8), 2, true);
    problem.q[problem.size() - 1] += 1.0;  // the second equality repeats the first
    const Solution solution = solve(problem);
    EXPECT_EQ(solution.status, Status::infeasible) << trial;
  }
}

TEST(Lemke, FixedVariablesStayAndTheOthersAreSolved) {
  Random random(10);
  for (int trial = 0; trial < 30; ++trial) {
    Problem problem = test::random_p(random, 10);
    problem.lower = Vector::Zero(10);
    problem.upper = Vector::Constant(10, infinity);
    for (Index i = 0; i < 10; i += 2) problem.lower[i] = problem.upper[i] = random.normal();
    const Solution solution = solve(problem);
    ASSERT_EQ(solution.status, Status::solved) << trial;
    for (Index i = 0; i < 10; i += 2) EXPECT_EQ(solution.z[i], problem.lower[i]);
  }
  const Problem all{"", matrix(2, {0, 1, -1, 0}), vector({3, -4}), vector({1, 2}), vector({1, 2})};
  const Solution solution = solve(all);
  EXPECT_EQ(solution.status, Status::solved);
  EXPECT_EQ(solution.z, vector({1, 2}));
}

TEST(Lemke, AtRestWithoutForcesNothingPushes) {
  // q = 0 and bounds of every kind around zero: the answer is zero itself, not rounding of the bounds.
  Random random(20);
  for (int trial = 0; trial < 50; ++trial) {
    Problem problem = test::random_p(random, random.integer(1, 20));
    problem.q.setZero();
    problem.lower = -10.0 * test::random_vector(random, problem.size()).cwiseAbs();
    problem.upper = 10.0 * test::random_vector(random, problem.size()).cwiseAbs();
    if (trial % 2 == 0) problem.lower[0] = -infinity;
    const Solution solution = solve(problem);
    ASSERT_EQ(solution.status, Status::solved) << trial;
    EXPECT_EQ(solution.z, Vector::Zero(problem.size()));
  }
}

// ---- Small ends

TEST(Lemke, NoUnknownsAndOneUnknown) {
  EXPECT_EQ(solve({"", DenseMatrix(0, 0), Vector(0)}).status, Status::solved);
  EXPECT_EQ(solve({"", matrix(1, {2}), vector({-4})}).z, vector({2}));
  EXPECT_EQ(solve({"", matrix(1, {2}), vector({4})}).z, vector({0}));
  EXPECT_EQ(solve({"", matrix(1, {0}), vector({0})}).status, Status::solved);
  EXPECT_EQ(solve({"", matrix(1, {0}), vector({-1})}).status, Status::infeasible);
  EXPECT_EQ(solve({"", matrix(1, {-1}), vector({-1})}).status, Status::infeasible);
  EXPECT_EQ(solve({"", matrix(1, {-1}), vector({1})}).status, Status::solved);
}

TEST(Lemke, ZeroIsTheAnswerWhereQIsNotNegative) {
  Random random(11);
  for (int trial = 0; trial < 20; ++trial) {
    Problem problem = test::random_any(random, 15);
    problem.q = problem.q.cwiseAbs();
    const Solution solution = solve(problem);
    EXPECT_EQ(solution.status, Status::solved);
    EXPECT_EQ(solution.iterations, 0);
    EXPECT_EQ(solution.z, Vector::Zero(15));
  }
}

// ---- No answer

TEST(Lemke, InfeasibleComesWithItsProof) {
  const Problem problem{"", matrix(2, {1, -1, -1, 1}), vector({-1, -1})};
  const Solution solution = solve(problem);
  ASSERT_EQ(solution.status, Status::infeasible);
  EXPECT_TRUE(certify_infeasible(problem, solution.proof).valid);
  EXPECT_EQ(solve(problem, {.prove_infeasible = false}).status, Status::ray);
}

TEST(Lemke, FeasibleButUnsolvableIsARayAndNothingMore) {
  // w1 = z2 - 1 >= 0 asks for z2 >= 1, and w2 = 1 > 0 for z2 = 0.
  const Problem problem{"", matrix(2, {0, 1, 0, 0}), vector({-1, 1})};
  ASSERT_FALSE(Enumeration().has_solution(problem));
  const Solution solution = solve(problem);
  EXPECT_EQ(solution.status, Status::ray);
  EXPECT_EQ(solution.proof.size(), 0);
  EXPECT_EQ(solution.z.size(), 2);
}

// ---- Units

TEST(Lemke, RowsAndColumnsInAnyUnits) {
  Random random(12);
  Lemke lemke;
  for (int trial = 0; trial < 100; ++trial) {
    Problem problem = trial % 2 == 0 ? test::random_p(random, 20) : test::random_psd(random, 20, true);
    const auto scales = [&] {
      return Vector(Vector::NullaryExpr(20, [&](Index) { return std::pow(10.0, random.uniform(-8.0, 8.0)); }));
    };
    const Vector S = scales(), T = scales();
    problem.M = DenseMatrix(S.asDiagonal() * problem.M.dense() * T.asDiagonal());
    problem.q = S.cwiseProduct(problem.q);
    Solution solution;
    lemke.solve(problem, solution);
    EXPECT_EQ(solution.status, Status::solved) << trial;
  }
}

// ---- Reuse

TEST(Lemke, ABasisThatStillFitsNeedsOneSolve) {
  Random random(13);
  for (const bool with_bounds : {false, true}) {
    Problem problem = test::random_p(random, 30);
    if (with_bounds) test::random_bounds(random, problem);
    Lemke lemke;
    Solution solution;
    lemke.solve(problem, solution);
    ASSERT_EQ(solution.status, Status::solved);
    EXPECT_FALSE(solution.reused_basis);
    EXPECT_GT(solution.iterations, 0);
    const std::vector<Place> basis = solution.basis;
    for (int step = 0; step < 10; ++step) {
      problem.q += 1e-6 * test::random_vector(random, 30);
      lemke.solve(problem, solution);
      ASSERT_EQ(solution.status, Status::solved);
      EXPECT_TRUE(solution.reused_basis);
      EXPECT_EQ(solution.iterations, 0);
      EXPECT_EQ(solution.basis, basis);
    }
  }
}

TEST(Lemke, ABasisThatFitsNoMoreIsDropped) {
  Random random(14);
  Problem problem = test::random_p(random, 30);
  Lemke lemke;
  Solution solution;
  lemke.solve(problem, solution);
  problem.q = -problem.q;
  lemke.solve(problem, solution);
  EXPECT_EQ(solution.status, Status::solved);
  EXPECT_FALSE(solution.reused_basis);
  const Solution fresh = solve(problem);
  EXPECT_EQ(solution.z, fresh.z);
  EXPECT_EQ(solution.basis, fresh.basis);
}

TEST(Lemke, SuggestionsOfAnyKindDoNoHarm) {
  Random random(15);
  Lemke lemke;
  for (int trial = 0; trial < 100; ++trial) {
    Problem problem = test::random_p(random, random.integer(1, 8));
    test::random_bounds(random, problem);
    Solution solution;
    solution.basis.resize(static_cast<std::size_t>(problem.size() + random.integer(0, 1)));
    for (Place& place : solution.basis) place = static_cast<Place>(random.integer(0, 2));
    lemke.solve(problem, solution);
    EXPECT_EQ(solution.status, Status::solved) << trial;
  }
}

TEST(Lemke, ReuseCanBeTurnedOff) {
  Random random(16);
  const Problem problem = test::random_p(random, 10);
  Lemke lemke({.reuse_basis = false});
  Solution solution;
  lemke.solve(problem, solution);
  const int iterations = solution.iterations;
  lemke.solve(problem, solution);
  EXPECT_FALSE(solution.reused_basis);
  EXPECT_EQ(solution.iterations, iterations);
}

// ---- The same bits, and no allocation

TEST(Lemke, TheSameProblemGivesTheSameBitsWhateverCameBefore) {
  Random random(17);
  std::vector<Problem> problems;
  for (int k = 0; k < 12; ++k) {
    problems.push_back(k % 2 == 0 ? test::random_psd(random, random.integer(2, 25), k % 4 == 0)
                                  : test::random_any(random, random.integer(2, 12)));
    if (k % 3 == 0) test::random_bounds(random, problems.back());
    if (k % 4 == 1) problems.back() = sparse(problems.back());
  }
  problems.push_back(equality_programme(random, 6, 3, true));
  Lemke used;
  for (int round = 0; round < 2; ++round)
    for (const Problem& problem : problems) {
      const Solution fresh = solve(problem);
      Solution solution;
      used.solve(problem, solution);
      EXPECT_EQ(solution.status, fresh.status);
      EXPECT_EQ(solution.iterations, fresh.iterations);
      EXPECT_EQ(solution.z, fresh.z);
      EXPECT_EQ(solution.basis, fresh.basis);
      EXPECT_EQ(solution.proof, fresh.proof);
    }
}

TEST(Lemke, DenseAndSparseFindTheSameAnswer) {
  Random random(18);
  for (int trial = 0; trial < 30; ++trial) {
    const Problem problem = test::random_p(random, 15);
    const Solution one = solve(problem), other = solve(sparse(problem));
    ASSERT_EQ(one.status, Status::solved);
    EXPECT_LT((one.z - other.z).norm(), 1e-11 * (1.0 + one.z.norm()));
  }
}

void expect_no_allocation(const Problem& problem) {
  Lemke lemke({.reuse_basis = false});
  Solution solution;
  lemke.solve(problem, solution);
  ASSERT_EQ(solution.status, Status::solved);
  ASSERT_GT(solution.iterations, 0);
  const AllocationCounter counter;
  lemke.solve(problem, solution);
  EXPECT_EQ(counter.count(), 0);
}

TEST(Lemke, TheSecondSolveAllocatesNothing) {
  if (!AllocationCounter::works()) GTEST_SKIP() << "this build has another malloc";
  Random random(19);
  Problem dense = test::random_p(random, 30);
  expect_no_allocation(dense);
  expect_no_allocation(sparse(dense));
  test::random_bounds(random, dense);
  expect_no_allocation(dense);
  expect_no_allocation(sparse(dense));
  expect_no_allocation(equality_programme(random, 12, 4, true));

  Lemke lemke;
  Solution solution;
  lemke.solve(dense, solution);
  lemke.solve(dense, solution);
  const AllocationCounter counter;
  lemke.solve(dense, solution);
  EXPECT_TRUE(solution.reused_basis);
  EXPECT_EQ(counter.count(), 0);
}

}  // namespace
}  // namespace stiction::lcp
