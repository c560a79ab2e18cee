// That there is no answer, where joints take part in the proof: y_n >= 0, y_T = 0, y free on joints. Everything is
// rebuilt here from the factors, before joints are eliminated, by dense products.
#include "stiction/cone/joint_proof.h"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <Eigen/QR>
#include <cmath>
#include <string>

#include "stiction/cone/contradiction.h"
#include "stiction/cone/factor_solver.h"
#include "stiction/cone/problem_file.h"
#include "stiction/cone/solvers.h"
#include "stiction/cone/test/random_factor_form.h"

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

/// Blocks on lines that as many joints as they have velocities hold altogether, and contacts on them.
FactorForm make_held(Random& random, int dimension) {
  const auto draw = [&] { return random.normal(); };
  const Index size = 2 * random.integer(1, 3), contacts = random.integer(1, 3);
  FactorForm form{.dimension = dimension, .alpha = random.uniform() < 0.5 ? 0.5 : 1.0};
  form.M = DenseMatrix(Vector::NullaryExpr(size, [&] { return random.uniform(0.1, 10.0); }).asDiagonal()).sparseView();
  form.f = Vector::NullaryExpr(size, draw);
  form.v0 = Vector::NullaryExpr(size, draw);
  form.H = DenseMatrix::NullaryExpr(size, dimension * contacts, draw).sparseView();
  form.b = Vector::Zero(dimension * contacts);
  form.mu = Vector::Constant(contacts, 0.5);
  form.G = DenseMatrix::NullaryExpr(size, size, draw).sparseView();
  form.d = Vector::NullaryExpr(size, draw);
  return form;
}

// The velocity is that of the joints whatever pushes, so that there is an answer, r = 0, where no contact closes at it,
// and none otherwise. W is rounding.
TEST(JointProof, WhatJointsHoldAltogetherCannotGiveWay) {
  Random random(11);
  int refuted = 0, open = 0;
  for (int trial = 0; trial < 60; ++trial) {
    const FactorForm form = make_held(random, trial % 2 == 0 ? 3 : 2);
    const DenseMatrix G(form.G), H(form.H);
    const Vector v = G.transpose().partialPivLu().solve(-form.d), u = H.transpose() * v;
    bool closes = false;
    for (Index c = 0; c < form.contacts(); ++c) closes |= u[c * form.dimension] < 0.0;
    const Result<Problem> condensed = condense(form);
    ASSERT_TRUE(condensed.ok()) << trial << ": " << condensed.error();
    FactorJudge judge;
    ASSERT_EQ(judge.prepare(form), "") << trial;
    FactorSolver solver;
    ASSERT_EQ(solver.prepare(form), "");
    Solution solution;
    solver.solve(solution);
    ASSERT_EQ(solution.status, closes ? Status::infeasible : Status::solved) << trial;
    const Vector zero = Vector::Zero(judge.problem().size());
    if (!closes) {
      ++open;
      EXPECT_EQ(solution.r, zero);
      EXPECT_FALSE(find_joint_proof(form, judge, Vector::Ones(zero.size())).proof.refutes());
      continue;
    }
    ++refuted;
    ASSERT_EQ(solution.proof.size(), form.H.cols() + form.rows());
    const Vector pushes = solution.proof.head(form.H.cols()), y = solution.proof.tail(form.rows());
    for (Index i = 0; i < pushes.size(); ++i) EXPECT_GE(pushes[i], 0.0);
    EXPECT_LT((H * pushes + G * y).norm(), 1e-13 * (G.norm() * y.norm() + H.norm() * pushes.norm())) << trial;
    EXPECT_LT(form.d.dot(y), 0.0) << "b is zero: 0 <= pushes'u = -y'd, of any motion that the joints allow";
    EXPECT_NEAR(form.d.dot(y), pushes.dot(u), 1e-9 * u.norm() * pushes.norm());
    EXPECT_GT(solution.bound, 1e8 * std::abs(form.d.dot(y)));
    EXPECT_TRUE(certify_contradiction(form, y, pushes).refutes());
    for (const std::string_view name : {"newton", "proximal_point", "lemke"}) {
      Solution named;
      make_solver(name)->solve(condensed.value(), named);
      EXPECT_NE(named.status, Status::invalid) << name;
      EXPECT_FALSE(judge.certify(named.r).certified()) << name;
      named.status = Status::iteration_limit;
      EXPECT_TRUE(refute_held(form, judge, 1e-8, named)) << name << " " << trial;
    }
  }
  EXPECT_GE(refuted, 20);
  EXPECT_GE(open, 10);
}

// A pin that holds the slider, and one joint too few.
TEST(JointProof, PushesThatProveNothing) {
  FactorForm form{.dimension = 2};
  form.M = DenseMatrix::Identity(2, 2).sparseView();
  form.f = Vector::Zero(2);
  form.H = DenseMatrix{{1.0, 0.0}, {0.0, 1.0}}.sparseView();
  form.b = Vector{{-1.0, 0.0}};
  form.mu = Vector{{0.5}};
  form.G = DenseMatrix{{3.0}, {0.0}}.sparseView();
  form.d = Vector{{0.0}};
  const Vector pushes{{3.0, 0.0}}, y{{-1.0}};
  EXPECT_TRUE(certify_contradiction(form, y, pushes).refutes());
  EXPECT_NEAR(certify_contradiction(form, y, pushes).least_tolerance, 3.0 / (2.0 * std::sqrt(1.25) * 3.0 + 2.0), 1e-6);
  EXPECT_FALSE(certify_contradiction(form, -y, -pushes).refutes()) << "normals that pull";
  EXPECT_FALSE(certify_contradiction(form, y, Vector{{3.0, 1.0}}).refutes()) << "friction pushes";
  EXPECT_FALSE(certify_contradiction(form, y, Vector{{2.9, 0.0}}).refutes()) << "what is left moves it";
  EXPECT_FALSE(certify_contradiction(form, y, Vector{{3.0}}).refutes()) << "of another size";
  FactorForm soft = form;
  soft.compliance = Vector{{1e-3}};
  EXPECT_FALSE(certify_contradiction(soft, y, pushes).refutes()) << "a joint that gives way";
  FactorForm opening = form;
  opening.b[0] = 1e-3;
  EXPECT_FALSE(certify_contradiction(opening, y, pushes).refutes());
  FactorForm free = form;
  free.G = DenseMatrix{{0.0}, {3.0}}.sparseView();
  FactorJudge judge;
  ASSERT_EQ(judge.prepare(free), "");
  EXPECT_FALSE(find_joint_proof(free, judge, Vector{{1.0, 0.0}}).proof.refutes());
}

// The slider is held by a rope's end too: a row with one bound pushes like a contact.
TEST(JointProof, RowsWithOneBoundPush) {
  const std::string text =
      "FCG1 2 alpha 1 bodies 1 2 2 0 0 3 couplings 0 v 0 0 k 0 0 contacts 1 0.5 0 -1 0 1 1 1 0 0 "
      "rows 2 -inf inf 0 0 1 0 2 0 inf 0 -1 1 0 3";
  const FactorForm form = parse_factors(text, "rope.fcp").value();
  FactorSolver solver;
  ASSERT_EQ(solver.prepare(form), "");
  Solution solution;
  solver.solve(solution);
  ASSERT_EQ(solution.status, Status::infeasible);
  ASSERT_EQ(solution.proof.size(), 6);
  // y_r of the rope over y of the joint: 3 y_r + 2 y = 0.
  EXPECT_NEAR(solution.proof[2] / solution.proof[4], -2.0 / 3.0, 1e-12);
  EXPECT_EQ(solution.proof[5], 0.0) << "a row with bounds has its number before";
}

// Nothing that has an answer is refuted, with whatever r the search begins.
TEST(JointProof, WhatHasAnAnswerIsNotRefuted) {
  for (int seed = 600; seed < 660; ++seed) {
    const FactorForm form = make_random_form(seed);
    FactorJudge judge;
    ASSERT_EQ(judge.prepare(form), "") << seed;
    Random random(static_cast<std::uint64_t>(seed));
    Vector r = Vector::NullaryExpr(judge.problem().size(), [&] { return 1e6 * random.normal(); });
    EXPECT_FALSE(find_joint_proof(form, judge, r).proof.refutes()) << seed;
  }
}

}  // namespace
}  // namespace stiction::cone
