#include "stiction/scene/override.h"

#include <gtest/gtest.h>

#include <array>
#include <string>

#include "stiction/scene/scene.h"

namespace {

using namespace stiction::scene;  // NOLINT(google-build-using-namespace): a test of that namespace

JsonValue parse(const std::string& text) {
  Mistakes mistakes("f.json");
  return *parse_json(text, 0, {}, mistakes);
}

/// The document after the override.
std::string changed(const std::string& text, const std::string& override_text) {
  JsonValue root = parse(text);
  const auto error = apply_override(root, override_text, 1);
  return error ? error->message : to_json(root);
}

TEST(Override, ReplacesAndAdds) {
  EXPECT_EQ(changed("{\"gravity\": [0, 0, -9.81]}", "/gravity/1=-9.8"), "{\"gravity\": [0, -9.8, -9.81]}");
  EXPECT_EQ(changed("{\"a\": 1}", "/simulation/h=0.01"), "{\"a\": 1, \"simulation\": {\"h\": 0.01}}");
  EXPECT_EQ(changed("{\"simulation\": {\"h\": 1}}", "/simulation/scheme=anitescu_potra"),
            "{\"simulation\": {\"h\": 1, \"scheme\": \"anitescu_potra\"}}");
  EXPECT_EQ(changed("{}", "/name=\"two words = three\""), "{\"name\": \"two words = three\"}");
  EXPECT_EQ(changed("{\"a\": [1]}", "/a/-={\"b\": true}"), "{\"a\": [1, {\"b\": true}]}");
  EXPECT_EQ(changed("{\"a\": [1]}", "/a/1=2"), "{\"a\": [1, 2]}");
  EXPECT_EQ(changed("{\"x/y\": {\"~\": 1}}", "/x~1y/~0=2"), "{\"x/y\": {\"~\": 2}}");
  EXPECT_EQ(changed("{}", "/a=true"), "{\"a\": true}");
}

TEST(Override, SaysWhatIsWrongWithIt) {
  const auto refused = [](const std::string& override_text, const std::string& words) {
    const std::string text = changed("{\"gravity\": [0, 0, -9.81], \"name\": \"n\"}", override_text);
    EXPECT_TRUE(text.starts_with("--set " + override_text + ": ")) << text;
    EXPECT_NE(text.find(words), std::string::npos) << text;
  };
  refused("/gravity/1", "no `=`");
  refused("gravity/1=2", "expected a JSON pointer");
  refused("=2", "expected a JSON pointer");
  refused("/a~2=1", "expected a JSON pointer");
  refused("/gravity/7=2", "/gravity is an array of 3, expected an index from 0 to 3");
  refused("/gravity/x=2", "/gravity is an array of 3");
  refused("/gravity/99999999999999999999999=2", "/gravity is an array of 3");
  refused("/name/first=2", "/name is \"n\", expected an array or an object");
  refused("/bodies/0/mass=2", "there is no /bodies in the scene, expected the whole of it: /bodies=[...]");
  refused("/name=two words", "bad value");
  EXPECT_EQ(changed("{}", "/a\nb/0=1").find('\n'), std::string::npos);
  refused("/name=", "bad value");
  refused("/gravity/1=-NaN", "finite number");
  refused("/gravity/1=1e999", "finite number");
}

TEST(Override, MistakesInItAreToldWithItsText) {
  const std::string scene = "{\"stiction\": 1, \"bodies\": [{\"name\": \"a\", \"mass\": 1, \"freedom\": \"x\"}]}";
  const std::array<std::string, 2> good{"/simulation/h=0.5", "/bodies/0/mass=2"};
  const auto changed_scene = stiction::parse_scene(scene, "f.json", good);
  ASSERT_TRUE(changed_scene.ok()) << changed_scene.error();
  EXPECT_EQ(changed_scene.value().settings.simulation.h, 0.5);
  EXPECT_EQ(changed_scene.value().model.bodies()[0].mass, 2.0);

  const std::array<std::string, 3> bad{"/simulation/h=0.5", "/bodies/0/mass=-2", "/gravty=[0, 0, 1]"};
  const auto refused = stiction::parse_scene(scene, "f.json", bad);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error(),
            "--set /bodies/0/mass=-2: /bodies/0/mass: found -2, expected a mass in kg from 1e-12 to 1e+12\n"
            "--set /gravty=[0, 0, 1]: /gravty: unknown key in a scene; did you mean `gravity`?");
}

}  // namespace
