// The papers' scenes move as they did: what is right about these motions the tests of each paper say, and this one
// notices when any of them changes. Where a change is meant, a failure prints the lines that replace those of
// papers_motion.txt.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "stiction/scene/test/scene_runs.h"

namespace stiction::scene::test {
namespace {

/// Of the largest coordinate. Not bits: compilers and processors round otherwise. A step that is longer by 1e-14 of
/// itself moves these ends by 2e-13 at most, so that rounding has a factor of thousands to spare, while an answer that
/// is only certified, to 1e-8, in place of found to rounding, shows.
constexpr double tolerance = 1e-9;

struct Motion {
  std::string scene;
  int steps = 0;
  std::vector<double> q;
};

/// Tests run in the project's root.
std::vector<Motion> read_motions() {
  std::ifstream file("stiction/scene/test/papers_motion.txt");
  std::vector<Motion> motions;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line.front() == '#') continue;
    std::istringstream words(line);
    Motion& motion = motions.emplace_back();
    words >> motion.scene >> motion.steps;
    for (double number = 0.0; words >> number;) motion.q.push_back(number);
  }
  return motions;
}

std::vector<Vector> run(const std::string& name, int steps, bool with_velocities) {
  SceneRun run(load("papers/" + name));
  std::vector<Vector> path;
  for (int step = 0; step < steps; ++step) {
    EXPECT_TRUE(run->step()) << name << " " << step << ": " << run->why();
    path.push_back(run->state().q);
    if (with_velocities) path.push_back(run->state().v);
  }
  return path;
}

std::string to_line(const Motion& motion, const Vector& q) {
  std::string line = motion.scene + " " + std::to_string(motion.steps);
  for (const double coordinate : q) {
    std::array<char, 32> number{};
    std::snprintf(number.data(), number.size(), " %.13g", coordinate);
    line += number.data();
  }
  return line;
}

/// The largest difference of a coordinate. q and -q of a quaternion are the same orientation.
double find_difference(const Vector& q, const std::vector<double>& stored) {
  constexpr Eigen::Index width = 7;
  if (q.size() != static_cast<Eigen::Index>(stored.size()) || q.size() % width != 0) return HUGE_VAL;
  Vector expected = Eigen::Map<const Vector>(stored.data(), q.size());
  for (Eigen::Index first = 3; first < q.size(); first += width)
    if (q.segment<4>(first).dot(expected.segment<4>(first)) < 0.0) expected.segment<4>(first) *= -1.0;
  return (q - expected).cwiseAbs().maxCoeff();
}

TEST(PapersMotion, IsAsBefore) {
  for (const Motion& motion : read_motions()) {
    const Vector q = run(motion.scene, motion.steps, false).back();
    EXPECT_LE(find_difference(q, motion.q), tolerance * q.cwiseAbs().maxCoeff()) << to_line(motion, q);
  }
}

// Every scene of the papers is there, half way and at its end.
TEST(PapersMotion, OfEveryScene) {
  std::vector<std::string> expected, found;
  for (const auto& entry : std::filesystem::directory_iterator("scenes/papers"))
    expected.insert(expected.end(), 2, entry.path().stem().string());
  for (const Motion& motion : read_motions()) found.push_back(motion.scene);
  std::sort(expected.begin(), expected.end());
  std::sort(found.begin(), found.end());
  EXPECT_EQ(found, expected);
}

// The same program, the same input, the same bits: every step of two runs in one process, another scene between them.
TEST(PapersMotion, TwoRunsHaveTheSameBits) {
  for (const Motion& motion : read_motions()) {
    const std::vector<Vector> first = run(motion.scene, motion.steps, true);
    run("rod_and_table", 20, false);
    const std::vector<Vector> second = run(motion.scene, motion.steps, true);
    ASSERT_EQ(first.size(), second.size());
    for (std::size_t i = 0; i < first.size(); ++i)
      ASSERT_TRUE(first[i] == second[i]) << motion.scene << ", step " << i / 2 + 1;
  }
}

}  // namespace
}  // namespace stiction::scene::test
