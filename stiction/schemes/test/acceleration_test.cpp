#include "stiction/schemes/acceleration.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "stiction/base/random.h"
#include "stiction/contact/polyhedral_solver.h"
#include "stiction/model/model_builder.h"
#include "stiction/model/multibody.h"
#include "stiction/schemes/test/newton_trials.h"

namespace stiction {
namespace {

using linalg::DenseMatrix;

/// Gauss's principle (1982, (6.3)) by trying all sets of constraints that may hold as equalities: slow, dense, and
/// nothing of it shared with what it judges.
Vector least_constraint(const DenseMatrix& M, const Vector& f, const DenseMatrix& equal, const Vector& equal_c,
                        const DenseMatrix& G, const Vector& c) {
  const Vector free = M.ldlt().solve(f);
  Vector best;
  double least = std::numeric_limits<double>::infinity();
  for (int set = 0; set < (1 << G.cols()); ++set) {
    DenseMatrix A(M.rows(), equal.cols() + G.cols());
    Vector b(equal.cols() + G.cols());
    A.leftCols(equal.cols()) = equal;
    b.head(equal.cols()) = equal_c;
    linalg::Index count = equal.cols();
    for (int j = 0; j < G.cols(); ++j) {
      if ((set >> j) % 2 == 0) continue;
      A.col(count) = G.col(j);
      b[count++] = c[j];
    }
    A.conservativeResize(Eigen::NoChange, count);
    b.conservativeResize(count);
    Vector x = free;
    if (count > 0) {
      const DenseMatrix W = A.transpose() * M.ldlt().solve(A);
      const Vector lambda = W.completeOrthogonalDecomposition().solve(-(A.transpose() * free + b));
      x += M.ldlt().solve(A * lambda);
      if ((A.transpose() * x + b).norm() > 1e-8) continue;  // contradicts itself
    }
    if (G.cols() > 0 && (G.transpose() * x + c).minCoeff() < -1e-9) continue;
    const double value = (x - free).dot(M * (x - free));
    if (value < least) {
      least = value;
      best = x;
    }
  }
  return best;
}

DenseMatrix columns_of(const linalg::Rows& rows, int size) {
  DenseMatrix matrix = DenseMatrix::Zero(size, rows.size());
  for (int i = 0; i < rows.size(); ++i)
    for (std::size_t p = 0; p < rows.columns(i).size(); ++p) matrix(rows.columns(i)[p], i) = rows.values(i)[p];
  return matrix;
}

// (6.1) = (6.3): the complementarity problem's acceleration is that of least constraint.
TEST(Acceleration, TheComplementarityProblemIsGausssPrinciple) {
  Random random(63);
  int pushing = 0;
  for (int trial = 0; trial < 200; ++trial) {
    const test::NewtonSystem data(random);
    const FlatSystem system = data.system(data.in_order());
    const int size = static_cast<int>(data.v.size());
    ActiveSet all;
    for (std::size_t j = 0; j < data.contacts.size(); ++j) all.contacts.push_back(j + 1);
    Acceleration acceleration(system);
    ASSERT_EQ(acceleration.evaluate(0.0, Vector::Zero(size), Vector::Zero(size), all), MotionStatus::fine);
    StepProblem problem;
    acceleration.pose(problem);
    for (double& b : problem.b_n) b = random.uniform(-1.0, 1.0) < 0.0 ? 0.0 : random.uniform();  // convective terms
    PolyhedralSolver solver{PolyhedralOptions{}};
    StepSolution solution;
    StepCertificate certificate;
    ASSERT_TRUE(solver.solve(problem, solution, certificate)) << trial;
    EXPECT_TRUE(certificate.certified()) << trial;
    const Vector c = Eigen::Map<const Vector>(problem.b_n.data(), problem.size());
    const Vector expected = least_constraint(data.M, data.f, columns_of(problem.nu, size),
                                             Vector::Zero(problem.joints()), columns_of(problem.n, size), c);
    EXPECT_LE((solution.v - expected).norm(), 1e-9 * (1.0 + expected.norm())) << trial;
    for (const double force : solution.c_n) pushing += force > 1e-9 ? 1 : 0;
  }
  EXPECT_GT(pushing, 200);
}

// With all constraints as equalities: M a = f + G lambda, G'a + c = 0, and lambda the least.
TEST(Acceleration, HeldConstraintsOfAnyRank) {
  Random random(64);
  int redundant = 0;
  for (int trial = 0; trial < 200; ++trial) {
    const test::NewtonSystem data(random);
    const FlatSystem system = data.system(data.in_order());
    const int size = static_cast<int>(data.v.size());
    ActiveSet all;
    for (std::size_t j = 0; j < data.contacts.size(); ++j) all.contacts.push_back(j + 1);
    Acceleration acceleration(system);
    ASSERT_EQ(acceleration.evaluate(0.0, Vector::Zero(size), data.v, all), MotionStatus::fine);
    const DenseMatrix G = columns_of(acceleration.rows().rows(), size);
    const DenseMatrix W = G.transpose() * data.M.ldlt().solve(G);
    const Vector lambda = -W.completeOrthogonalDecomposition().solve(G.transpose() * data.M.ldlt().solve(data.f));
    const Vector a = data.M.ldlt().solve(data.f + G * lambda);
    EXPECT_EQ(acceleration.rank(), G.colPivHouseholderQr().rank());
    EXPECT_LE((acceleration.a() - a).norm(), 1e-8 * (1.0 + a.norm())) << trial;
    EXPECT_LE((acceleration.forces() - lambda).norm(), 1e-7 * (1.0 + lambda.norm())) << trial;
    redundant += acceleration.is_redundant() ? 1 : 0;
  }
  EXPECT_GT(redundant, 50);
}

// (d/dt G')v: v^2/L along a pendulum's string, and the same with a ball that rolls past a sphere.
TEST(Acceleration, ConvectiveTermsAreThoseOfTheCurvature) {
  for (const double radius : {0.05, 1.0, 20.0}) {
    for (const double v : {1e-3, 0.7, 30.0}) {
      ModelBuilder builder;
      builder.set_gravity({0, 0, 0});
      builder.add_body({.shape = Sphere{0.6 * radius}, .material = {.mu = 0.0}, .fixed = true});
      builder.add_body({.mass = 2.0,
                        .shape = Sphere{0.4 * radius},
                        .material = {.mu = 0.0},
                        .position = {0, radius, 0},
                        .velocity = {v, 0, 0},
                        .angular_velocity = {0, 0, -3.0}});
      const Multibody system(builder.build().value());
      GapSet gaps;
      system.find_gaps(0.0, system.initial_positions(), 1e-9, gaps);
      ASSERT_EQ(gaps.size(), 1);
      Acceleration acceleration(system);
      ASSERT_EQ(acceleration.evaluate(0.0, system.initial_positions(), system.initial_velocities(),
                                      {.contacts = {gaps.contacts[0].id}, .drives = {}}),
                MotionStatus::fine);
      // Held on the sphere it must be pulled with m v^2/r.
      EXPECT_NEAR(acceleration.forces()[0], -2.0 * v * v / radius, 2e-9 * v * v / radius) << radius << " " << v;
    }
  }
}

}  // namespace
}  // namespace stiction
