// What is said of joints and forces that cannot be as they are written.
#include <gtest/gtest.h>

#include <string>

#include "stiction/scene/test/scene_runs.h"

namespace stiction::scene::test {
namespace {

std::string scene_with(const std::string& joint, const std::string& more = "") {
  return R"({"stiction": 1, "gravity": [0, 0, 0], "bodies": [{"name": "arm", "mass": 1, "inertia": 1}], "joints": [)" +
         joint + "]" + more + "}";
}

std::string refusal(const std::string& text) {
  const Result<Scene> scene = parse_scene(text, "scene.json", {});
  return scene.ok() ? "" : scene.error();
}

TEST(JointMessages, TheWorldIsNoBodyToBeGearedOrPushed) {
  const std::string rack = refusal(scene_with(R"({"type": "rack", "body": "arm", "partner": "world", "radius": 1,
                                              "partner_axis": [1, 0, 0]})"));
  EXPECT_NE(rack.find("/joints/0/partner: `world` is no body that could do this"), std::string::npos) << rack;
  const std::string pushed =
      refusal(scene_with("", R"(, "forces": [{"type": "force", "body": "world", "force": [1, 0, 0]}])"));
  EXPECT_NE(pushed.find("/forces/0/body: `world` is no body that could do this"), std::string::npos) << pushed;
}

TEST(JointMessages, StiffnessOfAHingeIsAnAngularOne) {
  const auto servo = [](const std::string& type) {
    return refusal(scene_with(R"({"type": ")" + type + R"(", "body": "arm", "anchor": [0, 0, 0], "axis": [0, 0, 1],
                              "servo": {"position": 0, "stiffness": -1}})"));
  };
  EXPECT_NE(servo("revolute").find("a stiffness in N m/rad"), std::string::npos) << servo("revolute");
  EXPECT_NE(servo("prismatic").find("a stiffness in N/m"), std::string::npos) << servo("prismatic");
}

TEST(JointMessages, AMotorThatStopsForNothingIsNamedAtItsLimit) {
  for (const char* scheme : {"stewart_trinkle", "anitescu_potra"}) {
    Result<Scene> scene = parse_scene(
        scene_with(R"({"name": "ram", "type": "prismatic", "body": "arm", "axis": [1, 0, 0], "limits": [-1, 0.05],
                   "motor": {"velocity": 1}})",
                   std::string(R"(, "simulation": {"h": 0.01, "end": 1, "initial_velocity": "keep", "scheme": ")") +
                       scheme + "\"}"),
        "scene.json", {});
    ASSERT_TRUE(scene.ok()) << scene.error();
    SceneRun run(std::move(scene).value());
    run.until(1.0);
    EXPECT_NE(run.why().find("'ram'"), std::string::npos) << scheme << ": " << run.why();
    EXPECT_NEAR(run->time(), 0.05, 0.011) << scheme;
  }
}

TEST(JointMessages, TheEventDrivenMethodRefusesFrictionOfBallJoints) {
  const std::string found =
      refusal(scene_with(R"({"name": "socket", "type": "spherical", "body": "arm", "anchor": [0, 0, 0],
                                               "friction": 1})",
                         R"(, "simulation": {"scheme": "lotstedt"})"));
  EXPECT_NE(found.find("/joints/0"), std::string::npos) << found;
  EXPECT_NE(found.find("`lotstedt` knows no friction of spherical joints"), std::string::npos) << found;
}

}  // namespace
}  // namespace stiction::scene::test
