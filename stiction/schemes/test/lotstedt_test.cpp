#include "stiction/schemes/lotstedt.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <string>

#include "stiction/model/model_builder.h"
#include "stiction/model/multibody.h"
#include "stiction/schemes/test/event_run.h"
#include "stiction/schemes/test/flat_system.h"

namespace stiction {
namespace {

constexpr double g = 9.81;
const Vec3 down(0.0, -g, 0.0);
const Material smooth{.mu = 0.0};

// ---- Between events -------------------------------------------------------------------------------------------------

// The closed forms' case 13: x and y of a pendulum from the horizontal after 10 s, by Jacobi's functions.
TEST(Lotstedt, APendulumFollowsTheEllipticFunctions) {
  ModelBuilder builder;
  builder.set_gravity(down);
  const BodyId bob = builder.add_body({.mass = 1.0, .position = {-1, 0, 0}, .freedom = Freedom::particle()});
  builder.add_joint({.kind = JointKind::distance, .body = bob, .anchor = {-1, 0, 0}, .partner_anchor = Vec3(0, 0, 0)});
  EventRun run(builder.build().value(), 1e-12);
  run.until(10.0, 0.01);
  EXPECT_LE(run.largest_energy_error(), 1e-10 * g);
  const Vec3 x = run.place(bob);
  EXPECT_NEAR(x.x(), -0.275087462577, 1e-9);
  EXPECT_NEAR(x.y(), -0.961419205099, 1e-9);
  EXPECT_LE(run.report().joint_error, 1e-14);
}

TEST(Lotstedt, ADoublePendulumKeepsItsEnergy) {
  ModelBuilder builder;
  builder.set_gravity(down);
  const Mat3 inertia = Mat3::Identity() / 12.0;
  const BodyId upper = builder.add_body({.mass = 1.0, .inertia = inertia, .position = {0.5, 0, 0}});
  const BodyId lower = builder.add_body({.mass = 1.0, .inertia = inertia, .position = {1.5, 0, 0}});
  builder.add_joint({.body = upper, .anchor = {0, 0, 0}});
  builder.add_joint({.body = lower, .partner = upper, .anchor = {1, 0, 0}});
  EventRun run(builder.build().value(), 1e-12);
  run.until(10.0, 0.02);
  EXPECT_LE(run.largest_energy_error(), 1e-10 * g);
  EXPECT_TRUE(run.certificate().certified());
  EXPECT_LE(run.report().joint_error, 1e-14);
}

// Contacts must not make a smooth phase worse: a bead slides through a half circle of a user's gap and back.
TEST(Lotstedt, ContactsAreHeldAsExactlyAsJoints) {
  ModelBuilder builder;
  builder.set_gravity(down);
  const BodyId bead = builder.add_body({.mass = 1.0, .position = {-1, 0, 0}, .freedom = Freedom::particle()});
  builder.add_gap({.name = "bowl",
                   .value = [](const std::vector<Pose>& bodies) { return 1.0 - bodies[0].position.norm(); },
                   .gradient = [](const std::vector<Pose>& bodies,
                                  Vector& gradient) { gradient = -bodies[0].position.normalized(); }});
  EventRun run(builder.build().value(), 1e-12);
  run.until(1.1, 0.01);
  EXPECT_LE(run.largest_energy_error(), 1e-10 * g);
  EXPECT_TRUE(run.events().empty());
  EXPECT_NEAR(run.place(bead).norm(), 1.0, 1e-14);
  // T/2 of case 13 brings it to the other side.
  run.until(2.36784194758 / 2, 0.01);
  EXPECT_NEAR(run.place(bead).x(), 1.0, 1e-9);
  // The force at the bottom is 3 m g.
  EventRun to_bottom(run.model(), 1e-12);
  to_bottom.until(2.36784194758 / 4 - 1e-6, 0.01);
  to_bottom.until(2.36784194758 / 4 + 1e-6, 2e-6);
  EXPECT_NEAR(to_bottom.report().contacts.at(0).c_n / 2e-6, 3.0 * g, 1e-6);
}

// ---- Events ---------------------------------------------------------------------------------------------------------

// Case 1. Falls for sqrt(2/g), then each flight is e times as long; below the threshold it lies still.
TEST(Lotstedt, BouncesAreWhereTheyShouldBeAndEnd) {
  constexpr double e = 0.5;
  ModelBuilder builder;
  builder.set_gravity(down);
  builder.add_ground(HalfSpace{Vec3::UnitY(), 0.0}, {.mu = 0.0, .restitution = e});
  const BodyId ball = builder.add_body(
      {.mass = 2.0, .shape = Sphere{0.1}, .material = {.mu = 0.0, .restitution = e}, .position = {0, 1.1, 0}});
  for (const double h : {0.001, 0.03, 1.0}) {
    EventRun run(builder.build().value(), 1e-10, 1e-3);
    run.until(1.5, h);
    double time = std::sqrt(2.0 / g), flight = time;
    int bounces = 0;
    for (double v = g * time; v > 1e-3; v *= e, ++bounces) {
      ASSERT_LT(bounces, static_cast<int>(run.events().size()));
      // A gap is closed to 2e-13 m, which is more time at the end than at the start.
      EXPECT_NEAR(run.events()[bounces].time, time, 1e-12 * (1.0 + 1.0 / v)) << h << " " << v;
      EXPECT_EQ(run.events()[bounces].kind, EventKind::impact);
      time += 2.0 * (flight *= e);
    }
    EXPECT_EQ(static_cast<int>(run.events().size()), bounces + 1);  // and the one that does not bounce
    EXPECT_NEAR(run.place(ball).y(), 0.1, 1e-14);
    EXPECT_EQ(run.state().v.norm(), 0.0);
    // From rest to rest: all impulses together are those of the weight.
    EXPECT_NEAR(run.impulses(), 2.0 * g * 1.5, 1e-10);
  }
}

// Textbook: a particle that slides from rest at angle a0 off a sphere leaves it where cos a = 2/3 cos a0.
TEST(Lotstedt, AParticleLeavesASphere) {
  constexpr double a0 = 0.1;
  ModelBuilder builder;
  builder.set_gravity(down);
  builder.add_body({.shape = Sphere{1.0}, .material = smooth, .fixed = true});
  const BodyId particle = builder.add_body({.mass = 1.0,
                                            .shape = Sphere{0.0},
                                            .material = smooth,
                                            .position = {std::sin(a0), std::cos(a0), 0},
                                            .freedom = Freedom::particle()});
  EventRun run(builder.build().value(), 1e-12);
  run.until(1.2, 0.013);
  ASSERT_EQ(run.events().size(), 1U);
  EXPECT_EQ(run.events()[0].kind, EventKind::take_off);
  EXPECT_LE(run.largest_energy_error(), 1e-10 * g);
  EventRun again(run.model(), 1e-12);
  again.until(run.events()[0].time, 0.013);
  EXPECT_NEAR(again.place(particle).y(), 2.0 / 3.0 * std::cos(a0), 1e-8);
}

/// A point that can move in the plane, over a table y >= 0 that ends at x = 1, with a force that is a function of time.
class PointOnTable final : public System {
 public:
  std::function<double(double)> lift = [](double) { return -g; };
  double end = 1.0;

  [[nodiscard]] int positions() const override { return 2; }
  [[nodiscard]] int velocities() const override { return 2; }
  void mass(double, const Vector&, SparseMatrix& M) const override {
    M.resize(2, 2);
    M.setIdentity();
  }
  void applied_force(double t, const Vector&, const Vector&, Vector& k) const override {
    k.setZero(2);
    k[1] = lift(t);
  }
  void advance(const Vector& q, const Vector& v, double h, Vector& q_new) const override { q_new = q + h * v; }
  void find_gaps(double, const Vector& q, double margin, GapSet& gaps) const override {
    gaps.clear();
    if (q[0] > end || q[1] > margin) return;
    ContactPoint& contact = gaps.contacts.emplace_back();
    contact.id = 7;
    contact.Phi = q[1];
    contact.tangents = 0;
    gaps.n.push(1, 1.0);
    for (linalg::Rows* rows : {&gaps.n, &gaps.t1, &gaps.t2}) rows->end_row();
    for (auto* speeds : {&gaps.normal_speed, &gaps.slip1, &gaps.slip2}) speeds->push_back(0.0);
  }
  [[nodiscard]] double potential_energy(double, const Vector& q) const override { return g * q[1]; }
};

State plane_state(double x, double y, double vx, double vy) {
  State state;
  state.q = Vector(2);
  state.q << x, y;
  state.v = Vector(2);
  state.v << vx, vy;
  state.v_alpha = state.v;
  return state;
}

// 1982, end of section 2: the acceleration jumps where a body slides off its support.
TEST(Lotstedt, SlidesOffItsSupport) {
  const PointOnTable system;
  TimeStepper stepper(system, preset(Scheme::lotstedt));
  State state = plane_state(0.0, 0.0, 2.0, 0.0);
  StepReport report;
  int left = 0;
  for (int i = 0; i < 10; ++i) {
    ASSERT_TRUE(stepper.step(state, 0.09, report));
    for (const Event& event : report.events) {
      EXPECT_EQ(event.kind, EventKind::take_off);
      EXPECT_NEAR(event.time, 0.5, 1e-9);
      ++left;
    }
  }
  EXPECT_EQ(left, 1);
  EXPECT_NEAR(state.q[0], 1.8, 1e-12);
  EXPECT_NEAR(state.q[1], -0.5 * g * 0.4 * 0.4, 1e-8);
}

// Theorem 5.4: where lambda = delta = 0 the first derivative that is not zero decides. The force is c t^p at t = 0:
// down it is held, up it leaves with c t^(p+2)/((p+1)(p+2)). Held by force it would have lambda < 0, let go it would
// fall.
TEST(Lotstedt, HigherDerivativesDecide) {
  for (const int p : {1, 2, 3}) {
    for (const double c : {-1.0, 1.0}) {
      PointOnTable system;
      system.lift = [&](double t) { return c * std::pow(t, p); };
      TimeStepper stepper(system, preset(Scheme::lotstedt));
      State state = plane_state(0.0, 0.0, 0.0, 0.0);
      StepReport report;
      for (int i = 0; i < 10; ++i) ASSERT_TRUE(stepper.step(state, 0.1, report));
      EXPECT_NEAR(state.q[1], c < 0.0 ? 0.0 : 1.0 / ((p + 1) * (p + 2)), 1e-9) << p;
      if (c < 0.0) {
        EXPECT_NEAR(report.contacts.at(0).c_n, (1.0 - std::pow(0.9, p + 1)) / (p + 1), 1e-9);
      }
    }
  }
}

// The force turns at t = 1: there, and not before or after, the point leaves.
TEST(Lotstedt, LeavesWhereTheForceTurns) {
  PointOnTable system;
  system.lift = [](double t) { return -std::cos(0.5 * std::numbers::pi * t); };  // up from 1 to 3
  TimeStepper stepper(system, preset(Scheme::lotstedt));
  State state = plane_state(0.0, 0.0, 0.0, 0.0);
  StepReport report;
  std::vector<Event> events;
  for (int i = 0; i < 45; ++i) {
    ASSERT_TRUE(stepper.step(state, 0.1, report));
    events.insert(events.end(), report.events.begin(), report.events.end());
    EXPECT_TRUE(report.certificate.certified());
  }
  ASSERT_GE(events.size(), 1U);
  EXPECT_EQ(events[0].kind, EventKind::take_off);
  EXPECT_NEAR(events[0].time, 1.0, 1e-9);
  // y'' = -cos(w t) from t = 1.
  const double w = 0.5 * std::numbers::pi;
  EXPECT_NEAR(state.q[1], (std::cos(w * 4.5) + w * 3.5) / (w * w), 1e-8);
}

// ---- Redundancy -----------------------------------------------------------------------------------------------------

void add_legs(BodyDef& table, double x, double y) {
  for (int i = 0; i < 4; ++i) {
    const Vec3 foot(i % 2 == 0 ? -x : x, i < 2 ? -y : y, -0.7);
    table.shapes.push_back({.shape = Sphere{0.0},
                            .pose = {foot, Quat::Identity()},
                            .material = smooth,
                            .name = "leg" + std::to_string(i)});
  }
}

// A table on four legs is redundant: the forces are those of least length, and the sum is its weight.
TEST(Lotstedt, ATableStandsOnFourLegs) {
  ModelBuilder builder;
  builder.add_ground(HalfSpace{}, smooth);
  BodyDef table{.mass = 4.0, .inertia = Mat3(Mat3::Identity()), .position = {0, 0, 0.7}};
  add_legs(table, 0.5, 0.4);
  const BodyId body = builder.add_body(table);
  builder.add_force({.body = body, .force = VectorFormula(0.0, 0.0, -10.0), .point = {0.25, 0.0, 0.0}});
  EventRun run(builder.build().value(), 1e-10);
  run.until(0.1, 0.01);
  EXPECT_NEAR(run.place(body).z(), 0.7, 1e-14);
  ASSERT_EQ(run.report().contacts.size(), 4U);
  for (const ContactRecord& contact : run.report().contacts) {
    // 10 N at a quarter of the length: 2.5 (1 +- 1/2) on each.
    const double expected = g + (contact.geometry.point.x() > 0.0 ? 3.75 : 1.25);
    EXPECT_NEAR(contact.c_n / 0.01, expected, 1e-9);
  }
  EXPECT_TRUE(run.certificate().certified());
}

// Beyond the edge of the middle the least multipliers would pull at a leg, though others push: nothing takes off.
TEST(Lotstedt, ALegThatTheLeastForcesWouldPullStays) {
  ModelBuilder builder;
  builder.add_ground(HalfSpace{}, smooth);
  BodyDef table{.mass = 0.1, .inertia = Mat3(Mat3::Identity()), .position = {0, 0, 0.7}};
  add_legs(table, 0.5, 0.5);
  const BodyId body = builder.add_body(table);
  builder.add_force({.body = body, .force = VectorFormula(0.0, 0.0, -10.0), .point = {0.4, 0.4, 0.0}});
  EventRun run(builder.build().value(), 1e-10);
  run.until(0.1, 0.01);
  EXPECT_TRUE(run.events().empty());
  EXPECT_NEAR(run.place(body).z(), 0.7, 1e-14);
  double sum = 0.0;
  for (const ContactRecord& contact : run.report().contacts) {
    EXPECT_GE(contact.c_n, -1e-12);
    sum += contact.c_n / 0.01;
  }
  EXPECT_NEAR(sum, 10.0 + 0.1 * g, 1e-9);
  EXPECT_TRUE(run.certificate().certified());
}

TEST(Lotstedt, RedundantJointsChangeNothing) {
  const auto door = [](int hinges) {
    ModelBuilder builder;
    const BodyId body = builder.add_body(
        {.mass = 10.0, .shape = Box{1.0, 0.05, 2.0}, .position = {0.5, 0, 0}, .angular_velocity = {0, 0, 1}});
    builder.set_gravity({3.0, 0.0, -9.81});
    for (int i = 0; i < hinges; ++i)
      builder.add_joint({.body = body, .anchor = {0, 0, 0.4 * i}, .axis = Vec3::UnitZ()});
    return builder.build().value();
  };
  EventRun one(door(1), 1e-11), three(door(3), 1e-11);
  // The start's velocity is against the hinges: they take it up at once.
  one.until(2.0, 0.02);
  three.until(2.0, 0.02);
  EXPECT_LE((one.state().q - three.state().q).norm(), 1e-9);
  EXPECT_LE((one.state().v - three.state().v).norm(), 1e-9);
  EXPECT_TRUE(three.certificate().certified());
}

// ---- What it refuses ------------------------------------------------------------------------------------------------

TEST(Lotstedt, FrictionIsRefused) {
  ModelBuilder builder;
  builder.add_ground(HalfSpace{}, {.mu = 0.5});
  builder.add_body({.mass = 1.0, .shape = Sphere{0.1}, .material = {.mu = 0.5}, .position = {0, 0, 0.1}});
  const Multibody system(builder.build().value());
  TimeStepper stepper(system, preset(Scheme::lotstedt));
  State state{0.0, system.initial_positions(), system.initial_velocities(), system.initial_velocities()};
  const State before = state;
  StepReport report;
  EXPECT_FALSE(stepper.step(state, 0.01, report));
  EXPECT_TRUE(report.has_friction);
  EXPECT_FALSE(report.solved);
  EXPECT_EQ(state.q, before.q);
}

}  // namespace
}  // namespace stiction
