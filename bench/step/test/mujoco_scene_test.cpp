#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "bench/step/scene.h"
#include "bench/step/scene_json.h"

namespace stiction::bench {
namespace {

int run(const std::string& command) {
  return std::system(command.c_str());  // NOLINT(cert-env33-c): the command is made here
}

/// MuJoCo's own compiler takes the scenes: six velocities a free body, three a ball, one a hinge.
TEST(MujocoScenes, CompileWithTheDegreesOfFreedomTheyShouldHave) {
  const std::string script = "python3 bench/step/mujoco_peer.py";
  if (run(script + " --version >/dev/null 2>&1") != 0) GTEST_SKIP() << "this Python has no package mujoco";
  const auto folder = std::filesystem::temp_directory_path() / ("stiction_mujoco_" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  for (const std::string name : {"chain_10", "mixed_36", "ragdolls_12"}) {
    const StepScene scene = *make_scene(name, {3, 0.5});
    const std::string file = (folder / "scene.json").string(), out = (folder / "out").string();
    std::ofstream(file) << to_json(scene);
    ASSERT_EQ(run(script + " --check " + file + " > " + out), 0) << name;
    std::size_t bodies = 0, velocities = 0, geoms = 0;
    std::ifstream(out) >> bodies >> velocities >> geoms;
    std::size_t expected = 6 * (scene.bodies.size() - scene.joints.size());
    for (const SceneJoint& joint : scene.joints) expected += joint.kind == SceneJoint::Kind::ball ? 3 : 1;
    EXPECT_EQ(bodies, scene.bodies.size()) << name;
    EXPECT_EQ(velocities, expected) << name;
    EXPECT_EQ(geoms, scene.bodies.size() + scene.planes.size()) << name;
  }
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace stiction::bench
