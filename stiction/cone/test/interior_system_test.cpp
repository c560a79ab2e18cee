#include "stiction/cone/interior_system.h"

#include <gtest/gtest.h>

#include "problems/generator/cone_problem.h"
#include "problems/generator/families.h"
#include "stiction/base/random.h"

namespace stiction::cone {
namespace {

TEST(InteriorSystem, DirectionsObeyBothEquations) {
  Problem problem = families::to_cone(families::find_family("random_contacts")->make({.contacts = 9, .seed = 3}));
  problem.mu.setConstant(0.4);
  problem.mu[4] = 0.0;  // one that does not rub has one row
  ScaledProblem scaled;
  scaled.load(problem);
  InteriorSystem system;
  system.load(scaled);
  ASSERT_EQ(system.size(), 3 * 9 - 2);

  Random random(5);
  const auto fill = [&](Vector& v) {
    v.resize(system.size());
    for (double& value : v) value = random.normal();
  };
  Vector x, y, right, defect, dx, dy;
  for (Vector* v : {&x, &y, &right, &defect}) fill(*v);
  for (auto& contact : system.contacts()) {
    x[contact.first] = 5.0;  // inside
    y[contact.first] = 6.0;
    for (int k = 1; k < contact.dim; ++k) contact.slope[k] = 0.3 * k;
  }
  ASSERT_TRUE(system.scale(x, y));
  system.factorise(scaled);
  EXPECT_NE(system.determinant_sign(), 0);
  ASSERT_TRUE(system.solve(right, defect, dx, dy));

  // W^ dx - E dy = -defect, W^ dx from the velocities that the force of dx makes.
  Vector force, velocity;
  system.to_force(dx, force);
  scaled.velocity(force, velocity);
  velocity -= scaled.q();
  for (std::size_t c = 0; c < system.contacts().size(); ++c) {
    const auto& contact = system.contacts()[c];
    const int at = contact.first;
    double along = 0.0;
    for (int k = 1; k < contact.dim; ++k) along += contact.slope[k] * dy[at + k];
    const Index i = 3 * static_cast<Index>(c);
    EXPECT_NEAR(velocity[i] / contact.stretch - (dy[at] - along), -defect[at], 1e-10);
    for (int k = 1; k < contact.dim; ++k) EXPECT_NEAR(velocity[i + k] - dy[at + k], -defect[at + k], 1e-10);
    // lambda o (G dx + G^-1 dy) = right.
    double gx[3], gy[3], product[3];
    contact.scaling.apply(dx.data() + at, gx);
    contact.scaling.apply_inverse(dy.data() + at, gy);
    for (int k = 0; k < contact.dim; ++k) gx[k] += gy[k];
    soc::multiply(contact.dim, contact.lambda, gx, product);
    for (int k = 0; k < contact.dim; ++k) EXPECT_NEAR(product[k], right[at + k], 1e-10);
  }
}

TEST(InteriorSystem, PointsOutsideAreRefused) {
  const Problem problem = families::to_cone(families::find_family("single_body")->make({.contacts = 2, .seed = 1}));
  ScaledProblem scaled;
  scaled.load(problem);
  InteriorSystem system;
  system.load(scaled);
  Vector x = Vector::Zero(system.size());
  for (const auto& contact : system.contacts()) x[contact.first] = 1.0;
  Vector outside = x;
  outside[system.contacts()[1].first + 1] = 2.0;
  EXPECT_TRUE(system.scale(x, x));
  EXPECT_FALSE(system.scale(x, outside));
  EXPECT_FALSE(system.scale(outside, x));
}

}  // namespace
}  // namespace stiction::cone
