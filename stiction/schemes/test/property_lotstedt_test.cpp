#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iostream>

#include "stiction/schemes/test/random_scene.h"
#include "stiction/schemes/time_stepper.h"

/// What must hold at every step of the event-driven method, on random scenes without friction.
namespace stiction {
namespace {

struct Tally {
  double residual = 0.0, joints = 0.0, momentum = 0.0, energy = 0.0, penetration = 0.0, joint_error = 0.0;
  long steps = 0, events = 0, relaxed = 0, solves = 0;

  void add(const StepReport& report) {
    residual = std::max(residual, report.certificate.residual);
    joints = std::max(joints, report.certificate.equality_residual);
    momentum = std::max(momentum, report.certificate.momentum_defect);
    energy = std::max(energy, report.certificate.energy_defect);
    penetration = std::max(penetration, report.penetration);
    joint_error = std::max(joint_error, report.joint_error);
    ++steps;
    events += static_cast<long>(report.events.size());
    relaxed += report.relaxed;
    solves += report.solves;
  }
};

TEST(LotstedtProperty, StepsOfRandomScenesAreCertified) {
  Random random(19820402);
  Tally tally;
  for (int trial = 0; trial < 30; ++trial) {
    const Multibody system(random_scene(
        random, {.kinematic = trial % 4 == 3, .restitution = trial % 2 == 0 ? 0.0 : 1.0, .friction = false}));
    SchemeOptions options = preset(Scheme::lotstedt);
    options.integration_tolerance = 1e-8;
    const double h = std::pow(10.0, random.uniform(-3.0, -1.5));
    TimeStepper stepper(system, options);
    State state = start_of(system);
    StepReport report;
    for (int step = 0; step < 30; ++step) {
      ASSERT_TRUE(stepper.step(state, h, report)) << trial << " step " << step;
      tally.add(report);
      EXPECT_TRUE(report.certificate.certified())
          << trial << " step " << step << ": residual " << report.certificate.residual << ", energy "
          << report.certificate.energy_defect << ", momentum " << report.certificate.momentum_defect << ", joints "
          << report.certificate.equality_residual;
      EXPECT_LE(report.penetration, 1e-9) << trial << " step " << step;
      EXPECT_LE(report.joint_error, 1e-12) << trial << " step " << step;
    }
  }
  std::cout << tally.steps << " steps, " << tally.events << " events, " << tally.solves << " problems, residual "
            << tally.residual << ", joints " << tally.joints << ", momentum " << tally.momentum << ", energy "
            << tally.energy << ", penetration " << tally.penetration << ", joint error " << tally.joint_error
            << ", relaxed " << tally.relaxed << "\n";
  EXPECT_GT(tally.events, tally.steps / 10);
  EXPECT_EQ(tally.relaxed, 0);
}

// Without springs, forces and moving bodies, nothing but impacts takes energy, and nothing gives it.
TEST(LotstedtProperty, EnergyIsKeptButForImpacts) {
  Random random(19820403);
  double worst = 0.0;
  int smooth = 0;
  for (int trial = 0; trial < 40; ++trial) {
    const Multibody system(random_scene(random, {.springs = false, .friction = false}));
    SchemeOptions options = preset(Scheme::lotstedt);
    TimeStepper stepper(system, options);
    State state = start_of(system);
    StepReport report;
    ASSERT_TRUE(stepper.step(state, 0.01, report));  // takes an inconsistent start up
    const auto energy = [&] { return system.kinetic_energy(state.v) + system.potential_energy(state.t, state.q); };
    const double scale = system.kinetic_energy(state.v) + 1.0;
    double before = energy();
    for (int step = 0; step < 20; ++step) {
      ASSERT_TRUE(stepper.step(state, 0.01, report));
      const double now = energy();
      const bool has_impact = std::any_of(report.events.begin(), report.events.end(),
                                          [](const Event& event) { return event.kind == EventKind::impact; });
      EXPECT_LE(now - before, 1e-8 * scale) << trial << " step " << step;
      if (!has_impact) {
        worst = std::max(worst, std::abs(now - before) / scale);
        ++smooth;
      }
      before = now;
    }
  }
  std::cout << smooth << " steps without impact, energy kept to " << worst << "\n";
  EXPECT_LE(worst, 1e-8);
  EXPECT_GT(smooth, 300);
}

}  // namespace
}  // namespace stiction
