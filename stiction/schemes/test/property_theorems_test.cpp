#include <gtest/gtest.h>

#include <cmath>
#include <iostream>
#include <set>

#include "stiction/schemes/test/flat_system.h"
#include "stiction/schemes/test/random_scene.h"
#include "stiction/schemes/time_stepper.h"

/// The papers' theorems on energy, on random scenes.
namespace stiction {
namespace {

using linalg::DenseMatrix;

constexpr double rounding = 1e-12;

/// |M^-1/2 k| and |M^1/2 v|.
double force_norm(const SparseMatrix& M, const Vector& k) {
  return std::sqrt(k.dot(Vector(DenseMatrix(M).ldlt().solve(k))));
}
double velocity_norm(const SparseMatrix& M, const Vector& v) {
  return std::sqrt(v.dot(M * v));
}

// 1997, Theorem 2.3, (2.22): |v+| <= |v + h M^-1 k1| in the norm of M. The gyroscopic force does not enter: it is taken
// at v+ as F(v) v+ (M~ = M - h F), and v+'F v+ = 0, so (2.20) holds with k1 alone, for every h.
TEST(Theorem, EnergyIsAtMostThatOfTheFreeMotion) {
  Random random(23);
  int checked = 0, tight = 0;
  double worst = -1.0;
  for (int trial = 0; trial < 60; ++trial) {
    const Multibody system(random_scene(random));
    SchemeOptions options = random_options(random, Scheme::anitescu_potra);
    options.stabilisation = 0.0;  // b = 0 is what the theorem is about
    const double h = std::pow(10.0, random.uniform(-3.0, -1.5));
    TimeStepper stepper(system, options);
    State state = start_of(system);
    StepReport report;
    SparseMatrix M;
    system.mass(0.0, state.q, M);
    for (int step = 0; step < 25; ++step) {
      const State before = state;
      ASSERT_TRUE(stepper.step(state, h, report));
      if (report.solves != 1) continue;  // an impact, or parts of a step
      Vector k;
      system.applied_force(before.t, before.q, before.v, k);
      const Vector free = before.v + h * DenseMatrix(M).ldlt().solve(k);
      const double ratio = velocity_norm(M, state.v) / velocity_norm(M, free) - 1.0;
      EXPECT_LE(ratio, rounding) << trial << " step " << step;
      worst = std::max(worst, ratio);
      tight += ratio > -1e-3;
      ++checked;
    }
  }
  std::cout << checked << " steps, " << tight << " within 0.1 % of the bound, largest excess " << worst << "\n";
  EXPECT_GT(checked, 500);
  EXPECT_GT(tight, 10);
}

// 1997, Theorem 5.1 b), (5.4). By (2.22) and the triangle inequality |M^1/2 v+| <= |M^1/2 v| + h |M^-1/2 k1| in every
// part of a step, whatever h: the bound holds with c = max |M^-1/2 k1| and without the "+ 1", which the paper needs
// since its Coriolis force is explicit (c_4 of (B.24)). Where Poisson's law gains energy, what it reports is added: the
// theorem asks for an impact law that does not. (B.11) lacks an h in its second term, (B.23) a square on its last.
TEST(Theorem, VelocitiesGrowAtMostLinearly) {
  Random random(51);
  int runs = 0;
  double nearest = 0.0, gained = 0.0;
  for (int trial = 0; trial < 60; ++trial) {
    // Gravity alone: |M^-1/2 k1| = |g| sqrt(total mass).
    const Multibody system(random_scene(random, {.springs = false}));
    SchemeOptions options = random_options(random, Scheme::anitescu_potra);
    options.stabilisation = 0.0;
    if (options.impact == ImpactLaw::newton) options.impact = ImpactLaw::simplified;
    TimeStepper stepper(system, options);
    State state = start_of(system);
    StepReport report;
    SparseMatrix M;
    Vector k;
    system.mass(0.0, state.q, M);
    system.applied_force(0.0, state.q, state.v, k);
    const double c = force_norm(M, k);
    double bound = velocity_norm(M, state.v);
    for (int step = 0; step < 25; ++step) {
      const double h = random.uniform(1e-3, 2e-2);  // steps may vary
      ASSERT_TRUE(stepper.step(state, h, report));
      std::set<std::pair<double, double>> gains;  // one impact may be several events
      for (const Event& event : report.events)
        if (event.energy_gain > 0.0) gains.insert({event.time, event.energy_gain});
      for (const auto& [time, gain] : gains) {
        bound = std::sqrt(bound * bound + 2.0 * gain);
        gained += gain;
      }
      bound += h * c;
      const double now = velocity_norm(M, state.v);
      EXPECT_LE(now, bound * (1.0 + rounding)) << trial << " step " << step;
      nearest = std::max(nearest, now / bound);
    }
    ++runs;
  }
  std::cout << runs << " runs, at most " << nearest << " of the bound, Poisson gained " << gained << " J\n";
  EXPECT_GT(nearest, 0.3);
}

// 1997, Theorem 5.1 a), (5.3), for particles on springs with dampers. The paper's proof has slips: (B.15) gives
// 2 c_3 h w z where Lemma B.1 asks for c_2 h w, and the lemma bounds z^2 + |q| where (5.3) has |q|^2. With r = z^2 +
// w^2, z = |M^1/2 v|, w = |q|, |M^-1/2 k1| <= chi = c1 + c2 z + c3 w and w+ <= w + h c5 z (the paper's own q+ = q + h
// v):
//   r+ <= r + 2 h z chi + h^2 chi^2 + 2 h c5 w z + h^2 c5^2 z^2
//      <= r + h [c1 + (c1 + 2 c2 + c3 + c5) r] + h^2 (chi^2 + c5^2 z^2),
// which is (5.3) with 2c = c1 + 2 c2 + c3 + c5 and a part for the last term: here as much again, which is enough while
// h (chi^2 + c5^2 z^2) <= c1 + ... + c5 times (1 + r), checked at every step.
TEST(Theorem, VelocitiesStayBoundedOnSprings) {
  Random random(53);
  double nearest = 0.0;
  for (int trial = 0; trial < 30; ++trial) {
    ModelBuilder builder;
    builder.add_ground(HalfSpace{Vec3::UnitZ(), -0.5}, {.mu = 0.3, .restitution = 0.4});
    const int count = random.integer(1, 4);
    double stiffest = 0.0, most_damping = 0.0, lightest = 1e9, constant = 0.0;
    for (int i = 0; i < count; ++i) {
      const double mass = random.uniform(0.5, 2.0), stiffness = random.uniform(0.0, 3.0),
                   damping = random.uniform(0.0, 0.5);
      const Vec3 anchor(random.uniform(-1.0, 1.0), 3.0 * i, random.uniform(0.0, 1.0));
      const BodyId body = builder.add_body({.mass = mass,
                                            .inertia = Mat3(Mat3::Identity()),
                                            .shape = Sphere{0.1},
                                            .position = {random.uniform(-1.0, 1.0), 3.0 * i, random.uniform(-0.3, 1.0)},
                                            .velocity = random_vector(random, 3.0),
                                            .freedom = Freedom::particle()});
      const double length = random.uniform(0.2, 1.0);
      builder.add_spring({.body = body,
                          .anchor = {0.0, 3.0 * i, 0.5},
                          .partner_anchor = anchor,
                          .stiffness = stiffness,
                          .damping = damping,
                          .length = length});
      stiffest = std::max(stiffest, stiffness);
      most_damping = std::max(most_damping, damping);
      lightest = std::min(lightest, mass);
      // The spring's anchor on the body is off its centre by at most 2.
      constant += std::pow((stiffness * (anchor.norm() + 2.0 + length) + mass * 9.81) / std::sqrt(mass), 2);
    }
    const Multibody system(builder.build().value());
    SchemeOptions options = preset(Scheme::anitescu_potra);
    options.position_update = PositionUpdate::old_velocity;
    options.impact = ImpactLaw::simplified;
    TimeStepper stepper(system, options);
    State state = start_of(system);
    StepReport report;
    SparseMatrix M;
    system.mass(0.0, state.q, M);
    const double c1 = std::sqrt(constant), c2 = most_damping / lightest, c3 = stiffest / std::sqrt(lightest),
                 c5 = 1.0 / std::sqrt(lightest);
    const double sum = c1 + 2.0 * c2 + c3 + c5, h = 5e-3;
    const double r0 = std::pow(velocity_norm(M, state.v), 2) + state.q.squaredNorm();
    for (int step = 0; step < 60; ++step) {
      const double z = velocity_norm(M, state.v), w = state.q.norm(), chi = c1 + c2 * z + c3 * w;
      ASSERT_LE(h * (chi * chi + c5 * c5 * z * z), sum * (1.0 + z * z + w * w));
      Vector k;
      system.applied_force(state.t, state.q, state.v, k);
      ASSERT_LE(force_norm(M, k), chi * (1.0 + rounding));
      ASSERT_TRUE(stepper.step(state, h, report));
      for (const Event& event : report.events) ASSERT_EQ(event.energy_gain, 0.0);
      const double bound = (r0 + 2.0 * sum * state.t) * std::exp(2.0 * sum * state.t);
      EXPECT_LE(std::pow(velocity_norm(M, state.v), 2), bound);
      nearest = std::max(nearest, std::pow(velocity_norm(M, state.v), 2) / bound);
    }
  }
  std::cout << "at most " << nearest << " of the bound\n";
}

/// The terms of 1996, (21)-(24), as an identity: with M, k constant and Phi linear, b_n = Phi(q)/h, and
///   E+ + lambda mu c_n + (v+ - v)'M(v+ - v)/2 + c_n Phi(q)/h = E,   E = v'Mv/2 - k'q.
/// The sign of k'q is that of a potential; (24) has it the other way round.
struct Dissipation {
  double friction = 0.0, gap = 0.0, numerical = 0.0;
};

Dissipation dissipation(const System& system, const SparseMatrix& M, const State& before, const State& after, double h,
                        const StepReport& report) {
  Dissipation d;
  const Vector change = after.v - before.v;
  d.numerical = 0.5 * change.dot(M * change);
  GapSet gaps;
  system.find_gaps(before.t, before.q, 1.0, gaps);
  for (const ContactRecord& record : report.contacts) {
    const int j = gaps.find(record.geometry.id);
    EXPECT_TRUE(j >= 0 || record.c_n == 0.0);
    d.friction += record.slip * record.geometry.mu * record.c_n;
    if (j >= 0) d.gap += record.c_n * gaps.contacts[j].Phi / h;
  }
  return d;
}

struct Balance {
  int steps = 0;
  double defect = 0.0, gain = -1e300, friction = 0.0, gap = 0.0;

  void add(double E_before, double E_after, double scale, const Dissipation& d) {
    ++steps;
    defect = std::max(defect, std::abs(E_after - E_before + d.friction + d.gap + d.numerical) / scale);
    gain = std::max(gain, (E_after - E_before) / scale);
    friction += d.friction;
    gap += d.gap;
  }
};

TEST(Theorem, The1996MethodIsDissipativeOnFlatSystems) {
  Random random(24);
  Balance balance;
  for (int trial = 0; trial < 80; ++trial) {
    const int n = random.integer(2, 6);
    const auto normal = [&] { return random.normal(); };
    const DenseMatrix A = DenseMatrix::NullaryExpr(n, n, normal);
    const DenseMatrix mass = A * A.transpose() + DenseMatrix::Identity(n, n);
    const auto random_row = [&] { return Vector(Vector::NullaryExpr(n, normal)); };
    FlatSystem system(mass, 5.0 * random_row());
    Vector q = random_row();
    for (int j = random.integer(1, 4); j > 0; --j) {
      FlatSystem::Contact contact{.n = random_row(), .mu = random.uniform(0.0, 1.0)};
      if (contact.mu > 0.2) contact.t1 = random_row();
      if (contact.mu > 0.5) contact.t2 = random_row();
      contact.offset = contact.n.dot(q) - random.uniform(0.0, 0.05);  // open, by a little
      system.contacts.push_back(contact);
    }
    if (trial % 3 == 0) {
      const Vector row = random_row();
      system.joint_rows.emplace_back(row, row.dot(q));
    }
    SchemeOptions options = random_options(random, Scheme::stewart_trinkle);
    TimeStepper stepper(system, options);
    const Vector v = random_row();
    State state{0.0, q, v, v};
    const SparseMatrix M = mass.sparseView();
    const double h = random.uniform(1e-3, 2e-2);
    StepReport report;
    for (int step = 0; step < 15; ++step) {
      const State before = state;
      ASSERT_TRUE(stepper.step(state, h, report)) << trial;
      ASSERT_FALSE(report.relaxed) << trial;
      const double E0 = system.kinetic_energy(before.v) + system.potential_energy(0.0, before.q);
      const double E1 = system.kinetic_energy(state.v) + system.potential_energy(0.0, state.q);
      const double scale = system.kinetic_energy(before.v) + std::abs(E0) + 1.0;
      const Dissipation d = dissipation(system, M, before, state, h, report);
      balance.add(E0, E1, scale, d);
      EXPECT_GE(d.friction, 0.0);
      EXPECT_GE(d.gap, -1e-10 * scale);
    }
  }
  std::cout << balance.steps << " steps, defect " << balance.defect << ", largest gain " << balance.gain
            << ", lost to friction " << balance.friction << " J, to closing gaps " << balance.gap << " J\n";
  EXPECT_LE(balance.defect, 1e-10);
  EXPECT_LE(balance.gain, 1e-10);
  EXPECT_GT(balance.friction, 1.0);
  EXPECT_GT(balance.gap, 0.1);
}

// Balls on half-spaces under gravity: Phi is linear in q and the potential too, whatever the balls' rotations do, whose
// gyroscopic force vanishes.
TEST(Theorem, The1996MethodIsDissipativeForBallsOnPlanes) {
  Random random(2424);
  Balance balance;
  for (int trial = 0; trial < 40; ++trial) {
    const Multibody system(random_scene(random, {.joints = false, .springs = false, .only_balls = true}));
    const SchemeOptions options = random_options(random, Scheme::stewart_trinkle);
    TimeStepper stepper(system, options);
    State state = start_of(system);
    SparseMatrix M;
    system.mass(0.0, state.q, M);
    const double h = random.uniform(1e-3, 1e-2);
    StepReport report;
    for (int step = 0; step < 25; ++step) {
      const State before = state;
      ASSERT_TRUE(stepper.step(state, h, report)) << trial;
      const double E0 = system.kinetic_energy(before.v) + system.potential_energy(0.0, before.q);
      const double E1 = system.kinetic_energy(state.v) + system.potential_energy(0.0, state.q);
      const double scale = system.kinetic_energy(before.v) + std::abs(E0) + 1.0;
      balance.add(E0, E1, scale, dissipation(system, M, before, state, h, report));
    }
  }
  std::cout << balance.steps << " steps, defect " << balance.defect << ", largest gain " << balance.gain
            << ", lost to friction " << balance.friction << " J, to closing gaps " << balance.gap << " J\n";
  EXPECT_LE(balance.defect, 1e-10);
  EXPECT_LE(balance.gain, 1e-10);
  EXPECT_GT(balance.friction, 1.0);
}

}  // namespace
}  // namespace stiction
