// Springs and dampers of any stiffness: no step may blow up, and what a step can follow keeps its energy.
#include <gtest/gtest.h>

#include <cmath>

#include "stiction/model/model_builder.h"
#include "stiction/model/multibody.h"
#include "stiction/schemes/time_stepper.h"

namespace stiction {
namespace {

struct Chain {
  double stiffness = 0.0, damping = 0.0, length = 1.0;
  int masses = 1;
};

/// Masses of 1 kg below each other on springs from the ceiling, started 0.1 m off to the side and down.
Model hang(const Chain& chain) {
  ModelBuilder builder;
  builder.set_gravity({0.0, 0.0, -10.0});
  BodyId above = world;
  for (int i = 0; i < chain.masses; ++i) {
    const Vec3 at(0.1, 0.0, -(i + 1.1) * chain.length),
        hook(above == world ? 0.0 : 0.1, 0.0, -(i + 0.1) * chain.length);
    const BodyId body = builder.add_body({.mass = 1.0, .position = at, .freedom = Freedom::particle()});
    builder.add_spring({.body = body,
                        .partner = above,
                        .anchor = at,
                        .partner_anchor = above == world ? Vec3(Vec3::Zero()) : hook,
                        .stiffness = chain.stiffness,
                        .damping = chain.damping,
                        .length = chain.length});
    above = body;
  }
  return builder.build().value();
}

struct Outcome {
  double highest = 0.0, final_energy = 0.0;
  Vector q, v;
};

Outcome run(const Model& model, Scheme scheme, double h, double end) {
  const Multibody system(model);
  TimeStepper stepper(system, preset(scheme));
  State state{0.0, system.initial_positions(), system.initial_velocities(), system.initial_velocities()};
  Outcome result;
  const double start = system.kinetic_energy(state.v) + system.potential_energy(0.0, state.q);
  result.highest = start;
  StepReport report;
  for (int i = 0; i < static_cast<int>(std::lround(end / h)); ++i) {
    EXPECT_TRUE(stepper.step(state, h, report)) << i;
    EXPECT_TRUE(report.certificate.certified()) << i;
    const double energy = system.kinetic_energy(state.v) + system.potential_energy(state.t, state.q);
    result.highest = std::max(result.highest, energy);
    result.final_energy = energy;
  }
  result.highest -= start;
  result.q = state.q;
  result.v = state.v;
  return result;
}

class StiffForces : public testing::TestWithParam<Scheme> {};

// h^2 k/m = 1e2 to 1e8 and h c/m = 10 to 1e6; explicit steps blow up from 4 and 2.
TEST_P(StiffForces, NothingBlowsUp) {
  const double h = 0.01;
  for (const double stiffness : {1e6, 1e9, 1e12})
    for (const double damping : {0.0, 1e3, 1e8})
      for (const int masses : {1, 5}) {
        const Outcome result =
            run(hang({.stiffness = stiffness, .damping = damping, .masses = masses}), GetParam(), h, 2.0);
        EXPECT_LT(result.highest, 0.1 * masses * 10.0) << stiffness << ' ' << damping << ' ' << masses;
      }
}

TEST_P(StiffForces, AStiffDamperStopsAMassAsImplicitEulerDoes) {
  const double h = 0.01, damping = 1e5;
  ModelBuilder builder;
  builder.set_gravity(Vec3::Zero());
  const BodyId body = builder.add_body({.mass = 1.0, .velocity = Vec3::UnitX(), .freedom = Freedom::along_x()});
  builder.add_spring({.body = body, .partner_anchor = {-1.0, 0.0, 0.0}, .damping = damping});
  const Outcome result = run(builder.build().value(), GetParam(), h, h);
  EXPECT_NEAR(result.v[0], 1.0 / (1.0 + h * damping), 1e-15);
}

// At rest a stiff spring is stretched by m g/k, whatever the step.
TEST_P(StiffForces, ComesToRestWhereItShould) {
  const double stiffness = 1e5;
  for (const double h : {0.01, 0.05}) {
    const Outcome result = run(hang({.stiffness = stiffness, .damping = 1e3, .length = 0.0}), GetParam(), h, 20.0);
    EXPECT_NEAR(result.q[2], -10.0 / stiffness, 1e-9) << h;
    EXPECT_NEAR(result.q[0], 0.0, 1e-9) << h;
    EXPECT_NEAR(result.v.norm(), 0.0, 1e-9) << h;
  }
}

// 60 steps a period are followed explicitly: an implicit step would have lost nearly all of the energy in 10 s.
TEST_P(StiffForces, WhatAStepCanFollowIsNotDamped) {
  if (GetParam() == Scheme::stewart_trinkle) GTEST_SKIP() << "forces at q + h v/2 lose energy by themselves (1996, 25)";
  const Model model = hang({.stiffness = 100.0});
  const Multibody system(model);
  const double start = system.potential_energy(0.0, system.initial_positions());
  const Outcome result = run(model, GetParam(), 0.01, 10.0);
  EXPECT_NEAR(result.final_energy, start, 0.1);
}

// A pendulum on an unstretched spring: at position level the spring is taken where the step ends. At velocity level its
// direction is that of the start, and what it is stretched by the arc of a step is energy from nowhere.
TEST(StiffForcesAtPositionLevel, APendulumOnAStiffSpringGainsNothing) {
  for (const double stiffness : {1e6, 1e9, 1e12}) {
    ModelBuilder builder;
    const BodyId body = builder.add_body({.mass = 1.0, .position = {1.0, 0.0, 0.0}, .freedom = Freedom::particle()});
    builder.add_spring({.body = body, .anchor = {1.0, 0.0, 0.0}, .stiffness = stiffness});
    const Outcome result = run(builder.build().value(), Scheme::stewart_trinkle, 0.01, 2.0);
    EXPECT_LE(result.highest, 1e-9) << stiffness;
  }
}

// Each of them could be followed, all of them not.
TEST_P(StiffForces, ManySoftSpringsAndDampersAreStiffTogether) {
  const double h = 0.01, share = 0.095;
  for (const bool dampers : {true, false}) {
    ModelBuilder builder;
    builder.set_gravity(Vec3::Zero());
    const BodyId body = builder.add_body({.mass = 1.0, .velocity = {1.0, 0.3, 0.0}, .freedom = Freedom::particle()});
    for (int i = 0; i < 60; ++i)
      builder.add_spring({.body = body,
                          .partner_anchor = {-1.0, 0.02 * i, 0.0},
                          .stiffness = dampers ? 0.0 : share / (h * h),
                          .damping = dampers ? share / h : 0.0});
    EXPECT_LE(run(builder.build().value(), GetParam(), h, 1.0).highest, 1e-9) << dampers;
  }
}

// A cable: light nodes under a load, stiff across as much as along.
TEST_P(StiffForces, ACableUnderTensionStaysQuiet) {
  ModelBuilder builder;
  BodyId above = world;
  const int nodes = 8;
  for (int i = 0; i < nodes; ++i) {
    const bool last = i == nodes - 1;
    const Vec3 at(0.01 * (i % 2), 0.0, -0.25 * (i + 1)),
        hook = above == world ? Vec3(Vec3::Zero()) : Vec3(0.01 * ((i - 1) % 2), 0.0, -0.25 * i);
    const BodyId node = builder.add_body({.mass = last ? 200.0 : 0.05, .position = at, .freedom = Freedom::particle()});
    builder.add_spring(
        {.body = node, .partner = above, .anchor = at, .partner_anchor = hook, .stiffness = 2e6, .damping = 100.0});
    above = node;
  }
  EXPECT_LE(run(builder.build().value(), GetParam(), 5e-3, 2.0).highest, 1e-3);
}

// A mass that a stiff spring ties to a moving body moves with it, neither ahead nor behind.
TEST_P(StiffForces, ASpringOnAMovingBodyKeepsItsLength) {
  for (const double stiffness : {1e3, 1e9}) {
    ModelBuilder builder;
    builder.set_gravity(Vec3::Zero());
    const BodyId cart = builder.add_body({.position = {-1.0, 0.0, 0.0}, .velocity = Vec3::UnitX(), .kinematic = true});
    const BodyId body = builder.add_body({.mass = 1.0, .velocity = Vec3::UnitX(), .freedom = Freedom::particle()});
    builder.add_spring({.body = body, .partner = cart, .partner_anchor = {-1.0, 0.0, 0.0}, .stiffness = stiffness});
    const Outcome result = run(builder.build().value(), GetParam(), 0.01, 1.0);
    EXPECT_NEAR(result.q[0], 1.0, 1e-12) << stiffness;
  }
}

INSTANTIATE_TEST_SUITE_P(Schemes, StiffForces, testing::Values(Scheme::stewart_trinkle, Scheme::anitescu_potra),
                         [](const auto& tested) { return std::string(to_string(tested.param)); });

}  // namespace
}  // namespace stiction
