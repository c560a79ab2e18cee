// Starts that are refused: in penetration, or with a velocity against a contact or a joint.

#include <gtest/gtest.h>

#include <string>

#include "stiction/scene/scene.h"

namespace {

using stiction::parse_scene;

/// A ball of radius 0.5 on or near a floor.
std::string ball(const std::string& height, const std::string& keys, const std::string& simulation = "") {
  return "{\"stiction\": 1, \"bodies\": [{\"name\": \"floor\", \"fixed\": true, \"shape\": {\"type\": "
         "\"half_space\"}},\n"
         "{\"name\": \"ball\", \"mass\": 1, \"shape\": {\"type\": \"sphere\", \"radius\": 0.5}, \"position\": [0, 0, " +
         height + "]" + keys + "}],\n\"simulation\": {" + simulation + "}}";
}

std::string error_of(const std::string& text) {
  const auto scene = parse_scene(text, "f.json");
  return scene.ok() ? "" : scene.error();
}

TEST(Start, InPenetrationIsRefusedWithPairAndDepth) {
  const std::string error = error_of(ball("0.25", ""));
  EXPECT_TRUE(error.starts_with("f.json:2:1: /bodies/1: ")) << error;
  EXPECT_NE(error.find("ball"), std::string::npos) << error;
  EXPECT_NE(error.find("floor"), std::string::npos) << error;
  EXPECT_NE(error.find("0.25 m deep"), std::string::npos) << error;
  EXPECT_EQ(error_of(ball("0.25", "", "\"start_penetration\": 0.3")), "");
  EXPECT_EQ(error_of(ball("0.4999999", "")), "") << "less than the tolerance";
  EXPECT_EQ(error_of(ball("0.5", "")), "");
}

TEST(Start, AgainstAContactIsRefusedUnlessTheFileSaysWhatToDo) {
  const std::string falling = ", \"velocity\": [1, 0, -2]";
  const std::string error = error_of(ball("0.5", falling));
  EXPECT_TRUE(error.starts_with("f.json:2:1: /bodies/1: ")) << error;
  EXPECT_NE(error.find("the gap closes at 2 m/s"), std::string::npos) << error;
  EXPECT_NE(error.find("\"collide\""), std::string::npos) << error;
  EXPECT_EQ(error_of(ball("0.5", falling, "\"initial_velocity\": \"collide\"")), "");
  EXPECT_EQ(error_of(ball("0.5", falling, "\"initial_velocity\": \"keep\"")), "");
  EXPECT_EQ(error_of(ball("0.6", falling)), "") << "not in contact";
  EXPECT_EQ(error_of(ball("0.5", ", \"velocity\": [1, 0, 2]")), "") << "away from the floor";
  EXPECT_EQ(error_of(ball("0.5", ", \"velocity\": [1, 0, 0], \"angular_velocity\": [0, 0, 5]")), "") << "along it";
}

TEST(Start, AgainstAJointIsRefusedUnlessTheFileSaysWhatToDo) {
  const auto pendulum = [](const std::string& velocity, const std::string& simulation) {
    return "{\"stiction\": 1, \"bodies\": [{\"name\": \"bob\", \"mass\": 1, \"freedom\": \"particle\", \"position\": "
           "[1, 0, 0], "
           "\"velocity\": " +
           velocity +
           "}], \"joints\": [\n"
           "{\"name\": \"rod\", \"type\": \"distance\", \"body\": \"bob\", \"partner_anchor\": [0, 0, 0]}],"
           "\"simulation\": {" +
           simulation + "}}";
  };
  const std::string error = error_of(pendulum("[0.5, 0, 1]", ""));
  EXPECT_TRUE(error.starts_with("f.json:2:1: /joints/0: ")) << error;
  EXPECT_NE(error.find("0.5 m/s"), std::string::npos) << error;
  EXPECT_EQ(error_of(pendulum("[0.5, 0, 1]", "\"initial_velocity\": \"keep\"")), "");
  EXPECT_EQ(error_of(pendulum("[0, 3, 1]", "")), "") << "along the circle";
}

TEST(Start, MovingGroundCounts) {
  const auto scene = [](const std::string& velocity) {
    return "{\"stiction\": 1, \"bodies\": [{\"name\": \"lift\", \"kinematic\": true, \"velocity\": " + velocity +
           ", \"shape\": {\"type\": \"half_space\"}}, {\"name\": \"ball\", \"mass\": 1, \"shape\": {\"type\": "
           "\"sphere\", "
           "\"radius\": 0.5}, \"position\": [0, 0, 0.5]}]}";
  };
  EXPECT_NE(error_of(scene("[0, 0, 1]")).find("the gap closes at 1 m/s"), std::string::npos);
  EXPECT_EQ(error_of(scene("[0, 0, -1]")), "");
  EXPECT_EQ(error_of(scene("[1, 0, 0]")), "");
}

}  // namespace
