// Rods, ball joints, strings and coins in steady motion: scenes against closed forms.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>

#include "stiction/model/joint_reaction.h"
#include "stiction/scene/test/scene_runs.h"

namespace stiction::scene::test {
namespace {

constexpr double g = 9.81, pi = std::numbers::pi;

/// Where a body is after t of a steady motion about the vertical through the origin.
Vec3 turned(const Vec3& start, double angle) {
  return Eigen::AngleAxisd(angle, Vec3::UnitZ()) * start;
}

/// The error of a body's place at a time, by scheme and step.
double place_error(const std::string& scene, const std::string& body, const std::string& scheme, double h, double time,
                   double rate) {
  SceneRun run(load(scene, {"/simulation/scheme=" + scheme}), h);
  const Vec3 start = run->pose(run.body(body)).position;
  run.until(time);
  EXPECT_TRUE(run.certified()) << scene << " " << scheme << ": " << run.why();
  return (run->pose(run.body(body)).position - turned(start, rate * time)).norm();
}

void expect_steady(const std::string& scene, const std::string& body, double rate, double time) {
  EXPECT_LE(place_error(scene, body, "lotstedt", 0.01, time, rate), 1e-8) << scene;
  for (const std::string scheme : {"stewart_trinkle", "anitescu_potra"}) {
    Convergence errors;
    for (const double h : {0.004, 0.002, 0.001}) errors.add(h, place_error(scene, body, scheme, h, time, rate));
    EXPECT_GE(errors.order(), 0.8) << scene << " " << scheme << errors.row();
    EXPECT_LE(errors.error.back(), 0.05) << scene << " " << scheme << errors.row();
  }
}

// w^2 = g/(L cos a); the rod pulls with m g/cos a.
TEST(PendulumScenes, ABallOnARodGoesRound) {
  const double rate = std::sqrt(g / 0.5);
  expect_steady("joints/distance", "ball", rate, 0.5);
  SceneRun run(load("joints/distance", {"/simulation/scheme=lotstedt"}), 0.01);
  run.until(0.5);
  const Reaction rod = reaction_of(run->system(), {0}, run->time(), run->state().q, run->report().joint_impulses, 0.01);
  EXPECT_NEAR(rod.force.norm(), 0.5 * g / 0.5, 2e-3);  // a mean over a step turns by w h
}

// (It + m l^2 - Ia) w^2 cos a = m g l; the joint bears the weight and m w^2 l sin a towards the axis.
TEST(PendulumScenes, ARodOnABallJointGoesRound) {
  const double side = 2.0 / 12.0 + 2.0 * 0.25 - 0.004, rate = std::sqrt(2.0 * g * 0.5 / (side * std::cos(pi / 4.0)));
  expect_steady("joints/spherical", "rod", rate, 0.4);
  SceneRun run(load("joints/spherical", {"/simulation/scheme=lotstedt"}), 0.001);
  run.until(0.4);
  const Reaction joint =
      reaction_of(run->system(), {0}, run->time(), run->state().q, run->report().joint_impulses, 0.001);
  EXPECT_NEAR(joint.force.z(), 2.0 * g, 1e-6);
  EXPECT_NEAR(joint.force.head<2>().norm(), 2.0 * rate * rate * 0.5 * std::sin(pi / 4.0), 1e-3);
  EXPECT_LE(joint.torque.norm(), 1e-9);
}

// m g r cos b = w^2 sin b (m r R + Ia R/r + It cos b), b the angle of the coin's plane from the table.
TEST(PendulumScenes, ACoinRollsOnACircle) {
  const double r = 0.05, mass = 0.1, b = 70.0 * pi / 180.0, R = 0.2;
  const double axial = 0.5 * mass * r * r, side = 0.25 * mass * r * r;
  const double rate =
      std::sqrt(mass * g * r * std::cos(b) / (std::sin(b) * (mass * r * R + axial * R / r + side * std::cos(b))));
  expect_steady("joints/coin_in_circle", "coin", rate, 0.5);
  const double round = 2.0 * pi / rate;
  SceneRun run(load("joints/coin_in_circle", {"/simulation/scheme=lotstedt"}), 0.01);
  const Vec3 start = run->pose(run.body("coin")).position;
  run.until(round);
  EXPECT_TRUE(run.certified()) << run.why();
  EXPECT_NEAR((run->pose(run.body("coin")).position - start).norm(), 0.0, 1e-7);
}

// Taut at sqrt(2 * 0.8/g); of g t it keeps 0.6 along the circle, and never rises above (0.6 g t)^2/2g from there.
TEST(PendulumScenes, ABallFallsIntoItsString) {
  SceneRun run(load("papers/ball_on_string", {"/simulation/integration_tolerance=1e-12"}));
  const double taut = std::sqrt(1.6 / g);
  run.until(0.7);
  EXPECT_TRUE(run.certified()) << run.why();
  EXPECT_NEAR(run.first(EventKind::impact), taut, 1e-12);
  const double energy = 0.3 * (0.5 * std::pow(0.6 * g * taut, 2) - g * 0.8);
  EXPECT_NEAR(run->kinetic_energy() + run->potential_energy(), energy, 1e-9);
  EXPECT_NEAR(run->pose(run.body("ball")).position.norm(), 1.0, 1e-12);
}

}  // namespace
}  // namespace stiction::scene::test
