// Limits, ropes, ratchets and rolling: scenes of scenes/joints against closed forms.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>

#include "stiction/scene/test/scene_runs.h"

namespace stiction::scene::test {
namespace {

constexpr double g = 9.81, pi = std::numbers::pi;

double turn_about_z(SceneRun& run, const std::string& body) {
  const Vec3 ahead = run->pose(run.body(body)).orientation * Vec3::UnitX();
  return std::atan2(ahead.y(), ahead.x());
}

// Falls 1 m, leaves the stop with half its speed, rises a quarter of a metre.
TEST(LimitScenes, ASliderBouncesAtItsLimit) {
  SceneRun run(load("joints/slider_limit"));
  const BodyId carriage = run.body("carriage");
  const double fall = std::sqrt(2.0 / g), back = 0.5 * g * fall, h = 0.001;
  run.until(0.6);
  EXPECT_NEAR(run.first(EventKind::impact), fall, h);
  EXPECT_NEAR(run->velocity(carriage).z(), back - g * (0.6 - fall), 2.0 * g * h);
  run.until(fall + back / g);
  EXPECT_NEAR(run->pose(carriage).position.z(), 1.25, 3e-3);
  run.until(2.0);
  EXPECT_TRUE(run.certified()) << run.why();
  EXPECT_NEAR(run->pose(carriage).position.z(), 1.0, 1e-6) << "it comes to rest on the stop";
  EXPECT_EQ(run->system().contact_name(run->events()[0].contact), "joint 'guide' lower limit");
}

TEST(LimitScenes, PositionLevelLandsOnTheLimitWithoutABounce) {
  SceneRun run(load("joints/slider_limit", {"/simulation/scheme=stewart_trinkle"}));
  run.until(0.6);
  EXPECT_TRUE(run.certified()) << run.why();
  EXPECT_NEAR(run->pose(run.body("carriage")).position.z(), 1.0, 1e-12);
}

// 2 rad/s, then 1.6 back from 1 rad at 0.5 s, then 1.28 from -0.5 rad 1.5/1.6 s later.
TEST(LimitScenes, AHingeBouncesBetweenItsLimits) {
  SceneRun run(load("joints/hinge_limit"));
  run.until(1.0);
  EXPECT_NEAR(turn_about_z(run, "arm"), 1.0 - 1.6 * 0.5, 1e-6);
  run.until(2.0);
  EXPECT_TRUE(run.certified()) << run.why();
  EXPECT_NEAR(run->angular_velocity(run.body("arm")).z(), 1.28, 1e-9);
  EXPECT_NEAR(turn_about_z(run, "arm"), -0.5 + 1.28 * (1.5 - 1.5 / 1.6), 1e-6);
}

// A range of more than half a turn: from -0.5 to 4 rad.
TEST(LimitScenes, AHingeMayTurnFartherThanHalfATurn) {
  SceneRun run(load("joints/hinge_limit", {"/joints/0/limits=[-0.5, 4]"}));
  run.until(1.9);
  EXPECT_NEAR(turn_about_z(run, "arm"), 3.8 - 2.0 * pi, 1e-6);
  EXPECT_EQ(run->events().size(), 0U);
  run.until(2.5);
  EXPECT_TRUE(run.certified()) << run.why();
  EXPECT_NEAR(turn_about_z(run, "arm"), 4.0 - 1.6 * 0.5 - 2.0 * pi, 1e-6);
}

// 300 rad/s at h = 0.01 would be 3 rad a step, more than the 1.78 rad that are forbidden: the step is divided.
TEST(LimitScenes, AFastHingeDoesNotPassThroughItsLimit) {
  for (const char* scheme : {"stewart_trinkle", "anitescu_potra"}) {
    SceneRun run(
        load("joints/hinge_limit", {"/joints/0/limits=[-0.5, 4]", "/joints/0/restitution=0",
                                    "/bodies/0/angular_velocity=300", std::string("/simulation/scheme=") + scheme}),
        0.01);
    run.until(0.1);
    EXPECT_TRUE(run.certified()) << scheme << ": " << run.why();
    EXPECT_NEAR(turn_about_z(run, "arm"), 4.0 - 2.0 * pi, 1e-6) << scheme;
  }
}

// Taut at (0.8, 0.6) after 0.4 s: 1.6 m/s outwards become 0.8 inwards, 1.2 m/s along the circle stay.
TEST(LimitScenes, AStringThrowsItsBallBack) {
  SceneRun run(load("joints/rope_ball"));
  const BodyId ball = run.body("ball");
  run.until(1.0);
  EXPECT_TRUE(run.certified()) << run.why();
  EXPECT_NEAR(run.first(EventKind::impact), 0.4, 1e-6);
  EXPECT_NEAR((run->velocity(ball) - Vec3(0.08, -1.44, 0.0)).norm(), 0.0, 1e-6);
  EXPECT_NEAR((run->pose(ball).position - Vec3(0.848, -0.264, 0.0)).norm(), 0.0, 1e-6);
}

// Slack where v^2 = g L cos of the height: 3.5 g - 2 g (1 + y) = g y at y = 0.5. From there a parabola.
TEST(LimitScenes, AStringGoesSlackAboveItsNail) {
  const auto slack_height = [](double h) {
    SceneRun run(load("joints/rope_pendulum"), h);
    const BodyId ball = run.body("ball");
    double height = 0.0;
    for (int i = 0; i < 4000 && run.first(EventKind::take_off) < 0.0; ++i) {
      run.step(h);
      height = run->pose(ball).position.y();
      EXPECT_LE(run->pose(ball).position.norm(), 1.0 + 1e-10);
    }
    EXPECT_TRUE(run.certified()) << run.why();
    return height;
  };
  const double coarse = slack_height(0.001), fine = slack_height(0.0005);
  EXPECT_NEAR(coarse, 0.5, 0.02);
  EXPECT_NEAR(fine, 0.5, 0.01);
  EXPECT_NEAR(2.0 * fine - coarse, 0.5, 0.004);
}

// 10 sin(t) until it would turn back at pi; free again from 3 pi/2 on.
TEST(LimitScenes, ARatchetTurnsOneWay) {
  for (const char* scheme : {"stewart_trinkle", "anitescu_potra"}) {
    SceneRun run(load("joints/ratchet", {std::string("/simulation/scheme=") + scheme}));
    const BodyId wheel = run.body("wheel");
    run.until(2.0);
    EXPECT_NEAR(run->angular_velocity(wheel).z(), 10.0 * std::sin(2.0), 0.02) << scheme;
    run.until(4.0);
    EXPECT_NEAR(run->angular_velocity(wheel).z(), 0.0, 1e-12) << scheme;
    const double held = turn_about_z(run, "wheel");
    run.until(4.7);
    EXPECT_NEAR(turn_about_z(run, "wheel"), held, 1e-12) << scheme;
    run.until(6.0);
    EXPECT_NEAR(run->angular_velocity(wheel).z(), 10.0 * (std::sin(6.0) + 1.0), 0.02) << scheme;
    EXPECT_TRUE(run.certified()) << scheme << ": " << run.why();
  }
}

// 2/3 and 5/7 of g sin(30 degrees).
TEST(LimitScenes, ACoinAndABallRollDownASlope) {
  for (const char* scheme : {"stewart_trinkle", "anitescu_potra"}) {
    SceneRun run(load("joints/rolling_coin", {std::string("/simulation/scheme=") + scheme}));
    run.until(1.0);
    EXPECT_TRUE(run.certified()) << scheme << ": " << run.why();
    EXPECT_NEAR(run->velocity(run.body("coin")).x(), g / 3.0, 1e-8) << scheme;
    EXPECT_NEAR(run->angular_velocity(run.body("coin")).y(), g / 3.0 / 0.05, 1e-6) << scheme;
    EXPECT_NEAR(run->velocity(run.body("ball")).x(), 5.0 / 14.0 * g, 1e-8) << scheme;
    EXPECT_NEAR(run->pose(run.body("coin")).position.z(), 0.05, 1e-9) << scheme;
  }
}

// dv/dt = 2/7 w x v: a circle of radius 3.5 about (-2.5, 0), a quarter of it after 7 pi/4.
TEST(LimitScenes, ABallOnATurntableGoesRoundAtTwoSevenths) {
  const auto error = [](double h) {
    SceneRun run(load("joints/turntable"), h);
    run.until(1.75 * pi);
    EXPECT_TRUE(run.certified()) << run.why();
    return (run->pose(run.body("ball")).position - Vec3(-2.5, 3.5, 0.1)).norm();
  };
  const double coarse = error(0.005), fine = error(0.0025);
  EXPECT_LT(fine, 0.005);
  EXPECT_GT(coarse / fine, 1.9) << "at least of first order";
}

TEST(LimitScenes, ASleighGoesAlongACycloid) {
  for (const char* scheme : {"stewart_trinkle", "anitescu_potra"}) {
    const auto error = [&](double h) {
      SceneRun run(load("joints/sleigh", {std::string("/simulation/scheme=") + scheme}), h);
      run.until(3.0);
      EXPECT_TRUE(run.certified()) << run.why();
      const double size = 0.5 * g / (2.0 * 4.0), angle = 6.0;
      const Vec3 expected(size * std::pow(std::sin(angle), 2), size * (angle - 0.5 * std::sin(2.0 * angle)), 0.0);
      return (run->pose(run.body("sleigh")).position - expected).norm();
    };
    const double coarse = error(0.002), fine = error(0.001);
    EXPECT_LT(fine, 0.01) << scheme;
    EXPECT_NEAR(coarse / fine, 2.0, 0.2) << scheme;
  }
}

}  // namespace
}  // namespace stiction::scene::test
