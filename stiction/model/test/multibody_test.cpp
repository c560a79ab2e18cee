#include "stiction/model/multibody.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "stiction/model/test/random_state.h"

namespace stiction {
namespace {

using linalg::DenseMatrix;

/// Full, planar, particle, cart, kinematic and fixed bodies in one model, and one with an unusual mask.
Multibody mixed(Random& random) {
  ModelBuilder builder;
  builder.add_body(brick(random, "full"));
  BodyDef planar = brick(random, "planar");
  planar.orientation = exponential(0.7 * Vec3::UnitZ());
  planar.freedom = Freedom::planar();
  builder.add_body(planar);
  builder.add_body(kinematic(brick(random, "kinematic"), random));
  BodyDef particle = brick(random, "particle");
  particle.freedom = Freedom::particle();
  builder.add_body(particle);
  BodyDef cart = brick(random, "cart");
  cart.freedom = Freedom::along_x();
  builder.add_body(cart);
  BodyDef fixed = brick(random, "fixed");
  fixed.fixed = true;
  builder.add_body(fixed);
  BodyDef odd = brick(random, "odd");
  odd.freedom = {false, true, false, true, false, true};
  builder.add_body(odd);
  return Multibody(builder.build().value());
}

TEST(Multibody, StateHoldsMovableBodiesAndTheirFreeVelocities) {
  Random random(1);
  const Multibody system = mixed(random);
  EXPECT_EQ(system.positions(), 5 * 7);
  EXPECT_EQ(system.velocities(), 6 + 3 + 3 + 1 + 3);
  EXPECT_EQ(system.model().body({4}).columns, (std::array<int, 6>{12, -1, -1, -1, -1, -1}));
  EXPECT_EQ(system.model().body({6}).columns, (std::array<int, 6>{-1, 13, -1, 14, -1, 15}));
  const Vector q = system.initial_positions();
  for (int i = 0; i < 7; ++i) {
    const Body& body = system.model().bodies()[i];
    const Pose pose = system.pose({i}, 0.0, q);
    EXPECT_EQ(pose.position, body.pose.position);
    EXPECT_EQ(pose.orientation.coeffs(), body.pose.orientation.coeffs());
  }
}

TEST(Multibody, InitialVelocitiesAreGivenInTheWorldAndKeptInTheBody) {
  Random random(2);
  ModelBuilder builder;
  BodyDef body = brick(random, "body");
  body.velocity = {1.0, 2.0, 3.0};
  body.angular_velocity = {0.1, -0.2, 0.3};
  const BodyId id = builder.add_body(body);
  const Multibody system(builder.build().value());
  const Vector q = system.initial_positions(), v = system.initial_velocities();
  EXPECT_EQ(Vec3(v.head<3>()), body.velocity);
  EXPECT_LE((v.tail<3>() - body.orientation.conjugate() * body.angular_velocity).norm(), 1e-16);
  EXPECT_EQ(system.velocity(id, 0.0, q, v), body.velocity);
  EXPECT_LE((system.angular_velocity(id, 0.0, q, v) - body.angular_velocity).norm(), 1e-15);
}

TEST(Multibody, MassIsThatOfTheFreeVelocities) {
  Random random(3);
  const Multibody system = mixed(random);
  SparseMatrix M;
  system.mass(0.0, system.initial_positions(), M);
  Vector diagonal(16);
  diagonal << 2, 2, 2, 0.3, 0.4, 0.5, 2, 2, 0.5, 2, 2, 2, 2, 2, 0.3, 0.5;
  EXPECT_EQ(DenseMatrix(M), DenseMatrix(diagonal.asDiagonal()));
  const Vector v = random_velocities(system, random);
  EXPECT_NEAR(system.kinetic_energy(v), 0.5 * v.dot(M * v), 1e-14);
}

TEST(Multibody, GyroscopicForceIsAntisymmetricAndRight) {
  Random random(4);
  ModelBuilder builder;
  BodyDef body = brick(random, "body");
  Mat3 inertia;
  inertia << 0.3, 0.02, -0.03, 0.02, 0.4, 0.01, -0.03, 0.01, 0.5;
  body.inertia = inertia;
  builder.add_body(body);
  const Multibody system(builder.build().value());
  const Vector v = random_velocities(system, random);
  SparseMatrix F;
  system.gyroscopic(system.initial_positions(), v, F);
  EXPECT_EQ(DenseMatrix(F), DenseMatrix(-SparseMatrix(F.transpose())));
  const Vec3 w = v.tail<3>();
  EXPECT_LE((Vector(F * v).tail<3>() - (inertia * w).cross(w)).norm(), 1e-16);
  EXPECT_EQ(Vector(F * v).head<3>(), Vec3(Vec3::Zero()));
}

TEST(Multibody, APredictedGyroscopicForceIsTheSameAtTheVelocityItself) {
  Random random(14);
  ModelBuilder builder;
  BodyDef body = brick(random, "body"), ball = brick(random, "ball");
  body.inertia = Mat3(Vec3(0.3, 0.4, 0.5).asDiagonal());
  ball.inertia = Mat3(Vec3(0.3, 0.3, 0.3).asDiagonal());
  builder.add_body(body);
  builder.add_body(ball);
  const Multibody system(builder.build().value());
  const Vector v = random_velocities(system, random);
  SparseMatrix F, predicted;
  system.gyroscopic(system.initial_positions(), v, F);
  system.predicted_gyroscopic(system.initial_positions(), v, predicted);
  EXPECT_EQ(DenseMatrix(predicted), DenseMatrix(-SparseMatrix(predicted.transpose())));
  EXPECT_LE(Vector(F * v - predicted * v).norm(), 1e-14);
  // What is wrong in w counts by the moments less the middle one, 0.4.
  EXPECT_NEAR(predicted.coeff(4, 5), (0.4 - 0.3) * v[3], 1e-15);
  EXPECT_EQ(predicted.nonZeros(), 6) << "a ball has none";
}

TEST(Multibody, GyroscopicForceRespectsTheMask) {
  Random random(5);
  const Multibody system = mixed(random);
  const Vector v = random_velocities(system, random);
  SparseMatrix F;
  system.gyroscopic(system.initial_positions(), v, F);
  EXPECT_EQ(DenseMatrix(F), DenseMatrix(-SparseMatrix(F.transpose())));
  // Only the full body and the one with rx and rz: [I w]x between rx and rz is (I w)_y = 0.
  EXPECT_EQ(F.coeff(3, 4), -0.5 * v[5]);
  EXPECT_EQ(F.coeff(14, 15), 0.0);
  EXPECT_EQ(F.nonZeros(), 8);
}

/// Torque-free motion keeps R I w: the body's own frame and the world's must fit together in signs.
TEST(Multibody, AngularMomentumInTheWorldStays) {
  Random random(6);
  ModelBuilder builder;
  builder.set_gravity(Vec3::Zero());
  const BodyId id = builder.add_body(brick(random, "body"));
  const Multibody system(builder.build().value());
  const Mat3& inertia = system.model().body(id).inertia;
  const Vector q = system.initial_positions(), v = random_velocities(system, random);
  SparseMatrix F;
  system.gyroscopic(q, v, F);
  const Vec3 w = v.tail<3>(), acceleration = inertia.inverse() * Vector(F * v).tail<3>();
  for (int axis = 0; axis < 3; ++axis) {
    const double slope = slope_along(system, 0.0, q, v, [&](double t, const Vector& moved) {
      const Vec3 momentum = system.pose(id, t, moved).orientation * (inertia * (w + t * acceleration));
      return momentum[axis];
    });
    EXPECT_NEAR(slope, 0.0, 1e-11);
  }
}

TEST(Multibody, AdvanceTurnsAboutTheBodysOwnAxes) {
  ModelBuilder builder;
  BodyDef body{.mass = 1.0, .shape = Sphere{0.1}};
  body.orientation = exponential(0.5 * std::numbers::pi * Vec3::UnitX());  // the body's z is the world's -y
  const BodyId id = builder.add_body(body);
  const Multibody system(builder.build().value());
  Vector v = Vector::Zero(6), q;
  v << 1.0, 0.0, 0.0, 0.0, 0.0, std::numbers::pi;
  system.advance(system.initial_positions(), v, 0.5, q);
  const Pose pose = system.pose(id, 0.0, q);
  EXPECT_LE((pose.position - Vec3(0.5, 0.0, 0.0)).norm(), 1e-16);
  // The body's x starts along the world's x and turns towards its own y, which is the world's z.
  EXPECT_LE((pose.orientation * Vec3::UnitX() - Vec3::UnitZ()).norm(), 1e-15);
  EXPECT_NEAR(q.segment<4>(3).norm(), 1.0, 1e-16);
}

// The exact rate against System's own, which differentiates advance().
TEST(Multibody, PositionsMoveAtTheRateOfAdvance) {
  Random random(31);
  ModelBuilder builder;
  builder.add_body(brick(random, "a"));
  BodyDef planar = brick(random, "b");
  planar.orientation = exponential(0.3 * Vec3::UnitZ());
  planar.freedom = Freedom::planar();
  builder.add_body(planar);
  builder.add_body({.name = "c", .mass = 1.0, .freedom = Freedom::particle()});
  const Multibody system(builder.build().value());
  for (int trial = 0; trial < 20; ++trial) {
    const Vector q = random_positions(system, random);
    const Vector v = std::pow(10.0, trial % 3) * random_velocities(system, random);
    Vector exact, differences;
    system.position_rate(q, v, exact);
    system.System::position_rate(q, v, differences);
    EXPECT_LE((exact - differences).norm(), 1e-12 * (1.0 + v.norm())) << trial;
  }
}

TEST(Multibody, LockedVelocitiesStayWhereTheyAre) {
  Random random(7);
  const Multibody system = mixed(random);
  const Vector start = system.initial_positions(), q = random_positions(system, random);
  const int planar = system.model().body({1}).first_position, cart = system.model().body({4}).first_position;
  EXPECT_EQ(q[planar + 2], start[planar + 2]);
  EXPECT_EQ(q[planar + 4], 0.0);
  EXPECT_EQ(q[planar + 5], 0.0);
  EXPECT_NE(q[planar + 6], start[planar + 6]);
  EXPECT_EQ(q.segment<6>(cart + 1), start.segment<6>(cart + 1));
}

TEST(Multibody, KinematicBodiesAreFunctionsOfTime) {
  Random random(8);
  const Multibody system = mixed(random);
  const BodyId id{2};
  const Body& body = system.model().body(id);
  const Vector q = system.initial_positions(), v = system.initial_velocities();
  const Pose pose = system.pose(id, 2.0, q);
  EXPECT_LE((pose.position - body.pose.position - 2.0 * body.velocity).norm(), 1e-15);
  const Quat turn = pose.orientation * body.pose.orientation.conjugate();
  EXPECT_LE((logarithm(turn) - 2.0 * body.angular_velocity).norm(), 1e-14);
  EXPECT_EQ(system.velocity(id, 2.0, q, v), body.velocity);
  EXPECT_EQ(system.angular_velocity(id, 2.0, q, v), body.angular_velocity);
  EXPECT_EQ(system.velocity({5}, 2.0, q, v), Vec3(Vec3::Zero()));
}

}  // namespace
}  // namespace stiction
