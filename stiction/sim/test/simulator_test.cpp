#include "stiction/sim/simulator.h"

#include <gtest/gtest.h>

namespace stiction {

namespace {

Model ball_on_floor(double height, double restitution, Vec3 velocity = Vec3::Zero()) {
  ModelBuilder builder;
  builder.add_ground(HalfSpace{}, {.mu = 0.4, .restitution = restitution});
  builder.add_body({.name = "ball",
                    .mass = 1.0,
                    .shape = Sphere{0.1},
                    .material = {.mu = 0.4, .restitution = restitution},
                    .position = {0, 0, 0.1 + height},
                    .velocity = velocity});
  return builder.build().value();
}

SimulationOptions with(Scheme scheme, double h = 1e-3) {
  return {.h = h, .scheme = preset(scheme)};
}

TEST(Simulator, EndsExactlyWhereItShould) {
  Simulator sim(ball_on_floor(1.0, 0.0), with(Scheme::stewart_trinkle, 0.003));
  const Result<long> steps = sim.run_until(0.1);
  ASSERT_TRUE(steps.ok());
  EXPECT_EQ(steps.value(), 34);
  EXPECT_EQ(sim.time(), 0.1);
  EXPECT_EQ(sim.run_until(0.1).value(), 0);
}

TEST(Simulator, StopsWhenAsked) {
  Simulator sim(ball_on_floor(1.0, 0.0), with(Scheme::stewart_trinkle));
  int left = 5;
  EXPECT_EQ(sim.run_until(1.0, [&] { return --left > 0; }).value(), 5);
}

TEST(Simulator, KeepsTheBooks) {
  Simulator sim(ball_on_floor(1.0, 0.5), with(Scheme::anitescu_potra));
  ASSERT_TRUE(sim.run_until(2.0).ok());
  EXPECT_EQ(sim.certificate().uncertified_steps, 0);
  EXPECT_NEAR(sim.energy().initial, 9.81 * 1.1, 1e-12);
  EXPECT_NEAR(sim.kinetic_energy() + sim.potential_energy(), 9.81 * 0.1, 1e-5);
  EXPECT_EQ(sim.events().front().kind, EventKind::impact);
  EXPECT_NEAR(sim.events().front().time, std::sqrt(2.0 / 9.81), 1e-3);
}

TEST(Simulator, AtRestNothingHappens) {
  for (const Scheme scheme : {Scheme::stewart_trinkle, Scheme::anitescu_potra}) {
    Simulator sim(ball_on_floor(0.0, 0.5), with(scheme));
    ASSERT_TRUE(sim.run_until(0.1).ok());
    EXPECT_TRUE(sim.events().empty()) << to_string(scheme);
    EXPECT_NEAR(sim.pose(BodyId{1}).position.z(), 0.1, 1e-12);
  }
}

TEST(Simulator, ASlidingStartThatSticksIsOneEvent) {
  Simulator sim(ball_on_floor(0.0, 0.0, {1, 0, 0}), with(Scheme::stewart_trinkle));
  ASSERT_TRUE(sim.run_until(0.2).ok());
  ASSERT_EQ(sim.events().size(), 1U);
  EXPECT_EQ(sim.events().front().kind, EventKind::stick);
  EXPECT_NEAR(sim.events().front().time, 2.0 / (7.0 * 0.4 * 9.81), 2e-3);
}

TEST(Simulator, ANewStateForgetsTheOldContacts) {
  // The ball lies on the floor and then falls on it anew: it must bounce, not be stopped as one that lay there.
  Simulator sim(ball_on_floor(0.0, 0.5), with(Scheme::anitescu_potra));
  ASSERT_TRUE(sim.run_until(0.05).ok());
  State state = sim.state();
  state.v[2] = -2.0;
  sim.set_state(state);
  ASSERT_TRUE(sim.run_until(0.052).ok());
  EXPECT_NEAR(sim.velocity(BodyId{1}).z(), 1.0, 0.05);
}

TEST(Simulator, AForceThatIsNotFiniteEndsTheRunAndIsNamed) {
  ModelBuilder builder;
  const BodyId id = builder.add_body({.mass = 1.0, .shape = Sphere{0.1}, .freedom = Freedom::particle()});
  const auto formula = Expression::parse("sqrt(0.01 - t)", force_variables);
  builder.add_force({.name = "fading", .body = id, .force = VectorFormula({formula.value(), {}, {}})});
  Simulator sim(builder.build().value(), with(Scheme::stewart_trinkle));
  const Result<long> result = sim.run_until(1.0);
  ASSERT_FALSE(result.ok());
  EXPECT_NE(result.error().find("t = 0.01 s"), std::string::npos) << result.error();
  EXPECT_NE(result.error().find("force 'fading'"), std::string::npos) << result.error();
  EXPECT_TRUE(sim.state().v.allFinite());
}

TEST(Simulator, OptionsThatNoSchemeCanDoAreRefused) {
  SimulationOptions options = with(Scheme::anitescu_potra);
  options.scheme.stabilisation = 2.0;
  Simulator sim(ball_on_floor(1.0, 0.0), options);
  EXPECT_FALSE(sim.run_until(1.0).ok());
}

}  // namespace

}  // namespace stiction
