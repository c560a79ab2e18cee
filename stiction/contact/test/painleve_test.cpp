#include <gtest/gtest.h>

#include <cmath>
#include <iostream>
#include <numbers>

#include "stiction/base/random.h"
#include "stiction/contact/polyhedral_solver.h"
#include "stiction/lcp/enumeration.h"

namespace stiction {
namespace {

/// A uniform rod (m, L) that slides with its lower end on the ground, centre velocity and spin such that the end moves
/// along the ground at slip > 0. theta from the horizontal, as in case 16 of the scenes with known answers.
struct Rod {
  double m, L, theta, mu, slip, omega;
  static constexpr double g = 9.81;
  [[nodiscard]] double inertia() const { return m * L * L / 12.0; }
  /// Normal acceleration of the end is mobility * c_n + b when friction opposes the sliding: case 16's 1 + 3 cos(cos -
  /// mu sin).
  [[nodiscard]] double mobility() const {
    return (1.0 + 3.0 * std::cos(theta) * (std::cos(theta) - mu * std::sin(theta))) / m;
  }
  [[nodiscard]] double b() const { return -g + 0.5 * L * omega * omega * std::sin(theta); }
};

/// One velocity-level step of length h with v = (x, y, omega): the end is at (-cos, -sin) L/2 from the centre.
StepProblem step_problem(const Rod& rod, double h) {
  StepProblem problem;
  problem.M.resize(3, 3);
  problem.M.insert(0, 0) = rod.m;
  problem.M.insert(1, 1) = rod.m;
  problem.M.insert(2, 2) = rod.inertia();
  problem.M.makeCompressed();
  const double rx = -0.5 * rod.L * std::cos(rod.theta), ry = -0.5 * rod.L * std::sin(rod.theta);
  // The end's velocity is (vx - omega ry, vy + omega rx) = (-slip, 0): sliding that digs in.
  problem.v.resize(3);
  problem.v << -rod.slip + rod.omega * ry, -rod.omega * rx, rod.omega;
  problem.k.resize(3);
  problem.k << 0.0, -rod.m * Rod::g * h, 0.0;
  problem.contacts.push_back({1, rod.mu, rod.mu, 0.0, 1});
  problem.n.push(1, 1.0);
  problem.n.push(2, rx);
  problem.n.end_row();
  problem.t1.push(0, 1.0);
  problem.t1.push(2, -ry);
  problem.t1.end_row();
  problem.t2.end_row();
  problem.b_n.push_back(0.0);
  problem.b_t1.push_back(0.0);
  problem.b_t2.push_back(0.0);
  return problem;
}

constexpr int trials = 1000;  // `make accept ONLY=mechanics` has 10,000 whole scenes

TEST(Painleve, StepsAreSolvedWhereAccelerationsHaveNoSolution) {
  Random random(1895);
  int without_solution = 0, certified = 0;
  lcp::Enumeration judge;
  for (int trial = 0; trial < trials; ++trial) {
    const Rod rod{std::pow(10.0, random.uniform(-1, 1)),
                  random.uniform(0.2, 2.0),
                  random.uniform(0.1, 0.5 * std::numbers::pi - 0.05),
                  random.uniform(0.0, 3.0),
                  random.uniform(0.01, 5.0),
                  random.uniform(-3.0, 3.0)};
    lcp::Problem acceleration;
    acceleration.M = lcp::Matrix(lcp::DenseMatrix::Constant(1, 1, rod.mobility()));
    acceleration.q = Vector::Constant(1, rod.b());
    lcp::Solution at_rest;
    judge.solve(acceleration, at_rest);
    without_solution += at_rest.status != lcp::Status::solved;

    PolyhedralSolver solver({});
    StepSolution solution;
    StepCertificate certificate;
    const StepProblem problem = step_problem(rod, 1e-3);
    ASSERT_NEAR(problem.n.dot(0, problem.v), 0.0, 1e-12);
    ASSERT_NEAR(problem.t1.dot(0, problem.v), -rod.slip, 1e-12);
    certified += solver.solve(problem, solution, certificate) && certificate.certified();
  }
  std::cout << "rods: " << trials << ", without an acceleration: " << without_solution
            << ", steps certified: " << certified << "\n";
  EXPECT_EQ(certified, trials);
  EXPECT_GE(without_solution, trials / 50);
}

// Case 16: the least mu with a paradox is 4/3, at tan(theta) = 2.
TEST(Painleve, ParadoxBeginsAtFourThirds) {
  const double theta = std::atan(2.0);
  EXPECT_GT((Rod{1, 1, theta, 4.0 / 3.0 - 1e-9, 1, 0}.mobility()), 0.0);
  EXPECT_LT((Rod{1, 1, theta, 4.0 / 3.0 + 1e-9, 1, 0}.mobility()), 0.0);
  for (double other = 0.05; other < 1.5; other += 0.01)
    EXPECT_GE((Rod{1, 1, other, 4.0 / 3.0 - 1e-9, 1, 0}.mobility()), 0.0) << other;
}

}  // namespace
}  // namespace stiction
