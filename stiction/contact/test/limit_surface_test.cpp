// Friction of two blocks that share one set: as part of the problem it is judged as one law, and found as one.
#include "stiction/contact/limit_surface.h"

#include <gtest/gtest.h>

#include <cmath>

#include "stiction/contact/island_problem.h"
#include "stiction/contact/least_forces.h"
#include "stiction/contact/polyhedral_solver.h"
#include "stiction/contact/test/one_body_problem.h"

namespace stiction {
namespace {

constexpr double mu = 0.3, spin_radius = 0.1;

/// A soft finger of unit mass and inertia that presses on the floor by 1 N s: slip and spin within
/// |c_t|^2/0.3^2 + c_s^2/0.1^2 <= c_n^2.
StepProblem make_finger(const Vec3& velocity, double spin) {
  StepProblem problem = one_body_problem({{Vec3::Zero(), Vec3::UnitZ()}}, mu);
  problem.contacts.push_back({2, spin_radius, spin_radius, 0.0, 1, 0});
  problem.contacts[0].partner = 1;
  problem.contacts[1].partner = 0;
  problem.n.end_row();
  problem.t1.push(5, 1.0);
  problem.t1.end_row();
  problem.t2.end_row();
  for (auto* b : {&problem.b_n, &problem.b_t1, &problem.b_t2}) b->push_back(0.0);
  problem.v << velocity, 0.0, 0.0, spin;
  problem.k << 0.0, 0.0, -1.0, 0.0, 0.0, 0.0;
  return problem;
}

/// The friction joint of a spherical joint: a ball of 0.2 N m s, in blocks of two directions and one.
StepProblem make_ball(const Vec3& spin, double largest) {
  StepProblem problem = one_body_problem({}, 0.0);
  problem.contacts.push_back({1, 0.0, 0.0, largest, 2, 0});
  problem.contacts.push_back({2, 0.0, 0.0, largest, 1, 1});
  problem.contacts[0].partner = 1;
  problem.contacts[1].partner = 0;
  for (int j = 0; j < 2; ++j) {
    problem.n.end_row();
    problem.t1.push(j == 0 ? 3 : 5, 1.0);
    problem.t1.end_row();
    if (j == 0) problem.t2.push(4, 1.0);
    problem.t2.end_row();
    for (auto* b : {&problem.b_n, &problem.b_t1, &problem.b_t2}) b->push_back(0.0);
  }
  problem.v << 0.0, 0.0, 0.0, spin;
  return problem;
}

/// An answer of the true cone with these impulses: velocities by the balance of momentum, lambda the speeds of sliding.
StepSolution answer_with(const StepProblem& problem, double c_n, const Eigen::Vector2d& slip_impulse,
                         double spin_impulse) {
  StepSolution solution;
  solution.v = problem.v + problem.k;
  problem.n.add_to(0, c_n, solution.v);
  problem.t1.add_to(0, slip_impulse.x(), solution.v);
  problem.t2.add_to(0, slip_impulse.y(), solution.v);
  problem.t1.add_to(1, spin_impulse, solution.v);
  solution.c_n = {c_n, 0.0};
  solution.c_t1 = {slip_impulse.x(), spin_impulse};
  solution.c_t2 = {slip_impulse.y(), 0.0};
  solution.lambda = {std::hypot(problem.t1.dot(0, solution.v), problem.t2.dot(0, solution.v)),
                     std::abs(problem.t1.dot(1, solution.v))};
  solution.facets = {{.count = 8, .round = true}, {.count = 2, .has_normal = false, .round = true}};
  solution.beta.assign(10, 0.0);
  solution.beta_start = {0, 8, 10};
  return solution;
}

/// Slip and spin along (t1, t2) after friction of the angle a, by which both radii are shared.
StepSolution slide(const StepProblem& problem, double a) {
  const Eigen::Vector2d slip(problem.t1.dot(0, problem.v), problem.t2.dot(0, problem.v));
  return answer_with(problem, 1.0, -mu * std::cos(a) / slip.norm() * slip,
                     std::copysign(spin_radius * std::sin(a), -problem.v[5]));
}

/// tan a = r_2 |u_2| / (r_1 |u_1|) after friction of the angle a, by halving.
double find_angle(const StepProblem& problem) {
  double low = 0.0, high = 0.5 * std::acos(-1.0);
  for (int i = 0; i < 100; ++i) {
    const double a = 0.5 * (low + high);
    const StepSolution solution = slide(problem, a);
    (std::atan2(spin_radius * solution.lambda[1], mu * solution.lambda[0]) > a ? low : high) = a;
  }
  return low;
}

StepProblem without_pair(StepProblem problem) {
  for (StepProblem::Contact& contact : problem.contacts) contact.partner = -1;
  return problem;
}

TEST(LimitSurface, TheFrictionOfMostDissipationIsFoundAndCertified) {
  for (const double spin : {-2.0, 0.05, 0.4, 2.0, 30.0}) {
    const StepProblem problem = make_finger({0.9, 1.2, 0.0}, spin);
    const StepSolution expected = slide(problem, find_angle(problem));
    ASSERT_GT(expected.lambda[0], 0.0);
    EXPECT_TRUE(certify(problem, expected).certified()) << spin;
    PolyhedralSolver solver({});
    StepSolution solution;
    StepCertificate certificate;
    ASSERT_TRUE(solver.solve(problem, solution, certificate));
    EXPECT_TRUE(certificate.is_full()) << spin << " " << certificate.residual << " " << certificate.contact_residual;
    EXPECT_LT((solution.v - expected.v).norm(), 1e-8) << spin;
    const StepCertificate again = certify(problem, solution);
    EXPECT_EQ(again.contact_residual, certificate.contact_residual);
    // What friction takes is what the body loses.
    const double loss = problem.friction_loss(0, solution) + problem.friction_loss(1, solution);
    const double lost = 0.5 * (problem.v + solution.v).dot(problem.v - solution.v);
    EXPECT_NEAR(loss, lost - 0.5 * (problem.v - solution.v).squaredNorm(), 1e-9);
    EXPECT_NEAR(problem.radius_left(0, solution), std::hypot(solution.c_t1[0], solution.c_t2[0]), 1e-8);
  }
}

// By facets too, where they are asked for: the set is then that of the polygon and the spin.
TEST(LimitSurface, FacetsShareASetToo) {
  for (const double spin : {0.4, 2.0}) {
    StepProblem problem = make_finger({0.9, 1.2, 0.0}, spin);
    for (StepProblem::Contact& contact : problem.contacts) contact.facets = 8;
    PolyhedralSolver solver({.turn = false});
    StepSolution solution;
    StepCertificate certificate;
    ASSERT_TRUE(solver.solve(problem, solution, certificate));
    EXPECT_TRUE(certificate.is_full()) << certificate.residual << " " << certificate.contact_residual;
    StepSolution wrong = solution;
    wrong.lambda[0] *= 1.001;
    EXPECT_FALSE(certify(problem, wrong).certified());
  }
}

TEST(LimitSurface, ABallKnowsNoAxis) {
  for (const Vec3& spin : {Vec3(2.0, 1.0, 2.0), Vec3(0.0, 0.0, 3.0), Vec3(1e-3, -4.0, 0.1)}) {
    const StepProblem problem = make_ball(spin, 0.6);
    PolyhedralSolver solver({});
    StepSolution solution;
    StepCertificate certificate;
    ASSERT_TRUE(solver.solve(problem, solution, certificate));
    EXPECT_TRUE(certificate.is_full()) << spin.transpose() << ": " << certificate.contact_residual;
    EXPECT_LT((solution.v.tail<3>() - (1.0 - 0.6 / spin.norm()) * spin).norm(), 1e-8);
  }
}

// Each block is inside of its own disc, and both together are not inside of the set.
TEST(LimitSurface, OutsideOfTheSetThoughInsideOfBothDiscs) {
  const double slip = 0.8 * mu, spin = 0.8 * spin_radius;
  const StepProblem problem = make_finger({slip, 0.0, 0.0}, spin);
  Eigen::Vector2d along(problem.t1.dot(0, problem.v), problem.t2.dot(0, problem.v));
  const StepSolution rest = answer_with(problem, 1.0, -along, -spin);
  ASSERT_LT(rest.v.norm(), 1e-15);
  EXPECT_TRUE(certify(without_pair(problem), rest).certified());
  const StepCertificate certificate = certify(problem, rest);
  EXPECT_FALSE(certificate.certified());
  EXPECT_FALSE(certificate.is_loose());
  EXPECT_GT(certificate.residual, 1e-3);
  EXPECT_GT(certificate.contact_residual, 1e-3);
  EXPECT_GT(certificate.cone_violation, 1e-3);
  // Within it, the same is an answer; and a hair outside it is not.
  for (const double share : {0.7, 0.7072}) {
    const StepProblem other = make_finger({share * mu, 0.0, 0.0}, share * spin_radius);
    along = {other.t1.dot(0, other.v), other.t2.dot(0, other.v)};
    EXPECT_EQ(certify(other, answer_with(other, 1.0, -along, -share * spin_radius)).certified(), share < 0.7071);
  }
}

// On the rim of the set, each block opposite to its own sliding, but not in the shares that the sliding of both gives.
TEST(LimitSurface, FrictionThatDoesNotOpposeSlipAndSpinTogether) {
  const StepProblem problem = make_finger({0.9, 1.2, 0.0}, 2.0);
  const double right = find_angle(problem);
  for (const double off : {0.3, 1e-2, 1e-4, 1e-6, -1e-6, -1e-2}) {
    const StepSolution solution = slide(problem, right + off);
    StepProblem shares = without_pair(problem);
    shares.contacts[0].mu *= std::cos(right + off);
    shares.contacts[0].mu2 *= std::cos(right + off);
    shares.contacts[1].mu *= std::sin(right + off);
    EXPECT_TRUE(certify(shares, solution).certified()) << "right for its shares";
    const StepCertificate certificate = certify(problem, solution);
    EXPECT_FALSE(certificate.certified()) << off;
    EXPECT_NEAR(certificate.misalignment, std::abs(off), 0.2 * std::abs(off));
    // By about as much as the impulse is off.
    EXPECT_GT(certificate.contact_residual, 1e-2 * spin_radius * std::abs(off));
  }
  // And where friction turns in the plane of slip.
  StepSolution turned = slide(problem, right);
  const double angle = 1e-4, c = std::cos(angle), s = std::sin(angle);
  const Eigen::Vector2d friction(turned.c_t1[0], turned.c_t2[0]);
  turned = answer_with(problem, 1.0, {c * friction.x() - s * friction.y(), s * friction.x() + c * friction.y()},
                       turned.c_t1[1]);
  EXPECT_FALSE(certify(problem, turned).certified());
}

TEST(LimitSurface, EveryNumberOfAnAnswerCounts) {
  const StepProblem problem = make_finger({0.9, 1.2, 0.0}, 2.0);
  const StepSolution right = slide(problem, find_angle(problem));
  for (const auto list : {&StepSolution::c_n, &StepSolution::c_t1, &StepSolution::c_t2, &StepSolution::lambda})
    for (std::size_t j = 0; j < 2; ++j)
      for (const double change : {1e-6, -1e-6}) {
        StepSolution wrong = right;
        (wrong.*list)[j] += change;
        EXPECT_FALSE(certify(problem, wrong).certified()) << j;
      }
}

// Without a normal impulse there is no friction, and nothing is divided by it.
TEST(LimitSurface, AnOpenFingerRubsNothing) {
  StepProblem problem = make_finger({0.9, 1.2, 0.5}, 2.0);
  problem.k.setZero();
  StepSolution solution = answer_with(problem, 0.0, Eigen::Vector2d::Zero(), 0.0);
  EXPECT_TRUE(certify(problem, solution).certified());
  solution = answer_with(problem, 0.0, Eigen::Vector2d::Zero(), -1e-6);
  EXPECT_FALSE(certify(problem, solution).certified());
}

TEST(LimitSurface, IslandsAndLeastForcesKeepTheSet) {
  const StepProblem problem = make_finger({0.9, 1.2, 0.0}, 2.0);
  StepSolution solution = slide(problem, find_angle(problem));
  Islands islands;
  islands.split(problem);
  IslandProblem part;
  for (int island = 0; island < islands.size(); ++island) {
    ASSERT_TRUE(part.copy(problem, islands, island, solution));
    EXPECT_TRUE(certify(part.problem(), part.solution()).certified());
    if (part.problem().size() > 0) {
      EXPECT_EQ(part.problem().contacts[0].partner, 1);
    }
  }
  LeastForces least(true, 1e-8);
  StepCertificate certificate = certify(problem, solution);
  least.find(problem, solution, certificate);
  EXPECT_TRUE(certify(problem, solution).certified());
  StepProblem blocks;
  share_out(problem, solution, blocks);
  EXPECT_FALSE(blocks.has_pairs());
  EXPECT_NEAR(std::hypot(blocks.contacts[0].mu / mu, blocks.contacts[1].mu / spin_radius), 1.0, 1e-12);
  EXPECT_TRUE(certify(blocks, solution).certified());
}

}  // namespace
}  // namespace stiction
