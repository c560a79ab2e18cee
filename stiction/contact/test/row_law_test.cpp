// Rows of nu with a law of their own: bounds (1982, (6.4)-(6.5)) and compliance, alone and beside contacts.
#include <gtest/gtest.h>

#include <cmath>

#include "stiction/contact/polyhedral_solver.h"
#include "stiction/contact/test/random_step_problem.h"

namespace stiction {
namespace {

StepProblem one_mass(double mass, double v, double k) {
  StepProblem problem;
  problem.M.resize(1, 1);
  problem.M.insert(0, 0) = mass;
  problem.M.makeCompressed();
  problem.v = Vector::Constant(1, v);
  problem.k = Vector::Constant(1, k);
  return problem;
}

void add_row(StepProblem& problem, double b, const StepProblem::RowLaw& law) {
  linalg::Rows row;
  row.push(0, 1.0);
  row.end_row();
  problem.add_row(row, 0, b, law);
}

struct Answer {
  double v, c;
};

Answer solve(const StepProblem& problem) {
  PolyhedralSolver solver({});
  StepSolution solution;
  StepCertificate certificate;
  EXPECT_TRUE(solver.solve(problem, solution, certificate));
  EXPECT_TRUE(certificate.certified()) << certificate.equality_residual << ' ' << certificate.energy_defect;
  return {solution.v[0], solution.c_nu[0]};
}

// Dry friction of 3 N s on a mass of 2 kg: it stops what has a momentum of 3 and slows what has more, both ways.
TEST(RowLaw, FrictionSticksBelowItsBoundAndSlipsAbove) {
  for (const double sign : {1.0, -1.0}) {
    StepProblem problem = one_mass(2.0, sign * 1.4, 0.0);
    add_row(problem, 0.0, {-3.0, 3.0, 0.0});
    Answer answer = solve(problem);
    EXPECT_NEAR(answer.v, 0.0, 1e-15);
    EXPECT_NEAR(answer.c, -sign * 2.8, 1e-14);
    problem.v[0] = sign * 2.0;
    answer = solve(problem);
    EXPECT_NEAR(answer.v, sign * 0.5, 1e-15);
    EXPECT_NEAR(answer.c, -sign * 3.0, 1e-15);
  }
}

// c = -(v + b)/compliance: a spring and damper in one step.
TEST(RowLaw, ComplianceGivesWay) {
  StepProblem problem = one_mass(2.0, 1.0, 0.5);
  add_row(problem, 0.25, {.compliance = 0.1});
  const Answer answer = solve(problem);
  EXPECT_NEAR(answer.c, -(answer.v + 0.25) / 0.1, 1e-13);
  EXPECT_NEAR(2.0 * (answer.v - 1.0), 0.5 + answer.c, 1e-13);
}

TEST(RowLaw, AJointAfterADriveIsStillAJoint) {
  StepProblem problem = one_mass(1.0, 1.0, 0.0);
  add_row(problem, 0.0, {-0.1, 0.1, 0.0});
  problem.nu.push(0, 1.0);
  problem.nu.end_row();
  problem.b_nu.push_back(0.0);
  EXPECT_FALSE(problem.row_law(0).is_joint());
  EXPECT_TRUE(problem.row_law(1).is_joint());
  EXPECT_NEAR(solve(problem).v, 0.0, 1e-15);
}

// Bounded and soft rows among joints and frictional contacts stay in the class that has a solution.
TEST(RowLaw, RandomProblemsAreCertifiedAndTurningFacetsSettle) {
  Random random(211);
  int at_bound = 0, inside = 0, settled = 0;
  for (int trial = 0; trial < 200; ++trial) {
    const int bodies = random.integer(1, 4), contacts = random.integer(0, 6), rows = random.integer(1, 4);
    StepProblem problem = random_step_problem(random, bodies, contacts, rows);
    const linalg::Rows drawn = problem.nu;
    problem.nu.clear();
    problem.b_nu.clear();
    for (int i = 0; i < rows; ++i) {
      const double bound = random.uniform(0.0, 2.0), compliance = random.uniform() < 0.5 ? 0.0 : random.uniform();
      problem.add_row(drawn, i, random.normal(), {-bound, 0.5 * bound, compliance});
    }
    PolyhedralSolver solver({.turn = trial % 2 == 0});
    StepSolution solution;
    StepCertificate certificate;
    ASSERT_TRUE(solver.solve(problem, solution, certificate)) << trial;
    EXPECT_TRUE(certificate.certified()) << trial << ": " << certificate.residual << ' '
                                         << certificate.equality_residual << ' ' << certificate.energy_defect;
    for (int i = 0; i < rows; ++i) {
      const StepProblem::RowLaw law = problem.row_law(i);
      const double c = solution.c_nu[i];
      const bool bounded = c <= law.lower || c >= law.upper;
      ++(bounded ? at_bound : inside);
    }
    // The same problem again is answered by its basis, with drives at their bounds.
    const long pivots = solver.counts().pivots;
    if (solver.counts().unsettled > 0) continue;  // facets that do not settle are turned again
    ++settled;
    ASSERT_TRUE(solver.solve(problem, solution, certificate));
    EXPECT_EQ(solver.counts().pivots, pivots) << trial;
  }
  EXPECT_GT(at_bound, 50);
  EXPECT_GT(inside, 50);
  EXPECT_GE(settled, 198);
}

// The certificate sees an impulse beyond its bound, one at the wrong bound, and one that should be at a bound.
TEST(RowLaw, BrokenLawsAreNotCertified) {
  StepProblem problem = one_mass(2.0, 2.0, 0.0);
  add_row(problem, 0.0, {-3.0, 3.0, 0.0});
  StepSolution solution;
  for (const double c : {-3.0, -4.0, 3.0, -2.0}) {
    solution.v = Vector::Constant(1, 2.0 + 0.5 * c);
    solution.c_nu = {c};
    EXPECT_EQ(certify(problem, solution).certified(), c == -3.0) << c;
  }
}

}  // namespace
}  // namespace stiction
