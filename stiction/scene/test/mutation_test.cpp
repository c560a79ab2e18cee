// Mutated scene files: no crash, no hang, always a clear error or a scene.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "stiction/scene/scene.h"
#include "stiction/scene/test/scene_files.h"
#include "stiction/scene/test/scene_mutator.h"

namespace {

using namespace stiction::scene::test;  // NOLINT(google-build-using-namespace): helpers of this test

/// With the scenes there are, ten thousand in all.
constexpr int mutants_per_scene = 600;

void expect_clear(const std::string& error) {
  EXPECT_LE(std::count(error.begin(), error.end(), '\n'), 20);
  std::size_t start = 0;
  while (start <= error.size()) {
    const std::size_t end = std::min(error.find('\n', start), error.size());
    const std::string line = error.substr(start, end - start);
    EXPECT_TRUE(line.starts_with("mutant.json:")) << error;
    EXPECT_TRUE(line.find("expected") != std::string::npos || line.find("not JSON") != std::string::npos ||
                line.find(';') != std::string::npos || line.find("text ends too early") != std::string::npos)
        << line;
    EXPECT_LT(line.size(), 1000U) << line;
    EXPECT_TRUE(std::none_of(line.begin(), line.end(), [](char c) { return c >= 0 && c < 0x20; })) << line;
    start = end + 1;
  }
}

TEST(Mutation, EndsInAClearErrorOrAScene) {
  SceneMutator mutator(20240607);
  int read = 0, refused = 0;
  for (const SceneFile& file : scene_files()) {
    for (int i = 0; i < mutants_per_scene; ++i) {
      const std::string text = mutator.mutate(file.text);
      const auto scene = stiction::parse_scene(text, "mutant.json");
      if (!scene.ok()) {
        ++refused;
        expect_clear(scene.error());
        continue;
      }
      ++read;
      // What was read can be read again from its own record, and is the same.
      const auto again = stiction::parse_scene(scene.value().document, "mutant.json");
      ASSERT_TRUE(again.ok()) << again.error() << "\n" << text;
      EXPECT_EQ(again.value().document, scene.value().document);
      EXPECT_GT(scene.value().model.velocities(), 0);
    }
  }
  // Both ends of the reader are exercised.
  EXPECT_GT(read, 1000);
  EXPECT_GT(refused, 5000);
  EXPECT_GE(read + refused, 10000);
}

}  // namespace
