#include <gtest/gtest.h>

#include <cmath>
#include <iostream>

#include "stiction/schemes/test/random_scene.h"
#include "stiction/schemes/time_stepper.h"

/// What must hold at every step of every scene, whatever the options.
namespace stiction {
namespace {

struct Worst {
  double energy = 0.0, momentum = 0.0, joints = 0.0, residual = 0.0, penetration = 0.0;
  long steps = 0, contacts = 0, relaxed = 0, unconverged = 0, uncertified = 0;

  void add(const StepReport& report) {
    energy = std::max(energy, report.certificate.energy_defect);
    momentum = std::max(momentum, report.certificate.momentum_defect);
    joints = std::max(joints, report.certificate.equality_residual);
    residual = std::max(residual, report.certificate.residual);
    relaxed += report.relaxed;
    unconverged += !report.converged;
    uncertified += !report.certificate.certified();
    contacts += static_cast<long>(report.contacts.size());
    ++steps;
  }
  void print(const char* what) const {
    std::cout << what << ": " << steps << " steps, " << contacts << " contacts, energy " << energy << ", momentum "
              << momentum << ", joints " << joints << ", residual " << residual << ", penetration " << penetration
              << ", relaxed " << relaxed << ", not converged " << unconverged << "\n";
  }
};

class EveryScheme : public testing::TestWithParam<Scheme> {};

// DESIGN.md, section 5: energy identity, momentum and joints to 1e-10, the laws to 1e-8.
TEST_P(EveryScheme, StepsOfRandomScenesAreCertified) {
  Random random(19961997);
  Worst worst;
  const int trials = is_theta_family(GetParam()) ? 60 : 200;  // they try a step again where something sticks or slips
  for (int trial = 0; trial < trials; ++trial) {
    const RandomSceneOptions kind{.kinematic = trial % 4 == 3, .restitution = trial % 2 == 0 ? 0.0 : 1.0};
    const Multibody system(random_scene(random, kind));
    const SchemeOptions options = random_options(random, GetParam());
    const double h = std::pow(10.0, random.uniform(-3.0, -2.0));
    TimeStepper stepper(system, options);
    State state = start_of(system);
    StepReport report;
    for (int step = 0; step < 30; ++step) {
      ASSERT_TRUE(stepper.step(state, h, report)) << trial << " step " << step;
      worst.add(report);
      EXPECT_TRUE(report.certificate.certified())
          << trial << " step " << step << ": residual " << report.certificate.residual << ", energy "
          << report.certificate.energy_defect << ", momentum " << report.certificate.momentum_defect << ", joints "
          << report.certificate.equality_residual;
      if (options.scheme == Scheme::stewart_trinkle && !options.linear && !report.relaxed) {
        EXPECT_TRUE(report.converged) << trial << " step " << step;
        worst.penetration = std::max(worst.penetration, report.penetration);
        EXPECT_LE(report.penetration, 1e-10) << trial << " step " << step;
        EXPECT_LE(report.joint_error, 1e-10) << trial << " step " << step;
      }
    }
  }
  worst.print(std::string(to_string(GetParam())).c_str());
  EXPECT_LE(worst.energy, 1e-10);
  EXPECT_LE(worst.momentum, 1e-10);
  EXPECT_GT(worst.contacts, worst.steps);  // there was something to see
}

INSTANTIATE_TEST_SUITE_P(Schemes, EveryScheme,
                         testing::Values(Scheme::stewart_trinkle, Scheme::anitescu_potra, Scheme::implicit_euler,
                                         Scheme::trapezoidal, Scheme::moreau_midpoint),
                         [](const auto& scheme) { return std::string(to_string(scheme.param)); });

}  // namespace
}  // namespace stiction
