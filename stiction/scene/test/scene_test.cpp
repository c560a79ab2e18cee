// What a scene file's words become in the model.

#include "stiction/scene/scene.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>

#include "stiction/scene/test/scene_files.h"

namespace {

using namespace stiction;  // NOLINT(google-build-using-namespace): a test of that namespace

Scene read(const std::string& text) {
  auto scene = parse_scene(text, "folder/some_scene.json");
  EXPECT_TRUE(scene.ok()) << scene.error();
  return scene.ok() ? std::move(scene).value()
                    : read("{\"stiction\": 1, \"bodies\": [{\"name\": \"a\", \"mass\": 1, \"freedom\": \"x\"}]}");
}

Body body(const std::string& keys) {
  return read("{\"stiction\": 1, \"bodies\": [{\"name\": \"a\", " + keys + "}]}").model.bodies()[0];
}

TEST(Scenes, AllOfTheProjectsAreRead) {
  const auto files = scene::test::scene_files();
  EXPECT_GE(files.size(), 15U);
  for (const auto& file : files) {
    const auto scene = read_scene(file.path);
    ASSERT_TRUE(scene.ok()) << scene.error();
    EXPECT_EQ(scene.value().name, std::filesystem::path(file.path).stem().string());
    EXPECT_EQ(scene.value().text, file.text);
  }
}

TEST(Scenes, TheRodIsThePapers) {
  const Scene scene = std::move(read_scene("scenes/papers/rod_and_table.json")).value();
  const Model& model = scene.model;
  const Body& rod = model.body(*model.find_body("rod"));
  EXPECT_EQ(rod.mass, 1.0);
  EXPECT_EQ(rod.inertia(2, 2), 0.002);
  EXPECT_TRUE(rod.planar);
  EXPECT_EQ(rod.pose.position, Vec3(0, 1, 0));
  EXPECT_NEAR(2 * std::acos(rod.pose.orientation.w()), std::numbers::pi / 6, 1e-15);
  EXPECT_EQ(rod.angular_velocity, Vec3(0, 0, 4));
  const auto& capsule = std::get<Capsule>(model.shapes()[1].shape);
  EXPECT_EQ(capsule.length, 0.5);
  EXPECT_EQ(capsule.radius, 0.05);
  EXPECT_DOUBLE_EQ(model.surface(model.shapes()[0].material, model.shapes()[1].material).mu, 0.6);
  EXPECT_EQ(model.gravity(), Vec3(0, -9.81, 0));
  EXPECT_EQ(scene.settings.simulation.h, 0.0025);
  EXPECT_EQ(scene.settings.simulation.scheme.scheme, Scheme::stewart_trinkle);
  EXPECT_FALSE(scene.settings.simulation.scheme.linear);
}

TEST(Scenes, WhatIsLeftOutHasItsDefault) {
  const Scene scene = read(
      "{\"stiction\": 1, \"bodies\": [{\"name\": \"a\", \"density\": 1000, "
      "\"shape\": {\"type\": \"box\", \"size\": [0.1, 0.2, 0.3]}}]}");
  EXPECT_EQ(scene.name, "some_scene");
  EXPECT_EQ(scene.model.gravity(), Vec3(0, 0, -9.81));
  const Body& box = scene.model.bodies()[0];
  EXPECT_NEAR(box.mass, 6.0, 1e-12);
  EXPECT_NEAR(box.inertia(0, 0), 6.0 / 12 * (0.04 + 0.09), 1e-12) << "sizes are full edge lengths";
  EXPECT_EQ(box.pose.position, Vec3(0, 0, 0));
  EXPECT_TRUE(box.movable());
  EXPECT_EQ(scene.model.velocities(), 6);
  EXPECT_EQ(scene.model.surface(0, 0).mu, 0.5);
  EXPECT_EQ(scene.model.surface(0, 0).restitution, 0.0);
}

TEST(Scenes, OrientationsCanBeGivenInThreeWays) {
  const std::string ball = "\"mass\": 1, \"shape\": {\"type\": \"sphere\", \"radius\": 1}, ";
  const Vec3 expected(std::cos(0.5), std::sin(0.5), 0);
  const auto x_axis = [&](const std::string& keys) { return Vec3(body(ball + keys).pose.orientation * Vec3::UnitX()); };
  EXPECT_NEAR((x_axis("\"angle\": 0.5") - expected).norm(), 0, 1e-15);
  EXPECT_NEAR((x_axis("\"orientation\": {\"axis\": [0, 0, 2], \"angle\": 0.5}") - expected).norm(), 0, 1e-15);
  const std::string q =
      "[" + std::to_string(2 * std::cos(0.25)) + ", 0, 0, " + std::to_string(2 * std::sin(0.25)) + "]";
  EXPECT_NEAR((x_axis("\"orientation\": " + q) - expected).norm(), 0, 1e-5) << "w first; made of unit length";
}

TEST(Scenes, FreedomIsAWordOrAList) {
  const auto columns = [&](const std::string& freedom) {
    std::string mask;
    const Body b = body("\"mass\": 1, \"inertia\": 1, \"freedom\": " + freedom);
    for (const int column : b.columns) mask += column >= 0 ? '1' : '0';
    return mask;
  };
  EXPECT_EQ(columns("\"full\""), "111111");
  EXPECT_EQ(columns("\"planar\""), "110001");
  EXPECT_EQ(columns("\"particle\""), "111000");
  EXPECT_EQ(columns("\"x\""), "100000");
  EXPECT_EQ(columns("\"y\""), "010000");
  EXPECT_EQ(columns("\"z\""), "001000");
  EXPECT_EQ(columns("[\"z\", \"rx\"]"), "001100");
}

TEST(Scenes, InertiaIsANumberMomentsOrAMatrix) {
  const auto inertia = [&](const std::string& value) { return body("\"mass\": 1, \"inertia\": " + value).inertia; };
  EXPECT_EQ(inertia("2"), 2 * Mat3::Identity());
  EXPECT_EQ(inertia("[2, 3, 4]"), Mat3(Vec3(2, 3, 4).asDiagonal()));
  EXPECT_EQ(inertia("[[2, 0.5, 0], [0.5, 3, 0], [0, 0, 4]]")(0, 1), 0.5);
}

TEST(Scenes, MaterialsCombineUnlessAPairIsGiven) {
  const Scene scene = read(R"({"stiction": 1,
    "materials": {"default": {"mu": 0.4, "restitution": 0.1}, "ice": {"mu": 0.1}, "rubber": {"mu": 0.9, "restitution": 0.8},
                  "pairs": [{"between": ["ice", "rubber"], "mu": 0.02}]},
    "bodies": [
      {"name": "a", "mass": 1, "material": "ice", "shape": {"type": "sphere", "radius": 1}},
      {"name": "b", "mass": 1, "position": [5, 0, 0], "shape": {"type": "sphere", "radius": 1, "material": "rubber"}},
      {"name": "c", "mass": 1, "position": [9, 0, 0], "shape": {"type": "sphere", "radius": 1}},
      {"name": "d", "mass": 1, "position": [0, 9, 0], "material": {"mu": 0}, "shape": {"type": "sphere", "radius": 1}}]})");
  const auto pair = [&](int i, int j) {
    const auto& shapes = scene.model.shapes();
    return scene.model.surface(shapes[static_cast<std::size_t>(i)].material,
                               shapes[static_cast<std::size_t>(j)].material);
  };
  EXPECT_EQ(pair(0, 1).mu, 0.02);
  EXPECT_EQ(pair(1, 0).restitution, 0.8) << "what the pair leaves out is combined";
  EXPECT_DOUBLE_EQ(pair(0, 2).mu, std::sqrt(0.1 * 0.4));
  EXPECT_EQ(pair(0, 2).restitution, 0.1);
  EXPECT_EQ(pair(2, 3).mu, 0.0);
}

TEST(Scenes, GroupsThatDoNotMeet) {
  const Scene scene = read(R"({"stiction": 1, "bodies": [
      {"name": "a", "mass": 1, "group": "rope", "shape": {"type": "sphere", "radius": 0.1}},
      {"name": "b", "mass": 1, "group": "rope", "position": [1, 0, 0], "shape": {"type": "sphere", "radius": 0.1}},
      {"name": "c", "mass": 1, "position": [2, 0, 0], "shape": {"type": "sphere", "radius": 0.1}}],
    "ignore_groups": [["rope", "rope"]]})");
  EXPECT_FALSE(scene.model.may_touch(0, 1));
  EXPECT_TRUE(scene.model.may_touch(0, 2));
}

TEST(Scenes, JointsAndForcesAreBuilt) {
  const Scene scene = read(R"({"stiction": 1, "bodies": [
      {"name": "a", "mass": 1, "shape": {"type": "sphere", "radius": 0.1}},
      {"name": "b", "mass": 1, "position": [1, 0, 0], "shape": {"type": "sphere", "radius": 0.1}},
      {"name": "c", "mass": 1, "position": [2, 0, 0], "shape": {"type": "sphere", "radius": 0.1}}],
    "joints": [{"type": "spherical", "name": "pin", "body": "a", "anchor": [0, 0, 0]},
               {"type": "distance", "body": "a", "partner": "b"}],
    "forces": [{"type": "spring", "name": "s", "body": "b", "partner": "c", "stiffness": 5, "damping": 2},
               {"type": "force", "name": "push", "body": "c", "force": [1, 2, 3], "point": [0, 0, 1]}],
    "ignore_contacts": [["b", "c"]]})");
  const Model& model = scene.model;
  ASSERT_EQ(model.joints().size(), 2U);
  EXPECT_EQ(model.joints()[0].name, "pin");
  EXPECT_EQ(model.joints()[0].parts.size(), 3U);
  EXPECT_EQ(model.joints()[1].name, "joint1");
  EXPECT_EQ(std::get<DistancePart>(model.joints()[1].parts[0]).length, 1.0);
  ASSERT_EQ(model.springs().size(), 1U);
  EXPECT_EQ(model.springs()[0].length, 1.0);
  EXPECT_EQ(model.springs()[0].stiffness, 5.0);
  EXPECT_EQ(model.springs()[0].damping, 2.0);
  ASSERT_EQ(model.forces().size(), 1U);
  EXPECT_EQ(model.forces()[0].force.constant(), Vec3(1, 2, 3));
  EXPECT_EQ(model.forces()[0].point, Vec3(0, 0, 1));
  EXPECT_FALSE(model.may_touch(0, 1)) << "joined";
  EXPECT_FALSE(model.may_touch(1, 2)) << "ignored";
  EXPECT_TRUE(model.may_touch(0, 2));
}

TEST(Scenes, SettingsReachTheOptions) {
  const Scene scene = read(R"({"stiction": 1, "bodies": [{"name": "a", "mass": 1, "freedom": "x"}],
    "simulation": {"scheme": "anitescu_potra", "h": 0.25, "end": 7, "solver": "lemke", "cone": 12, "turn_facets": false,
      "max_turns": 3, "geometry": "midpoint", "max_iterations": 4, "position_update": "old_velocity", "impact": "newton",
      "restitution_threshold": 0.5, "stabilisation": 0.25, "contact_tolerance": 0.125, "max_events": 6,
      "initial_velocity": "keep", "start_penetration": 0.5, "tolerance": 1e-9}})");
  const SimulationOptions& simulation = scene.settings.simulation;
  EXPECT_EQ(simulation.h, 0.25);
  EXPECT_EQ(simulation.end, 7.0);
  EXPECT_EQ(simulation.scheme.scheme, Scheme::anitescu_potra);
  EXPECT_EQ(simulation.scheme.cone.facets, 12);
  EXPECT_FALSE(simulation.scheme.cone.turn);
  EXPECT_EQ(simulation.scheme.cone.most_turns, 3);
  EXPECT_EQ(simulation.scheme.cone.tolerance, 1e-9);
  EXPECT_EQ(simulation.scheme.geometry, GeometryAt::midpoint);
  EXPECT_EQ(simulation.scheme.most_iterations, 4);
  EXPECT_EQ(simulation.scheme.position_update, PositionUpdate::old_velocity);
  EXPECT_EQ(simulation.scheme.impact, ImpactLaw::newton);
  EXPECT_EQ(simulation.scheme.restitution_threshold, 0.5);
  EXPECT_EQ(simulation.scheme.stabilisation, 0.25);
  EXPECT_EQ(simulation.scheme.contact_tolerance, 0.125);
  EXPECT_EQ(simulation.scheme.most_events, 6);
  EXPECT_EQ(scene.settings.solver, "lemke");
  EXPECT_EQ(scene.settings.initial_velocity, InitialVelocity::keep);
  EXPECT_EQ(scene.settings.start_penetration, 0.5);
}

TEST(Scenes, GeometryFollowsTheScheme) {
  const auto geometry = [](const std::string& keys) {
    return read(
               "{\"stiction\": 1, \"bodies\": [{\"name\": \"a\", \"mass\": 1, \"freedom\": \"x\"}], \"simulation\": {" +
               keys + "}}")
        .settings.simulation.scheme.geometry;
  };
  EXPECT_EQ(geometry(""), GeometryAt::end);
  EXPECT_EQ(geometry("\"linear\": true"), GeometryAt::predicted);
  EXPECT_EQ(geometry("\"scheme\": \"anitescu_potra\""), GeometryAt::predicted);
  EXPECT_EQ(geometry("\"geometry\": \"average\""), GeometryAt::average);
}

TEST(Scenes, SeveralMistakesAreToldAtOnce) {
  const auto scene = parse_scene(
      "{\"stiction\": 1,\n\"gravity\": [0, 0],\n\"bodies\": [{\"name\": \"a\", \"mass\": -1},\n"
      "{\"name\": \"a\", \"mas\": 1}],\n\"simulation\": {\"h\": 0}}",
      "f.json");
  ASSERT_FALSE(scene.ok());
  EXPECT_EQ(
      scene.error(),
      "f.json:2:12: /gravity: found an array of 2, expected [x, y, z], three numbers\n"
      "f.json:3:34: /bodies/0/mass: found -1, expected a mass in kg from 1e-12 to 1e+12\n"
      "f.json:4:1: /bodies/1: found neither `mass` nor `density`, expected one of them; a body that cannot move is "
      "`\"fixed\": true`\n"
      "f.json:4:10: /bodies/1/name: another body is named \"a\", expected each name once\n"
      "f.json:4:15: /bodies/1/mas: unknown key in a body; did you mean `mass`?\n"
      "f.json:5:21: /simulation/h: found 0, expected a step in s from 1e-12 to 1e+06");
}

TEST(Scenes, AFileThatIsNotThereIsAnError) {
  const auto scene = read_scene("scenes/no_such_scene.json");
  ASSERT_FALSE(scene.ok());
  EXPECT_EQ(scene.error(), "scenes/no_such_scene.json: no such file");
}

}  // namespace
