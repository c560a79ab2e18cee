#include "stiction/cone/body_newton.h"

#include <gtest/gtest.h>

#include "stiction/cone/certificate.h"
#include "stiction/cone/test/random_body_problem.h"

namespace stiction::cone {
namespace {

TEST(BodyNewton, JointsAloneTakeTwoStepsToRounding) {
  Random random(31);
  for (const int width : {3, 6})
    for (const bool coupled : {false, true})
      for (int turn = 0; turn < 10; ++turn) {
        const BodyProblem problem = random_body_problem(
            random, {.width = width, .nodes = 8, .contacts = 0, .joints = 5, .bounded = 0, .coupled = coupled});
        BodyStart start(problem);
        BodyNewton newton;
        EXPECT_TRUE(newton.solve(start.space, start.matrix, 1e-12, start.state));
        EXPECT_LE(newton.iterations(), 4);  // the last for rounding
        const DenseBodies dense(problem);
        EXPECT_LE(dense.error(problem, start.state.r), 1e-12);
        const Vector expected = dense.w0 - dense.response * dense.W_matrix.fullPivLu().solve(dense.q);
        EXPECT_LE((DenseBodies::as_vector(start.state.w) - expected).norm(), 1e-10 * expected.norm());
      }
}

TEST(BodyNewton, JointsThatSayTheSameTwice) {
  Random random(32);
  for (int turn = 0; turn < 20; ++turn) {
    const BodyProblem problem =
        random_body_problem(random, {.nodes = 6, .contacts = 0, .joints = 4, .bounded = 0, .redundant = true});
    BodyStart start(problem);
    BodyNewton newton;
    EXPECT_TRUE(newton.solve(start.space, start.matrix, 1e-12, start.state));
    const DenseBodies dense(problem);
    EXPECT_LE(dense.error(problem, start.state.r), 1e-12);
    // The motion is one, whatever the impulses are; those stay as small as without the doubles.
    const Vector r = dense.W_matrix.completeOrthogonalDecomposition().solve(dense.q);
    const Vector expected = dense.w0 - dense.response * r;
    EXPECT_LE((DenseBodies::as_vector(start.state.w) - expected).norm(), 1e-9 * expected.norm());
    EXPECT_LE(DenseBodies::as_vector(start.state.r).norm(), 3.0 * r.norm());
  }
}

/// A body of mass 2 that would move at q = (n, t, s) along the rows of a contact at its centre.
BodyProblem one_contact(const Eigen::Vector3d& q, double mu) {
  BodyProblem problem = make_bodies(6, 1);
  set_mass(problem, 0, 2.0 * DenseMatrix::Identity(6, 6));
  DenseMatrix J = DenseMatrix::Zero(3, 6);
  J(0, 2) = J(1, 0) = J(2, 1) = 1.0;
  add_unit(problem, BodyProblem::Kind::contact, {0}, {J}, Vector::Zero(3), true);
  add_group(problem, 1, 2, mu);
  problem.v = {q[1], q[2], q[0], 0.0, 0.0, 0.0};
  return problem;
}

TEST(BodyNewton, ClosedFormsOfOneContact) {
  const auto solve = [](const Eigen::Vector3d& q, double mu) {
    const BodyProblem problem = one_contact(q, mu);
    BodyStart start(problem);
    BodyNewton newton;
    EXPECT_TRUE(newton.solve(start.space, start.matrix, 1e-12, start.state));
    return Eigen::Vector3d(start.state.r[0], start.state.r[1], start.state.r[2]);
  };
  EXPECT_LE((solve({-1.0, 0.1, 0.2}, 0.5) - Eigen::Vector3d(2.0, -0.2, -0.4)).norm(), 1e-11) << "sticks";
  EXPECT_LE((solve({-1.0, 3.0, 4.0}, 0.5) - Eigen::Vector3d(2.0, -0.6, -0.8)).norm(), 1e-11) << "slides";
  EXPECT_EQ(solve({1.0, 3.0, 4.0}, 0.5), Eigen::Vector3d::Zero()) << "open";
  EXPECT_LE((solve({-1.0, 3.0, 4.0}, 0.0) - Eigen::Vector3d(2.0, 0.0, 0.0)).norm(), 1e-11) << "frictionless";
}

/// A box of mass 3 with four corners on a plane that falls away at this angle, after a step of 0.01 s from rest.
BodyProblem block_on_slope(double angle, double mu) {
  BodyProblem problem = make_bodies(6, 1);
  constexpr double mass = 3.0, step = 0.01, a = 0.5, c = 0.2;
  DenseMatrix M = mass * DenseMatrix::Identity(6, 6);
  M(3, 3) = M(4, 4) = mass * (a * a + c * c) / 3.0;
  M(5, 5) = mass * 2.0 * a * a / 3.0;
  set_mass(problem, 0, M);
  problem.k[0] = mass * 9.81 * step * std::sin(angle);
  problem.k[2] = -mass * 9.81 * step * std::cos(angle);
  for (const double x : {-a, a})
    for (const double y : {-a, a}) {
      const Eigen::Vector3d at(x, y, -c);
      DenseMatrix J(3, 6);
      J.row(0) = motion(6, at, Eigen::Vector3d::UnitZ());
      J.row(1) = motion(6, at, Eigen::Vector3d::UnitX());
      J.row(2) = motion(6, at, Eigen::Vector3d::UnitY());
      add_unit(problem, BodyProblem::Kind::contact, {0}, {J}, Vector::Zero(3), true);
      add_group(problem, 1, 2, mu);
      problem.units.back().speed = 0.0981;
    }
  return problem;
}

TEST(BodyNewton, ABlockOnASlopeSticksOrSlides) {
  constexpr double mu = 0.5;
  for (const double angle : {0.0, 0.1, 0.4, 0.45, 0.48, 0.6, 0.9}) {
    const BodyProblem problem = block_on_slope(angle, mu);
    BodyStart start(problem);
    BodyNewton newton;
    EXPECT_TRUE(newton.solve(start.space, start.matrix, 1e-11, start.state)) << angle;
    const double slides = std::max(0.0, 9.81 * 0.01 * (std::sin(angle) - mu * std::cos(angle)));
    Vector expected = Vector::Zero(6);
    expected[0] = slides;
    EXPECT_LE((DenseBodies::as_vector(start.state.w) - expected).norm(), 1e-12) << angle;
    EXPECT_LE(DenseBodies(problem).error(problem, start.state.r), 1e-12) << angle;
    EXPECT_TRUE(certify(condensed(problem), DenseBodies::as_vector(start.state.r)).certified(1e-8)) << angle;
  }
}

TEST(BodyNewton, KeepsTheBestOfWhatItFinds) {
  Random random(33);
  for (int turn = 0; turn < 20; ++turn) {
    const BodyProblem problem = random_body_problem(random, {.several = true, .coupled = turn % 2 == 0});
    BodyStart start(problem);
    const double before = start.state.error;
    BodyNewton newton;
    newton.options.most_iterations = 1 + turn % 4;
    newton.solve(start.space, start.matrix, 1e-12, start.state);
    EXPECT_LE(newton.iterations(), newton.options.most_iterations);
    EXPECT_LE(start.state.error, before);
    // What it leaves belongs together.
    const DenseBodies dense(problem);
    EXPECT_LE((DenseBodies::as_vector(start.state.u) - dense.speeds(start.state.r)).norm(), 1e-9);
    EXPECT_LE((DenseBodies::as_vector(start.state.w) - dense.velocities(start.state.r)).norm(), 1e-9);
  }
}

TEST(BodyNewton, MostRandomProblemsTakeFewSteps) {
  Random random(34);
  int solved = 0;
  constexpr int turns = 60;
  for (int turn = 0; turn < turns; ++turn) {
    const BodyProblem problem = random_body_problem(
        random, {.width = turn % 2 == 0 ? 6 : 3, .several = turn % 3 == 0, .coupled = turn % 4 == 0});
    BodyStart start(problem);
    BodyNewton newton;
    if (!newton.solve(start.space, start.matrix, 1e-10, start.state)) continue;
    ++solved;
    EXPECT_LE(DenseBodies(problem).error(problem, start.state.r), 1e-9);
  }
  EXPECT_GE(solved, turns * 3 / 4);
}

}  // namespace
}  // namespace stiction::cone
