#include "stiction/lcp/solvers.h"

#include <gtest/gtest.h>

namespace stiction::lcp {
namespace {

TEST(Solvers, EveryNameMakesTheSolverOfThatName) {
  ASSERT_FALSE(solver_names().empty());
  for (const std::string_view name : solver_names()) {
    const auto solver = make_solver(name);
    ASSERT_NE(solver, nullptr) << name;
    EXPECT_EQ(solver->name(), name);
  }
}

TEST(Solvers, AutoIsTheCascadeThatBeginsWithTheFirst) {
  const auto solver = make_solver("auto");
  ASSERT_NE(solver, nullptr);
  EXPECT_EQ(solver->name(), "auto");
  Solution solution;
  solver->solve({"one", DenseMatrix{{2.0}}, Vector{{-1.0}}}, solution);
  ASSERT_EQ(solution.attempts.size(), 1u);
  EXPECT_EQ(solution.attempts[0].method, solver_names().front());
  EXPECT_EQ(solver_names().front(), "lemke");
}

TEST(Solvers, UnknownNamesMakeNone) {
  EXPECT_EQ(make_solver("all"), nullptr);
  EXPECT_EQ(make_solver(""), nullptr);
}

TEST(Solvers, EachSolvesAProblemOfEveryClass) {
  const Problem problem{"two_by_two", DenseMatrix{{2, 1}, {1, 2}}, Vector{{-5, -6}}};
  for (const std::string_view name : solver_names()) {
    const auto solver = make_solver(name);
    Solution solution;
    solver->solve(problem, solution);
    ASSERT_EQ(solution.status, Status::solved) << name;
    EXPECT_NEAR(solution.z[0], 4.0 / 3.0, 1e-7) << name;
    EXPECT_NEAR(solution.z[1], 7.0 / 3.0, 1e-7) << name;
  }
}

}  // namespace
}  // namespace stiction::lcp
