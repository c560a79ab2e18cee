// Stacks and solids: scenes of scenes/stacks and scenes/shapes that others fail, every step certified. Their full
// lengths run in bench/accept.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "stiction/scene/test/scene_runs.h"

namespace stiction::scene::test {
namespace {

constexpr double g = 9.81;

/// 38 bricks with open head joints of 1 mm and a steel ball. In no folder: schemes at velocity level take minutes.
Scene hit_wall() {
  std::string bodies = R"({"name": "floor", "fixed": true, "shape": {"type": "half_space"}},
    {"name": "ball", "mass": 28, "shape": {"type": "sphere", "radius": 0.0948}, "position": [0.03, -0.16, 0.37],
     "velocity": [0, 6, 0]})";
  constexpr int in_a_row = 5, courses = 7;
  constexpr double pitch = 0.201, height = 0.1;
  for (int course = 0; course < courses; ++course) {
    double left = -0.5 * in_a_row * pitch;
    const bool has_halves = course % 2 == 1;
    for (int i = 0; i < in_a_row + (has_halves ? 1 : 0); ++i) {
      const double own = has_halves && (i == 0 || i == in_a_row) ? 0.5 * pitch : pitch, length = own - 1e-3;
      bodies += ",\n{\"name\": \"brick_" + std::to_string(course) + "_" + std::to_string(i) +
                "\", \"mass\": " + std::to_string(20.0 * length) + ", \"shape\": {\"type\": \"box\", \"size\": [" +
                std::to_string(length) + ", 0.1, 0.1]}, \"position\": [" + std::to_string(left + 0.5 * own) + ", 0, " +
                std::to_string((course + 0.5) * height) + "]}";
      left += own;
    }
  }
  Result<Scene> scene = parse_scene(R"({"stiction": 1, "materials": {"default": {"mu": 0.5}}, "bodies": [)" + bodies +
                                        R"(], "simulation": {"h": 0.005, "end": 0.1, "tolerance": 1e-6}})",
                                    "hit_wall", {});
  EXPECT_TRUE(scene.ok()) << scene.error();
  return std::move(scene).value();
}

TEST(ShapeScenes, TenCubesStandUnderAThousandTimesTheirMass) {
  SceneRun run(load("stacks/ten_cubes"));
  run.until(2.0);
  EXPECT_TRUE(run.certified()) << run.why();
  EXPECT_LE(run->certificate().max_penetration, 1e-6);
  for (int i = 0; i < 10; ++i) {
    const Pose pose = run->pose(run.body("cube" + std::to_string(i + 1)));
    EXPECT_LE((pose.position - Vec3(0.0, 0.0, 0.1 + 0.2 * i)).norm(), 1e-6) << i;
    EXPECT_LE(logarithm(pose.orientation).norm(), 1e-6) << i;
  }
}

// Each block over the edge by its harmonic share, one per cent inside or outside of what falls.
TEST(ShapeScenes, AnOverhangStandsInsideItsLimitAndFallsOutside) {
  SceneRun inside(load("stacks/overhang_inside"));
  inside.until(0.5);
  EXPECT_TRUE(inside.certified()) << inside.why();
  EXPECT_LE(logarithm(inside->pose(inside.body("block1")).orientation).norm(), 1e-9);
  EXPECT_NEAR(inside->pose(inside.body("block4")).position.z(), 0.35, 1e-9);

  SceneRun outside(load("stacks/overhang_outside"));
  outside.until(1.0);
  EXPECT_TRUE(outside.certified()) << outside.why();
  EXPECT_LE(outside->certificate().max_penetration, 1e-6);
  EXPECT_LT(outside->pose(outside.body("block4")).position.z(), 0.345) << "it tips";
}

// v - mu g t and no force across: as on one plane.
TEST(ShapeScenes, ABrickSlidesOverTilesWithoutABump) {
  SceneRun run(load("shapes/brick_over_tiles"));
  const BodyId brick = run.body("brick");
  for (const double t : {0.1, 0.2, 0.4, 0.6, 0.8, 0.9}) {
    run.until(t);
    EXPECT_NEAR(run->velocity(brick).x(), 2.0 - 0.2 * g * t, 1e-9) << t;
    EXPECT_NEAR(run->pose(brick).position.z(), 0.03, 1e-9) << t;
    EXPECT_LE(run->angular_velocity(brick).norm(), 1e-9) << t;
  }
  EXPECT_TRUE(run.certified()) << run.why();
}

TEST(ShapeScenes, ACubeTumblesDownStairsAndNowhereThrough) {
  SceneRun run(load("shapes/cube_down_stairs", {"/simulation/h=0.005"}));
  run.until(2.0);
  EXPECT_TRUE(run.certified()) << run.why();
  EXPECT_LE(run->certificate().max_penetration, 1e-6);
  EXPECT_LT(run->pose(run.body("cube")).position.z(), -0.1) << "at least one step down";
  EXPECT_LE(run->energy().largest, run->energy().initial * (1.0 + 1e-12));
}

TEST(ShapeScenes, AHouseOfBlocksCollapses) {
  SceneRun run(load("stacks/collapsing_house", {"/simulation/h=0.005"}));
  run.until(1.5);
  EXPECT_TRUE(run.certified()) << run.why();
  EXPECT_LE(run->certificate().max_penetration, 1e-6);
  EXPECT_LT(run->pose(run.body("ridge")).position.y(), 1.0) << "it stood at 1.875 m";
}

// A large redundant island in an impact: no step fails, what is not full says so, and nothing is created.
TEST(ShapeScenes, AWallThatABallHasHitGoesOn) {
  SceneRun run(hit_wall());
  run.until(0.1);
  EXPECT_EQ(run.why(), "");
  const RunCertificate& certificate = run->certificate();
  EXPECT_EQ(certificate.relaxed_steps, 0);
  EXPECT_LE(certificate.max_contact_residual, 1e-5);
  EXPECT_LE(certificate.max_penetration, 2e-3);
  EXPECT_LE(run->energy().largest, run->energy().initial * (1.0 + 1e-9));
  EXPECT_GT(run->velocity(run.body("ball")).y(), 0.5) << "it breaks through";
  EXPECT_LT(run->velocity(run.body("ball")).y(), 5.0);
  EXPECT_GT(run->pose(run.body("brick_3_2")).position.y(), 0.02) << "and takes bricks along";
}

TEST(ShapeScenes, RocksSlideInATunnel) {
  SceneRun run(load("shapes/rocks_in_tunnel", {"/simulation/h=0.005"}));
  run.until(0.5);
  EXPECT_TRUE(run.certified()) << run.why();
  EXPECT_LE(run->certificate().max_penetration, 1e-6);
  const Quat tunnel = exponential(0.3 * Vec3::UnitY());
  for (int i = 1; i <= 5; ++i) {
    const Vec3 x = tunnel.conjugate() * run->pose(run.body("rock" + std::to_string(i))).position;
    EXPECT_LE(x.tail<2>().norm(), 0.5) << i;
    EXPECT_GT(x.x(), 0.32 * (i - 1) + 0.2) << "down the tunnel";
  }
}

// A peg that starts askew with 0.05 mm on each side.
TEST(ShapeScenes, APegOfHullsFindsTheBottomOfItsHole) {
  SceneRun run(load("shapes/peg_in_hole"));
  run.until(0.3);
  EXPECT_TRUE(run.certified()) << run.why();
  EXPECT_LE(run->certificate().max_penetration, 1e-6);
  const Pose peg = run->pose(run.body("peg"));
  EXPECT_NEAR(peg.position.z(), -0.005, 1e-6);
  EXPECT_LE(std::abs(peg.position.x()), 0.5e-4 + 1e-6);
  EXPECT_LE(std::abs(peg.position.y()), 0.5e-4 + 1e-6);
}

// A roller in pure rolling keeps its speed; what stands on rims and faces stands.
TEST(ShapeScenes, RoundSolidsStandAndRoll) {
  SceneRun run(load("shapes/round_solids"));
  run.until(0.3);
  EXPECT_TRUE(run.certified()) << run.why();
  EXPECT_LE((run->velocity(run.body("roller")) - Vec3::UnitX()).norm(), 1e-9);
  EXPECT_LE((run->pose(run.body("roller")).position - Vec3(0.3, 1.0, 0.1)).norm(), 1e-9);
  EXPECT_LE((run->pose(run.body("plate")).position - Vec3(0.02, 0.0, 0.525)).norm(), 1e-9);
  EXPECT_LE((run->pose(run.body("cone")).position - Vec3(0.05, 0.0, 0.65)).norm(), 1e-9);
}

}  // namespace
}  // namespace stiction::scene::test
