// Motors, servos and friction in joints: scenes of scenes/joints against closed forms.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "stiction/scene/test/scene_runs.h"

namespace stiction::scene::test {
namespace {

constexpr double g = 9.81;

std::vector<std::string> schemes() {
  return {"/simulation/scheme=stewart_trinkle", "/simulation/scheme=anitescu_potra"};
}

TEST(DriveScenes, AMotorAtItsLimitAcceleratesEvenly) {
  for (const std::string& scheme : schemes()) {
    SceneRun run(load("joints/motor_limit", {scheme}));
    const BodyId cart = run.body("cart");
    run.until(2.0);
    EXPECT_NEAR(run->velocity(cart).x(), 5.0, 1e-9) << scheme;
    EXPECT_NEAR(run->pose(cart).position.x(), 0.5 * 2.5 * 2.0 * 2.01, 1e-9) << scheme;
    run.until(5.0);
    EXPECT_TRUE(run.certified()) << run.why();
    EXPECT_NEAR(run->velocity(cart).x(), 10.0, 1e-9) << scheme;
  }
}

TEST(DriveScenes, AMotorWithoutALimitIsThereAtOnce) {
  for (const std::string& scheme : schemes()) {
    SceneRun run(load("joints/motor_limit", {scheme, "/joints/0/motor={\"velocity\": \"3*t\"}"}));
    run.until(2.0);
    EXPECT_TRUE(run.certified()) << run.why();
    EXPECT_NEAR(run->velocity(run.body("cart")).x(), 6.0, 0.04) << scheme;
  }
}

TEST(DriveScenes, AServoStaysBelowItsTargetByTheLoadOverItsStiffness) {
  for (const std::string& scheme : schemes()) {
    SceneRun run(load("joints/servo", {scheme}));
    run.until(3.0);
    EXPECT_TRUE(run.certified()) << run.why();
    EXPECT_NEAR(run->pose(run.body("carriage")).position.z(), 0.3 - 2.0 * g / 1000.0, 1e-6) << scheme;
    const Vec3 ahead = run->pose(run.body("arm")).orientation * Vec3::UnitX();
    EXPECT_NEAR(std::atan2(ahead.y(), ahead.x()), 0.5 * std::sin(6.0), 2e-3) << scheme;
  }
}

// At its largest force, 10 N, it cannot even hold the 19.62 N.
TEST(DriveScenes, AServoGivesNoMoreThanItsLargestForce) {
  SceneRun run(load("joints/servo", {"/joints/0/servo/max_force=10"}));
  run.until(1.0);
  EXPECT_TRUE(run.certified()) << run.why();
  EXPECT_NEAR(run->velocity(run.body("carriage")).z(), 10.0 / 2.0 - g, 1e-9);
}

TEST(DriveScenes, AServoMayBeAsStiffAsItLikes) {
  SceneRun run(load("joints/servo", {"/joints/0/servo={\"position\": 0.3, \"stiffness\": 1e9, \"damping\": 1e6}"}),
               0.01);
  run.until(1.0);
  EXPECT_TRUE(run.certified()) << run.why();
  EXPECT_NEAR(run->pose(run.body("carriage")).position.z(), 0.3, 1e-6);
}

TEST(DriveScenes, FrictionInAHingeSticksAndSlipsBothWays) {
  for (const std::string& scheme : schemes()) {
    SceneRun run(load("joints/joint_friction", {scheme}));
    run.until(0.25);
    EXPECT_NEAR(run->angular_velocity(run.body("stops")).z(), 5.0 - 0.25 * 10.0, 1e-9) << scheme;
    run.until(1.0);
    EXPECT_TRUE(run.certified()) << run.why();
    const auto speed = [&](const std::string& name) { return run->angular_velocity(run.body(name)).z(); };
    EXPECT_NEAR(speed("sticks"), 0.0, 1e-12) << scheme;
    EXPECT_NEAR(speed("sticks back"), 0.0, 1e-12) << scheme;
    EXPECT_NEAR(speed("slips"), 5.0, 1e-9) << scheme;
    EXPECT_NEAR(speed("slips back"), -5.0, 1e-9) << scheme;
    EXPECT_NEAR(speed("stops"), 0.0, 1e-12) << scheme;
  }
}

// 1.5 N m on the wheel are 0.0375 N m on the worm, less than its friction; 4 N m are 0.1 N m.
TEST(DriveScenes, AWormHoldsItsLoadByFriction) {
  for (const std::string& scheme : schemes()) {
    SceneRun held(load("joints/worm", {scheme}));
    held.until(1.0);
    EXPECT_TRUE(held.certified()) << held.why();
    EXPECT_NEAR(held->angular_velocity(held.body("wheel")).norm(), 0.0, 1e-12) << scheme;
    SceneRun slips(load("joints/worm", {scheme, "/forces/0/torque/2=4"}));
    slips.until(1.0);
    EXPECT_TRUE(slips.certified()) << slips.why();
    const double turning = (0.1 - 0.05) / (0.001 + 0.4 / 1600.0);
    EXPECT_NEAR(slips->angular_velocity(slips.body("worm")).x(), -turning, 1e-7) << scheme;
    EXPECT_NEAR(slips->angular_velocity(slips.body("wheel")).z(), turning / 40.0, 1e-8) << scheme;
  }
}

TEST(DriveScenes, ATargetThatIsNotFiniteEndsTheRunAndNamesItsJoint) {
  SceneRun run(load("joints/motor_limit", {"/joints/0/motor/velocity=\"1/(t - 0.5)\""}));
  run.until(1.0);
  EXPECT_NE(run.why().find("drive"), std::string::npos) << run.why();
  EXPECT_NEAR(run->time(), 0.49, 1e-9);  // the target is taken where the step ends
}

}  // namespace
}  // namespace stiction::scene::test
