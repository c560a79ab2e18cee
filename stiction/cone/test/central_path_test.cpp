#include "stiction/cone/central_path.h"

#include <gtest/gtest.h>

#include "problems/generator/cone_problem.h"
#include "problems/generator/families.h"

namespace stiction::cone {
namespace {

Problem make(const char* family, Index contacts, double ratio, std::uint64_t seed) {
  return families::to_cone(families::find_family(family)->make({contacts, ratio, seed}));
}

// Where the path has a fold the barrier must grow for a while: an interior-point method, which cannot raise it, stopped
// above 1e-5 in these.
TEST(CentralPath, GoesThroughFolds) {
  for (const Problem& problem : {make("sphere_pile", 12, 1.0, 6), make("painleve_rods", 8, 1.0, 4),
                                 make("spinning", 8, 1.0, 7), make("spinning", 12, 1.0, 2)}) {
    Solution solution;
    CentralPath by_length;
    by_length.solve(problem, solution);
    EXPECT_EQ(solution.status, Status::solved) << problem.name << " " << solution.certificate.residual;
  }
}

// What no method of the cascade solved before: 2e-7 and 3e-8 were left, after half a minute.
TEST(CentralPath, SolvesPilesThatNothingElseSolved) {
  for (const double ratio : {1.0, 1000.0}) {
    const Problem problem = make("sphere_pile", 200, ratio, 102);
    Solution solution;
    CentralPath path;
    path.solve(problem, solution);
    EXPECT_EQ(solution.status, Status::solved) << problem.name << " " << solution.certificate.residual;
  }
}

TEST(CentralPath, KeepsAnAnswerThatIsGoodEnough) {
  const Problem problem = make("tables", 20, 1.0, 3);
  Solution solution;
  CentralPath path;
  path.solve(problem, solution);
  ASSERT_EQ(solution.status, Status::solved);
  EXPECT_GT(solution.iterations, 0);
  const Vector r = solution.r;
  path.solve(problem, solution);
  EXPECT_EQ(solution.iterations, 0);
  EXPECT_LT((solution.r - r).norm(), 1e-14 * r.norm());
}

TEST(CentralPath, StopsAtItsLimit) {
  const Problem problem = make("sphere_pile", 50, 1000.0, 201);
  CentralPath path({.most = 20, .twice = false});
  Solution solution;
  path.solve(problem, solution);
  EXPECT_EQ(solution.status, Status::iteration_limit);
  EXPECT_EQ(solution.iterations, 20);
  // The best point so far is given back, not the start.
  EXPECT_LT(solution.certificate.contact_residual, certify(problem, Vector::Zero(problem.size())).contact_residual);
}

}  // namespace
}  // namespace stiction::cone
