// The factors of a step against the condensed form that the step's own solver starts from, with every law.
#include "apps/step_factors.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "stiction/cone/cascade.h"
#include "stiction/contact/cone_start.h"
#include "stiction/scene/scene.h"
#include "stiction/sim/simulator.h"

namespace stiction::apps {
namespace {

using cone::Index;

class StepFactors : public testing::Test {
 protected:
  StepFactors()
      : path_(std::filesystem::path(testing::TempDir()) /
              (std::string(testing::UnitTest::GetInstance()->current_test_info()->name()) + ".json")) {}
  ~StepFactors() override { std::filesystem::remove(path_); }
  StepFactors(const StepFactors&) = delete;
  StepFactors& operator=(const StepFactors&) = delete;

  /// Runs a few steps, then compares all islands of the last; how many had contacts.
  int compare(const std::string& text, int steps) {
    std::ofstream(path_) << text;
    const Result<Scene> scene = read_scene(path_.string(), {});
    EXPECT_TRUE(scene.ok()) << scene.error();
    if (!scene) return 0;
    Simulator simulator(scene.value().model, scene.value().settings.simulation);
    for (int i = 0; i < steps; ++i) EXPECT_TRUE(simulator.step()) << simulator.why();
    const StepProblem& problem = simulator.last_problem();
    Islands islands;
    islands.split(problem);
    int compared = 0;
    for (int island = 0; island < islands.size(); ++island) {
      if (islands.contacts(island).empty()) continue;
      compare(problem, islands, island);
      ++compared;
    }
    return compared;
  }

  void compare(const StepProblem& problem, const Islands& islands, int island) {
    ConeStart start;
    const cone::Problem& expected = start.condense(problem, islands, island);
    const Result<cone::Problem> found = cone::condense(find_factors(problem, islands, island));
    ASSERT_TRUE(found.ok()) << found.error();
    ASSERT_EQ(found.value().contacts(), expected.contacts());
    const Index width = found.value().dimension;
    const cone::DenseMatrix W = found.value().W.to_dense(), twin = expected.W.to_dense();
    const double size = twin.cwiseAbs().maxCoeff(), speed = expected.q.cwiseAbs().maxCoeff();
    for (Index i = 0; i < expected.size(); ++i) {
      const bool is_there = i % 3 < width && twin(i, i) != 0.0;  // the twin has no rows without friction
      if (!is_there) continue;
      const Index row = i / 3 * width + i % 3;
      EXPECT_NEAR(found.value().q[row], expected.q[i], 1e-6 * speed) << i;
      for (Index j = 0; j < expected.size(); ++j)
        if (j % 3 < width && twin(j, j) != 0.0) {
          EXPECT_NEAR(W(row, j / 3 * width + j % 3), twin(i, j), 1e-6 * size) << i << " " << j;
        }
    }
    for (Index c = 0; c < expected.contacts(); ++c) EXPECT_EQ(found.value().mu[c], expected.mu[c]) << c;
    cone::Cascade cascade;
    cone::Solution solution;
    cascade.solve(found.value(), solution);
    EXPECT_EQ(solution.status, cone::Status::solved);
    has_borne_ |= expected.contacts() > static_cast<Index>(islands.contacts(island).size());
    for (const int j : islands.contacts(island)) has_borne_ |= !problem.has_normal(j);
  }

  std::filesystem::path path_;
  bool has_borne_ = false;
};

TEST_F(StepFactors, ABallThatRollsAndSpins) {
  EXPECT_EQ(compare(R"({"stiction": 1, "name": "ball",
    "materials": {"default": {"mu": 0.4, "spin_friction": 0.01, "roll_friction": 0.02}},
    "bodies": [{"name": "floor", "fixed": true, "shape": {"type": "half_space"}},
               {"name": "ball", "mass": 2, "position": [0, 0, 0.1], "velocity": [1, 0, 0], "angular_velocity": [0, 3, 5],
                "shape": {"type": "sphere", "radius": 0.1}}],
    "simulation": {"h": 0.005, "end": 1}})",
                    3),
            1);
  EXPECT_TRUE(has_borne_);
}

TEST_F(StepFactors, ACartWithAMotorThatTouches) {
  EXPECT_EQ(compare(R"({"stiction": 1, "name": "cart", "materials": {"default": {"mu": 0.4}},
    "bodies": [{"name": "floor", "fixed": true, "shape": {"type": "half_space"}},
               {"name": "cart", "mass": 2, "position": [0, 0, 0.2], "shape": {"type": "box", "size": [0.4, 0.4, 0.4]}},
               {"name": "load", "mass": 1, "position": [0, 0, 0.5], "shape": {"type": "box", "size": [0.2, 0.2, 0.2]}}],
    "joints": [{"name": "drive", "type": "prismatic", "body": "cart", "axis": [1, 0, 0],
                "motor": {"velocity": 10, "max_force": 5}}],
    "simulation": {"h": 0.005, "end": 1}})",
                    3),
            1);
  EXPECT_TRUE(has_borne_);
}

}  // namespace
}  // namespace stiction::apps
