// That there is no answer, where joints take part in the proof: y_n >= 0, y_T = 0, y free on joints. Everything is
// rebuilt here from the factors, before joints are eliminated, by dense products.
#include <gtest/gtest.h>

#include <Eigen/LU>
#include <Eigen/QR>
#include <cmath>
#include <string>

#include "stiction/cone/contradiction.h"
#include "stiction/cone/problem_file.h"
#include "stiction/cone/solvers.h"

namespace stiction::cone {
namespace {

// A body of 2 kg in the plane between a wall that closes at `speed` from the left and a slider of 3 kg on its right.
// The slider is held to a carriage of 0.7 kg by two joints, one of them through a lever, and a third drives the
// carriage to the left at `drive`. Velocities: body x, y, its spin; slider x, y; carriage x.
std::string make_squeeze(double speed, double drive, double mu) {
  const std::string friction = std::to_string(mu), law = friction + " 0 -1\n";
  return "FCG1 2\nalpha 1\nbodies 3\n3  2 0 0  0 2 0  0 0 0.3\n2  3 0  0 3\n1  0.7\ncouplings 0\n"
         "v  0 0 0 0 0 0\nk  0 -0.02 0 0 0 0\ncontacts 2\n" +
         law + std::to_string(-speed) + " 1  0 1\n0 2  1 1 2 -0.1\n" +  // body on the wall
         law + "0 2  3 1 0 -1\n0 3  4 1 1 -1 2 -0.1\n" +                // slider on the body
         "rows 3\n-inf inf 0  0 2  3 1 5 -1\n-inf inf 0  0 1  4 1\n-inf inf 0  " + std::to_string(drive) + " 1  5 1\n";
}

struct Full {
  DenseMatrix W;  // of all contacts and joints, contacts first
  Vector q;
};

Full assemble(const FactorForm& form) {
  DenseMatrix J(form.velocities(), form.H.cols() + form.G.cols());
  J << DenseMatrix(form.H), DenseMatrix(form.G);
  const DenseMatrix inverse = DenseMatrix(form.M).inverse();
  Full full{form.alpha * J.transpose() * inverse * J, Vector(J.cols())};
  full.q << form.b, form.d;
  full.q += J.transpose() * (form.v0 + form.alpha * inverse * form.f);
  return full;
}

TEST(JointProof, AWallBehindAJointSqueezesLikeAWall) {
  for (const double mu : {0.0, 0.5})
    for (const double speed : {0.5, 1e-3}) {
      const std::string text = make_squeeze(speed, speed, mu);
      const FactorForm form = parse_factors(text, "squeeze.fcp").value();
      const Result<Problem> problem = parse_problem(text, "squeeze.fcp");
      ASSERT_TRUE(problem.ok()) << problem.error();
      for (const std::string_view name : solver_names()) {
        Solution solution;
        make_solver(name)->solve(problem.value(), solution);
        ASSERT_EQ(solution.status, Status::infeasible) << name << " " << mu << " " << speed;
        const Full full = assemble(form);
        const Index contacts = form.H.cols(), joints = form.G.cols();
        // y on the joints, from W'y = 0 there.
        Vector y(contacts + joints);
        const DenseMatrix R = full.W.bottomRightCorner(joints, joints);
        y << solution.proof, Vector::Zero(joints);
        const Vector pushed = full.W.topRightCorner(contacts, joints).transpose() * solution.proof;
        y.tail(joints) = -R.transpose().completeOrthogonalDecomposition().solve(pushed);
        // The body pushes the wall and the slider, and the drive and the first joint take that up.
        EXPECT_LT((y / y[0] - Vector{{1.0, 0.0, 1.0, 0.0, -1.0, 0.0, -1.0}}).norm(), 1e-8);
        const Vector slope = full.W.transpose() * y;
        EXPECT_LT(slope.tail(joints).norm(), 1e-14 * full.W.norm() * y.norm());
        // The first number is (W'y)'r of the contacts, the second q'y: that of the walls that close.
        EXPECT_LT(slope.head(contacts).norm(), 1e-9 * full.W.norm() * y.norm());
        EXPECT_NEAR(full.q.dot(y), -2.0 * speed * y[0], 1e-8 * speed);
        EXPECT_GT(solution.bound, 1e6 * speed);
      }
    }
}

TEST(JointProof, AWallBehindAJointThatGivesWayHasAnAnswer) {
  const Problem problem = parse_problem(make_squeeze(0.5, -0.5, 0.5), "squeeze.fcp").value();
  Solution solution;
  make_solver("auto")->solve(problem, solution);
  EXPECT_EQ(solution.status, Status::solved);
}

// A carriage that one drive pushes to the right and another to the left, each through its own joint.
FactorForm make_torn(double difference) {
  FactorForm form{.dimension = 2};
  form.M = DenseMatrix(Vector{{2.0, 0.7, 0.3}}.asDiagonal()).sparseView();
  form.f = Vector{{-1.0, 0.3, 0.1}};
  form.v0 = Vector{{-2.0, 1.0, 0.0}};
  form.alpha = 0.5;
  form.H.resize(3, 2);
  form.H.insert(0, 0) = form.H.insert(2, 1) = 1.0;
  form.b = Vector::Zero(2);
  form.mu = Vector{{0.5}};
  form.G.resize(3, 3);
  form.G.insert(0, 0) = 1.0;
  form.G.insert(1, 0) = -1.0;
  form.G.insert(0, 1) = 0.3;
  form.G.insert(1, 2) = 0.7;
  form.d = Vector{{0.0, 0.3, 0.7 + difference}};
  return form;
}

TEST(JointProof, ContradictingJointsAreInfeasible) {
  for (const double difference : {1.0, -1.0, 1e-3, 1e-6}) {
    const FactorForm form = make_torn(difference);
    const Result<std::string> text = to_text(form);
    ASSERT_TRUE(text.ok()) << text.error();
    const Result<Problem> problem = parse_problem(text.value(), "torn.fcp");
    ASSERT_TRUE(problem.ok()) << problem.error();
    EXPECT_FALSE(certify(problem.value(), Vector::Zero(2)).certified(1e300));
    EXPECT_FALSE(to_text(problem.value()).ok()) << "FCP1 has no joints";
    Solution solution;
    make_solver("auto")->solve(problem.value(), solution);
    ASSERT_EQ(solution.status, Status::infeasible) << difference;
    const Vector& y = solution.proof;
    ASSERT_EQ(y.size(), 3);
    // x1 - x2 = 0, x1 = -1 and x2 = -1 - difference / 0.7: minus the first and the third over 0.7, plus the second
    // over 0.3.
    EXPECT_LT((y / y[0] - Vector{{1.0, -1.0 / 0.3, 1.0 / 0.7}}).norm(), 1e-8);
    const Full full = assemble(form);
    Vector whole(5);
    whole << 0.0, 0.0, y;
    EXPECT_LT((full.W.transpose() * whole).norm(), 1e-14 * full.W.norm() * y.norm());
    EXPECT_NEAR(std::abs(full.q.dot(whole) / y[0]), std::abs(difference) / 0.7, 1e-12);
    EXPECT_GT(solution.bound, 1e8 * std::abs(difference));
  }
  EXPECT_FALSE(condense(make_torn(0.0)).value().is_contradictory());
}

// Neither a y that is no proof, nor one of something that is only rounding.
TEST(JointProof, WhatProvesNothing) {
  const FactorForm form = make_torn(1.0);
  const Vector y{{1.0, -1.0 / 0.3, 1.0 / 0.7}};
  EXPECT_TRUE(certify_contradiction(form, y).refutes());
  EXPECT_TRUE(certify_contradiction(form, -7.0 * y).refutes());
  EXPECT_FALSE(certify_contradiction(form, Vector{{1.0, -1.0 / 0.3, 0.99 / 0.7}}).refutes());
  EXPECT_FALSE(certify_contradiction(form, Vector{{1.0, 0.0, 0.0}}).refutes());
  EXPECT_FALSE(certify_contradiction(form, Vector::Zero(3)).refutes());
  EXPECT_FALSE(certify_contradiction(form, Vector::Zero(2)).refutes());
  EXPECT_FALSE(certify_contradiction(make_torn(1e-15), y).refutes());
  FactorForm soft = form;
  soft.compliance = Vector{{0.0, 0.0, 1e-3}};
  EXPECT_FALSE(certify_contradiction(soft, y).refutes()) << "a joint that gives way";
  FactorForm weak = form;
  weak.lower = Vector{{-HUGE_VAL, -HUGE_VAL, -1.0}};
  weak.upper = Vector{{HUGE_VAL, HUGE_VAL, 1.0}};
  EXPECT_FALSE(certify_contradiction(weak, y).refutes()) << "a drive that is not strong enough";
}

}  // namespace
}  // namespace stiction::cone
