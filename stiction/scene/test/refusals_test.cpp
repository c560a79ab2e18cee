// Each thing that the reader must refuse, with the place, the pointer and the words it must be refused with.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "stiction/scene/scene.h"

namespace {

using stiction::parse_scene;

/// In the texts below this stands before the value (or key) that the message must point at.
constexpr std::string_view marker = "/*!*/";

std::string marked_place(const std::string& text) {
  const std::size_t end = text.find(marker) + marker.size();
  const std::string before = text.substr(0, end);
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const std::size_t last_break = before.rfind('\n');
  const std::size_t column = last_break == std::string::npos ? end + 1 : end - last_break;
  return "scene.json:" + std::to_string(line) + ":" + std::to_string(column) + ": ";
}

/// The one mistake in the text is told at the marked place, with this pointer, in these words.
void expect_refused(const std::string& text, const std::string& pointer, const std::string& words) {
  const auto scene = parse_scene(text, "scene.json");
  ASSERT_FALSE(scene.ok()) << text;
  EXPECT_EQ(std::count(scene.error().begin(), scene.error().end(), '\n'), 0) << scene.error();
  EXPECT_TRUE(scene.error().starts_with(marked_place(text) + pointer + ": "))
      << "expected at " << marked_place(text) << pointer << ", got\n"
      << scene.error();
  EXPECT_NE(scene.error().find(words), std::string::npos) << "expected \"" << words << "\" in\n" << scene.error();
}

/// A scene with one ball beside a floor, and more keys for the ball.
std::string with_ball(const std::string& keys) {
  return "{\"stiction\": 1,\n \"bodies\": [\n  {\"name\": \"floor\", \"fixed\": true, \"shape\": {\"type\": "
         "\"half_space\"}},\n"
         "  /*!!*/{\"name\": \"ball\"" +
         (keys.empty() ? "" : ", " + keys) + "}]}";
}

/// As with_ball, for a mistake of the body as a whole.
std::string with_wrong_ball(const std::string& keys) {
  std::string text = with_ball(keys);
  return text.replace(text.find("/*!!*/"), 6, marker);
}

/// A scene with two good balls a metre apart, `a` at the origin and `b` at x = 1, and more top-level keys.
std::string with_balls(const std::string& keys) {
  return "{\"stiction\": 1, \"bodies\": [\n"
         "  {\"name\": \"a\", \"mass\": 1, \"shape\": {\"type\": \"sphere\", \"radius\": 0.25}},\n"
         "  {\"name\": \"b\", \"mass\": 1, \"shape\": {\"type\": \"sphere\", \"radius\": 0.25}, \"position\": [1, 0, "
         "0]}],\n" +
         keys + "}";
}

const std::string sphere = "\"shape\": {\"type\": \"sphere\", \"radius\": 0.1}, \"position\": [0, 0, 1]";

TEST(GoodScenes, AreRead) {
  EXPECT_TRUE(parse_scene(with_ball("\"mass\": 1, " + sphere), "scene.json").ok());
  EXPECT_TRUE(parse_scene(with_balls("\"joints\": []"), "scene.json").ok());
}

TEST(Refusals, Mass) {
  expect_refused(with_ball(sphere + ", \"mass\": /*!*/0"), "/bodies/1/mass", "found 0, expected a mass in kg from");
  expect_refused(with_ball(sphere + ", \"mass\": /*!*/-1"), "/bodies/1/mass", "found -1, expected a mass in kg");
  expect_refused(with_ball(sphere + ", \"density\": /*!*/-1000"), "/bodies/1/density", "expected a density");
  expect_refused(with_ball(sphere + ", \"mass\": /*!*/1e300"), "/bodies/1/mass", "to 1e+12");
  expect_refused(with_ball(sphere + ", \"mass\": 1, \"density\": /*!*/1"), "/bodies/1/density", "expected one of them");
  expect_refused(with_wrong_ball(sphere), "/bodies/1", "neither `mass` nor `density`");
  expect_refused(with_ball("\"density\": /*!*/1000, \"shape\": {\"type\": \"point\"}, \"position\": [0, 0, 1]"),
                 "/bodies/1/density", "expected `mass`");
  expect_refused(with_wrong_ball("\"mass\": 1"), "/bodies/1", "neither inertia nor a shape");
}

TEST(Refusals, InertiaThatNoBodyHas) {
  const std::string start = sphere + ", \"mass\": 1, \"inertia\": ";
  expect_refused(with_ball(start + "/*!*/[1, 1, 3]"), "/bodies/1/inertia", "the inertia");
  expect_refused(with_ball(start + "/*!*/[1, -1, 1]"), "/bodies/1/inertia", "the inertia");
  expect_refused(with_ball(start + "/*!*/0"), "/bodies/1/inertia", "the inertia");
  expect_refused(with_ball(start + "/*!*/[[1, 0.5, 0], [0, 1, 0], [0, 0, 1]]"), "/bodies/1/inertia", "symmetric");
  expect_refused(with_ball(start + "/*!*/[1, 1]"), "/bodies/1/inertia", "[Ixx, Iyy, Izz]");
  expect_refused(with_ball(start + "[[1, 0, 0], /*!*/[0, 1], [0, 0, 1]]"), "/bodies/1/inertia/1", "a row");
  expect_refused(with_ball(start + "/*!*/-1, \"freedom\": \"particle\""), "/bodies/1/inertia", "the inertia");
}

TEST(Refusals, NumbersThatAreNone) {
  const auto refuse = [](const std::string& number) {
    const std::string text = with_ball(sphere + ", \"mass\": /*!*/" + number);
    const auto scene = parse_scene(text, "scene.json");
    ASSERT_FALSE(scene.ok());
    EXPECT_TRUE(scene.error().starts_with("scene.json:4:")) << scene.error();
    EXPECT_NE(scene.error().find("expected a finite number"), std::string::npos) << scene.error();
  };
  refuse("NaN");
  refuse("nan");
  refuse("Infinity");
  refuse("-Infinity");
  refuse("1e999");
}

TEST(Refusals, Keys) {
  expect_refused(with_ball(sphere + ", \"mass\": 1, /*!*/\"colour\": 3"), "/bodies/1/colour",
                 "unknown key in a body, expected `name`, ");
  expect_refused(with_ball(sphere + ", \"mass\": 1, /*!*/\"Mass\": 3"), "/bodies/1/Mass", "did you mean `mass`?");
  expect_refused(with_ball(sphere + ", \"mass\": 1, /*!*/\"mass\": 2"), "/bodies/1/mass", "for the second time");
  expect_refused(with_ball("\"mass\": 1, \"shape\": {\"type\": \"sphere\", \"radius\": 0.1, /*!*/\"size\": 2}, "
                           "\"position\": [0, 0, 1]"),
                 "/bodies/1/shape/size", "unknown key in a shape of type `sphere`");
  expect_refused(with_balls("\"materials\": {\"steel\": {/*!*/\"restituton\": 0.5}}"), "/materials/steel/restituton",
                 "did you mean `restitution`?");
  expect_refused(with_balls("\"materials\": {\"steel\": {/*!*/\"friction\": 0.5}}"), "/materials/steel/friction",
                 "did you mean `mu`?");
  expect_refused(with_balls("\"simulation\": {/*!*/\"dt\": 0.5}"), "/simulation/dt", "did you mean `h`?");
  expect_refused(with_balls("/*!*/\"gravty\": [0, 0, 0]"), "/gravty", "did you mean `gravity`?");
  expect_refused(with_balls("/*!*/\"a/b~\": 1"), "/a~1b~0", "unknown key in a scene");
}

TEST(Refusals, Names) {
  expect_refused(
      "{\"stiction\": 1, \"bodies\": [{\"name\": \"a\", \"mass\": 1, \"freedom\": \"x\"},\n"
      "{\"name\": /*!*/\"a\", \"mass\": 1, \"freedom\": \"x\"}]}",
      "/bodies/1/name", "another body is named \"a\"");
  expect_refused("{\"stiction\": 1, \"bodies\": [{\"name\": /*!*/\"\", \"mass\": 1, \"freedom\": \"x\"}]}",
                 "/bodies/0/name", "a name of 1 to 100 printable characters");
  expect_refused("{\"stiction\": 1, \"bodies\": [{\"name\": /*!*/\"a\\n\", \"mass\": 1, \"freedom\": \"x\"}]}",
                 "/bodies/0/name", "a name of 1 to 100 printable characters");
  expect_refused("{\"stiction\": 1, \"bodies\": [/*!*/{\"mass\": 1, \"freedom\": \"x\"}]}", "/bodies/0",
                 "`name` is missing");
  expect_refused("{\"stiction\": 1, \"bodies\": [{\"name\": /*!*/\"world\", \"mass\": 1, \"freedom\": \"x\"}]}",
                 "/bodies/0/name", "the fixed world's");
  const std::string joint = "{\"name\": \"j\", \"type\": \"spherical\", \"body\": \"a\", \"anchor\": [0, 0, 0]}";
  expect_refused(with_balls("\"joints\": [" + joint +
                            ", {\"name\": /*!*/\"j\", \"type\": \"spherical\", \"body\": \"b\", "
                            "\"anchor\": [1, 0, 0]}]"),
                 "/joints/1/name", "another joint is named \"j\"");
  const std::string force = "\"type\": \"force\", \"body\": \"a\", \"force\": [1, 0, 0]}";
  expect_refused(with_balls("\"forces\": [{\"name\": \"f\", " + force + ", {\"name\": /*!*/\"f\", " + force + "]"),
                 "/forces/1/name", "another force is named \"f\"");
}

TEST(Refusals, UnknownThings) {
  expect_refused(with_balls("\"joints\": [{\"type\": \"spherical\", \"body\": /*!*/\"c\", \"anchor\": [0, 0, 0]}]"),
                 "/joints/0/body", "there is no body \"c\"");
  expect_refused(with_balls("\"joints\": [{\"type\": \"spherical\", \"body\": \"a\", \"partner\": /*!*/\"wrld\", "
                            "\"anchor\": [0, 0, 0]}]"),
                 "/joints/0/partner", "there is no body \"wrld\"");
  expect_refused(with_balls("\"joints\": [{\"type\": /*!*/\"hinge\", \"body\": \"a\"}]"), "/joints/0/type",
                 "expected `fixed`, `revolute`, `prismatic`, `spherical`, `distance`");
  expect_refused(with_balls("\"forces\": [{\"type\": /*!*/\"sprin\", \"body\": \"a\"}]"), "/forces/0/type",
                 "did you mean `spring`?");
  expect_refused(with_balls("\"forces\": [{\"type\": \"force\", \"body\": /*!*/\"c\", \"force\": [1, 0, 0]}]"),
                 "/forces/0/body", "there is no body \"c\"");
  expect_refused(with_ball(sphere + ", \"mass\": 1, \"material\": /*!*/\"steel\""), "/bodies/1/material",
                 "there is no material \"steel\"");
  expect_refused(with_balls("\"materials\": {\"ice\": {}, \"pairs\": [{\"between\": [\"ice\", /*!*/\"ize\"]}]}"),
                 "/materials/pairs/0/between/1", "did you mean `ice`?");
  expect_refused(R"({"stiction": 1, "bodies": [{"name": "a", "mass": 1, "group": "rope",
      "shape": {"type": "sphere", "radius": 1}}], "ignore_groups": [["rope", /*!*/"rop"]]})",
                 "/ignore_groups/0/1",
                 "no body is in a group \"rop\", expected the `group` of a body; did you mean `rope`?");
  expect_refused(with_balls("\"ignore_contacts\": [[\"a\", /*!*/\"c\"]]"), "/ignore_contacts/0/1", "no body \"c\"");
  expect_refused(with_ball(sphere + ", \"mass\": 1, \"freedom\": /*!*/\"planer\""), "/bodies/1/freedom",
                 "did you mean `planar`?");
}

TEST(Refusals, Joints) {
  const auto joint = [](const std::string& keys) {
    return with_balls("\"joints\": [/*!!*/{\"body\": \"a\", " + keys + "}]");
  };
  expect_refused(joint("\"type\": \"spherical\", \"partner\": /*!*/\"a\", \"anchor\": [0, 0, 0]"), "/joints/0/partner",
                 "`a` is joined to itself");
  expect_refused(joint("\"type\": \"spherical\", \"partner\": \"b\", \"anchor\": [0, 0, 0], "
                       "\"partner_anchor\": /*!*/[0, 0.5, 0]"),
                 "/joints/0/partner_anchor", "do not meet: `anchor` and `partner_anchor` are 0.5 m apart");
  expect_refused(joint("\"type\": \"distance\", \"partner\": \"b\", \"length\": /*!*/1.5"), "/joints/0/length",
                 "do not meet: the anchors are 1 m apart, expected 1.5 m");
  expect_refused(joint("\"type\": \"distance\", \"partner\": \"b\", \"partner_anchor\": /*!*/[0, 0, 0]"),
                 "/joints/0/partner_anchor", "expected a distance");
  expect_refused(joint("\"type\": \"revolute\", \"anchor\": [0, 0, 0], \"axis\": /*!*/[0, 0, 0]"), "/joints/0/axis",
                 "expected a direction");
  std::string missing = joint("\"type\": \"prismatic\"");
  expect_refused(missing.replace(missing.find("/*!!*/"), 6, marker), "/joints/0", "`axis` is missing");
  expect_refused(
      "{\"stiction\": 1, \"bodies\": [{\"name\": \"a\", \"mass\": 1, \"freedom\": \"x\"},"
      "{\"name\": \"f\", \"fixed\": true}], \"joints\": [\n"
      "{\"type\": \"fixed\", \"body\": /*!*/\"f\"}]}",
      "/joints/0/body", "is moved by forces, expected one that is");
}

TEST(Refusals, DirectionsAndRotations) {
  const std::string good = sphere + ", \"mass\": 1, ";
  expect_refused(with_ball(good + "\"orientation\": /*!*/[0, 0, 0, 0]"), "/bodies/1/orientation",
                 "expected a rotation");
  expect_refused(with_ball(good + "\"orientation\": /*!*/[1, 0, 0]"), "/bodies/1/orientation", "[w, x, y, z]");
  expect_refused(with_ball(good + "\"orientation\": {\"axis\": /*!*/[0, 0, 0], \"angle\": 1}"),
                 "/bodies/1/orientation/axis", "expected a direction");
  expect_refused(with_ball(good + "\"orientation\": [1, 0, 0, 0], \"angle\": /*!*/1"), "/bodies/1/angle",
                 "found both `orientation` and `angle`");
  expect_refused(
      "{\"stiction\": 1, \"bodies\": [{\"name\": \"f\", \"fixed\": true, \"shape\": {\"type\": \"half_space\", "
      "\"normal\": /*!*/[0, 0, 0]}}, {\"name\": \"a\", \"mass\": 1, \"freedom\": \"x\"}]}",
      "/bodies/0/shape/normal", "expected a direction");
  expect_refused(with_ball("\"mass\": 1, \"position\": [0, 0, 3], \"shape\": {\"type\": \"capsule\", \"radius\": 0.1, "
                           "\"length\": 1, \"axis\": /*!*/[0, 0, 0]}"),
                 "/bodies/1/shape/axis", "expected a direction");
}

TEST(Refusals, Shapes) {
  const auto shape = [](const std::string& keys) { return with_ball("\"mass\": 1, \"position\": [0, 0, 3], " + keys); };
  expect_refused(shape("\"shape\": {\"type\": \"sphere\", \"radius\": /*!*/-1}"), "/bodies/1/shape/radius", "a length");
  expect_refused(shape("\"shape\": {\"type\": \"box\", \"size\": [1, /*!*/0, 1]}"), "/bodies/1/shape/size/1",
                 "a length");
  expect_refused(shape("\"shape\": {\"type\": \"box\", \"size\": /*!*/[1, 1]}"), "/bodies/1/shape/size", "[x, y, z]");
  expect_refused(shape("\"shape\": /*!*/{\"type\": \"sphere\"}"), "/bodies/1/shape", "`radius` is missing");
  expect_refused(shape("\"shape\": /*!*/{\"radius\": 1}"), "/bodies/1/shape", "`type` is missing");
  expect_refused(shape("\"shape\": /*!*/3"), "/bodies/1/shape", "found 3, expected a shape, an object");
  expect_refused(shape("\"shapes\": /*!*/{\"type\": \"sphere\"}"), "/bodies/1/shapes", "an array of shapes");
  expect_refused(shape("\"shape\": /*!*/{\"type\": \"half_space\"}"), "/bodies/1/shape", "a fixed or kinematic body");
  expect_refused(shape("\"shape\": {\"type\": \"sphere\", \"radius\": 1}, \"shapes\": /*!*/[]"), "/bodies/1/shapes",
                 "found both `shape` and `shapes`");
}

TEST(Refusals, Surfaces) {
  const auto material = [](const std::string& keys) { return with_balls("\"materials\": {\"m\": {" + keys + "}}"); };
  expect_refused(material("\"restitution\": /*!*/1.5"), "/materials/m/restitution", "from 0 to 1");
  expect_refused(material("\"restitution\": /*!*/-0.1"), "/materials/m/restitution", "from 0 to 1");
  expect_refused(material("\"mu\": /*!*/-0.1"), "/materials/m/mu", "a coefficient of friction");
  expect_refused(material("\"mu2\": /*!*/-0.1"), "/materials/m/mu2", "a coefficient of friction");
  expect_refused(material("\"mu\": /*!*/\"high\""), "/materials/m/mu", "found \"high\", expected a coefficient");
  expect_refused(with_balls("\"materials\": {\"m\": {}, \"pairs\": [{\"between\": [\"m\", \"m\"]}, "
                            "/*!*/{\"between\": [\"m\", \"m\"]}]}"),
                 "/materials/pairs/1", "for the second time");
  expect_refused(with_ball(sphere + ", \"mass\": 1, \"material\": {\"mu\": /*!*/-1}"), "/bodies/1/material/mu",
                 "a coefficient of friction");
}

TEST(Refusals, Forces) {
  const auto force = [](const std::string& keys) {
    return with_balls("\"forces\": [/*!!*/{\"body\": \"a\", " + keys + "}]");
  };
  const auto wrong_force = [&](const std::string& keys) {
    std::string text = force(keys);
    return text.replace(text.find("/*!!*/"), 6, marker);
  };
  expect_refused(force("\"type\": \"spring\", \"partner\": \"b\", \"stiffness\": /*!*/-1"), "/forces/0/stiffness",
                 "a stiffness in N/m from 0");
  expect_refused(force("\"type\": \"spring\", \"partner\": \"b\", \"damping\": /*!*/-1"), "/forces/0/damping",
                 "a damping in N s/m from 0");
  expect_refused(force("\"type\": \"force\", \"force\": [/*!*/\"8*cso(t)\", 0, 0]"), "/forces/0/force/0",
                 "did you mean \"cos\"?");
  expect_refused(force("\"type\": \"force\", \"torque\": [0, /*!*/\"1/0\", 0]"), "/forces/0/torque/1", "not finite");
  expect_refused(force("\"type\": \"force\", \"force\": /*!*/\"t\""), "/forces/0/force", "or a formula in quotes");
  expect_refused(force("\"type\": \"spring\", \"partner\": /*!*/\"a\", \"damping\": 1"), "/forces/0/partner",
                 "tied to itself");
  expect_refused(wrong_force("\"type\": \"spring\", \"partner\": \"b\""), "/forces/0",
                 "neither `stiffness` nor `damping`");
  expect_refused(wrong_force("\"type\": \"spring\", \"damping\": 1"), "/forces/0", "`partner_anchor` is missing");
  expect_refused(wrong_force("\"type\": \"force\""), "/forces/0", "neither `force` nor `torque`");
}

TEST(Refusals, Freedom) {
  const std::string good = sphere + ", \"mass\": 1, ";
  expect_refused(with_ball(good + "\"freedom\": \"planar\", \"velocity\": /*!*/[0, 0, 1]"), "/bodies/1/velocity",
                 "freedom has no `z`");
  expect_refused(with_ball(good + "\"freedom\": \"planar\", \"angular_velocity\": /*!*/[1, 0, 0]"),
                 "/bodies/1/angular_velocity", "freedom has no `rx`");
  expect_refused(with_ball(good + "\"freedom\": /*!*/[]"), "/bodies/1/freedom", "`\"fixed\": true`");
  expect_refused(with_ball(good + "\"freedom\": [\"x\", /*!*/\"x\"]"), "/bodies/1/freedom/1", "once");
  expect_refused(with_ball(good + "\"freedom\": [\"x\", /*!*/\"w\"]"), "/bodies/1/freedom/1", "`rz`");
  expect_refused(with_ball(good + "\"fixed\": true, \"kinematic\": /*!*/true"), "/bodies/1/kinematic", "one of them");
  expect_refused(with_ball(good + "\"fixed\": true, \"velocity\": /*!*/[1, 0, 0]"), "/bodies/1/velocity", "is fixed");
  expect_refused(with_ball(good + "\"fixed\": /*!*/1"), "/bodies/1/fixed", "true or false");
}

TEST(Refusals, Simulation) {
  const auto simulation = [](const std::string& keys) { return with_balls("\"simulation\": {" + keys + "}"); };
  expect_refused(simulation("\"h\": /*!*/0"), "/simulation/h", "found 0, expected a step in s");
  expect_refused(simulation("\"h\": /*!*/-0.1"), "/simulation/h", "found -0.1, expected a step in s");
  expect_refused(simulation("\"end\": /*!*/0"), "/simulation/end", "found 0, expected a time in s");
  expect_refused(simulation("\"end\": /*!*/-2"), "/simulation/end", "found -2, expected a time in s");
  expect_refused(simulation("\"h\": /*!*/2, \"end\": 1"), "/simulation/h", "expected h <= end");
  expect_refused(simulation("\"h\": /*!*/1e-11, \"end\": 1"), "/simulation/h", "steps, expected at most");
  expect_refused(simulation("\"scheme\": /*!*/\"euler\""), "/simulation/scheme", "`stewart_trinkle`");
  expect_refused(simulation("\"solver\": /*!*/\"lemk\""), "/simulation/solver", "did you mean `lemke`?");
  expect_refused(simulation("\"cone\": /*!*/7"), "/simulation/cone", "even");
  expect_refused(simulation("\"cone\": /*!*/2"), "/simulation/cone", "from 4 to 256");
  expect_refused(simulation("\"cone\": /*!*/8.5"), "/simulation/cone", "a whole number");
  expect_refused(simulation("\"geometry\": /*!*/\"predicted\""), "/simulation/geometry", "expected `end` or `average`");
  expect_refused(simulation("\"linear\": true, \"geometry\": /*!*/\"end\""), "/simulation/geometry", "`predicted`");
  expect_refused(simulation("\"stabilisation\": /*!*/1.5"), "/simulation/stabilisation", "from 0 to 1");
  expect_refused(simulation("\"initial_velocity\": /*!*/\"colide\""), "/simulation/initial_velocity",
                 "did you mean `collide`?");
}

TEST(Refusals, Documents) {
  expect_refused("/*!*/[]", "top level", "found an empty array, expected a scene");
  expect_refused("/*!*/{\"bodies\": []}", "top level", "`stiction` is missing");
  expect_refused("{\"stiction\": /*!*/2, \"bodies\": []}", "/stiction", "a newer Stiction reads it");
  expect_refused("{\"stiction\": /*!*/0, \"bodies\": []}", "/stiction", "found 0, expected `\"stiction\": 1`");
  expect_refused("{\"stiction\": /*!*/\"1\", \"bodies\": []}", "/stiction", "found \"1\"");
  expect_refused("{\"stiction\": 1, \"bodies\": /*!*/[]}", "/bodies", "at least one body");
  expect_refused("/*!*/{\"stiction\": 1}", "top level", "`bodies` is missing");
  expect_refused("{\"stiction\": 1, \"bodies\": /*!*/[{\"name\": \"f\", \"fixed\": true}]}", "/bodies",
                 "every body is fixed");
}

/// Two balls with one joint more between them.
std::string with_joint(const std::string& joint) {
  return with_balls("\"joints\": [" + joint + "]");
}

TEST(Refusals, GearsAndRacks) {
  expect_refused(with_joint(R"(/*!*/{"type": "gear", "body": "a", "partner": "b"})"), "/joints/0",
                 "neither `teeth` nor `ratio`");
  expect_refused(with_joint(R"({"type": "gear", "body": "a", "partner": "b", "teeth": [1, 2], "ratio": /*!*/2})"),
                 "/joints/0/ratio", "expected one of them");
  expect_refused(with_joint(R"({"type": "gear", "body": "a", "partner": "b", "teeth": [1, /*!*/2.5]})"),
                 "/joints/0/teeth/1", "a whole number");
  expect_refused(with_joint(R"({"type": "gear", "body": "a", "partner": "b", "teeth": [/*!*/0, 2]})"),
                 "/joints/0/teeth/0", "expected a number of teeth");
  expect_refused(with_joint(R"({"type": "gear", "body": "a", "partner": "b", "ratio": /*!*/0})"), "/joints/0/ratio",
                 "expected the turns");
  expect_refused(with_joint(R"({"type": "gear", "body": "a", "partner": "b", "ratio": 2, "carrier": /*!*/"c"})"),
                 "/joints/0/carrier", "there is no body");
  expect_refused(with_joint(R"({"type": "gear", "body": "a", "partner": "b", /*!*/"theeth": [1, 2], "ratio": 2})"),
                 "/joints/0/theeth", "did you mean `teeth`?");
  expect_refused(with_joint(R"(/*!*/{"type": "gear", "name": "g", "body": "a", "ratio": 2})"), "/joints/0",
                 "the world cannot turn");
  expect_refused(with_joint(R"(/*!*/{"type": "gear", "body": "a", "ratio": 2})"), "/joints/0", "the world cannot turn");
  expect_refused(with_joint(R"(/*!*/{"type": "rack", "body": "a", "partner": "b", "partner_axis": [1, 0, 0]})"),
                 "/joints/0", "`radius` is missing");
}

TEST(Refusals, CrossesAndRopes) {
  expect_refused(with_joint(R"({"type": "universal", "body": "a", "anchor": [0, 0, 0], "axis": [1, 0, 0],
                                "partner_axis": /*!*/[1, 1, 0]})"),
                 "/joints/0/partner_axis", "expected perpendicular axes");
  expect_refused(with_joint(R"({"type": "rope", "body": "a", "partner": "b", "length": /*!*/0.5})"), "/joints/0/length",
                 "the rope's ends are 1 m apart");
  expect_refused(with_joint(R"(/*!*/{"type": "rope", "body": "a"})"), "/joints/0", "`partner_anchor` is missing");
  expect_refused(with_joint(R"({"type": "rope", "body": "a", "partner": "b", "restitution": /*!*/2})"),
                 "/joints/0/restitution", "a coefficient of restitution");
}

TEST(Refusals, LimitsAndDrives) {
  const auto hinge = [](const std::string& keys) {
    return with_joint(R"({"type": "revolute", "body": "a", "anchor": [0, 0, 0], )" + keys + "}");
  };
  expect_refused(hinge(R"("limits": /*!*/[0.1, 1])"), "/joints/0/limits", "expected the start, 0, between them");
  expect_refused(hinge(R"("limits": /*!*/[1, -1])"), "/joints/0/limits", "expected the start, 0, between them");
  expect_refused(hinge(R"("limits": /*!*/[-3.2, 3.2])"), "/joints/0/limits", "expected less than one turn");
  expect_refused(hinge(R"("limits": /*!*/1)"), "/joints/0/limits", "expected [low, high]");
  expect_refused(hinge(R"("restitution": /*!*/0.5)"), "/joints/0/restitution", "no `limits` to bounce at");
  expect_refused(hinge(R"("friction": /*!*/-1)"), "/joints/0/friction", "a friction torque in N m");
  expect_refused(hinge(R"("motor": /*!*/{})"), "/joints/0/motor", "`velocity` is missing");
  expect_refused(hinge(R"("motor": {"velocity": /*!*/"2*x"})"), "/joints/0/motor/velocity", "the formula");
  expect_refused(hinge(R"("motor": {"velocity": /*!*/"1/0"})"), "/joints/0/motor/velocity", "not finite");
  expect_refused(hinge(R"("motor": {"velocity": 1, /*!*/"max_forse": 1})"), "/joints/0/motor/max_forse",
                 "did you mean `max_force`?");
  expect_refused(hinge(R"("motor": {"velocity": 1}, "servo": /*!*/{"position": 1, "stiffness": 1})"), "/joints/0/servo",
                 "expected one of them");
  expect_refused(hinge(R"("servo": /*!*/{"position": 1})"), "/joints/0/servo", "`stiffness` is missing");
  expect_refused(hinge(R"("servo": {"position": 1, "stiffness": /*!*/0})"), "/joints/0/servo/stiffness",
                 "without stiffness and damping");
  expect_refused(with_joint(R"({"type": "cylindrical", "body": "a", "axis": [0, 0, 1], /*!*/"limits": [0, 1]})"),
                 "/joints/0/limits", "unknown key in a joint of type `cylindrical`");
  expect_refused(
      with_joint(R"({"type": "cylindrical", "body": "a", "axis": [0, 0, 1], "turn": {"limits": /*!*/[1, 2]}})"),
      "/joints/0/turn/limits", "expected the start");
}

TEST(Refusals, RollingAndStartsAgainstRatchets) {
  expect_refused(with_joint(R"({"type": "rolling_disc", "body": "a", "radius": 1, "normal": [0, 0, 1],
                                "axis": /*!*/[0, 0, 2]})"),
                 "/joints/0/axis", "lies flat");
  expect_refused(with_joint(R"(/*!*/{"type": "rolling_ball", "body": "a", "radius": 1})"), "/joints/0",
                 "`normal` is missing");
  expect_refused(R"({"stiction": 1, "bodies": [{"name": "w", "mass": 1, "inertia": 1, "angular_velocity": -1}],
                     "joints": [/*!*/{"type": "revolute", "name": "f", "body": "w", "anchor": [0, 0, 0], "one_way": true}]})",
                 "/joints/0", "joint 'f' ratchet: the initial velocity is against the contact");
}

}  // namespace
