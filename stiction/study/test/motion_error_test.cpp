#include "stiction/study/motion_error.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "stiction/scene/scene.h"

namespace stiction {
namespace {

constexpr double pi = std::numbers::pi;

BodyState at(const Vec3& position, const Vec3& rotation = Vec3::Zero()) {
  BodyState body;
  body.pose = {position, exponential(rotation)};
  body.velocity = body.angular_velocity = body.velocity_alpha = body.angular_velocity_alpha = Vec3::Zero();
  return body;
}

TEST(MotionError, IsTheNormOverAllBodies) {
  std::vector<BodyState> a{at({1, 2, 3}), at({0, 0, 0})}, b{at({1, 2, 0}), at({0, 4, 0})};
  EXPECT_DOUBLE_EQ(motion_error(a, b).position, 5.0);
  EXPECT_DOUBLE_EQ(motion_error(a, b).velocity, 0.0);
  a[0].velocity = {1, 0, 0};
  b[1].angular_velocity = {0, 2, 2};
  EXPECT_DOUBLE_EQ(motion_error(a, b).velocity, 3.0);
}

TEST(MotionError, RotationsCountAsRotationVectors) {
  const Vec3 axis = Vec3(1, -2, 2) / 3.0;
  const std::vector<BodyState> a{at({0, 0, 0}, 0.7 * axis)}, b{at({0, 0, 0}, 0.4 * axis)};
  EXPECT_NEAR(motion_error(a, b).position, 0.3, 1e-15);
  // A rotation's quaternion has two signs, and nearly a whole turn is nearly none.
  const std::vector<BodyState> c{at({0, 0, 0}, (2 * pi - 0.1) * axis)}, d{at({0, 0, 0}, 0.1 * axis)};
  EXPECT_NEAR(motion_error(c, d).position, 0.2, 1e-14);
  std::vector<BodyState> e = d;
  e[0].pose.orientation.coeffs() *= -1.0;
  EXPECT_NEAR(motion_error(d, e).position, 0.0, 1e-15);
}

TEST(MotionError, SmallRotationsKeepTheirDigits) {
  const std::vector<BodyState> a{at({0, 0, 0}, {0.3, 0, 0})}, b{at({0, 0, 0}, {0.3 + 1e-10, 0, 0})};
  EXPECT_NEAR(motion_error(a, b).position, 1e-10, 1e-15);
}

Scene scene_with(const std::string& exact) {
  auto scene = parse_scene(R"({"stiction": 1, "bodies": [
      {"name": "wall", "fixed": true},
      {"name": "a", "mass": 1, "inertia": 1, "angle": 0.5},
      {"name": "b", "mass": 1, "inertia": 1, "position": [3, 0, 0]}], "exact": )" +
                               exact + "}",
                           "test.json");
  EXPECT_TRUE(scene) << (scene ? "" : scene.error());
  return std::move(scene).value();
}

TEST(MotionError, AgainstFormulasOnlyOverWhatTheyGive) {
  const Scene scene = scene_with(R"x([{"body": "b", "position": ["3 + t^2", "sin(t)", 0]}])x");
  const auto ids = movable_bodies(scene.model);
  std::vector<BodyState> bodies{at({100, 0, 0}), at({3 + 4, std::sin(2.0) + 0.25, 0}, {1, 0, 0})};
  bodies[1].velocity = {4, std::cos(2.0), 3};
  const MotionError error = motion_error(bodies, ids, scene.model, scene.exact, 2.0);
  EXPECT_NEAR(error.position, 0.25, 1e-15) << "neither the other body nor rotations";
  EXPECT_NEAR(error.velocity, 3.0, 1e-15) << "the rate of the position";
}

TEST(MotionError, TurnsCountFromTheStart) {
  const Scene scene = scene_with(R"([{"body": "a", "turn": "3*t", "axis": [0, 0, 2]}])");
  const auto ids = movable_bodies(scene.model);
  std::vector<BodyState> bodies{at({9, 9, 9}, {0, 0, 0.5 + 3.0}), at({0, 0, 0})};
  bodies[0].angular_velocity = {0, 0, 3.5};
  const MotionError error = motion_error(bodies, ids, scene.model, scene.exact, 1.0);
  EXPECT_NEAR(error.position, 0.0, 1e-15);
  EXPECT_NEAR(error.velocity, 0.5, 1e-15);
}

TEST(MotionError, GivenVelocitiesWin) {
  const Scene scene = scene_with(
      R"([{"body": "a", "position": [0, 0, 0], "velocity": [1, 0, 0], "turn": 0, "angular_velocity": [0, 2, 0]}])");
  const auto ids = movable_bodies(scene.model);
  const std::vector<BodyState> bodies{at({0, 0, 0}, {0, 0, 0.5}), at({0, 0, 0})};
  EXPECT_NEAR(motion_error(bodies, ids, scene.model, scene.exact, 1.0).velocity, std::sqrt(5.0), 1e-15);
}

TEST(ExactMotion, IsCheckedLikeTheRestOfAScene) {
  const auto refused = [](const std::string& exact) {
    const auto scene = parse_scene(
        R"({"stiction": 1, "bodies": [{"name": "wall", "fixed": true}, {"name": "a", "mass": 1, "inertia": 1}], "exact": )" +
            exact + "}",
        "test.json");
    return scene ? "" : scene.error();
  };
  EXPECT_EQ(refused(R"([{"body": "a", "position": [0, "t", 0]}])"), "");
  for (const auto& [exact, words] : std::vector<std::pair<std::string, std::string>>{
           {R"([{"body": "a", "position": [0, "x", 0]}])", "/exact/0/position/1"},
           {R"([{"body": "a", "position": [0, 1]}])", "expected [x, y, z]"},
           {R"([{"body": "b", "position": [0, 1, 2]}])", "/exact/0/body"},
           {R"([{"body": "wall", "position": [0, 1, 2]}])", "not moved by forces"},
           {R"([{"body": "a"}])", "neither `position` nor `turn`"},
           {R"([{"body": "a", "turn": "t"}, {"body": "a", "turn": 1}])", "given twice"},
           {R"([{"body": "a", "turn": [1]}])", "/exact/0/turn"},
           {R"([{"body": "a", "turn": 1, "speed": 2}])", "unknown key"},
           {R"({"a": 1})", "/exact"}})
    EXPECT_NE(refused(exact).find(words), std::string::npos) << exact << "\n" << refused(exact);
}

}  // namespace
}  // namespace stiction
