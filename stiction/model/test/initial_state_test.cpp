#include "stiction/model/initial_state.h"

#include <gtest/gtest.h>

#include "stiction/model/model_builder.h"

namespace stiction {
namespace {

bool says(const std::optional<std::string>& message, std::initializer_list<const char*> parts) {
  if (!message) return false;
  for (const char* part : parts) {
    if (message->find(part) == std::string::npos) return false;
  }
  return true;
}

/// Balls in a row above the ground, each at its own height and vertical speed.
Multibody balls(const std::vector<double>& gaps, const std::vector<double>& speeds) {
  ModelBuilder builder;
  builder.add_ground(HalfSpace{});
  for (std::size_t i = 0; i < gaps.size(); ++i) {
    builder.add_body({.name = "ball" + std::to_string(i),
                      .mass = 1.0,
                      .shape = Sphere{0.1},
                      .position = {static_cast<double>(i), 0.0, 0.1 + gaps[i]},
                      .velocity = {0.0, 0.0, speeds[i]}});
  }
  return Multibody(builder.build().value());
}

TEST(InitialState, ThePenetrationIsNamedWithItsDepth) {
  const Multibody system = balls({0.0, -1e-3, -2e-3}, {0.0, 0.0, 0.0});
  const auto message = find_start_penetration(system, 1e-6);
  EXPECT_TRUE(says(message, {"'ball2 - ground'", "0.002 m inside", "move them apart"})) << message.value_or("nothing");
  EXPECT_EQ(find_start_penetration(system, 3e-3), std::nullopt);
  EXPECT_EQ(check_initial_state(system), message);
}

TEST(InitialState, OnlyAClosedContactMindsBeingApproached) {
  const Multibody system = balls({0.0, 0.0, 0.0, 1e-3}, {1.0, -0.5, -0.25, -9.0});
  const auto message = find_velocity_against_contact(system, 1e-9, 1e-6);
  EXPECT_TRUE(says(message, {"'ball1 - ground'", "at 0.5 m/s"})) << message.value_or("nothing");
  EXPECT_EQ(check_initial_state(system), message);
  EXPECT_EQ(check_initial_state(balls({0.0, 1e-3}, {1.0, -9.0})), std::nullopt);
}

Multibody pendulum(const Vec3& velocity, const Vec3& angular_velocity, double length) {
  ModelBuilder builder;
  const BodyId bob = builder.add_body({.mass = 1.0,
                                       .shape = Sphere{0.1},
                                       .position = {1.0, 0.0, 0.0},
                                       .velocity = velocity,
                                       .angular_velocity = angular_velocity});
  builder.add_joint({.name = "hinge", .kind = JointKind::revolute, .body = bob, .axis = Vec3::UnitY()});
  builder.add_joint({.name = "rod",
                     .kind = JointKind::distance,
                     .body = bob,
                     .anchor = {1.0, 0.0, 0.0},
                     .partner_anchor = Vec3::Zero(),
                     .length = length});
  return Multibody(builder.build().value());
}

TEST(InitialState, AVelocityThatTheJointForbidsIsNamed) {
  const Vec3 w(0.0, 2.0, 0.0);
  EXPECT_EQ(check_initial_state(pendulum(w.cross(Vec3::UnitX()), w, 1.0)), std::nullopt);
  const auto message = check_initial_state(pendulum({0.0, 0.0, 0.5}, Vec3::Zero(), 1.0));
  EXPECT_TRUE(says(message, {"joint 'hinge'", "0.5", "obey the joint"})) << message.value_or("nothing");
}

TEST(InitialState, AJointThatIsNotClosedIsNamed) {
  const auto message = check_initial_state(pendulum(Vec3::Zero(), Vec3::Zero(), 0.9));
  EXPECT_TRUE(says(message, {"joint 'rod'", "off by 0.1"})) << message.value_or("nothing");
  EXPECT_EQ(find_open_joint(pendulum(Vec3::Zero(), Vec3::Zero(), 0.9), 0.2), std::nullopt);
}

TEST(InitialState, AMotorIsNoContradictionAndAPaddleIs) {
  ModelBuilder builder;
  const BodyId crank = builder.add_body({.velocity = {1.0, 0.0, 0.0}, .kinematic = true});
  const BodyId rider = builder.add_body({.mass = 1.0, .shape = Sphere{0.1}, .velocity = {1.0, 0.0, 0.0}});
  builder.add_joint({.kind = JointKind::fixed, .body = rider, .partner = crank});
  EXPECT_EQ(check_initial_state(Multibody(builder.build().value())), std::nullopt);
  builder.add_body(
      {.name = "paddle", .shape = HalfSpace{{1.0, 0.0, 0.0}, -0.1}, .velocity = {2.0, 0.0, 0.0}, .kinematic = true});
  const auto message = check_initial_state(Multibody(builder.build().value()));
  EXPECT_TRUE(says(message, {"paddle", "at 1 m/s"})) << message.value_or("nothing");
}

}  // namespace
}  // namespace stiction
