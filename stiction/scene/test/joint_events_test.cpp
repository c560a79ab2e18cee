#include <gtest/gtest.h>

#include "stiction/scene/test/scene_runs.h"

namespace stiction::scene::test {
namespace {

// Limits, ropes, rolling, knife edges, ratchets, motors, friction in joints and loops by the event-driven method: what
// the scenes' own schemes, of first order, tend to.
TEST(JointEvents, TheEventDrivenMethodIsTheLimit) {
  for (const std::string name : {"slider_limit", "rope_pendulum", "rolling_coin", "sleigh", "ratchet", "motor_limit",
                                 "joint_friction", "four_bar"}) {
    SceneRun events(load("joints/" + name, {"/simulation/scheme=lotstedt"}), 0.01);
    events.until(1.0);
    EXPECT_TRUE(events.certified()) << name << ": " << events.why();
    Convergence errors;
    for (const double h : {0.004, 0.002, 0.001}) {
      SceneRun steps(load("joints/" + name), h);
      steps.until(1.0);
      errors.add(h, (steps->state().q - events->state().q).norm());
    }
    EXPECT_GE(errors.order(), 0.8) << name << errors.row();
    EXPECT_LE(errors.order(), 1.3) << name << errors.row();
  }
}

// Thrown from below with v^2 = 3.5 g the ball leaves the circle half a metre above the nail; nothing is lost.
TEST(JointEvents, ARopeHoldsToRounding) {
  SceneRun run(load("joints/rope_pendulum", {"/simulation/scheme=lotstedt", "/simulation/integration_tolerance=1e-12"}),
               0.01);
  const double before = run->kinetic_energy() + run->potential_energy();
  run.until(1.0);
  EXPECT_TRUE(run.certified()) << run.why();
  EXPECT_NEAR(run->kinetic_energy() + run->potential_energy(), before, 1e-9);
  const double slack = run.first(EventKind::take_off);
  ASSERT_GT(slack, 0.0);
  SceneRun again(load("joints/rope_pendulum", {"/simulation/scheme=lotstedt"}), 0.01);
  again.until(slack);
  EXPECT_NEAR(again->pose(again.body("ball")).position.y(), 0.5, 1e-7);
}

}  // namespace
}  // namespace stiction::scene::test
