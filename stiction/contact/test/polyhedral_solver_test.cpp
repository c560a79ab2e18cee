#include "stiction/contact/polyhedral_solver.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "stiction/contact/test/one_body_problem.h"
#include "stiction/contact/test/random_step_problem.h"

namespace stiction {
namespace {

TEST(PolyhedralSolver, CertifiesRandomProblemsOfTheGuaranteedClass) {
  Random random(101);
  for (int trial = 0; trial < 150; ++trial) {
    const StepProblem problem =
        random_step_problem(random, random.integer(1, 5), random.integer(1, 10), random.integer(0, 2));
    PolyhedralSolver solver({.turn = false});
    StepSolution solution;
    StepCertificate certificate;
    ASSERT_TRUE(solver.solve(problem, solution, certificate)) << trial;
    EXPECT_TRUE(certificate.certified()) << trial << ": residual " << certificate.residual << ", energy "
                                         << certificate.energy_defect << ", momentum " << certificate.momentum_defect;
  }
}

// Theorem 2.3 of 1997: with b = 0 the kinetic energy is at most that of the free motion.
TEST(PolyhedralSolver, GainsNoEnergyOverTheFreeMotion) {
  Random random(103);
  for (int trial = 0; trial < 100; ++trial) {
    StepProblem problem = random_step_problem(random, 3, 6, 1);
    std::fill(problem.b_n.begin(), problem.b_n.end(), 0.0);
    PolyhedralSolver solver({.turn = trial % 2 == 0});
    StepSolution solution;
    StepCertificate certificate;
    ASSERT_TRUE(solver.solve(problem, solution, certificate));
    const Vector free = problem.v + problem.k.cwiseQuotient(Vector(problem.M.diagonal()));
    const double with = 0.5 * solution.v.dot(problem.M * solution.v), without = 0.5 * free.dot(problem.M * free);
    EXPECT_LE(with, without * (1.0 + 1e-12));
  }
}

// 1997, section 2.1: the angle between friction and sliding tends to pi as the cone gets more facets.
TEST(PolyhedralSolver, FrictionOpposesSlidingAsFacetsGrow) {
  double last = 10.0;
  for (const int facets : {4, 8, 16, 32, 64}) {
    Random random(107);
    double worst = 0.0;
    for (int trial = 0; trial < 20; ++trial) {
      const StepProblem problem = random_step_problem(random, 2, 2, 0);
      PolyhedralSolver solver({.facets = facets, .turn = false});
      StepSolution solution;
      StepCertificate certificate;
      ASSERT_TRUE(solver.solve(problem, solution, certificate));
      worst = std::max(worst, certificate.misalignment);
    }
    EXPECT_LE(worst, std::numbers::pi / facets + 1e-6) << facets;
    EXPECT_LT(worst, last);
    last = worst;
  }
}

// Facets turn until friction opposes sliding on the true cone: round, strong, and elliptic.
TEST(PolyhedralSolver, TurnedFacetsGiveTheTrueCone) {
  Random random(109);
  int slid = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const int contacts = 1 + trial % 6;
    StepProblem problem = random_step_problem(random, 1 + trial % 3, contacts, trial % 2);
    for (StepProblem::Contact& contact : problem.contacts) {
      if (trial % 3 == 0) contact.mu = contact.mu2 = 2.0 * contact.mu;
      if (trial % 3 == 1) contact.mu2 = 0.3 * contact.mu;
    }
    PolyhedralSolver solver({.turn = true, .round = false});
    StepSolution solution;
    StepCertificate certificate;
    ASSERT_TRUE(solver.solve(problem, solution, certificate)) << trial;
    EXPECT_TRUE(certificate.certified()) << trial;
    EXPECT_EQ(solver.counts().unsettled, 0) << trial;
    EXPECT_LT(certificate.misalignment, 1e-6) << trial;
    EXPECT_LT(certificate.cone_violation, 1e-12) << trial;
    for (int j = 0; j < contacts; ++j) slid += solution.lambda[j] > 1e-6 && solution.c_n[j] > 1e-6;
  }
  EXPECT_GT(slid, 100);
}

// Where turning is cut short the answer is still that of a polyhedral problem, and what is left is reported.
TEST(PolyhedralSolver, UnsettledFacetsGiveACertifiedAnswer) {
  Random random(109);
  int unsettled = 0;
  for (int trial = 0; trial < 1000; ++trial) {
    const StepProblem problem = random_step_problem(random, 1, 3, 0);
    PolyhedralSolver solver({.turn = true, .round = false, .most_turns = 0});
    StepSolution solution;
    StepCertificate certificate;
    ASSERT_TRUE(solver.solve(problem, solution, certificate)) << trial;
    EXPECT_TRUE(certificate.certified()) << trial;
    EXPECT_EQ(solver.counts().unsettled > 0, certificate.misalignment > 1e-6) << trial;
    unsettled += static_cast<int>(solver.counts().unsettled);
  }
  EXPECT_GT(unsettled, 0);
}

// Steps that follow each other: the facets of the last step and Newton's method leave little for Lemke's.
TEST(PolyhedralSolver, SlidingThatTurnsIsFollowedWithoutPivots) {
  Random random(131);
  StepProblem problem = random_step_problem(random, 2, 4, 0);
  PolyhedralSolver solver({.turn = true});
  StepSolution solution;
  StepCertificate certificate;
  ASSERT_TRUE(solver.solve(problem, solution, certificate));
  const long pivots = solver.counts().pivots;
  for (int step = 0; step < 50; ++step) {
    for (Eigen::Index i = 0; i < problem.k.size(); ++i) problem.k[i] += 1e-3 * random.normal();
    ASSERT_TRUE(solver.solve(problem, solution, certificate));
    EXPECT_TRUE(certificate.certified());
    EXPECT_LT(certificate.misalignment, 1e-6);
  }
  EXPECT_EQ(solver.counts().pivots, pivots);
  EXPECT_GT(*std::max_element(solution.lambda.begin(), solution.lambda.end()), 1e-3);
}

// A block pushed over an anisotropic plane: friction is minus the gradient of the support function of the ellipse,
// N sqrt(mu^2 u1^2 + mu2^2 u2^2), by the sliding velocity u, so it is not opposite to the sliding.
TEST(PolyhedralSolver, EllipticFrictionDissipatesMost) {
  constexpr double mass = 2.0, normal = 3.0;
  for (const double mu2 : {0.05, 0.2, 0.6, 1.0}) {
    for (double heading = 0.1; heading < 6.2; heading += 0.37) {
      StepProblem problem;
      problem.M.resize(3, 3);
      for (int i = 0; i < 3; ++i) problem.M.insert(i, i) = mass;
      problem.M.makeCompressed();
      problem.v = Vec3(std::cos(heading), std::sin(heading), 0.0);
      problem.k = Vec3(0.3, -0.2, -normal);
      const auto push = [](linalg::Rows& rows, int column) {
        rows.push(column, 1.0);
        rows.end_row();
      };
      push(problem.n, 2);
      push(problem.t1, 0);
      push(problem.t2, 1);
      problem.contacts.push_back({1, 0.3, mu2, 0.0, 2});
      problem.b_n = problem.b_t1 = problem.b_t2 = {0.0};
      PolyhedralSolver solver({.turn = true});
      StepSolution solution;
      StepCertificate certificate;
      ASSERT_TRUE(solver.solve(problem, solution, certificate));
      EXPECT_TRUE(certificate.certified());
      EXPECT_NEAR(solution.c_n[0], normal, 1e-12);
      const double u1 = solution.v[0], u2 = solution.v[1];
      const double support = std::hypot(0.3 * u1, mu2 * u2);
      if (std::hypot(u1, u2) < 1e-9) {  // sticks: inside the ellipse
        EXPECT_LE(std::hypot(solution.c_t1[0] / 0.3, solution.c_t2[0] / mu2), normal * (1.0 + 1e-9));
        continue;
      }
      EXPECT_NEAR(solution.c_t1[0], -normal * 0.09 * u1 / support, 1e-6);
      EXPECT_NEAR(solution.c_t2[0], -normal * mu2 * mu2 * u2 / support, 1e-6);
      EXPECT_NEAR(solution.lambda[0] * 0.3, support, 1e-6);
    }
  }
}

TEST(PolyhedralSolver, ReusesTheBasisWhenLittleChanges) {
  Random random(113);
  StepProblem problem = random_step_problem(random, 3, 5, 1);
  PolyhedralSolver solver({.turn = false});
  StepSolution solution;
  StepCertificate certificate;
  ASSERT_TRUE(solver.solve(problem, solution, certificate));
  const long before = solver.counts().reused, problems = solver.counts().problems;
  problem.k *= 1.0 + 1e-9;
  ASSERT_TRUE(solver.solve(problem, solution, certificate));
  EXPECT_TRUE(certificate.certified());
  EXPECT_EQ(solver.counts().reused - before, solver.counts().problems - problems);
}

TEST(Islands, SplitsWhatNothingCouples) {
  Random random(127);
  const StepProblem problem = random_step_problem(random, 6, 3, 1);
  Islands islands;
  islands.split(problem);
  std::vector<int> island_of(static_cast<std::size_t>(problem.velocities()), -1);
  int velocities = 0, contacts = 0, joints = 0;
  for (int g = 0; g < islands.size(); ++g) {
    for (const int v : islands.velocities(g)) island_of[v] = g;
    velocities += static_cast<int>(islands.velocities(g).size());
    contacts += static_cast<int>(islands.contacts(g).size());
    joints += static_cast<int>(islands.joints(g).size());
    for (const int j : islands.contacts(g))
      for (const int v : problem.n.columns(j)) EXPECT_EQ(island_of[v], g);
    for (const int i : islands.joints(g))
      for (const int v : problem.nu.columns(i)) EXPECT_EQ(island_of[v], g);
  }
  EXPECT_EQ(velocities, problem.velocities());
  EXPECT_EQ(contacts, problem.size());
  EXPECT_EQ(joints, problem.joints());
  EXPECT_GT(islands.size(), 1);
}

// Between two walls that close there is no answer. Facets say so at the end of a long way, and need not say it each
// time where there is another way on.
TEST(PolyhedralSolver, AJamIsNotGivenToFacetsAgainAndAgain) {
  StepProblem problem = one_body_problem({{{-1, 0, 0}, Vec3::UnitX()}, {{1, 0, 0}, -Vec3::UnitX()}}, 0.5);
  problem.b_n = {-1.0, -1.0};
  const auto pivots_of = [&](PolyhedralSolver::Effort effort) {
    PolyhedralSolver solver({});
    StepSolution solution;
    StepCertificate certificate;
    for (int i = 0; i < 40; ++i) {
      EXPECT_FALSE(solver.solve(problem, solution, certificate, effort));
      EXPECT_FALSE(certificate.certified());
    }
    // A problem that has an answer is still solved.
    StepProblem open = problem;
    open.b_n = {0.0, 0.0};
    EXPECT_TRUE(solver.solve(open, solution, certificate, effort));
    EXPECT_TRUE(certificate.certified());
    return solver.counts().pivots;
  };
  const long always = pivots_of({});
  const long sparing = pivots_of({.turns = false, .always = false});
  EXPECT_GT(sparing, 0);
  EXPECT_LT(5 * sparing, always);
}

// Below what rounding allows nothing certifies. The answer on the true cone is still worth more than one of facets.
TEST(PolyhedralSolver, KeepsARoughAnswerOfTheTrueConeWhereFacetsDoNotCertifyEither) {
  Random random(131);
  int below_rounding = 0;
  for (int trial = 0; trial < 40; ++trial) {
    const StepProblem problem = random_step_problem(random, 4, 8, 1);
    PolyhedralSolver solver({.tolerance = 1e-18});
    StepSolution solution;
    StepCertificate certificate;
    const bool solved = solver.solve(problem, solution, certificate);
    if (certificate.certified(1e-18)) continue;
    ++below_rounding;
    EXPECT_TRUE(solved);
    EXPECT_TRUE(certificate.is_loose()) << trial;
    EXPECT_FALSE(certificate.polyhedral) << trial << ": " << certificate.own_residual;
  }
  EXPECT_GT(below_rounding, 20);
}

TEST(PolyhedralSolver, StartsFromOtherImpulsesThatDoTheSame) {
  const StepProblem problem = table_problem(0.5, 4.0, 0.2, 0.1);
  PolyhedralSolver solver({.round = true});
  StepSolution solution;
  StepCertificate certificate;
  ASSERT_TRUE(solver.solve(problem, solution, certificate));
  // A stress of the four legs that no body feels.
  StepSolution other = solution;
  for (int leg = 0; leg < 4; ++leg) other.c_n[leg] += leg == 0 || leg == 3 ? 0.125 : -0.125;
  solver.start_from(problem, other);
  ASSERT_TRUE(solver.solve(problem, solution, certificate));
  EXPECT_TRUE(certificate.certified());
  for (int leg = 0; leg < 4; ++leg) EXPECT_NEAR(solution.c_n[leg], other.c_n[leg], 1e-12);
}

}  // namespace
}  // namespace stiction
