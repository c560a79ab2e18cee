#include "problems/generator/trials.h"

#include <gtest/gtest.h>

#include <cmath>

#include "stiction/lcp/lemke.h"

namespace stiction::families {
namespace {

// The seeded slices of the acceptance checks (bench/accept/complementarity.cpp): about one in a hundred.

void fail(const lcp::Problem& problem, const std::string& reason) {
  ADD_FAILURE() << problem.name << ": " << reason;
}

class SmallSlice : public testing::TestWithParam<SmallClass> {};

TEST_P(SmallSlice, AgreesWithEnumeration) {
  const std::vector<Tally> tallies = try_small(GetParam(), 200000, 1000, fail);
  ASSERT_FALSE(tallies.empty());
  for (const Tally& tally : tallies) {
    EXPECT_EQ(tally.tried, 1000) << tally.solver;
    EXPECT_EQ(tally.broken, 0) << tally.solver;
    EXPECT_EQ(tally.solved + tally.proven + tally.gave_up, 1000) << tally.solver;
  }
}

std::string class_name(const testing::TestParamInfo<SmallClass>& parameter) {
  const char* names[] = {"P", "PositiveSemidefinite", "Copositive", "None"};
  return names[parameter.index];
}

INSTANTIATE_TEST_SUITE_P(Classes, SmallSlice, testing::ValuesIn(all_small_classes), class_name);

TEST(ContactSlice, LemkeSolvesAll) {
  for (const Form form : {Form::dense, Form::mixed})
    for (const double ratio : {1e3, 1e6}) {
      const Tally tally = try_contacts(form, 160, ratio, fail);
      EXPECT_EQ(tally.solved, 160) << tally.solver << ", ratios to " << ratio;
      EXPECT_LE(tally.worst_residual, 1e-8);
    }
}

// Numbers of the full run that needed Lemke's further tries, or failed, in some version; dense, so too large to store.
TEST(ContactSlice, LemkeSolvesWhatOnceWasHard) {
  const std::pair<int, double> hard[] = {{419, 1e3}, {3105, 1e3}, {4267, 1e3}, {5211, 1e3}, {315, 1e6},
                                         {745, 1e6}, {2249, 1e6}, {5211, 1e6}, {7337, 1e6}, {9641, 1e6}};
  lcp::Lemke lemke;
  for (const auto& [number, ratio] : hard)
    for (const Form form : {Form::dense, Form::mixed}) {
      const ContactProblem problem = nth_contact_problem(static_cast<std::uint64_t>(number), ratio);
      lcp::Solution solution;
      lemke.solve(form == Form::dense ? to_dense_lcp(problem, 8) : to_mixed(problem, 8), solution);
      EXPECT_EQ(solution.status, lcp::Status::solved) << problem.name;
    }
}

TEST(ContactSlice, LemkeProvesInfeasibility) {
  for (const Form form : {Form::dense, Form::mixed}) {
    const Tally tally = try_infeasible(form, 20, fail);
    EXPECT_EQ(tally.solved, 0) << tally.solver;
    EXPECT_GE(tally.proven, 18) << tally.solver;
  }
}

// What follows from the law itself, DESIGN.md section 5: v'(A v - momentum) = - sum lambda (mu c_n + hf) - (c_n'b_n +
// beta'b_t). Theorem 2.3 of 1997 is the case b = 0: no energy is gained.
TEST(ContactSlice, AnswersObeyTheEnergyIdentity) {
  const int facets = 8;
  lcp::Lemke lemke;
  for (std::uint64_t i = 0; i < 64; ++i) {
    const ContactProblem problem = nth_contact_problem(i, 100.0);
    const lcp::Problem dense = to_dense_lcp(problem, facets);
    lcp::Solution solution;
    lemke.solve(dense, solution);
    ASSERT_EQ(solution.status, lcp::Status::solved) << problem.name;
    const Vector v = velocities_from_dense(problem, facets, solution.z);
    const Vector change = problem.A * v - problem.momentum;
    const double work = v.dot(change);
    const Vector v_free = problem.A_inverse * problem.momentum;
    const double size = v_free.cwiseAbs().dot(problem.momentum.cwiseAbs());
    double expected = 0.0;
    const Index block = unknowns_per_contact(facets);
    for (Index j = 0; j < problem.contacts(); ++j) {
      const auto z = solution.z.segment(problem.joints() + j * block, block);
      expected -= z[block - 1] * (problem.mu[j] * z[0] + problem.hf[j]) + z[0] * problem.b_n[j];
      for (int k = 0; k < facets; ++k) {
        const double angle = 2.0 * M_PI * k / facets;
        expected -= z[1 + k] * (std::cos(angle) * problem.b_t1[j] + std::sin(angle) * problem.b_t2[j]);
      }
    }
    EXPECT_NEAR(work, expected, 1e-9 * size) << problem.name;
    if (problem.b_t1.isZero(0.0) && problem.b_t2.isZero(0.0)) {
      EXPECT_LE(work, 1e-9 * size) << problem.name;
    }
  }
}

}  // namespace
}  // namespace stiction::families
