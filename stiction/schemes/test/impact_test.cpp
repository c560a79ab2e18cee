#include "stiction/schemes/impact.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>

#include "stiction/model/model_builder.h"
#include "stiction/model/multibody.h"
#include "stiction/schemes/test/collision.h"
#include "stiction/schemes/test/flat_system.h"

namespace stiction {
namespace {

using linalg::DenseMatrix;

constexpr std::array laws = {ImpactLaw::poisson, ImpactLaw::simplified, ImpactLaw::newton};

Vector vector(std::initializer_list<double> values) {
  Vector v(static_cast<Eigen::Index>(values.size()));
  std::copy(values.begin(), values.end(), v.data());
  return v;
}

/// Balls on a line that touch, masses and restitution given.
FlatSystem balls_on_a_line(const std::vector<double>& masses, double restitution) {
  const auto n = static_cast<Eigen::Index>(masses.size());
  const Vector m = Eigen::Map<const Vector>(masses.data(), n);
  FlatSystem system(m.asDiagonal(), Vector::Zero(n));
  for (Eigen::Index i = 0; i + 1 < n; ++i) {
    FlatSystem::Contact contact{.n = Vector::Zero(n), .restitution = restitution};
    contact.n[i] = -1.0;
    contact.n[i + 1] = 1.0;
    system.contacts.push_back(contact);
  }
  return system;
}

// v1+ = v1 - (1+e) m2 (v1 - v2)/(m1 + m2), v2+ = v2 + (1+e) m1 (v1 - v2)/(m1 + m2), by every law.
TEST(Impact, TwoBallsHeadOn) {
  for (const ImpactLaw law : laws) {
    for (const double e : {0.0, 0.3, 1.0}) {
      const double m1 = 2.0, m2 = 5.0, v1 = 3.0, v2 = -1.0;
      const Collision c(balls_on_a_line({m1, m2}, e), Vector::Zero(2), vector({v1, v2}), impact_options(law));
      ASSERT_TRUE(c.solved);
      EXPECT_NEAR(c.v[0], v1 - (1.0 + e) * m2 * (v1 - v2) / (m1 + m2), 1e-14);
      EXPECT_NEAR(c.v[1], v2 + (1.0 + e) * m1 * (v1 - v2) / (m1 + m2), 1e-14);
      EXPECT_NEAR(c.gain(), -0.5 * (1.0 - e * e) * m1 * m2 / (m1 + m2) * (v1 - v2) * (v1 - v2), 1e-13);
      ASSERT_EQ(c.report.contacts.size(), 1U);
      // The record has the whole impulse, both phases.
      EXPECT_NEAR(c.report.contacts[0].c_n, (1.0 + e) * m1 * m2 / (m1 + m2) * (v1 - v2), 1e-13);
      ASSERT_EQ(c.report.events.size(), 1U);
      EXPECT_EQ(c.report.events[0].kind, EventKind::impact);
      EXPECT_EQ(c.report.events[0].energy_gain, 0.0);
    }
  }
}

// The closed forms' case 25: three equal balls, all at once.
TEST(Impact, NewtonsCradleIsSimultaneous) {
  for (const ImpactLaw law : laws) {
    const Collision c(balls_on_a_line({1, 1, 1}, 1.0), Vector::Zero(3), vector({1, 0, 0}), impact_options(law));
    ASSERT_TRUE(c.solved);
    // Newton: the second contact does not approach and is kept from closing. Poisson: compression gives all 1/3 with
    // c = (2/3, 1/3), the first comes back, and what is needed at the second.
    EXPECT_LE((c.v - vector({-1.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0})).norm(), 1e-14);
    EXPECT_NEAR(c.gain(), 0.0, 1e-14);
    const Collision plastic(balls_on_a_line({1, 1, 1}, 0.0), Vector::Zero(3), vector({1, 0, 0}), impact_options(law));
    EXPECT_LE((plastic.v - Vector::Constant(3, 1.0 / 3.0)).norm(), 1e-14);
  }
}

// Poisson's impulses with different restitutions: the impulse of each contact is (1 + e_j) times that of compression
// where nothing more is needed. Two balls hit a third from both sides.
TEST(Impact, PoissonGivesBackEachContactsOwnShare) {
  FlatSystem system = balls_on_a_line({1, 1, 1}, 0.0);
  system.contacts[0].restitution = 0.5;
  system.contacts[1].restitution = 0.75;
  // Compression brings all to (2 + 0 - 1)/3 = 1/3, c_1 = 2 - 1/3 = 5/3, c_2 = 1/3 + 1 = 4/3; the shares that come back
  // are 5/6 and 1.
  const Collision c(system, Vector::Zero(3), vector({2, 0, -1}), impact_options(ImpactLaw::poisson));
  ASSERT_TRUE(c.solved);
  EXPECT_LE((c.v - vector({1.0 / 3.0 - 5.0 / 6.0, 1.0 / 3.0 + 5.0 / 6.0 - 1.0, 1.0 / 3.0 + 1.0})).norm(), 1e-14);
}

// (3.3)-(3.5): without an impulse of its own in decompression the second contact would be run into: c_n^x > 0.
TEST(Impact, DecompressionAddsWhatIsNeededNotToPenetrate) {
  FlatSystem system = balls_on_a_line({1, 1, 1}, 0.0);
  system.contacts[0].restitution = 1.0;
  const Collision c(system, Vector::Zero(3), vector({2, 0, -1}), impact_options(ImpactLaw::poisson));
  ASSERT_TRUE(c.solved);
  // After compression all have 1/3; the first contact returns 5/3, the second and third ball then stay together.
  EXPECT_LE((c.v - vector({1.0 / 3.0 - 5.0 / 3.0, 1.0 / 3.0 + 5.0 / 6.0, 1.0 / 3.0 + 5.0 / 6.0})).norm(), 1e-14);
}

// The closed forms' case 5: a frictionless rod at 35 degrees.
TEST(Impact, RodBouncesOnOneEnd) {
  constexpr double theta = 35.0 * std::numbers::pi / 180.0, e = 0.3, speed = 2.0;
  for (const ImpactLaw law : laws) {
    ModelBuilder builder;
    builder.set_gravity({0, -9.81, 0});
    builder.add_ground(HalfSpace{Vec3::UnitY(), 0.0}, {.mu = 0.0, .restitution = e});
    builder.add_body({.mass = 1.0,
                      .inertia = Mat3(Mat3::Identity() / 12.0),
                      .shape = Capsule{0.0, 1.0, Vec3::UnitX()},
                      .material = {.mu = 0.0, .restitution = e},
                      .position = {0.0, 0.5 * std::sin(theta), 0.0},
                      .orientation = exponential(theta * Vec3::UnitZ()),
                      .freedom = Freedom::planar()});
    const Multibody system(builder.build().value());
    const Collision c(system, system.initial_positions(), vector({0, -speed, 0}), impact_options(law), 1e-3);
    ASSERT_TRUE(c.solved);
    const double P = (1.0 + e) * speed / (1.0 + 3.0 * std::cos(theta) * std::cos(theta));
    EXPECT_NEAR(P, 0.862918661441, 1e-12);
    EXPECT_NEAR(c.v[1], P - speed, 1e-14);
    // The lower end is the left one: the push turns the rod clockwise.
    EXPECT_NEAR(c.v[2], -6.0 * P * std::cos(theta), 1e-13);
    EXPECT_NEAR(c.v[2], -4.241169513448, 1e-12);
  }
}

TEST(Impact, BelowTheThresholdNothingBounces) {
  FlatSystem system(DenseMatrix::Identity(1, 1), vector({-10.0}));
  system.contacts.push_back({.n = vector({1.0}), .restitution = 0.8});
  const auto bounce = [&](double speed, double threshold, double h) {
    SchemeOptions options = impact_options(ImpactLaw::poisson);
    options.restitution_threshold = threshold;
    return Collision(system, vector({0.0}), vector({-speed}), options, h).v[0];
  };
  EXPECT_NEAR(bounce(0.51, 0.5, 1e-3), 0.8 * 0.51, 1e-15);
  EXPECT_EQ(bounce(0.49, 0.5, 1e-3), 0.0);
  EXPECT_NEAR(bounce(1e-6, 0.0, 1e-3), 0.8e-6, 1e-20);
  // Automatic: 2 |g| h = 0.02.
  EXPECT_NEAR(bounce(0.021, -1.0, 1e-3), 0.8 * 0.021, 1e-16);
  EXPECT_EQ(bounce(0.019, -1.0, 1e-3), 0.0);
}

/// One contact with n'M^-1 n, n'M^-1 t, t'M^-1 t given by the papers' counterexample, G = [4 2; 2 4].
FlatSystem counterexample(double mu, double e) {
  FlatSystem system(DenseMatrix::Identity(2, 2), Vector::Zero(2));
  system.contacts.push_back({.n = vector({2, 0}), .t1 = vector({1, std::sqrt(3.0)}), .mu = mu, .restitution = e});
  return system;
}

/// v with (n'v, t'v) as given.
Vector with_contact_speeds(const FlatSystem& system, double normal, double slip) {
  DenseMatrix J(2, 2);
  J.row(0) = system.contacts[0].n.transpose();
  J.row(1) = system.contacts[0].t1.transpose();
  return J.partialPivLu().solve(vector({normal, slip}));
}

// 1997, end of section 3, as printed: the inequality of Glocker and Pfeiffer's proof fails for this matrix.
TEST(Impact, TheCounterexampleMatrixOf1997) {
  const DenseMatrix G = (DenseMatrix(2, 2) << 4, 2, 2, 4).finished();
  const Vector Lambda = vector({1, -2}), e_Lambda = vector({0.5, -2});
  EXPECT_DOUBLE_EQ(0.5 * e_Lambda.dot(G * e_Lambda) - 0.5 * Lambda.dot(G * Lambda), 0.5);

  // Its compression is an impact problem: sliding at 6 with the contact closed, mu = 2, gives Lambda_C = (1, -2).
  // With no speed of approach no impulse at all is an answer too; Lemke's method, which the paper uses, finds this one.
  const FlatSystem system = counterexample(2.0, 0.0);
  SchemeOptions by_lemke = impact_options(ImpactLaw::poisson);
  by_lemke.cone.round = false;
  const Collision c(system, Vector::Zero(2), with_contact_speeds(system, 0.0, 6.0), by_lemke);
  ASSERT_TRUE(c.solved);
  ASSERT_EQ(c.report.contacts.size(), 1U);
  EXPECT_NEAR(c.report.contacts[0].c_n, 1.0, 1e-14);
  EXPECT_NEAR(c.report.contacts[0].c_t1, -2.0, 1e-14);
  EXPECT_NEAR(c.gain(), -6.0, 1e-13);  // 1/2 Lambda'G Lambda
}

// The same G makes Poisson's law as printed create energy. A straight hit at 3 that sticks: Lambda_C = (1, -1/2) takes
// 1/2 Lambda'G Lambda = 3/2; the normal impulse alone comes back, e^2/2 * 4 = 2 e^2, with no friction to hold it, since
// (2.12) bounds that by c_n^x = 0. So (n'v+, t'v+) = e (4, 2), and 2 e^2 - 3/2 is gained for e > sqrt(3)/2.
TEST(Impact, PoissonGainsEnergyAndSaysSo) {
  for (const double e : {0.5, 0.85, 0.88, 1.0}) {
    const FlatSystem system = counterexample(0.75, e);
    const Vector v = with_contact_speeds(system, -3.0, 0.0);
    const Collision poisson(system, Vector::Zero(2), v, impact_options(ImpactLaw::poisson_1997));
    ASSERT_TRUE(poisson.solved);
    EXPECT_NEAR(poisson.before, 1.5, 1e-14);
    EXPECT_LE((poisson.v - with_contact_speeds(system, 4.0 * e, 2.0 * e)).norm(), 1e-13);
    EXPECT_NEAR(poisson.gain(), 2.0 * e * e - 1.5, 1e-13);
    EXPECT_NEAR(poisson.reported_gain(), std::max(0.0, 2.0 * e * e - 1.5), 1e-13);

    // With friction in what comes back it sticks too, and nothing is gained.
    const Collision rubbed(system, Vector::Zero(2), v, impact_options(ImpactLaw::poisson));
    EXPECT_LE((rubbed.v + e * v).norm(), 1e-13);
    EXPECT_EQ(rubbed.reported_gain(), 0.0);
    // The simplified rule: v+ = (1 + e) vc - e v- = -e v-, since compression sticks: vc = 0.
    const Collision simplified(system, Vector::Zero(2), v, impact_options(ImpactLaw::simplified));
    EXPECT_LE((simplified.v + e * v).norm(), 1e-13);
    EXPECT_EQ(simplified.reported_gain(), 0.0);
    // Newton's law sticks too: Lambda = (1 + e) Lambda_C.
    const Collision newton(system, Vector::Zero(2), v, impact_options(ImpactLaw::newton));
    EXPECT_LE((newton.v + e * v).norm(), 1e-13);
  }
}

// A ball of radius 0.1 and inertia 2/5 m r^2 meets the floor at 2 m/s along and 1 m/s down, mu = 0.2, e = 0.8. It
// slides all the way, so friction is mu (1 + e) = 0.36 times the normal speed: 2 - 0.36 = 1.64 m/s, and a spin of 0.36
// r m/(2/5 m r^2) = 9 rad/s. As printed the second phase has no friction: 1.8 m/s and 5 rad/s.
TEST(Impact, AnObliqueBounceRubsInBothPhases) {
  for (const ImpactLaw law : {ImpactLaw::poisson, ImpactLaw::poisson_1997, ImpactLaw::simplified, ImpactLaw::newton}) {
    ModelBuilder builder;
    builder.add_ground(HalfSpace{}, {.mu = 0.2, .restitution = 0.8});
    builder.add_body({.mass = 1.0,
                      .shape = Sphere{0.1},
                      .material = {.mu = 0.2, .restitution = 0.8},
                      .position = {0.0, 0.0, 0.1},
                      .velocity = {2.0, 0.0, -1.0}});
    const Multibody system(builder.build().value());
    const Collision c(system, system.initial_positions(), system.initial_velocities(), impact_options(law));
    ASSERT_TRUE(c.solved);
    const bool printed = law == ImpactLaw::poisson_1997;
    EXPECT_NEAR(c.v[0], printed ? 1.8 : 1.64, 1e-12) << static_cast<int>(law);
    EXPECT_NEAR(c.v[2], 0.8, 1e-12);
    EXPECT_NEAR(c.v[4], printed ? 5.0 : 9.0, 1e-11);
  }
}

// v+ = (1 + e) vc - e v-, impulses likewise; without the e (as printed) a plastic impact would end at vc - v-.
TEST(Impact, SimplifiedRuleHasItsFactor) {
  const FlatSystem system = counterexample(0.2, 0.4);  // slides in compression
  const Vector v = with_contact_speeds(system, -3.0, 1.0);
  const Collision plastic(counterexample(0.2, 0.0), Vector::Zero(2), v, impact_options(ImpactLaw::simplified));
  const Collision c(system, Vector::Zero(2), v, impact_options(ImpactLaw::simplified));
  EXPECT_LE((c.v - (1.4 * plastic.v - 0.4 * v)).norm(), 1e-14);
  EXPECT_NEAR(c.report.contacts[0].c_n, 1.4 * plastic.report.contacts[0].c_n, 1e-14);
  EXPECT_NEAR(c.report.contacts[0].c_t1, 1.4 * plastic.report.contacts[0].c_t1, 1e-14);
  EXPECT_NEAR(c.report.contacts[0].c_t1, -0.2 * c.report.contacts[0].c_n, 1e-14);
}

// Where a closed contact would be run into (n'v+ < 0), Poisson takes the place of the simplified rule.
TEST(Impact, SimplifiedRuleGivesWayWhereItWouldPenetrate) {
  FlatSystem two(DenseMatrix::Identity(2, 2), Vector::Zero(2));
  two.contacts.push_back({.n = vector({0.0, 1.0}), .restitution = 0.9});
  two.contacts.push_back({.n = vector({0.8, 0.6}), .restitution = 0.9});
  // n2'v- = 0.8 * 2 - 0.6 = 1 > 0: it opens before the impact, n1 strikes at 1. vc = (2, 0), n2'vc = 1.6,
  // v+ = 1.9 (2, 0) - 0.9 (2, -1) = (2, 0.9): holds.
  const Collision holds(two, Vector::Zero(2), vector({2, -1}), impact_options(ImpactLaw::simplified));
  EXPECT_LE((holds.v - vector({2, 0.9})).norm(), 1e-14);
  // With n2 = (0.8, -0.6) and v- = (0.5, -1): n2'vc = 0.4, but v+ = (0.5, 0.9) would have -0.14.
  two.contacts[1].n = vector({0.8, -0.6});
  const Collision refused(two, Vector::Zero(2), vector({0.5, -1}), impact_options(ImpactLaw::simplified));
  ASSERT_TRUE(refused.solved);
  EXPECT_GE(two.contacts[1].n.dot(refused.v), -1e-14);
  const Collision poisson(two, Vector::Zero(2), vector({0.5, -1}), impact_options(ImpactLaw::poisson));
  EXPECT_LE((refused.v - poisson.v).norm(), 1e-15);
}

// Newton's law holds contact by contact: n'v+ = -e n'v- where it pushes, >= where it does not.
TEST(Impact, NewtonsLawContactByContact) {
  FlatSystem system = balls_on_a_line({1, 2, 1}, 0.0);
  system.contacts[0].restitution = 0.5;
  system.contacts[1].restitution = 0.25;
  const Collision c(system, Vector::Zero(3), vector({2, 0, -1}), impact_options(ImpactLaw::newton));
  ASSERT_TRUE(c.solved);
  EXPECT_NEAR(system.contacts[0].n.dot(c.v), 0.5 * 2.0, 1e-14);
  EXPECT_NEAR(system.contacts[1].n.dot(c.v), 0.25 * 1.0, 1e-14);
  EXPECT_NEAR(c.v[0] + 2.0 * c.v[1] + c.v[2], 1.0, 1e-14);
}

// Impacts hold joints: a pendulum's bob that is struck moves along its circle.
TEST(Impact, JointsTakePart) {
  for (const ImpactLaw law : laws) {
    FlatSystem system(DenseMatrix::Identity(2, 2), Vector::Zero(2));
    system.joint_rows.emplace_back(vector({std::sqrt(0.5), -std::sqrt(0.5)}), 0.0);  // moves along (1, 1)
    system.contacts.push_back({.n = vector({0, 1}), .restitution = 0.5});
    const Collision c(system, Vector::Zero(2), vector({-1, -1}), impact_options(law));
    ASSERT_TRUE(c.solved);
    EXPECT_LE((c.v - vector({0.5, 0.5})).norm(), 1e-14);
    // Both phases' impulses: M (v+ - v-) = (1.5, 1.5) = n c_n + nu c_nu.
    ASSERT_EQ(c.report.joint_impulses.size(), 1U);
    EXPECT_NEAR(c.report.contacts[0].c_n, 3.0, 1e-13);
    EXPECT_NEAR(c.report.joint_impulses[0], 1.5 / std::sqrt(0.5), 1e-13);
  }
}

TEST(Impact, NothingHappensWhereNothingApproaches) {
  const FlatSystem system = balls_on_a_line({1, 1}, 0.5);
  const Collision c(system, Vector::Zero(2), vector({-1, 1}), impact_options(ImpactLaw::poisson));
  ASSERT_TRUE(c.solved);
  EXPECT_EQ(c.v, vector({-1, 1}));
  EXPECT_TRUE(c.report.events.empty());
}

}  // namespace
}  // namespace stiction
