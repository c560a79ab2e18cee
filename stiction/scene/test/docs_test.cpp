// docs/scene-format.md against the schema and the reader: its examples are scenes, it names every key, and the defaults
// it states are the defaults.

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "stiction/scene/scene.h"

namespace {

using nlohmann::json;

std::string read(const char* path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

const std::string& page() {
  static const std::string text = read("docs/scene-format.md");
  return text;
}

/// The lines of the section under this heading.
std::vector<std::string> section(const std::string& heading) {
  std::istringstream in(page());
  std::vector<std::string> lines;
  bool inside = false;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("## ")) inside = line == "## " + heading;
    if (inside) lines.push_back(line);
  }
  return lines;
}

/// Key and default of each row of a section's first table.
std::vector<std::pair<std::string, std::string>> table(const std::string& heading) {
  std::vector<std::pair<std::string, std::string>> rows;
  const std::regex row(R"(^\| `([^`]+)` \|.*\| *([^|]*) \|$)");
  for (const std::string& line : section(heading))
    if (std::smatch match; std::regex_match(line, match, row)) rows.emplace_back(match[1], match[2]);
  return rows;
}

void collect_keys(const json& schema, std::set<std::string>& keys) {
  if (schema.is_array())
    for (const json& part : schema) collect_keys(part, keys);
  if (!schema.is_object()) return;
  for (const auto& [key, part] : schema.items()) {
    if (key == "properties")
      for (const auto& [name, unused] : part.items()) keys.insert(name);
    collect_keys(part, keys);
  }
}

/// All settings in one line.
std::string summary(const stiction::Settings& settings) {
  const auto& simulation = settings.simulation;
  const auto& scheme = simulation.scheme;
  std::ostringstream out;
  out << static_cast<int>(scheme.scheme) << ' ' << simulation.h << ' ' << simulation.end << ' ' << settings.solver
      << ' ' << scheme.cone.facets << ' ' << scheme.cone.turn << ' ' << scheme.cone.most_turns << ' '
      << scheme.cone.tolerance << ' ' << scheme.linear << ' ' << static_cast<int>(scheme.geometry) << ' '
      << scheme.most_iterations << ' ' << static_cast<int>(scheme.position_update) << ' '
      << static_cast<int>(scheme.impact) << ' ' << scheme.restitution_threshold << ' ' << scheme.stabilisation << ' '
      << scheme.contact_tolerance << ' ' << scheme.most_events << ' ' << static_cast<int>(settings.initial_velocity)
      << ' ' << settings.start_penetration << ' ' << static_cast<int>(scheme.jacobian) << ' ' << scheme.newton << ' '
      << scheme.projection;
  return out.str();
}

std::string settings_of(const std::string& simulation) {
  const auto scene = stiction::parse_scene(
      R"({"stiction": 1, "bodies": [{"name": "a", "mass": 1, "freedom": "x"}], "simulation": {)" + simulation + "}}",
      "f");
  return scene.ok() ? summary(scene.value().settings) : scene.error();
}

TEST(SceneFormatPage, ItsExamplesAreScenes) {
  int examples = 0;
  const std::string fence = "```json\n";
  for (std::size_t at = page().find(fence); at != std::string::npos; at = page().find(fence, at)) {
    at += fence.size();
    const std::string text = page().substr(at, page().find("```", at) - at);
    const auto scene = stiction::parse_scene(text, "example");
    EXPECT_TRUE(scene.ok()) << scene.error() << "\n" << text;
    ++examples;
  }
  EXPECT_GE(examples, 2);
}

TEST(SceneFormatPage, NamesEveryKeyOfTheSchema) {
  std::set<std::string> keys;
  collect_keys(json::parse(read("stiction/scene/scene.schema.json")), keys);
  EXPECT_GT(keys.size(), 50U);
  for (const std::string& key : keys) EXPECT_NE(page().find("`" + key + "`"), std::string::npos) << key;
}

TEST(SceneFormatPage, ItsTablesHaveTheSchemasKeys) {
  const json schema = json::parse(read("stiction/scene/scene.schema.json"));
  const auto expect_same = [](const std::string& heading, const json& properties) {
    std::set<std::string> told, known;
    for (const auto& [key, value] : table(heading)) told.insert(key);
    for (const auto& [key, value] : properties.items()) known.insert(key);
    EXPECT_EQ(told, known) << heading;
  };
  expect_same("Top level", schema["properties"]);
  expect_same("Materials", schema["definitions"]["material"]["properties"]);
  expect_same("Bodies", schema["definitions"]["body"]["properties"]);
  expect_same("Simulation", schema["definitions"]["simulation"]["properties"]);
}

TEST(SceneFormatPage, StatesTheDefaultsOfTheSimulation) {
  const std::string expected = settings_of("");
  int stated = 0;
  for (const auto& [key, value] : table("Simulation")) {
    if (!value.starts_with('`') || std::count(value.begin(), value.end(), '`') != 2) continue;
    EXPECT_EQ(settings_of("\"" + key + "\": " + value.substr(1, value.size() - 2)), expected) << key;
    ++stated;
  }
  EXPECT_EQ(stated, 22) << "all but those whose defaults are words";
  EXPECT_NE(settings_of("\"max_events\": 99"), expected) << "the comparison sees a difference";
}

}  // namespace
