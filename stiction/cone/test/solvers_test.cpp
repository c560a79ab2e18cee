#include "stiction/cone/solvers.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>

#include "problems/generator/cone_problem.h"
#include "problems/generator/families.h"
#include "stiction/base/random.h"
#include "stiction/cone/problem_file.h"

namespace stiction::cone {
namespace {

/// A block of mass m on a plane, one contact: u = r / m + q.
Problem block(double mass, const Vector& q, double mu) {
  return {.name = "block",
          .dimension = static_cast<int>(q.size()),
          .W = DenseMatrix(DenseMatrix::Identity(q.size(), q.size()) / mass),
          .q = q,
          .mu = Vector::Constant(1, mu)};
}

TEST(ConeSolvers, EachFindsTheClosedFormOfASlidingBlock) {
  // r_n = m, friction m mu against (3, 4) / 5.
  for (const std::string_view name : solver_names()) {
    const auto solver = make_solver(name);
    Solution solution;
    solver->solve(block(2.0, Eigen::Vector3d(-1.0, 3.0, 4.0), 0.5), solution);
    ASSERT_EQ(solution.status, Status::solved) << name;
    EXPECT_LT((solution.r - Eigen::Vector3d(2.0, -0.6, -0.8)).norm(), 1e-7) << name;
    solver->solve(block(2.0, Eigen::Vector2d(-1.0, -3.0), 0.5), solution);
    ASSERT_EQ(solution.status, Status::solved) << name << ", in the plane";
    EXPECT_LT((solution.r - Eigen::Vector2d(2.0, 1.0)).norm(), 1e-7) << name;
  }
}

TEST(ConeSolvers, EllipticAndFrictionlessContacts) {
  Random random(9);
  const auto solver = make_solver("auto");
  for (int i = 0; i < 30; ++i) {
    Problem problem = families::to_cone(
        families::find_family("random_contacts")->make({.contacts = 8, .seed = static_cast<std::uint64_t>(i + 1)}));
    problem.mu2 = problem.mu;
    for (Index c = 0; c < problem.contacts(); ++c) {
      problem.mu2[c] *= random.uniform(0.2, 3.0);
      if (c % 3 == 0) problem.mu2[c] = 0.0;
      if (c % 4 == 0) problem.mu[c] = 0.0;
    }
    Solution solution;
    solver->solve(problem, solution);
    EXPECT_EQ(solution.status, Status::solved) << problem.name << " " << solution.certificate.contact_residual;
    for (Index c = 0; c < problem.contacts(); c += 3) EXPECT_EQ(solution.r[3 * c + 2], 0.0);
  }
}

TEST(ConeSolvers, TheCascadeSolvesEveryFamily) {
  const auto solver = make_solver("auto");
  for (const families::Family& family : families::solvable_families())
    for (const auto& [contacts, ratio] : {std::pair{5, 1.0}, std::pair{20, 1000.0}}) {
      const Problem problem = families::to_cone(family.make({contacts, ratio, 17}));
      Solution solution;
      solver->solve(problem, solution);
      EXPECT_EQ(solution.status, Status::solved) << problem.name << " " << solution.certificate.contact_residual;
      EXPECT_FALSE(solution.attempts.empty());
    }
}

TEST(ConeSolvers, AnAnswerIsItsOwnStart) {
  const Problem problem = families::to_cone(families::find_family("box_stack")->make({.contacts = 20, .seed = 5}));
  const auto solver = make_solver("auto");
  Solution solution;
  solver->solve(problem, solution);
  ASSERT_EQ(solution.status, Status::solved);
  solver->solve(problem, solution);
  EXPECT_EQ(solution.status, Status::solved);
  EXPECT_EQ(solution.iterations, 0);
}

// Walls that close on a body at 8e-9 of the speed along them: no force is an answer to 1e-8, and no other is better.
TEST(ConeSolvers, WhatNeedsNoForceCostsNoIteration) {
  Problem problem{.dimension = 3, .mu = Vector::Zero(2)};
  DenseMatrix W = DenseMatrix::Identity(6, 6);
  W(0, 3) = W(3, 0) = -1.0;
  problem.W = W;
  problem.q = Vector{{-8e-9, 0.0, 1.0, -8e-9, 0.0, -1.0}};
  const auto solver = make_solver("auto");
  for (const bool has_start : {false, true}) {
    Solution solution;
    if (has_start) solution.r = Vector{{3.0, 0.0, 0.0, 1.0, 0.0, 0.0}};
    solver->solve(problem, solution);
    EXPECT_EQ(solution.status, Status::solved);
    EXPECT_EQ(solution.iterations, 0) << has_start;
    EXPECT_EQ(solution.r, Vector::Zero(6));
  }
  problem.q[0] = problem.q[3] = -4e-8;
  Solution solution;
  solver->solve(problem, solution);
  EXPECT_EQ(solution.status, Status::infeasible);
}

TEST(ConeSolvers, SolvingTwiceGivesTheSameBits) {
  const Problem problem = families::to_cone(families::find_family("brick_wall")->make({.contacts = 30, .seed = 2}));
  const auto solver = make_solver("auto");
  Solution first, second;
  solver->solve(problem, first);
  Solution between;
  solver->solve(families::to_cone(families::find_family("arch")->make({.contacts = 12, .seed = 2})), between);
  solver->solve(problem, second);
  EXPECT_TRUE(first.r == second.r);
}

TEST(ConeSolvers, SqueezedBodiesAreRefuted) {
  const auto solver = make_solver("auto");
  for (const families::Family& family : families::infeasible_families())
    for (const auto& [contacts, ratio] : {std::pair{5, 1.0}, std::pair{20, 1000.0}}) {
      const Problem problem = families::to_cone(family.make({contacts, ratio, 3}));
      Solution solution;
      solver->solve(problem, solution);
      ASSERT_EQ(solution.status, Status::infeasible) << problem.name;
      EXPECT_EQ(certify_infeasible(problem, solution.proof).bound, solution.bound);
      EXPECT_TRUE(certify_infeasible(problem, solution.proof).refutes());
    }
}

// The bound of any y is one of any answer.
TEST(ConeSolvers, NoAnswerIsBelowTheBoundOfAProof) {
  Random random(12);
  const auto solver = make_solver("auto");
  for (const families::Family& family : families::solvable_families()) {
    const Problem problem = families::to_cone(family.make({.contacts = 8, .seed = 6}));
    Solution solution;
    solver->solve(problem, solution);
    ASSERT_EQ(solution.status, Status::solved) << problem.name;
    EXPECT_EQ(solution.proof.size(), 0);
    for (int i = 0; i < 200; ++i) {
      Vector y = Vector::Zero(problem.size());
      for (Index c = 0; c < problem.contacts(); ++c)
        y[3 * c] = problem.q[3 * c] < 0.0 || i % 4 == 0 ? std::max(0.0, random.normal()) : 0.0;
      EXPECT_LE(certify_infeasible(problem, y).bound, (1.0 + 1e-6) * solution.r.norm()) << problem.name;
    }
  }
}

TEST(ConeSolvers, WhatDoesNotMoveAtAllNeedsNoForce) {
  Problem problem = block(2.0, Eigen::Vector3d(0.0, 0.0, 0.0), 0.5);
  for (const std::string_view name : solver_names()) {
    Solution solution;
    solution.r = Vector::Ones(3);  // a start
    make_solver(name)->solve(problem, solution);
    EXPECT_EQ(solution.status, Status::solved) << name;
    EXPECT_TRUE(solution.r.isZero(0.0)) << name;
  }
}

TEST(ConeSolvers, MalformedProblemsAreInvalid) {
  Solution solution;
  make_solver("auto")->solve({.q = Vector::Zero(4), .mu = Vector::Zero(1)}, solution);
  EXPECT_EQ(solution.status, Status::invalid);
  // Pushed down onto nothing that gives way: u_n = -1 whatever r is.
  make_solver("auto")->solve(
      {.W = DenseMatrix(DenseMatrix::Zero(3, 3)), .q = Eigen::Vector3d(-1.0, 0.0, 0.0), .mu = Vector::Ones(1)},
      solution);
  EXPECT_EQ(solution.status, Status::invalid);
  EXPECT_EQ(make_solver("nobody"), nullptr);
}

TEST(ConeSolvers, TheProblemsOfOthersAreSolved) {
  const char* data = std::getenv("STICTION_DATA");  // NOLINT(concurrency-mt-unsafe): no other thread runs
  const std::filesystem::path folder =
      std::filesystem::path(data != nullptr ? data : "../shared/data") / "contact_problems";
  if (!std::filesystem::exists(folder))
    GTEST_SKIP() << folder << " is not here; set STICTION_DATA to the folder of test data";
  constexpr std::uintmax_t small = 100'000;  // bytes: the large ones are bench/accept/cone.cpp's
  const auto solver = make_solver("auto");
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".fcp" || entry.file_size() > small) continue;
    const auto problem = read_problem(entry.path());
    ASSERT_TRUE(problem.ok()) << problem.error();
    Solution solution;
    solver->solve(problem.value(), solution);
    EXPECT_EQ(solution.status, Status::solved) << entry.path() << " " << solution.certificate.contact_residual;
  }
}

}  // namespace
}  // namespace stiction::cone
