#include "problems/generator/contact_problem.h"

#include <gtest/gtest.h>

#include "problems/generator/families.h"
#include "problems/generator/scene.h"

namespace stiction::families {
namespace {

Vector random_vector(Random& random, Index size, double low, double high) {
  Vector vector(size);
  for (Index i = 0; i < size; ++i) vector[i] = random.uniform(low, high);
  return vector;
}

// A unit cube of mass 2 on one contact below its centre, moving along x: every number can be checked by hand.
ContactProblem cube_on_a_point() {
  Scene scene;
  Body body = make_box(2.0, {1.0, 1.0, 1.0}, {0.0, 0.0, 0.5});
  body.velocity = {3.0, 0.0, -1.0};
  scene.add_body(body);
  scene.add_contact({.a = 0, .b = Scene::world, .point = Vector3::Zero(), .normal = Vector3::UnitZ(), .mu = 0.25});
  return scene.build("cube");
}

TEST(ContactProblem, DenseFormByHand) {
  const lcp::Problem problem = to_dense_lcp(cube_on_a_point(), 4);
  // Order c_n, beta along t1 = x, t2 = y, -x, -y, lambda. 1/m = 1/2; r^2/I = (1/4)/(1/3) = 3/4.
  lcp::DenseMatrix M(6, 6);
  M << 0.5, 0, 0, 0, 0, 0,      //
      0, 1.25, 0, -1.25, 0, 1,  //
      0, 0, 1.25, 0, -1.25, 1,  //
      0, -1.25, 0, 1.25, 0, 1,  //
      0, 0, -1.25, 0, 1.25, 1,  //
      0.25, -1, -1, -1, -1, 0;
  EXPECT_LE((problem.M.to_dense() - M).cwiseAbs().maxCoeff(), 1e-15);
  const Vector q{{-1.0, 3.0, 0.0, -3.0, 0.0, 0.0}};
  EXPECT_LE((problem.q - q).cwiseAbs().maxCoeff(), 1e-15);
  EXPECT_TRUE(problem.is_standard());
}

TEST(ContactProblem, PushesBodiesApartAndFrictionOpposesABelt) {
  Scene scene;
  scene.add_body(make_sphere(1.0, 0.5, {0.0, 0.0, 0.5}));
  scene.add_body(make_sphere(1.0, 0.5, {0.0, 0.0, 1.5}));
  scene.add_contact({.a = 1, .b = 0, .point = {0.0, 0.0, 1.0}, .normal = Vector3::UnitZ(), .mu = 0.5})
      .surface_velocity = {2.0, -1.0, 0.0};
  const ContactProblem problem = scene.build("two");
  EXPECT_EQ(problem.n.coeff(8, 0), 1.0);
  EXPECT_EQ(problem.n.coeff(2, 0), -1.0);
  EXPECT_EQ(problem.b_t1[0], -2.0);
  EXPECT_EQ(problem.b_t2[0], 1.0);
}

TEST(ContactProblem, FormsAreTheSameProblem) {
  Random random(5);
  for (const Family& family : solvable_families())
    for (const int facets : {2, 4, 6, 8}) {
      const ContactProblem problem = family.make({.contacts = 7, .mass_ratio = 100.0, .seed = 3});
      const lcp::Problem dense = to_dense_lcp(problem, facets), mixed = to_mixed(problem, facets);
      const Vector z = random_vector(random, dense.size(), 0.0, 1.0);
      const Vector z_mixed = mixed_from_dense(problem, facets, z);
      ASSERT_EQ(z_mixed.size(), mixed.size());
      EXPECT_EQ(dense_from_mixed(problem, z_mixed), z);
      Vector w = dense.q, w_mixed = mixed.q;
      dense.M.multiply_add(z, 1.0, w);
      mixed.M.multiply_add(z_mixed, 1.0, w_mixed);
      const double scale = 1.0 + w.cwiseAbs().maxCoeff() + w_mixed.cwiseAbs().maxCoeff();
      EXPECT_LE(w_mixed.head(problem.velocities()).cwiseAbs().maxCoeff(), 1e-12 * scale) << family.name;
      EXPECT_LE((w_mixed.tail(z.size()) - w).cwiseAbs().maxCoeff(), 1e-12 * scale) << family.name;
      for (Index i = 0; i < mixed.size(); ++i) EXPECT_EQ(mixed.is_free(i), i < problem.velocities() + problem.joints());
    }
}

TEST(ContactProblem, EveryFacetHasItsOpposite) {
  for (const int facets : {2, 4, 6, 8, 12}) {
    const lcp::Problem problem = to_dense_lcp(cube_on_a_point(), facets);
    const lcp::DenseMatrix M = problem.M.to_dense();
    for (int k = 0; k < facets / 2; ++k) {
      EXPECT_EQ(problem.q[1 + k], -problem.q[1 + k + facets / 2]);
      EXPECT_EQ(M(1 + k, 1 + k), -M(1 + k, 1 + k + facets / 2));
      EXPECT_NEAR(M(1 + k, 1 + k), 1.25, 1e-14);  // unit directions
    }
  }
}

}  // namespace
}  // namespace stiction::families
