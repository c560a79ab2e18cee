// Welds that break, and the reactions of joints: scenes of scenes/joints against closed forms.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "stiction/model/joint_reaction.h"
#include "stiction/scene/test/scene_runs.h"

namespace stiction::scene::test {
namespace {

constexpr double g = 9.81, h = 0.001;

Reaction reaction(SceneRun& run, int joint) {
  return reaction_of(run->system(), {joint}, run->time(), run->state().q, run->report().joint_impulses, h);
}

/// The load of a step is that of its middle, and the first step that starts overloaded ends at most 2 h later.
void expect_first_overload(double found, double expected) {
  EXPECT_GT(found, expected);
  EXPECT_LT(found, expected + 2.0 * h + 1e-9);
}

TEST(WeldScenes, AWeldBearsWhatHangsOnIt) {
  SceneRun run(load("joints/weld"));
  run.until(1.0);
  const Reaction weld = reaction(run, 0);
  const double load = 2.0 * g + 5.0 * (1.0 - 0.5 * h);  // c/h is the mean force of the step
  EXPECT_NEAR((weld.force - Vec3(0.0, 0.0, load)).norm(), 0.0, 1e-9);
  EXPECT_NEAR((weld.torque - Vec3(0.0, -0.1 * load, 0.0)).norm(), 0.0, 1e-9) << "about the anchor";
  EXPECT_NEAR(weld.point.norm(), 0.0, 1e-12);
}

// 5 t = 30 - 2 g; from there it falls with g + 2.5 t.
TEST(WeldScenes, AWeldBreaksAtItsForce) {
  for (const char* scheme : {"stewart_trinkle", "anitescu_potra"}) {
    SceneRun run(load("joints/weld", {std::string("/simulation/scheme=") + scheme}));
    run.until(2.5);
    EXPECT_TRUE(run.certified()) << run.why();
    const double at = (30.0 - 2.0 * g) / 5.0, found = run.first(EventKind::breakage);
    expect_first_overload(found, at);
    ASSERT_EQ(run->events().size(), 1U);
    EXPECT_EQ(run->system().contact_name(run->events()[0].contact), "joint 'weld'");
    const double left = 2.5 - at, speed = g * left + 1.25 * (2.5 * 2.5 - at * at);
    EXPECT_NEAR(run->velocity(run.body("weight")).z(), -speed, 20.0 * 3.0 * h) << scheme;
    EXPECT_NEAR(run->angular_velocity(run.body("weight")).norm(), 0.0, 1e-9) << scheme;
  }
}

TEST(WeldScenes, AWeldBreaksAtItsTorque) {
  SceneRun run(load("joints/weld", {"/joints/0/break_torque=2.5"}));
  run.until(2.0);
  expect_first_overload(run.first(EventKind::breakage), (25.0 - 2.0 * g) / 5.0);
}

// Two welds share the load somehow; when the weak one goes the other bears it all.
TEST(WeldScenes, OneOfTwoWeldsMayGo) {
  SceneRun run(load("joints/weld", {"/joints/0/break_force=11", R"(/joints/-={"type": "fixed", "body": "weight"})"}));
  run.until(2.5);
  EXPECT_TRUE(run.certified()) << run.why();
  EXPECT_GT(run.first(EventKind::breakage), 0.0);
  EXPECT_NEAR(run->velocity(run.body("weight")).norm(), 0.0, 1e-9);
  EXPECT_NEAR(reaction(run, 0).force.norm(), 0.0, 0.0);
  EXPECT_NEAR(reaction(run, 1).force.z(), 2.0 * g + 5.0 * (2.5 - 0.5 * h), 1e-9);
}

TEST(WeldScenes, TheReactionOfAGearedShaftIsItsShareOfTheLoad) {
  SceneRun run(load("joints/gear_pair"));
  run.until(1.0);
  EXPECT_NEAR(reaction(run, 2).torque.z(), 0.01 / 0.03 - 3.0, 1e-7);
}

}  // namespace
}  // namespace stiction::scene::test
