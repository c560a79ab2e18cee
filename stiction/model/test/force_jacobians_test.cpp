// Derivatives of the applied forces in closed form, against differences of the forces themselves.
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <array>

#include "stiction/geometry/test/random_poses.h"
#include "stiction/model/model_builder.h"
#include "stiction/model/multibody.h"

namespace stiction {
namespace {

struct Jacobians {
  linalg::DenseMatrix q, v;
};

Jacobians closed_form(const Multibody& system, const Vector& q, const Vector& v, JacobianKind kind) {
  SparseMatrix K_q, K_v;
  system.force_jacobians(0.3, q, v, 0.0, kind, K_q, K_v);
  return {linalg::DenseMatrix(K_q), linalg::DenseMatrix(K_v)};
}

/// Central differences of fourth order, with steps of 1e-3: exact to about 1e-11 of what the forces are.
Jacobians differences(const Multibody& system, const Vector& q, const Vector& v) {
  const int size = system.velocities();
  Jacobians found{linalg::DenseMatrix::Zero(size, size), linalg::DenseMatrix::Zero(size, size)};
  constexpr double step = 1e-3;
  constexpr std::array<double, 4> places{-2, -1, 1, 2}, weights{1.0 / 12, -8.0 / 12, 8.0 / 12, -1.0 / 12};
  for (int i = 0; i < size; ++i) {
    const Vector direction = Vector::Unit(size, i);
    for (std::size_t p = 0; p < places.size(); ++p) {
      Vector moved, force;
      system.advance(q, direction, places[p] * step, moved);
      system.applied_force(0.3, moved, v, force);
      found.q.col(i) += weights[p] / step * force;
      system.applied_force(0.3, q, v + places[p] * step * direction, force);
      found.v.col(i) += weights[p] / step * force;
    }
  }
  return found;
}

void expect_near(const linalg::DenseMatrix& found, const linalg::DenseMatrix& expected, double tolerance) {
  EXPECT_LE((found - expected).cwiseAbs().maxCoeff(), tolerance * (1.0 + expected.cwiseAbs().maxCoeff()))
      << found << "\n\n"
      << expected;
}

Expression formula(const std::string& text) {
  return Expression::parse(text, force_variables).value();
}

/// Two turned bodies, a planar one and the world, springs between all, and forces of every kind.
Multibody random_system(Random& random) {
  ModelBuilder builder;
  std::vector<BodyId> bodies;
  for (int i = 0; i < 3; ++i) {
    const bool is_planar = i == 2;
    BodyDef body;
    body.mass = 1.0 + i;
    body.inertia = Mat3(Vec3(0.2, 0.25, 0.3).asDiagonal());
    body.position = random_vector(random, 1.0);
    body.velocity = Vec3(0.3, -0.4, 0);
    body.angular_velocity = Vec3(0, 0, 0.7);
    body.freedom = is_planar ? Freedom::planar() : Freedom::full();
    if (!is_planar) {
      body.orientation = random_orientation(random);
      body.velocity = random_vector(random, 1.0);
      body.angular_velocity = random_vector(random, 1.0);
    }
    bodies.push_back(builder.add_body(body));
  }
  for (int i = 0; i < 3; ++i) {
    builder.add_spring({.body = bodies[i],
                        .partner = i == 0 ? world : bodies[i - 1],
                        .anchor = random_vector(random, 1.0),
                        .partner_anchor = random_vector(random, 1.0),
                        .stiffness = 20.0,
                        .damping = 3.0,
                        .length = i == 1 ? 0.0 : 0.8});
  }
  builder.add_force(
      {.body = bodies[0], .force = Vec3(1, 2, 3), .torque = Vec3(0.3, 0.2, 0.1), .point = Vec3(0.1, 0.2, 0)});
  builder.add_force({.body = bodies[1],
                     .force = VectorFormula({formula("x*y - vx^2"), formula("sin(z)*wx + t"), formula("vz*wz")}),
                     .torque = VectorFormula({formula("wy*x"), formula("cos(angle)"), formula("vy*wz")}),
                     .point = Vec3(0.2, -0.1, 0.3)});
  builder.add_force(
      {.body = bodies[2], .point = Vec3(0.3, 0.1, 0), .law = [](const ForceInput& in, Vec3& force, Vec3& torque) {
         force = in.velocity.cross(in.point);
         torque = in.angular_velocity.z() * in.velocity;
       }});
  return Multibody(builder.build().value());
}

TEST(ForceJacobians, AreThoseOfTheForces) {
  Random random(2006);
  for (int trial = 0; trial < 20; ++trial) {
    const Multibody system = random_system(random);
    const Vector q = system.initial_positions(), v = system.initial_velocities();
    const Jacobians found = closed_form(system, q, v, JacobianKind::exact), expected = differences(system, q, v);
    expect_near(found.q, expected.q, 1e-8);
    expect_near(found.v, expected.v, 1e-8);
    SparseMatrix K_q, K_v;
    system.System::force_jacobians(0.3, q, v, 0.0, JacobianKind::exact, K_q, K_v);
    expect_near(linalg::DenseMatrix(K_q), expected.q, 1e-7);
    expect_near(linalg::DenseMatrix(K_v), expected.v, 1e-7);
  }
}

/// 2006, (9.2)-(9.3): symmetric and negative semidefinite, whatever the springs' lengths and speeds are.
TEST(ForceJacobians, OfRankOneAreNegativeSemidefinite) {
  Random random(2008);
  for (int trial = 0; trial < 20; ++trial) {
    const Multibody system = random_system(random);
    const Jacobians found =
        closed_form(system, system.initial_positions(), system.initial_velocities(), JacobianKind::definite);
    for (const linalg::DenseMatrix& K : {found.q, found.v}) {
      EXPECT_LE((K - K.transpose()).cwiseAbs().maxCoeff(), 1e-12);
      const Eigen::SelfAdjointEigenSolver<linalg::DenseMatrix> eigen(K);
      EXPECT_LE(eigen.eigenvalues().maxCoeff(), 1e-12 * eigen.eigenvalues().cwiseAbs().maxCoeff());
      EXPECT_LT(eigen.eigenvalues().minCoeff(), -1.0);
    }
  }
}

}  // namespace
}  // namespace stiction
