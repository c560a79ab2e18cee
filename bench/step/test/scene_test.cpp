#include "bench/step/scene.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "bench/step/judge.h"
#include "bench/step/scene_json.h"
#include "bench/step/scene_model.h"

namespace stiction::bench {
namespace {

StepScene scene_of(const SceneKind& kind, std::uint64_t seed = 1, double mu = 0.5) {
  return *make_scene(kind.name, {seed, mu});
}

TEST(StepScenes, TheSameKeyMakesTheSameScene) {
  for (const SceneKind& kind : scene_kinds()) {
    EXPECT_EQ(to_json(scene_of(kind, 7)), to_json(scene_of(kind, 7))) << kind.name;
    EXPECT_NE(to_json(scene_of(kind, 7)), to_json(scene_of(kind, 8))) << kind.name;
  }
}

TEST(StepScenes, HaveTheBodiesTheirNamesSay) {
  const std::map<std::string, std::size_t> expected{
      {"wall_21", 21},         {"wall_105", 105},         {"wall_21_tight", 21},       {"wall_105_tight", 105},
      {"wall_105_hit", 106},   {"pile_27_falling", 27},   {"pile_125_falling", 125},   {"pile_1000_falling", 1000},
      {"pile_27_resting", 27}, {"pile_125_resting", 125}, {"pile_1000_resting", 1000}, {"stack_1000_to_1", 6},
      {"chain_10", 10},        {"chain_100", 100},        {"chain_1000", 1000},        {"mixed_36", 36},
      {"mixed_1000", 1000},    {"ragdolls_12", 120}};
  ASSERT_EQ(scene_kinds().size(), expected.size());
  for (const SceneKind& kind : scene_kinds()) {
    ASSERT_TRUE(expected.contains(kind.name)) << kind.name;
    EXPECT_EQ(scene_of(kind).bodies.size(), expected.at(kind.name)) << kind.name;
  }
  EXPECT_FALSE(make_scene("wall_22", {}).has_value());
}

TEST(StepScenes, StartWithoutOverlapAndWithJointsThatMeet) {
  for (const SceneKind& kind : scene_kinds()) {
    for (const std::uint64_t seed : {1, 2, 3}) {
      const StepScene scene = scene_of(kind, seed);
      const Result<Model> model = make_model(scene);
      ASSERT_TRUE(model.ok()) << kind.name << ": " << model.error();
      Judge judge(model.value());
      std::vector<Pose> poses;
      for (const SceneBody& body : scene.bodies) poses.push_back(body.pose);
      judge.look(poses);
      EXPECT_TRUE(judge.finite());
      EXPECT_LT(judge.penetration(), 1e-12) << kind.name << ", seed " << seed;
      EXPECT_LT(judge.drift(), 1e-12) << kind.name << ", seed " << seed;
    }
  }
}

TEST(StepScenes, JointsMakeATreeOfLaterBodies) {
  for (const SceneKind& kind : scene_kinds()) {
    std::set<int> joined;
    for (const SceneJoint& joint : scene_of(kind).joints) {
      EXPECT_LT(joint.partner, joint.body) << kind.name;
      EXPECT_TRUE(joined.insert(joint.body).second) << kind.name;
    }
  }
}

TEST(Judge, SeesPenetrationAndDrift) {
  StepScene scene;
  scene.planes.push_back({Vec3::UnitZ(), 0.0});
  scene.bodies.push_back({.shape = Sphere{0.5}, .pose = {Vec3(0.0, 0.0, 1.0)}});
  scene.joints.push_back({.body = 0, .anchor = Vec3(0.0, 0.0, 2.0)});
  const Result<Model> model = make_model(scene);
  ASSERT_TRUE(model.ok()) << model.error();
  Judge judge(model.value());
  judge.look(std::vector<Pose>{{Vec3(0.0, 0.0, 1.0)}});
  EXPECT_EQ(judge.penetration(), 0.0);
  judge.look(std::vector<Pose>{{Vec3(0.0, 0.0, 0.4)}});
  EXPECT_NEAR(judge.penetration(), 0.1, 1e-12);
  EXPECT_NEAR(judge.drift(), 0.6, 1e-12);
}

}  // namespace
}  // namespace stiction::bench
