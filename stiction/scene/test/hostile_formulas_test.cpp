// Formulas that mean harm, in scenes: refused or ended in bounded time, with a clear message.
#include <gtest/gtest.h>

#include <chrono>
#include <string>

#include "stiction/scene/test/scene_runs.h"

namespace stiction::scene::test {
namespace {

std::string scene_with(const std::string& formula, const std::string& scheme = "stewart_trinkle") {
  return R"({"stiction": 1, "gravity": [0, 0, 0], "bodies": [{"name": "ball", "mass": 1, "freedom": "particle"}],
"forces": [{"name": "pull", "type": "force", "body": "ball", "force": [")" +
         formula + R"(", 0, 0]}], "simulation": {"scheme": ")" + scheme + R"(", "h": 0.01, "end": 1}})";
}

/// The message with which a scene is refused, in at most a second.
std::string refusal(const std::string& formula) {
  const auto start = std::chrono::steady_clock::now();
  const Result<Scene> scene = parse_scene(scene_with(formula), "scene.json", {});
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  EXPECT_LT(seconds, 5.0);  // also under sanitizers on a busy machine
  return scene.ok() ? "" : scene.error();
}

TEST(HostileFormulas, TooMuchIsRefused) {
  const auto expect_refused = [](const std::string& text, const std::string& what) {
    const std::string found = refusal(text);
    EXPECT_NE(found.find("/forces/0/force/0"), std::string::npos) << text.substr(0, 60) << ": " << found;
    EXPECT_NE(found.find(what), std::string::npos) << text.substr(0, 60) << ": " << found;
    EXPECT_LT(found.size(), 1000U);
  };
  expect_refused(std::string(100000, '1'), "4096");
  expect_refused(std::string(100000, '(') + "1" + std::string(100000, ')'), "4096");
  expect_refused(std::string(1000, '(') + "1" + std::string(1000, ')'), "64");
  expect_refused(std::string(2000, '-') + "1", "64");
  std::string tower = "2";
  for (int i = 0; i < 500; ++i) tower += "^2";
  expect_refused(tower, "64");
  std::string sum = "1";
  for (int i = 0; i < 1500; ++i) sum += "+t";
  expect_refused(sum, "1000");
  expect_refused("1/0", "finite");
  expect_refused("9^9^9^9^9", "finite");
  expect_refused("system(1)", "system");
  expect_refused("t; t", ";");
  // A megabyte does not even become a text.
  const std::string megabyte = refusal(std::string(1 << 20, '('));
  EXPECT_NE(megabyte.find("expected shorter strings"), std::string::npos) << megabyte;
}

// What is fine to read may still come to no number on the way: the run ends there and names the force and the time.
TEST(HostileFormulas, WhatIsNotFiniteEndsTheRunWithItsTime) {
  for (const std::string scheme : {"stewart_trinkle", "anitescu_potra", "lotstedt"}) {
    for (const std::string formula : {"sqrt(0.5 - t)", "log(0.5 - t)", "exp(1e6*(t - 0.3))", "1/step(0.5 - t)"}) {
      Result<Scene> scene = parse_scene(scene_with(formula, scheme), "scene.json", {});
      ASSERT_TRUE(scene.ok()) << scene.error();
      SceneRun run(std::move(scene).value());
      run.until(1.0);
      EXPECT_NE(run.why().find("pull"), std::string::npos) << scheme << " " << formula << ": " << run.why();
      EXPECT_NE(run.why().find("t = 0."), std::string::npos) << scheme << " " << formula << ": " << run.why();
      EXPECT_GT(run->time(), 0.28) << scheme << " " << formula;
      EXPECT_LT(run->time(), 0.52) << scheme << " " << formula;
    }
  }
}

}  // namespace
}  // namespace stiction::scene::test
