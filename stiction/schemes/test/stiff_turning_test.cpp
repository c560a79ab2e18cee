// A stiff spring that turns leaves its line by (h v)^2/2L in a step: the one linear problem of a step does not see it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "stiction/model/model_builder.h"
#include "stiction/model/multibody.h"
#include "stiction/schemes/time_stepper.h"

namespace stiction {
namespace {

/// 1 kg on a spring of 1 m, let go at the horizontal x = -1: the pendulum of case 13 where the spring is stiff.
Model pendulum(double stiffness, double damping) {
  ModelBuilder builder;
  builder.set_gravity({0.0, -9.81, 0.0});
  const BodyId bob = builder.add_body({.mass = 1.0, .position = {-1.0, 0.0, 0.0}, .freedom = Freedom::particle()});
  builder.add_spring({.body = bob,
                      .partner = world,
                      .anchor = {-1.0, 0.0, 0.0},
                      .stiffness = stiffness,
                      .damping = damping,
                      .length = 1.0});
  return builder.build().value();
}

struct Outcome {
  Vec3 place = Vec3::Zero();
  double gain = 0.0;  ///< Of energy, at most.
};

Outcome run(const Model& model, Scheme scheme, double h, double end) {
  const Multibody system(model);
  TimeStepper stepper(system, preset(scheme));
  State state{0.0, system.initial_positions(), system.initial_velocities(), system.initial_velocities()};
  Outcome result;
  StepReport report;
  for (int i = 0; i < std::lround(end / h); ++i) {
    EXPECT_TRUE(stepper.step(state, h, report) && report.certified(1e-8)) << "at " << state.t;
    result.gain = std::max(result.gain, system.kinetic_energy(state.v) + system.potential_energy(0.0, state.q));
  }
  result.place = system.pose(BodyId{0}, state.t, state.q).position;
  return result;
}

// The rigid pendulum is at (-0.275087462577, -0.961419205099) after 10 s.
TEST(StiffTurning, APendulumOnAStiffSpringIsOneOnARod) {
  for (const double damping : {0.0, 1e5}) {
    double last = 0.0;
    for (const double h : {0.01, 0.005}) {
      const Outcome found = run(pendulum(1e9, damping), Scheme::trapezoidal, h, 10.0);
      const double error = (found.place - Vec3(-0.275087462577, -0.961419205099, 0.0)).norm();
      std::printf("damping %g, h = %g: error %.2e m, energy gained %.1e J\n", damping, h, error, found.gain);
      EXPECT_LE(error, 500.0 * h * h);
      EXPECT_LE(found.gain, 1e-3);
      if (last > 0.0) {
        EXPECT_NEAR(last / error, 4.0, 0.6);
      }
      last = error;
    }
  }
}

TEST(StiffTurning, NoSchemeOfTheFamilyGainsEnergy) {
  for (const Scheme scheme : {Scheme::trapezoidal, Scheme::implicit_euler, Scheme::moreau_midpoint})
    for (const double stiffness : {1e5, 1e7, 1e9})
      for (const double h : {0.02, 0.003})
        EXPECT_LE(run(pendulum(stiffness, 0.0), scheme, h, 3.0).gain, 2e-3)
            << to_string(scheme) << ", stiffness " << stiffness << ", h = " << h;
}

}  // namespace
}  // namespace stiction
