#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "stiction/schemes/time_stepper.h"

/// Bounded multipliers (1982, (6.4)-(6.5)) in the event-driven method: dry friction and motors.
namespace stiction {
namespace {

/// A block on a line, on a spring to the origin and under a load, which may come at a time, with one drive.
class DrivenBlock final : public System {
 public:
  double mass_of_it = 1.0, stiffness = 0.0, load = 0.0, load_from = -1.0;
  Drive drive = {.damping = Drive::unlimited};

  [[nodiscard]] int positions() const override { return 1; }
  [[nodiscard]] int velocities() const override { return 1; }
  void mass(double, const Vector&, SparseMatrix& M) const override {
    M.resize(1, 1);
    M.coeffRef(0, 0) = mass_of_it;
    M.makeCompressed();
  }
  void applied_force(double t, const Vector& q, const Vector&, Vector& k) const override {
    k = Vector::Constant(1, (t < load_from ? 0.0 : load) - stiffness * q[0]);
  }
  void advance(const Vector& q, const Vector& v, double h, Vector& q_new) const override { q_new = q + h * v; }
  void find_drives(double, const Vector&, double, DriveSet& drives) const override {
    drives.clear();
    drives.r.push(0, 1.0);
    drives.r.end_row();
    drives.drives.push_back(drive);
  }
  [[nodiscard]] double potential_energy(double, const Vector& q) const override {
    return 0.5 * stiffness * q[0] * q[0] - load * q[0];
  }
};

struct DriveRun {
  const DrivenBlock& block;
  State state;
  StepReport report;
  TimeStepper stepper;
  std::vector<Event> events = {};

  DriveRun(const DrivenBlock& system, double x, double v, double tolerance = 1e-11)
      : block(system), stepper(system, options(tolerance)) {
    state.q = Vector::Constant(1, x);
    state.v = state.v_alpha = Vector::Constant(1, v);
  }
  static SchemeOptions options(double tolerance) {
    SchemeOptions options = preset(Scheme::lotstedt);
    options.integration_tolerance = tolerance;
    return options;
  }
  void until(double end, double h) {
    while (end - state.t > 1e-12) {
      ASSERT_TRUE(stepper.step(state, std::min(h, end - state.t), report)) << state.t;
      EXPECT_TRUE(report.certificate.certified())
          << state.t << " " << report.certificate.residual << " " << report.certificate.equality_residual << " "
          << report.certificate.momentum_defect << " " << report.certificate.energy_defect;
      events.insert(events.end(), report.events.begin(), report.events.end());
    }
  }
};

// The closed forms' case 10: each half swing loses 2 mu m g/k; stops at x = 0.02912 after 8 pi/10 s.
TEST(LotstedtDrive, ABlockOnASpringStopsByDryFriction) {
  DrivenBlock block;
  block.stiffness = 100.0;
  block.drive.upper = 0.3 * 9.81;
  block.drive.lower = -block.drive.upper;
  const double loss = 2.0 * 0.3 * 9.81 / 100.0, half = std::numbers::pi / 10.0;
  for (const double h : {0.003, 0.05, 1.0}) {
    DriveRun run(block, 0.5, 0.0);
    for (int i = 1; i < 8; ++i) {
      run.until(i * half, h);
      EXPECT_NEAR(run.state.q[0], (i % 2 == 0 ? 1.0 : -1.0) * (0.5 - i * loss), 1e-9);
      EXPECT_NEAR(run.state.v[0], 0.0, 1e-8);
    }
    run.until(8 * half + 1e-6, h);
    EXPECT_NEAR(run.state.q[0], 0.02912, 1e-9);
    EXPECT_EQ(run.state.v[0], 0.0);
    run.until(4.0, h);
    EXPECT_NEAR(run.state.q[0], 0.02912, 1e-9);
    // It holds with what the spring pulls.
    const double before = run.state.t;
    run.until(before + 0.1, 0.1);
    EXPECT_NEAR(run.report.joint_impulses.at(0) / 0.1, 2.912, 1e-7);
  }
}

// m dv/dt = limit - load until it runs at its velocity, then it gives what the load takes.
TEST(LotstedtDrive, AMotorAtItsLimit) {
  DrivenBlock block;
  block.mass_of_it = 2.0;
  block.load = -2.0;
  block.drive = {.velocity = 1.5, .damping = Drive::unlimited, .lower = -3.0, .upper = 3.0};
  DriveRun run(block, 0.0, 0.0);
  run.until(2.0, 0.07);
  EXPECT_NEAR(run.state.v[0], 1.0, 1e-12);
  EXPECT_NEAR(run.state.q[0], 1.0, 1e-12);
  run.until(4.0, 0.07);
  EXPECT_NEAR(run.state.v[0], 1.5, 1e-12);
  EXPECT_NEAR(run.state.q[0], 3.75, 1e-9);
  run.until(4.1, 0.1);
  EXPECT_NEAR(run.report.joint_impulses.at(0) / 0.1, 2.0, 1e-9);
  block.load = -5.0;  // more than it can hold
  DriveRun lost(block, 0.0, 0.0);
  lost.until(1.0, 0.1);
  EXPECT_NEAR(lost.state.v[0], -1.0, 1e-12);
  EXPECT_NEAR(lost.report.joint_impulses.at(0) / 0.1, 3.0, 1e-9);
}

// A block on a belt: carried along until the spring pulls with the friction, then x = F/k + (v/w) sin w(t - t1). At
// each whole period its speed touches the belt's, where lambda is at its bound and has to leave it: the derivative
// decides.
TEST(LotstedtDrive, ABlockOnABeltIsCarriedThenSwings) {
  DrivenBlock block;
  block.stiffness = 100.0;
  block.drive = {.velocity = 0.2, .damping = Drive::unlimited, .lower = -3.0, .upper = 3.0};
  const double w = 10.0, t1 = 3.0 / 100.0 / 0.2;
  for (const double h : {0.011, 0.1}) {
    DriveRun run(block, 0.0, 0.2);
    run.until(t1, h);
    EXPECT_NEAR(run.state.q[0], 0.03, 1e-12);
    for (const double t : {0.3, 0.7, 1.3, 2.0}) {
      run.until(t, h);
      EXPECT_NEAR(run.state.q[0], 0.03 + 0.2 / w * std::sin(w * (t - t1)), 1e-7) << t;
    }
  }
}

// A damper and a spring with bounds follow their law.
TEST(LotstedtDrive, AServoFollowsItsLaw) {
  DrivenBlock block;
  block.load = 4.0;
  block.drive = {.velocity = 0.0, .damping = 2.0};
  DriveRun run(block, 0.0, 0.0);
  run.until(1.0, 0.1);  // dv/dt = 4 - 2 v
  EXPECT_NEAR(run.state.v[0], 2.0 * (1.0 - std::exp(-2.0)), 1e-9);
  block.drive.lower = -1.0;
  DriveRun bounded(block, 0.0, 0.0);
  bounded.until(2.0, 0.1);  // at v = 1/2, which is at t = ln(4/3)/2, the damper is at its bound
  const double t1 = 0.5 * std::log(4.0 / 3.0);
  EXPECT_NEAR(bounded.state.v[0], 0.5 + 3.0 * (2.0 - t1), 1e-8);
}

// Friction of 1 N gives way where 4 N come, whether that is the start, inside of a step or where one ends.
TEST(LotstedtDrive, SlipIsToldWhereverItBegins) {
  for (const double from : {0.0, 0.3, 0.3033, 0.5}) {
    DrivenBlock block;
    block.load = 4.0;
    block.load_from = from;
    block.drive = {.damping = Drive::unlimited, .lower = -1.0, .upper = 1.0, .event = 5};
    DriveRun run(block, 0.0, 0.0);
    run.until(1.0, 0.01);
    ASSERT_EQ(run.events.size(), 1U) << from;
    EXPECT_EQ(run.events[0].kind, EventKind::slip);
    EXPECT_EQ(run.events[0].contact, 5U);
    EXPECT_NEAR(run.events[0].time, from, 1e-10);
    EXPECT_NEAR(run.state.q[0], 1.5 * (1.0 - from) * (1.0 - from), 1e-9);
  }
}

}  // namespace
}  // namespace stiction
