#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <numbers>
#include <vector>

#include "stiction/contact/polyhedral_solver.h"
#include "stiction/contact/test/random_step_problem.h"

/// What friction does, whatever the problem.
namespace stiction {
namespace {

/// A particle on level ground, pushed down by 1 and sliding at an angle.
StepProblem sliding_particle(double heading, double speed, double mu) {
  StepProblem problem;
  problem.M.resize(3, 3);
  problem.M.setIdentity();
  problem.v = Vec3(speed * std::cos(heading), speed * std::sin(heading), 0.0);
  problem.k = Vec3(0.0, 0.0, -1.0);
  for (int i = 0; i < 3; ++i) {
    linalg::Rows& rows = i == 2 ? problem.n : i == 0 ? problem.t1 : problem.t2;
    rows.push(i, 1.0);
    rows.end_row();
  }
  problem.contacts.push_back({1, mu, mu, 0.0, 2});
  problem.b_n.push_back(0.0);
  problem.b_t1.push_back(0.0);
  problem.b_t2.push_back(0.0);
  return problem;
}

// 1997, section 2.1: friction is a corner of the k-gon nearest to the opposite of the sliding, at most pi/k away, or on
// the side whose middle is opposite: likewise. So the worst angle over all headings is pi - pi/k, and tends to pi at
// that rate. Friction takes mu from a speed far larger, so that it hardly changes the heading.
TEST(FrictionProperty, TheAngleToSlidingTendsToPiAsPiOverK) {
  std::vector<double> logs_k, logs_angle;
  for (const int k : {4, 8, 16, 32, 64, 128}) {
    double worst = 0.0;
    for (int i = 0; i < 200; ++i) {
      const StepProblem problem = sliding_particle(0.1 + 2.0 * std::numbers::pi * i / 200.0, 1e3, 0.5);
      PolyhedralSolver solver({.facets = k, .turn = false});
      StepSolution solution;
      StepCertificate certificate;
      ASSERT_TRUE(solver.solve(problem, solution, certificate));
      ASSERT_TRUE(certificate.certified());
      const double slip1 = solution.v[0], slip2 = solution.v[1];
      const double cosine = (slip1 * solution.c_t1[0] + slip2 * solution.c_t2[0]) /
                            (std::hypot(slip1, slip2) * std::hypot(solution.c_t1[0], solution.c_t2[0]));
      const double off = std::numbers::pi - std::acos(std::clamp(cosine, -1.0, 1.0));
      EXPECT_LE(off, std::numbers::pi / k + 1e-6) << k;
      // The certificate says the same; acos is good to 1e-8 near pi.
      EXPECT_NEAR(certificate.misalignment, off, 1e-6);
      worst = std::max(worst, off);
    }
    // 200 headings come within pi/100 of the worst; friction turns them by mu/speed = 5e-4.
    EXPECT_GE(worst, std::numbers::pi / k - std::numbers::pi / 100.0 - 1e-3) << k;
    logs_k.push_back(std::log(k));
    logs_angle.push_back(std::log(worst));
  }
  // The fitted rate, over k where 200 headings see it well.
  const double slope = (logs_angle[3] - logs_angle[0]) / (logs_k[3] - logs_k[0]);
  std::cout << "angle ~ k^" << slope << "\n";
  EXPECT_NEAR(slope, -1.0, 0.1);
}

// 1996, after (16): friction dissipates as much as any impulse of the cone could with this sliding: v'D beta = -lambda
// mu c_n, and lambda = max -d_i'v.
TEST(FrictionProperty, DissipationIsTheLargestTheConeAllows) {
  Random random(419);
  int sliding = 0;
  for (int trial = 0; trial < 60; ++trial) {
    const StepProblem problem = random_step_problem(random, 3, 5, 1);
    PolyhedralSolver solver({.turn = trial % 2 == 0});
    StepSolution solution;
    StepCertificate certificate;
    ASSERT_TRUE(solver.solve(problem, solution, certificate));
    for (int j = 0; j < problem.size(); ++j) {
      const double slip1 = problem.speed(problem.t1, j, solution.v), slip2 = problem.speed(problem.t2, j, solution.v);
      const double power = slip1 * solution.c_t1[j] + slip2 * solution.c_t2[j];
      const double most = problem.contacts[j].mu * solution.c_n[j];
      EXPECT_NEAR(power, -solution.lambda[j] * most, 1e-9 * (1.0 + most));
      if (most < 1e-9) continue;
      double lambda = 0.0;
      for (int i = 0; i < solution.facets[j].count; ++i) {
        double d1 = 0.0, d2 = 0.0;
        solution.facets[j].direction(i, 1.0, d1, d2);
        lambda = std::max(lambda, -d1 * slip1 - d2 * slip2);
      }
      EXPECT_NEAR(solution.lambda[j], lambda, 1e-9 * (1.0 + lambda));
      sliding += lambda > 1e-6;
    }
  }
  EXPECT_GT(sliding, 50);
}

// The energy identity by a calculation of its own, at every alpha, with right-hand sides of all kinds.
TEST(FrictionProperty, TheEnergyIdentityHolds) {
  Random random(421);
  double worst = 0.0;
  for (int trial = 0; trial < 90; ++trial) {
    const double alpha = trial % 3 == 0 ? 1.0 : trial % 3 == 1 ? 0.5 : 0.8;
    StepProblem problem = random_step_problem(random, 3, 5, 1, alpha);
    for (double& b : problem.b_t1) b = random.uniform(-0.3, 0.3);
    for (StepProblem::Contact& contact : problem.contacts) contact.hf = random.uniform() < 0.3 ? random.uniform() : 0.0;
    PolyhedralSolver solver({.turn = trial % 2 == 0});
    StepSolution s;
    StepCertificate certificate;
    if (!solver.solve(problem, s, certificate)) continue;  // b_t leaves the guaranteed class
    const Vector v_alpha = alpha * s.v + (1.0 - alpha) * problem.v;
    const Vector impulse = linalg::DenseMatrix(problem.M) * (s.v - problem.v) - problem.k;
    double right = 0.0, scale = 1.0;
    for (int j = 0; j < problem.size(); ++j) {
      right -= s.lambda[j] * (problem.contacts[j].mu * s.c_n[j] + problem.contacts[j].hf) + s.c_n[j] * problem.b_n[j] +
               s.c_t1[j] * problem.b_t1[j] + s.c_t2[j] * problem.b_t2[j];
      scale += s.c_n[j];
    }
    const double defect = std::abs(v_alpha.dot(impulse) - right) / scale;
    worst = std::max(worst, defect);
    EXPECT_LE(defect, 1e-10) << trial;
  }
  std::cout << "largest defect " << worst << "\n";
}

/// Random bodies, contacts with torsional, rolling and dry friction, and drives with bounds.
StepProblem problem_with_blocks(Random& random, int bodies, int contacts, double most_mu, double most_radius) {
  StepProblem problem = random_step_problem(random, bodies, contacts, 3);
  for (StepProblem::Contact& contact : problem.contacts) contact.mu = contact.mu2 = contact.mu * most_mu / 1.5;
  add_blocks(random, problem, most_radius);
  return problem;
}

// Each block of its own dissipates as much as any impulse within its radius could, and the radius is that of the
// contact that bears it. 5 to 40 contacts, mu to 1.5.
TEST(FrictionProperty, EveryBlockDissipatesTheMostItsRadiusAllows) {
  Random random(431);
  int rubbing = 0, holding = 0;
  for (int trial = 0; trial < 24; ++trial) {
    const int contacts = 5 + 35 * trial / 23;
    const StepProblem problem = problem_with_blocks(random, 2 + contacts / 3, contacts, 1.5, 0.3);
    PolyhedralSolver solver({});
    StepSolution s;
    StepCertificate certificate;
    ASSERT_TRUE(solver.solve(problem, s, certificate)) << trial;
    EXPECT_TRUE(certificate.certified()) << trial << ": " << certificate.residual << ' ' << certificate.energy_defect;
    const double scale = 1.0 + *std::max_element(s.c_n.begin(), s.c_n.end());
    for (int j = 0; j < problem.size(); ++j) {
      const StepProblem::Contact& contact = problem.contacts[j];
      const int bearer = contact.normal < 0 ? j : contact.normal;
      const double radius = contact.mu * s.c_n[bearer] + contact.hf;
      const double u1 = problem.t1.dot(j, s.v), u2 = problem.t2.dot(j, s.v), slip = std::hypot(u1, u2);
      EXPECT_LE(std::hypot(s.c_t1[j], s.c_t2[j]), radius + 1e-7 * scale) << trial;
      EXPECT_NEAR(u1 * s.c_t1[j] + u2 * s.c_t2[j], -slip * radius, 1e-7 * scale) << trial;
      if (contact.normal < 0 || !(radius > 1e-6)) continue;
      rubbing += slip > 1e-6;
      holding += slip < 1e-9;
    }
  }
  EXPECT_GE(rubbing, 100);
  EXPECT_GE(holding, 5);
}

// With little friction the answer is unique, and facets that stay come to it as their angle, pi/k, goes to zero.
TEST(FrictionProperty, BlocksOfTheRoundConeAreTheLimitOfManyFacets) {
  Random random(433);
  double off[3] = {0.0, 0.0, 0.0};
  for (int trial = 0; trial < 12; ++trial) {
    const StepProblem problem = problem_with_blocks(random, 2, 5, 0.2, 0.05);
    StepSolution round, facets;
    StepCertificate certificate;
    PolyhedralSolver solver({});
    ASSERT_TRUE(solver.solve(problem, round, certificate)) << trial;
    EXPECT_EQ(solver.counts().turns, 0);
    int at = 0;
    for (const int k : {8, 32, 128}) {
      PolyhedralSolver twin({.facets = k, .turn = false});
      ASSERT_TRUE(twin.solve(problem, facets, certificate)) << trial << ", " << k;
      off[at] = std::max(off[at], (facets.v - round.v).norm() / round.v.norm());
      ++at;
    }
  }
  std::cout << "off by " << off[0] << ", " << off[1] << ", " << off[2] << "\n";
  EXPECT_LE(off[1], 0.5 * off[0]);
  EXPECT_LE(off[2], 0.5 * off[1]);
  EXPECT_LE(off[2], 0.25 * std::numbers::pi / 128.0);  // friction is about a quarter of the speeds
}

}  // namespace
}  // namespace stiction
