// What a step leaves behind can be solved again by itself.
#include "apps/failed_steps.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "apps/test/run_program.h"
#include "stiction/cone/cascade.h"
#include "stiction/cone/problem_file.h"
#include "stiction/scene/scene.h"

namespace stiction::apps {
namespace {

namespace fs = std::filesystem;

class FailedStepsFolder : public testing::Test {
 protected:
  FailedStepsFolder()
      : folder_(fs::path(testing::TempDir()) / testing::UnitTest::GetInstance()->current_test_info()->name()) {
    fs::remove_all(folder_);
  }
  ~FailedStepsFolder() override { fs::remove_all(folder_); }
  FailedStepsFolder(const FailedStepsFolder&) = delete;
  FailedStepsFolder& operator=(const FailedStepsFolder&) = delete;

  fs::path folder_;
};

// Four boxes of 1 kg on slopes, an island each: their weight in a step of 0.01 s must be found again.
TEST_F(FailedStepsFolder, HoldsProblemsThatSolveAgain) {
  const Result<Scene> scene = read_scene("scenes/slope_headings.json", {});
  ASSERT_TRUE(scene.ok()) << scene.error();
  Simulator simulator(scene.value().model, scene.value().settings.simulation);
  ASSERT_TRUE(simulator.step()) << simulator.why();
  FailedSteps failed(folder_);
  ASSERT_FALSE(failed.write(simulator).has_value());
  int files = 0;
  for (const auto& entry : fs::directory_iterator(folder_)) {
    ++files;
    const Result<cone::Problem> problem = cone::read_problem(entry.path());
    ASSERT_TRUE(problem.ok()) << problem.error();
    ASSERT_EQ(problem.value().contacts(), 4);
    cone::Cascade cascade;
    cone::Solution solution;
    cascade.solve(problem.value(), solution);
    EXPECT_EQ(solution.status, cone::Status::solved) << entry.path();
    double normal = 0.0;
    for (int c = 0; c < 4; ++c) normal += solution.r[3 * static_cast<cone::Index>(c)];
    EXPECT_NEAR(normal, 0.01 * 8.495709211125343, 1e-7);
  }
  EXPECT_EQ(files, 4);
  EXPECT_TRUE(failed.write(simulator).has_value()) << "nothing is overwritten";
}

TEST_F(FailedStepsFolder, IsNotMadeWhereAllIsWell) {
  const fs::path dump = folder_ / "dump";
  const ProgramRun run = run_program({"run", "scenes/slope_headings.json", "--end", "0.03", "--out",
                                      (folder_ / "run").string(), "--dump-failed", dump.string()});
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_FALSE(fs::exists(dump));
}

}  // namespace
}  // namespace stiction::apps
