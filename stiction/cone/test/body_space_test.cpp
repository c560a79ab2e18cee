#include "stiction/cone/body_space.h"

#include <gtest/gtest.h>

#include "stiction/cone/test/random_body_problem.h"

namespace stiction::cone {
namespace {

std::vector<BodyFamily> families() {
  return {
      {.width = 6, .several = true}, {.width = 3, .several = true}, {.width = 6, .redundant = true, .coupled = true}};
}

std::vector<double> random_list(Random& random, int size) {
  std::vector<double> list(static_cast<std::size_t>(size));
  for (double& x : list) x = random.normal();
  return list;
}

TEST(BodySpace, ProductsAreThoseOfDenseMatrices) {
  Random random(11);
  for (const BodyFamily& family : families())
    for (int turn = 0; turn < 10; ++turn) {
      const BodyProblem problem = random_body_problem(random, family);
      const DenseBodies dense(problem);
      BodySpace space;
      ASSERT_TRUE(space.prepare(problem));
      EXPECT_EQ(space.is_coupled(), family.coupled);
      EXPECT_LE((Eigen::Map<const Vector>(space.w0(), dense.w0.size()) - dense.w0).norm(), 1e-12 * dense.w0.norm());
      const std::vector<double> r = random_list(random, problem.rows());
      std::vector<double> w(static_cast<std::size_t>(problem.velocities())), u(r.size());
      space.find_velocities(r.data(), w.data());
      EXPECT_LE((DenseBodies::as_vector(w) - dense.velocities(r)).norm(), 1e-11);
      space.find_speeds(r.data(), w.data(), u.data());
      EXPECT_LE((DenseBodies::as_vector(u) - dense.speeds(r)).norm(), 1e-11);
      std::vector<double> x(w.size(), 1.0);
      space.add_impulses(r.data(), x.data());
      const Vector sum = dense.J.transpose() * DenseBodies::as_vector(r) + Vector::Ones(dense.w0.size());
      EXPECT_LE((DenseBodies::as_vector(x) - sum).norm(), 1e-12);
    }
}

TEST(BodySpace, MobilitiesAreTheBlocksOfTheCondensedMatrix) {
  Random random(12);
  for (const int width : {3, 6}) {
    const BodyProblem problem = random_body_problem(random, {.width = width, .several = true});
    const DenseBodies dense(problem);
    BodySpace space;
    ASSERT_TRUE(space.prepare(problem));
    for (std::size_t i = 0; i < problem.units.size(); ++i) {
      const BodyProblem::Unit& unit = problem.units[i];
      const Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>> found(
          space.mobility(static_cast<int>(i)), unit.rows, unit.rows);
      const DenseMatrix block = dense.W_matrix.block(unit.first_row, unit.first_row, unit.rows, unit.rows);
      EXPECT_LE((found - block).norm(), 1e-12 * block.norm());
      if (unit.kind == BodyProblem::Kind::contact && unit.has_normal) {
        // rho of the normal and of its first group is the mean mobility's inverse.
        const int rows = 1 + problem.groups[unit.first_group].size;
        EXPECT_NEAR(space.rho(unit.first_row), rows / block.topLeftCorner(rows, rows).trace(), 1e-12);
        EXPECT_EQ(space.rho(unit.first_row), space.rho(unit.first_row + 1));
      }
    }
  }
}

TEST(BodySpace, SingularMassesAreRefused) {
  BodyProblem problem = make_bodies(3, 2);
  problem.M[9] = 0.0;
  BodySpace space;
  EXPECT_FALSE(space.prepare(problem));
}

/// One body of mass 2 and a contact at its centre, n along z.
BodyProblem one_contact(double mu, double hf) {
  BodyProblem problem = make_bodies(6, 1);
  set_mass(problem, 0, 2.0 * DenseMatrix::Identity(6, 6));
  DenseMatrix J = DenseMatrix::Zero(3, 6);
  J(0, 2) = J(1, 0) = J(2, 1) = 1.0;
  add_unit(problem, BodyProblem::Kind::contact, {0}, {J}, Vector::Zero(3), true);
  add_group(problem, 1, 2, mu, hf);
  return problem;
}

TEST(BodySpace, ErrorsOfAContactByHand) {
  const BodyProblem problem = one_contact(0.5, 0.0);
  BodySpace space;
  ASSERT_TRUE(space.prepare(problem));
  const auto error = [&](const std::vector<double>& r, const std::vector<double>& u) {
    return space.error(r.data(), u.data());
  };
  EXPECT_EQ(error({0, 0, 0}, {1, 5, 0}), 0.0);                 // open
  EXPECT_EQ(error({4, 1, 1}, {0, 0, 0}), 0.0);                 // sticks
  EXPECT_NEAR(error({2, -0.6, -0.8}, {0, 3, 4}), 0.0, 1e-15);  // slides
  EXPECT_DOUBLE_EQ(error({0, 0, 0}, {-0.25, 0, 0}), 0.25);     // falls through
  EXPECT_DOUBLE_EQ(error({3, 0, 0}, {1e-3, 0, 0}), 1e-3);      // pulled off under load
  EXPECT_DOUBLE_EQ(error({4, 0, 0}, {0, 3e-4, 4e-4}), 5e-4);   // creeps
  // Outside of the cone: r_T = 1.5 against a radius of 1, through a mobility of 1/2.
  EXPECT_DOUBLE_EQ(error({2, 1.5, 0}, {0, 0, 0}), 0.25);
  EXPECT_EQ(error({0, 0, 0}, {std::nan(""), 0, 0}), std::numeric_limits<double>::infinity());
}

TEST(BodySpace, ErrorsAreMeasuredAgainstTheSpeedOfTheirUnit) {
  BodyProblem problem = one_contact(0.5, 0.0);
  problem.units[0].speed = 10.0;
  BodySpace space;
  ASSERT_TRUE(space.prepare(problem));
  const std::vector<double> r = {0, 0, 0}, u = {-0.25, 0, 0};
  EXPECT_DOUBLE_EQ(space.error(r.data(), u.data()), 0.025);
}

TEST(BodySpace, ProjectsOnTheLaws) {
  BodyProblem problem = one_contact(0.5, 0.25);
  add_unit(problem, BodyProblem::Kind::bounded, {0}, {DenseMatrix::Ones(1, 6)}, Vector::Zero(1));
  problem.least.back() = -1.0;
  problem.most.back() = 2.0;
  BodySpace space;
  ASSERT_TRUE(space.prepare(problem));
  std::vector<double> r = {1.5, 3.0, 4.0, 7.0};
  space.project(r.data());
  EXPECT_LE((DenseBodies::as_vector(r) - Eigen::Vector4d(1.5, 0.6, 0.8, 2.0)).norm(), 1e-15);
  r = {-1.0, 0.1, 0.1, -7.0};
  space.project(r.data());
  EXPECT_EQ(r, (std::vector<double>{0.0, 0.1, 0.1, -1.0}));
}

}  // namespace
}  // namespace stiction::cone
