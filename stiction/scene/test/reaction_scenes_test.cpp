// Reactions of joints with what their motors, servos and friction do: scenes against closed forms.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "stiction/scene/test/scene_runs.h"

namespace stiction::scene::test {
namespace {

constexpr double g = 9.81;

std::string scheme(const std::string& name) {
  return "/simulation/scheme=" + name;
}

// 5 N along x at its limit, and the weight; at its speed it does nothing.
TEST(ReactionScenes, AMotorPullsWithItsForce) {
  for (const char* by : {"stewart_trinkle", "anitescu_potra", "lotstedt"}) {
    SceneRun run(load("joints/motor_limit", {scheme(by)}));
    run.until(1.0);
    ASSERT_EQ(run->reactions().size(), 1U);
    EXPECT_NEAR((run->reactions()[0].force - Vec3(5.0, 0.0, 2.0 * g)).norm(), 0.0, 1e-8) << by;
    run.until(5.0);
    EXPECT_NEAR((run->reactions()[0].force - Vec3(0.0, 0.0, 2.0 * g)).norm(), 0.0, 1e-8) << by;
  }
}

TEST(ReactionScenes, AServoBearsItsLoad) {
  for (const char* by : {"stewart_trinkle", "anitescu_potra", "lotstedt"}) {
    SceneRun run(load("joints/servo", {scheme(by)}), 0.002);
    run.until(1.0);  // 20 times what its swinging takes to fall to 1/e
    EXPECT_TRUE(run.certified()) << run.why();
    EXPECT_NEAR((run->reactions()[0].force - Vec3(0.0, 0.0, 2.0 * g)).norm(), 0.0, 1e-4) << by;
    EXPECT_NEAR(run->reactions()[1].force.z(), g, 1e-8) << by;
  }
}

// What sticks gives as much as it is loaded with, what slips its largest torque.
TEST(ReactionScenes, FrictionTurnsAgainstTheMotion) {
  for (const char* by : {"stewart_trinkle", "anitescu_potra", "lotstedt"}) {
    SceneRun run(load("joints/joint_friction", {scheme(by)}), 0.01);
    run.until(0.25);
    const double expected[] = {-0.8, 0.8, -1.0, 1.0, -1.0};
    for (int i = 0; i < 5; ++i) EXPECT_NEAR(run->reactions()[i].torque.z(), expected[i], 1e-8) << by << " " << i;
    run.until(1.0);
    EXPECT_NEAR(run->reactions()[4].torque.z(), 0.0, 1e-8) << by;
  }
}

// 1.5 N m at the wheel: the worm's friction holds a fortieth of it.
TEST(ReactionScenes, AWormHoldsAFortieth) {
  for (const char* by : {"stewart_trinkle", "anitescu_potra"}) {
    SceneRun run(load("joints/worm", {scheme(by)}));
    run.until(0.5);
    double held = 0.0;
    for (const Reaction& reaction : run->reactions()) held = std::max(held, std::abs(reaction.torque.x()));
    EXPECT_NEAR(held, 1.5 / 40.0, 1e-8) << by;
  }
}

}  // namespace
}  // namespace stiction::scene::test
