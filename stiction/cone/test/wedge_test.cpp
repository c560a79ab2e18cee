#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "stiction/cone/solvers.h"

namespace stiction::cone {
namespace {

enum class Beside { nothing, apart, on_the_body, two_bodies_away };

constexpr double kilograms = 2.0;

/// A body of 2 kg between two walls that close at the speed c each: u_n = -c + r_0 - r_1 over the mass at one and
/// -c + r_1 - r_0 at the other, so that they cannot both be zero or more. Beside it a contact at which a body of 0.5 kg
/// arrives with V, in several ways.
Problem make_wedge(double c, double mu, double V, Beside beside, int dimension = 3) {
  const int contacts = beside == Beside::nothing ? 2 : beside == Beside::two_bodies_away ? 5 : 3;
  // Velocities of the squeezed body, of one beside it and of one beside that; a contact is n and two tangents of a body
  // less those of another.
  const double inverse_mass[3] = {1.0 / kilograms, 2.0, 1.0};
  DenseMatrix J = DenseMatrix::Zero(3 * contacts, 9);
  const auto add = [&](int contact, int body, double sign, int normal) {
    for (int k = 0; k < 3; ++k) J(3 * contact + k, 3 * body + (normal + k) % 3) += sign;
  };
  add(0, 0, 1.0, 0);
  add(1, 0, -1.0, 0);
  if (beside == Beside::apart) add(2, 1, 1.0, 2);
  if (beside == Beside::on_the_body || beside == Beside::two_bodies_away) {
    add(2, 1, 1.0, 2);
    add(2, 0, -1.0, 2);
  }
  if (beside == Beside::two_bodies_away) {
    add(3, 2, 1.0, 2);
    add(3, 1, -1.0, 2);
    add(4, 2, 1.0, 1);  // and that one on a wall, where V is
  }
  Vector masses(9);
  for (int i = 0; i < 9; ++i) masses[i] = inverse_mass[i / 3];
  DenseMatrix W = J * masses.asDiagonal() * J.transpose();
  Vector q = Vector::Zero(3 * contacts);
  q[0] = q[3] = -c;
  if (contacts > 2) {
    q[3 * contacts - 3] = -V;
    q[3 * contacts - 2] = 0.3 * V;
  }
  if (dimension == 2) {
    std::vector<Index> kept;
    for (Index i = 0; i < q.size(); ++i)
      if (i % 3 != 2) kept.push_back(i);
    W = DenseMatrix(W(kept, kept));
    q = Vector(q(kept));
  }
  return {.name = "wedge", .dimension = dimension, .W = W, .q = q, .mu = Vector::Constant(contacts, mu)};
}

std::string describe(std::string_view solver, double c, double mu, double V, Beside beside) {
  return std::string(solver) + ", c " + std::to_string(c) + ", mu " + std::to_string(mu) + ", V " + std::to_string(V) +
         ", case " + std::to_string(static_cast<int>(beside));
}

class Wedge : public testing::TestWithParam<std::string_view> {};

// There is no answer, and however large the forces are that a solver finds, none of them may be called one.
TEST_P(Wedge, IsRefutedAndNeverSolved) {
  const auto solver = make_solver(GetParam());
  // All of them by the cascade; a share by the others, some of which are slow to give up.
  const bool all = GetParam() == "auto";
  for (const int dimension : {3, 2})
    for (const Beside beside : {Beside::nothing, Beside::apart, Beside::on_the_body, Beside::two_bodies_away})
      for (const double mu : {0.0, 0.5})
        for (const double V : {0.01, 1.0, 30.0})
          for (const double c : {1e-1, 1e-2, 1e-3, 1e-4, 5e-5, 1e-5, 1e-6, 1e-7}) {
            if (!(c > 2.0 * solver->tolerance * V) || (!all && (dimension == 2 || V == 0.01))) continue;
            const Problem problem = make_wedge(c, mu, V, beside, dimension);
            Solution solution;
            solver->solve(problem, solution);
            const std::string which = describe(GetParam(), c, mu, V, beside);
            ASSERT_EQ(solution.status, Status::infeasible) << which;
            // y = (1, 1) on the walls is the proof: q'y = -2 c, W'y = 0.
            EXPECT_NEAR(solution.proof[0] / solution.proof[dimension], 1.0, 1e-9) << which;
            EXPECT_GT(solution.bound, 1e6 * kilograms * c) << which;
          }
}

INSTANTIATE_TEST_SUITE_P(BySolver, Wedge, testing::ValuesIn(solver_names().begin(), solver_names().end()),
                         [](const auto& solver) { return std::string(solver.param); });

// The body is one of 500 that push each other in a row, the last of which something arrives at: far more contacts than
// are searched at once.
TEST(LargeWedge, IsRefutedAmongHundredsThatHangTogether) {
  constexpr int bodies = 500, squeezed = bodies / 2, contacts = bodies + 2;
  std::vector<Eigen::Triplet<double>> entries;
  const auto add = [&](int contact, int body, double sign, int normal) {
    for (int k = 0; k < 3; ++k) entries.emplace_back(3 * contact + k, 3 * body + (normal + k) % 3, sign);
  };
  for (int body = 0; body < bodies; ++body) {
    add(body, body, 1.0, 2);
    if (body > 0) add(body, body - 1, -1.0, 2);
  }
  add(bodies, squeezed, 1.0, 0);
  add(bodies + 1, squeezed, -1.0, 0);
  SparseMatrix J(3 * contacts, 3 * bodies);
  J.setFromTriplets(entries.begin(), entries.end());
  for (const double c : {1e-2, 1e-6}) {
    Vector q = Vector::Zero(3 * contacts);
    q[0] = -1.0;
    q[3 * bodies] = q[3 * bodies + 3] = -c;
    const Problem problem{.name = "row",
                          .dimension = 3,
                          .W = SparseMatrix(J * J.transpose()),
                          .q = q,
                          .mu = Vector::Constant(contacts, 0.5)};
    Solution solution;
    make_solver("auto")->solve(problem, solution);
    ASSERT_EQ(solution.status, Status::infeasible) << c;
    EXPECT_NEAR(solution.proof[3 * bodies] / solution.proof[3 * bodies + 3], 1.0, 1e-9);
    EXPECT_GT(solution.bound, 1e6 * c);
  }
}

// One wall that stands still and one that opens as fast as the other closes leave an answer: no proof may be found.
TEST(WedgeThatOpens, IsSolvedAndNeverRefuted) {
  for (const double c : {1e-1, 1e-4, 1e-7})
    for (const Beside beside : {Beside::nothing, Beside::apart, Beside::on_the_body, Beside::two_bodies_away}) {
      Problem problem = make_wedge(c, 0.5, 1.0, beside);
      problem.q[3] = 1.01 * c;
      Solution solution;
      make_solver("auto")->solve(problem, solution);
      EXPECT_EQ(solution.status, Status::solved) << describe("auto", c, 0.5, 1.0, beside);
      EXPECT_LT(solution.r.norm(), 10.0);
      EXPECT_EQ(solution.proof.size(), 0);
    }
}

}  // namespace
}  // namespace stiction::cone
