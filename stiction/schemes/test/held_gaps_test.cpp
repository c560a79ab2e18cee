#include "stiction/schemes/held_gaps.h"

#include <gtest/gtest.h>

#include <cmath>
#include <utility>

#include "stiction/base/random.h"
#include "stiction/contact/step_assembly.h"
#include "stiction/model/model_builder.h"
#include "stiction/model/multibody.h"
#include "stiction/schemes/time_stepper.h"

namespace stiction {
namespace {

constexpr double h = 5e-3, band = 1e-7;

/// A system whose steps end a little beside where their velocities lead, m and rad: by what a solver leaves.
class Careless final : public System {
 public:
  Careless(Model model, double left) : system_(std::move(model)), left_(left) {}

  [[nodiscard]] int positions() const override { return system_.positions(); }
  [[nodiscard]] int velocities() const override { return system_.velocities(); }
  [[nodiscard]] BodyStructure body_structure() const override { return system_.body_structure(); }
  void mass(double t, const Vector& q, SparseMatrix& M) const override { system_.mass(t, q, M); }
  void applied_force(double t, const Vector& q, const Vector& v, Vector& k) const override {
    system_.applied_force(t, q, v, k);
  }
  void advance(const Vector& q, const Vector& v, double length, Vector& q_new) const override {
    beside_ = v;
    for (double& speed : beside_) speed += left_ / h * random_.uniform(-1.0, 1.0);
    system_.advance(q, beside_, length, q_new);
  }
  void find_gaps(double t, const Vector& q, double margin, GapSet& gaps) const override {
    system_.find_gaps(t, q, margin, gaps);
  }
  [[nodiscard]] double potential_energy(double t, const Vector& q) const override {
    return system_.potential_energy(t, q);
  }

 private:
  Multibody system_;
  double left_;
  mutable Random random_{7};
  mutable Vector beside_;
};

/// A brick on two bricks.
Model three_bricks() {
  ModelBuilder builder;
  builder.add_ground(HalfSpace{}, {.mu = 0.5});
  for (const Vec3& at : {Vec3(-0.101, 0, 0.05), Vec3(0.101, 0, 0.05), Vec3(0, 0, 0.15)})
    builder.add_body({.mass = 4.0, .shape = Box{0.2, 0.1, 0.1}, .material = {.mu = 0.5}, .position = at});
  return builder.build().value();
}

SchemeOptions with_band(double width) {
  SchemeOptions options = preset(Scheme::stewart_trinkle);
  options.hold.band = width;
  return options;
}

State start_of(const Multibody& system) {
  State state;
  state.q = system.initial_positions();
  state.v = state.v_alpha = system.initial_velocities();
  return state;
}

struct Rest {
  int most_solves = 0, not_full = 0;  ///< After the first steps.
  double penetration = 0.0, moved = 0.0;
};

Rest rest(const System& system, State state, const SchemeOptions& options, int steps) {
  TimeStepper stepper(system, options);
  StepReport report;
  Rest out;
  const Vector start = state.q;
  for (int step = 0; step < steps; ++step) {
    EXPECT_TRUE(stepper.step(state, h, report)) << step;
    if (step < 3) continue;
    out.most_solves = std::max(out.most_solves, report.solves);
    out.not_full += report.grade(options.cone.tolerance) != Grade::full ? 1 : 0;
    out.penetration = std::max(out.penetration, report.penetration);
  }
  out.moved = (state.q - start).lpNorm<Eigen::Infinity>();
  return out;
}

// 5e-12 m a step is twice what the tolerance of 1e-8 lets pass. As Phi/h it comes back as something that no motion of
// three bricks on sixteen points is.
TEST(HeldGaps, AWallAtRestNeedsOneSolveAStep) {
  const State start = start_of(Multibody(three_bricks()));
  const Careless system(three_bricks(), 5e-12);
  const Rest held = rest(system, start, with_band(band), 50);
  EXPECT_EQ(held.most_solves, 1);
  EXPECT_EQ(held.not_full, 0);
  EXPECT_LT(held.moved, 50 * 5e-12);
  const Careless again(three_bricks(), 5e-12);
  EXPECT_GT(rest(again, start, with_band(0.0), 5).most_solves, 5) << "or this test shows nothing";
}

TEST(HeldGaps, NothingDriftsAtRest) {
  const Multibody system(three_bricks());
  const Rest still = rest(system, start_of(system), with_band(band), 1000);
  EXPECT_LT(still.penetration, 1e-12);
  EXPECT_LT(still.moved, 1e-12);
  EXPECT_EQ(still.most_solves, 1);
}

// What is deeper than the band is no rounding.
TEST(HeldGaps, OutsideTheBandGapsClose) {
  const Multibody system(three_bricks());
  State state = start_of(system);
  for (int body = 0; body < 3; ++body) state.q[7 * body + 2] -= 2.0 * band * (body < 2 ? 1.0 : 2.0);
  const Rest risen = rest(system, state, with_band(band), 10);
  EXPECT_LT(risen.penetration, 1e-12);
  EXPECT_EQ(risen.not_full, 0);
}

/// The widest of the gaps below a box that has fallen by `height`, in the step in which it lands.
double gap_after_landing(double height) {
  ModelBuilder builder;
  builder.add_ground(HalfSpace{}, {.mu = 0.5});
  builder.add_body({.mass = 1.0, .shape = Box{0.2, 0.2, 0.2}, .position = {0, 0, 0.1 + height}});
  const Multibody system(builder.build().value());
  TimeStepper stepper(system, with_band(band));
  State state = start_of(system);
  StepReport report;
  GapSet gaps;
  for (int step = 0; step < 100; ++step) {
    EXPECT_TRUE(stepper.step(state, h, report));
    if (report.contacts.empty() || report.contacts.front().c_n == 0.0) continue;
    system.find_gaps(state.t, state.q, 1e-3, gaps);
    EXPECT_EQ(gaps.size(), 4);
    double widest = 0.0;
    for (const ContactPoint& contact : gaps.contacts) widest = std::max(widest, std::abs(contact.Phi));
    return widest;
  }
  ADD_FAILURE() << "it does not land";
  return 0.0;
}

TEST(HeldGaps, ContactsThatComeCloseExactly) {
  for (const double height : {5e-8, 1e-6, 1e-3}) EXPECT_LT(gap_after_landing(height), 1e-12) << height;
}

TEST(HeldGaps, HeldContactsOpen) {
  const Multibody system(three_bricks());
  TimeStepper stepper(system, with_band(band));
  State state = start_of(system);
  StepReport report;
  for (int step = 0; step < 5; ++step) ASSERT_TRUE(stepper.step(state, h, report));
  state.v[14] = 0.2;  // of the brick on top, upwards
  ASSERT_TRUE(stepper.step(state, h, report));
  EXPECT_NEAR(state.v[14], 0.2 - 9.81 * h, 1e-12);
  EXPECT_NEAR(state.q[16], 0.15 + h * state.v[14], 1e-12);
}

/// What is held after a step that ended at rest at a position.
class Noted {
 public:
  Noted(Model model, const SchemeOptions& chosen) : options(chosen), system(std::move(model)), held(system, options) {}

  /// Body by body, how far each lies above its place.
  void end_step(std::initializer_list<double> heights) {
    state = start_of(system);
    Eigen::Index z = 2;
    for (const double height : heights) {
      state.q[z] += height;
      z += 7;
    }
    StepAssembly assembly(system);
    assembly.linearise(0.0, state.q, state.q, state.v, h, 0.5);
    assembly.look(0.0, state.q, 1e-5);
    assembly.begin_constraints();
    for (int i = 0; i < assembly.gaps().size(); ++i) assembly.add_contact(assembly.gaps(), i, 0.0);
    for (int i = 0; i < assembly.joints().size(); ++i) assembly.add_joint(i, 0.0);
    StepSolution solution;
    solution.v = state.v;
    gaps = assembly.gaps();
    held.note(state.q, gaps, assembly.problem(), solution, h, {});
  }
  [[nodiscard]] int count() const {
    int count = 0;
    for (const ContactPoint& contact : gaps.contacts) count += held.is_held(contact.id) ? 1 : 0;
    return count;
  }
  [[nodiscard]] double widest() {
    system.find_gaps(0.0, state.q, 1e-5, gaps);
    double widest = 0.0;
    for (const ContactPoint& contact : gaps.contacts) widest = std::max(widest, std::abs(contact.Phi));
    return widest;
  }

  SchemeOptions options;
  Multibody system;
  HeldGaps held;
  State state;
  GapSet gaps;
};

TEST(HeldGaps, AreThoseOfRedundantIslandsWithinTheBand) {
  Noted bricks(three_bricks(), with_band(band));
  bricks.end_step({-0.1 * band, 0.0, 0.1 * band});
  EXPECT_EQ(bricks.gaps.size(), 16);
  EXPECT_EQ(bricks.count(), 16);
  for (const ContactPoint& contact : bricks.gaps.contacts) EXPECT_EQ(bricks.held.find(contact.id), contact.Phi);
  bricks.end_step({-1.1 * band, -1.1 * band, 0.0});
  EXPECT_EQ(bricks.count(), 0) << "eight are deeper, eight wider";
  bricks.end_step({0.0, 0.0, 1.1 * band});
  EXPECT_EQ(bricks.count(), 8) << "those of the bricks below";

  ModelBuilder builder;
  builder.add_ground(HalfSpace{}, {.mu = 0.5});
  builder.add_body({.mass = 1.0, .shape = Sphere{0.1}, .position = {0, 0, 0.1}});
  Noted ball(builder.build().value(), with_band(band));
  ball.end_step({-0.1 * band});
  EXPECT_EQ(ball.gaps.size(), 1);
  EXPECT_EQ(ball.count(), 0);
}

// A tighter contact tolerance tightens the band: what is held is within what a full step may leave.
TEST(HeldGaps, TheContactToleranceBoundsTheBand) {
  SchemeOptions options = with_band(1e-5);
  options.contact_tolerance = 0.1 * band;
  Noted bricks(three_bricks(), options);
  bricks.end_step({-0.2 * band, -0.2 * band, -0.2 * band});
  EXPECT_EQ(bricks.count(), 8) << "between bricks nothing is amiss";
}

TEST(HeldGaps, AnotherStateIsTakenAsItIs) {
  Noted bricks(three_bricks(), with_band(band));
  bricks.end_step({0.0, 0.0, 0.0});
  bricks.state.q[0] += 1e-15;
  bricks.held.begin(bricks.state);
  EXPECT_EQ(bricks.count(), 0);
}

// From half of the band on it is taken out of the positions, at once for the bricks that have sunk and for the one that
// they have left behind.
TEST(HeldGaps, WhatAddsUpIsMended) {
  Noted bricks(three_bricks(), with_band(band));
  bricks.end_step({-0.4 * band, -0.4 * band, -0.4 * band});
  bricks.held.begin(bricks.state);
  EXPECT_NEAR(bricks.widest(), 0.4 * band, 1e-15) << "not yet";
  bricks.end_step({-0.6 * band, -0.6 * band, -0.1 * band});
  bricks.held.begin(bricks.state);
  EXPECT_LT(bricks.widest(), 1e-12);
  EXPECT_EQ(bricks.count(), 16);
  for (const ContactPoint& contact : bricks.gaps.contacts) EXPECT_EQ(bricks.held.find(contact.id), contact.Phi);
}

// A brick that has sunk, with a plate above it that leaves no room: it stays where it is.
TEST(HeldGaps, NothingIsMendedAtTheExpenseOfAnother) {
  ModelBuilder builder;
  builder.add_ground(HalfSpace{}, {.mu = 0.5});
  builder.add_body({.mass = 1.0, .shape = Box{0.2, 0.2, 0.2}, .position = {0, 0, 0.1}});
  builder.add_body({.shape = HalfSpace{-Vec3::UnitZ(), -0.2 + 1.2 * band}, .fixed = true});
  Noted box(builder.build().value(), with_band(band));
  box.end_step({-0.6 * band});
  EXPECT_EQ(box.gaps.size(), 8);
  const Vector before = box.state.q;
  box.held.begin(box.state);
  EXPECT_EQ(box.state.q, before);
  EXPECT_EQ(box.count(), 8) << "and is held there";
}

}  // namespace
}  // namespace stiction
