#include "stiction/cone/factor_bodies.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "stiction/cone/body_newton.h"
#include "stiction/cone/certificate.h"
#include "stiction/cone/test/random_body_problem.h"
#include "stiction/cone/test/random_factor_form.h"

namespace stiction::cone {
namespace {

// Impulses that break no law of the BodyProblem break none of the condensed problem; what is off by a little there is
// off by a little here.
TEST(FactorBodies, ObeyTheSameLaws) {
  int solved = 0;
  for (int seed = 300; seed < 360; ++seed) {
    const FactorForm form = make_random_form(seed);
    const Problem twin = condense(form).value();
    FactorBodies bodies;
    ASSERT_TRUE(bodies.pose(form, std::vector<double>(static_cast<std::size_t>(twin.contacts()), 1.0))) << seed;
    const BodyProblem& posed = bodies.posed();
    EXPECT_EQ(posed.width, form.dimension == 2 ? 3 : 6);
    BodyStart at(posed);
    ASSERT_TRUE(at.prepared);
    BodyNewton newton;
    newton.options.most_iterations = 300;
    newton.options.most_idle = 10;
    if (!newton.solve(at.space, at.matrix, 1e-13, at.state)) continue;
    ++solved;
    const Vector r = bodies.lay_out(at.state.r);
    ASSERT_EQ(r.size(), twin.size());
    EXPECT_LT(certify(twin, r).contact_residual, 1e-10) << seed;
    at.state.r[0] += 1e-4;
    EXPECT_GT(certify(twin, bodies.lay_out(at.state.r)).contact_residual, 1e-7) << seed;
  }
  EXPECT_GE(solved, 50);
}

/// Balls of 1 kg in a row, M diagonal, each touching the next and the floor.
FactorForm make_row_of_balls(int balls) {
  FactorForm form;
  const Index n = 6 * balls;
  form.M.resize(n, n);
  form.M.setIdentity();
  form.f = Vector::Zero(n);
  std::vector<Eigen::Triplet<double>> H;
  Index column = 0;
  for (int ball = 0; ball < balls; ++ball) {
    const Index own = 6 * ball;
    for (const auto& [linear, spin] : {std::pair{2, -1}, std::pair{0, 4}, std::pair{1, 3}}) {
      H.emplace_back(own + linear, column, 1.0);
      if (spin >= 0) H.emplace_back(own + spin, column, 0.1);
      ++column;
    }
    if (ball + 1 == balls) continue;
    for (const auto& [linear, spin] : {std::pair{0, -1}, std::pair{1, 5}, std::pair{2, 4}}) {
      H.emplace_back(own + linear, column, -1.0);
      H.emplace_back(own + 6 + linear, column, 1.0);
      if (spin >= 0) {
        H.emplace_back(own + spin, column, 0.1);
        H.emplace_back(own + 6 + spin, column, 0.1);
      }
      ++column;
    }
  }
  form.H.resize(n, column);
  form.H.setFromTriplets(H.begin(), H.end());
  form.b = Vector::Zero(column);
  form.mu = Vector::Constant(column / 3, 0.5);
  return form;
}

// Where the file does not say what a body is, what the same contacts touch shares a node.
TEST(FactorBodies, DiagonalMassesMakeWholeBodies) {
  const FactorForm form = make_row_of_balls(5);
  FactorBodies bodies;
  ASSERT_TRUE(bodies.pose(form, std::vector<double>(9, 1.0)));
  EXPECT_EQ(bodies.posed().nodes, 5);
  for (const BodyProblem::Unit& unit : bodies.posed().units) EXPECT_LE(unit.touches, 2);
  EXPECT_TRUE(bodies.posed().coupled.empty());
}

TEST(FactorBodies, LargeBlocksAreCutAndCoupled) {
  FactorForm form = make_row_of_balls(2);
  form.bodies = {12};
  form.M.coeffRef(0, 11) = 0.1;
  FactorBodies bodies;
  ASSERT_TRUE(bodies.pose(form, std::vector<double>(3, 1.0)));
  EXPECT_EQ(bodies.posed().nodes, 2);
  ASSERT_EQ(bodies.posed().coupled.size(), 1U);
  EXPECT_EQ(bodies.posed().upper[5], 0.1) << "row 0, column 5 of the block (0, 1)";
  EXPECT_EQ(*std::max_element(bodies.posed().lower.begin(), bodies.posed().lower.end()), 0.0);
}

// A contact that bears three frictions of two directions each: more than a unit of six rows has room for.
TEST(FactorBodies, MoreFrictionThanAUnitHolds) {
  FactorForm form = make_row_of_balls(1);
  std::vector<Eigen::Triplet<double>> H;
  for (Index i = 0; i < 3; ++i) H.emplace_back(i, i, 1.0);
  for (Index c = 1; c < 4; ++c)
    for (Index axis = 1; axis < 3; ++axis) H.emplace_back(3 + (c + axis) % 3, 3 * c + axis, 1.0);
  form.H.resize(6, 12);
  form.H.setFromTriplets(H.begin(), H.end());
  form.b = Vector::Zero(12);
  form.mu = Vector::Constant(4, 0.1);
  form.bearer = {-1, 0, 0, 0};
  FactorBodies bodies;
  EXPECT_FALSE(bodies.pose(form, std::vector<double>(4, 1.0)));
  form.mu[2] = form.mu[3] = 0.0;  // of nothing
  EXPECT_TRUE(bodies.pose(form, std::vector<double>(2, 1.0)));
}

}  // namespace
}  // namespace stiction::cone
