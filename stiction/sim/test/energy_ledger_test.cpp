#include <gtest/gtest.h>

#include <cmath>

#include "stiction/sim/simulator.h"

namespace stiction {
namespace {

constexpr double g = 9.81;

/// A low box of 2 kg on a floor with mu = 0.3, at 1.5 m/s.
Model make_sliding() {
  ModelBuilder builder;
  builder.add_ground(HalfSpace{}, {.mu = 0.3});
  builder.add_body({.name = "box",
                    .mass = 2.0,
                    .shape = Box{1.0, 1.0, 0.1},
                    .material = {.mu = 0.3},
                    .position = {0.0, 0.0, 0.05},
                    .velocity = {1.5, 0.0, 0.0}});
  return builder.build().value();
}

// The trapezoidal rule is exact under a constant force: all of the kinetic energy becomes heat, and nothing is left.
TEST(EnergyLedger, WhatSlidesToRestBecomesHeat) {
  Simulator sim(make_sliding(), {.h = 1e-3, .scheme = preset(Scheme::trapezoidal)});
  ASSERT_TRUE(sim.run_until(0.3).ok());
  const double slowed = 1.5 - 0.3 * g * 0.3, lost = 0.5 * 2.0 * (1.5 * 1.5 - slowed * slowed);
  EXPECT_NEAR(sim.energy().dissipated.contacts, lost, 1e-9);
  EXPECT_NEAR(sim.energy().rest(), 0.0, 1e-9);
  ASSERT_TRUE(sim.run_until(1.0).ok());
  EXPECT_NEAR(sim.energy().dissipated.contacts, 0.5 * 2.0 * 1.5 * 1.5, 1e-3) << "it stands";
  EXPECT_EQ(sim.energy().dissipated.joints, 0.0);
}

// An implicit step of the same loses m (mu g h)^2 / 2 of its own: v+ (v+ - v) is not the difference of the squares.
TEST(EnergyLedger, WhatTheSchemeTakesIsTheRest) {
  constexpr double h = 1e-3;
  for (const Scheme scheme : {Scheme::stewart_trinkle, Scheme::anitescu_potra, Scheme::implicit_euler}) {
    Simulator sim(make_sliding(), {.h = h, .scheme = preset(scheme)});
    ASSERT_TRUE(sim.run_until(0.3).ok());
    EXPECT_NEAR(sim.energy().rest(), 300 * 0.5 * 2.0 * std::pow(0.3 * g * h, 2), 1e-8) << to_string(scheme);
    EXPECT_GT(sim.energy().dissipated.contacts, 1.0);
  }
}

TEST(EnergyLedger, AnImpactTakesWhatItsLawSays) {
  constexpr double height = 0.5, e = 0.6;
  ModelBuilder builder;
  builder.add_ground(HalfSpace{}, {.restitution = e});
  builder.add_body({.name = "ball",
                    .mass = 3.0,
                    .shape = Sphere{0.1},
                    .material = {.restitution = e},
                    .position = {0.0, 0.0, 0.1 + height}});
  Simulator sim(builder.build().value(), {.h = 1e-3, .scheme = preset(Scheme::trapezoidal)});
  ASSERT_TRUE(sim.run_until(0.4).ok()) << "one bounce, after 0.319 s";
  EXPECT_NEAR(sim.energy().dissipated.impacts, (1.0 - e * e) * 3.0 * g * height, 1e-6);
  EXPECT_NEAR(sim.energy().dissipated.contacts, 0.0, 1e-12);
  EXPECT_NEAR(sim.energy().rest(), 0.0, 1e-6);
}

// A cart of 2 kg at 3 m/s on a rail that rubs with 4 N stops after 1.5 s and 2.25 m.
TEST(EnergyLedger, FrictionInJointsIsKeptApart) {
  ModelBuilder builder;
  const BodyId cart =
      builder.add_body({.name = "cart", .mass = 2.0, .inertia = Mat3(Mat3::Identity()), .velocity = {3.0, 0.0, 0.0}});
  builder.add_joint(
      {.name = "rail", .kind = JointKind::prismatic, .body = cart, .axis = {1, 0, 0}, .slide = {.friction = 4.0}});
  Simulator sim(builder.build().value(), {.h = 1e-3, .scheme = preset(Scheme::trapezoidal)});
  ASSERT_TRUE(sim.run_until(1.0).ok());
  EXPECT_NEAR(sim.energy().dissipated.joints, 4.0 * (3.0 - 1.0), 1e-9) << "4 N over 2 m";
  EXPECT_NEAR(sim.energy().rest(), 0.0, 1e-9);
  ASSERT_TRUE(sim.run_until(2.0).ok());
  EXPECT_NEAR(sim.energy().dissipated.joints, 9.0, 1e-2) << "all of it";
}

TEST(EnergyLedger, ANewStateBeginsANewLedger) {
  Simulator sim(make_sliding(), {.h = 1e-3, .scheme = preset(Scheme::trapezoidal)});
  ASSERT_TRUE(sim.run_until(0.1).ok());
  ASSERT_GT(sim.energy().dissipated.contacts, 0.1);
  sim.set_state(sim.state());
  EXPECT_EQ(sim.energy().dissipated.sum(), 0.0);
  EXPECT_EQ(sim.energy().rest(), 0.0);
}

}  // namespace
}  // namespace stiction
