#include <gtest/gtest.h>

#include <cmath>

#include "stiction/model/test/random_state.h"

namespace stiction {
namespace {

double power(const Multibody& system, double t, const Vector& q, const Vector& v) {
  Vector k;
  system.applied_force(t, q, v, k);
  return k.dot(v);
}

TEST(Forces, GravityPullsOnFreeVelocitiesAlone) {
  Random random(1);
  ModelBuilder builder;
  builder.set_gravity({1.0, -2.0, 3.0});
  BodyDef body = brick(random, "body");
  body.freedom = {false, true, true, true, false, false};
  builder.add_body(body);
  const Multibody system(builder.build().value());
  Vector k;
  system.applied_force(0.0, system.initial_positions(), Vector::Zero(3), k);
  EXPECT_EQ(k, (Vector(3) << -4.0, 6.0, 0.0).finished());
}

/// The power of a force is force . velocity of its point + torque . angular velocity, in whatever frame.
TEST(Forces, AForceDoesItsWork) {
  Random random(2);
  ModelBuilder builder;
  builder.set_gravity(Vec3::Zero());
  const BodyId id = builder.add_body(brick(random, "body"));
  const Vec3 push = random_vector(random, 5.0), twist = random_vector(random, 5.0);
  const ForceDef force{.body = id, .force = push, .torque = twist, .point = random_vector(random, 1.0)};
  builder.add_force(force);
  const Multibody system(builder.build().value());
  for (int trial = 0; trial < 20; ++trial) {
    const Vector q = random_positions(system, random), v = random_velocities(system, random);
    const Vec3 turn = system.angular_velocity(id, 0.0, q, v);
    const Vec3 arm = system.pose(id, 0.0, q).orientation * force.point;
    const Vec3 speed = system.velocity(id, 0.0, q, v) + turn.cross(arm);
    EXPECT_NEAR(power(system, 0.0, q, v), push.dot(speed) + twist.dot(turn), 1e-13);
  }
}

/// A force by formulas and the same by a user's function, each against what they say.
TEST(Forces, FormulasAndFunctionsSeeTimePlaceAndVelocity) {
  Random random(5);
  const auto formula = [](const char* text) { return Expression::parse(text, force_variables).value(); };
  const Vec3 point = random_vector(random, 1.0);
  ModelBuilder by_formula, by_function;
  const BodyDef body = brick(random, "body");
  const BodyId id = by_formula.add_body(body);
  by_function.add_body(body);
  by_formula.add_force({.body = id,
                        .force = VectorFormula({formula("8*cos(t)"), formula("x*vy - z"), formula("2")}),
                        .torque = VectorFormula({formula("wx*wz"), formula("vx + vz + y"), formula("wy - sin(angle)")}),
                        .point = point});
  by_function.add_force({.body = id, .point = point, .law = [](const ForceInput& at, Vec3& force, Vec3& torque) {
                           const Vec3 ahead = at.body.orientation * Vec3::UnitX();
                           const Vec3 &x = at.point, &v = at.velocity, &w = at.angular_velocity;
                           force = {8.0 * std::cos(at.t), x[0] * v[1] - x[2], 2.0};
                           torque = {w[0] * w[2], v[0] + v[2] + x[1], w[1] - ahead[1] / ahead.head<2>().norm()};
                         }});
  const Multibody a(by_formula.build().value()), b(by_function.build().value());
  for (int trial = 0; trial < 20; ++trial) {
    const Vector q = random_positions(a, random), v = random_velocities(a, random);
    Vector ka, kb;
    a.applied_force(0.1 * trial, q, v, ka);
    b.applied_force(0.1 * trial, q, v, kb);
    EXPECT_NEAR((ka - kb).cwiseAbs().maxCoeff(), 0.0, 1e-12);
    EXPECT_GT(ka.cwiseAbs().maxCoeff(), 1.0);
  }
}

Multibody with_spring(Random& random, double stiffness, double damping, bool to_world) {
  ModelBuilder builder;
  builder.set_gravity(random_vector(random, 10.0));
  const BodyId a = builder.add_body(brick(random, "a")), b = builder.add_body(brick(random, "b"));
  builder.add_spring({.body = a,
                      .partner = to_world ? world : b,
                      .anchor = random_vector(random, 2.0),
                      .partner_anchor = random_vector(random, 2.0),
                      .stiffness = stiffness,
                      .damping = damping,
                      .length = 0.7});
  return Multibody(builder.build().value());
}

TEST(Forces, SpringsAndGravityTakeTheirWorkFromThePotential) {
  Random random(3);
  for (const bool to_world : {false, true}) {
    const Multibody system = with_spring(random, 50.0, 0.0, to_world);
    for (int trial = 0; trial < 20; ++trial) {
      const Vector q = random_positions(system, random), v = random_velocities(system, random);
      const double slope =
          slope_along(system, 0.0, q, v, [&](double t, const Vector& at) { return system.potential_energy(t, at); });
      EXPECT_NEAR(power(system, 0.0, q, v), -slope, 1e-6);
    }
  }
}

TEST(Forces, ADamperTakesEnergyByTheSquareOfItsSpeed) {
  Random random(4);
  const Multibody system = with_spring(random, 50.0, 3.0, false);
  const Spring& spring = system.model().springs()[0];
  const auto length = [&](double t, const Vector& q) {
    return (system.pose({spring.body}, t, q).to_world(spring.anchor) -
            system.pose({spring.partner}, t, q).to_world(spring.partner_anchor))
        .norm();
  };
  for (int trial = 0; trial < 20; ++trial) {
    const Vector q = random_positions(system, random), v = random_velocities(system, random);
    const double loss = power(system, 0.0, q, v) + slope_along(system, 0.0, q, v, [&](double t, const Vector& at) {
                          return system.potential_energy(t, at);
                        });
    const double speed = slope_along(system, 0.0, q, v, length);
    EXPECT_NEAR(loss, -3.0 * speed * speed, 1e-6);
  }
}

TEST(Forces, ASpringsRestIsItsStartUnlessGiven) {
  ModelBuilder builder;
  builder.set_gravity(Vec3::Zero());
  const BodyId a = builder.add_body({.mass = 1.0, .position = {3.0, 0.0, 4.0}, .freedom = Freedom::particle()});
  builder.add_spring({.body = a, .anchor = {3.0, 0.0, 4.0}, .stiffness = 10.0});
  builder.add_spring({.body = a, .anchor = {3.0, 0.0, 4.0}, .stiffness = 10.0, .length = 4.0});
  const Multibody system(builder.build().value());
  Vector k;
  system.applied_force(0.0, system.initial_positions(), Vector::Zero(3), k);
  EXPECT_LE((k - Vec3(-6.0, 0.0, -8.0)).norm(), 1e-14);
  EXPECT_NEAR(system.potential_energy(0.0, system.initial_positions()), 5.0, 1e-14);
}

TEST(Forces, ASpringOfNoLengthHasFiniteForces) {
  ModelBuilder builder;
  builder.set_gravity(Vec3::Zero());
  const BodyId a = builder.add_body({.mass = 1.0, .freedom = Freedom::particle()});
  builder.add_spring({.body = a, .stiffness = 10.0, .damping = 2.0});
  const Multibody system(builder.build().value());
  const Vec3 v(1.0, -2.0, 0.5);
  Vector k;
  system.applied_force(0.0, system.initial_positions(), v, k);
  EXPECT_EQ(k, Vector(-2.0 * v));
  // Just off the point, the same to first order.
  Vector q;
  system.advance(system.initial_positions(), v, 1e-9, q);
  system.applied_force(0.0, q, v, k);
  EXPECT_LE((k + 2.0 * v).norm(), 1e-7);
}

TEST(Forces, ASpringToAKinematicBodyFollowsIt) {
  Random random(5);
  ModelBuilder builder;
  builder.set_gravity(Vec3::Zero());
  const BodyId a = builder.add_body({.mass = 1.0, .freedom = Freedom::particle()});
  const BodyId b = builder.add_body({.velocity = {2.0, 0.0, 0.0}, .kinematic = true});
  builder.add_spring({.body = a, .partner = b, .stiffness = 10.0, .damping = 1.0});
  const Multibody system(builder.build().value());
  Vector k;
  system.applied_force(0.5, system.initial_positions(), Vector::Zero(3), k);
  EXPECT_LE((k - Vec3(10.0 + 2.0, 0.0, 0.0)).norm(), 1e-14);
}

}  // namespace
}  // namespace stiction
