// What a step leaves behind can be solved again by itself.
#include "apps/failed_steps.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "apps/step_factors.h"
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

// What is written is the step's own problem: the answer that the step found certifies there, to the step's tolerance.
TEST_F(FailedStepsFolder, HoldsTheAnswersOfTheStep) {
  const Result<Scene> scene = read_scene("scenes/slope_headings.json", {});
  ASSERT_TRUE(scene.ok()) << scene.error();
  Simulator simulator(scene.value().model, scene.value().settings.simulation);
  ASSERT_TRUE(simulator.step()) << simulator.why();
  const AnsweredProblem answered = simulator.last_answered();
  Islands islands;
  islands.split(answered.problem);
  for (int island = 0; island < islands.size(); ++island) {
    const cone::FactorForm form = find_factors(answered.problem, islands, island);
    if (form.contacts() == 0) continue;
    const Result<cone::Problem> problem = cone::condense(form);
    ASSERT_TRUE(problem.ok()) << problem.error();
    cone::Vector r(problem.value().size());
    cone::Index at = 0;
    for (const int j : islands.contacts(island)) {
      r[at++] = answered.solution.c_n[j];
      r[at++] = answered.solution.c_t1[j];
      r[at++] = answered.solution.c_t2[j];
    }
    ASSERT_EQ(at, r.size());
    EXPECT_LE(cone::certify(problem.value(), r).residual, 1e-7);
  }
}

TEST_F(FailedStepsFolder, HoldsTheStepsThatWereAskedFor) {
  const fs::path run_folder = folder_ / "run";
  const ProgramRun run = run_program({"run", "scenes/slope_headings.json", "--end", "0.03", "--out",
                                      run_folder.string(), "--dump-step", "2", "--dump-step", "99"});
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_NE(run.err.find("--dump-step 99: the run did not come to it"), std::string::npos) << run.err;
  EXPECT_TRUE(fs::exists(run_folder / "problems" / "step_000002_island_0.fcp"));
  const ProgramRun again = run_program({"solve", (run_folder / "problems").string()});
  EXPECT_EQ(again.code, 0) << again.out << again.err;
  EXPECT_NE(again.out.find("4 solved"), std::string::npos) << again.out;
  EXPECT_EQ(run_program({"run", "scenes/slope_headings.json", "--dump-step", "0"}).code, 2);
}

// FCG1 has no facets, and the round cone in their place is not passed over in silence.
TEST_F(FailedStepsFolder, SaysThatFacetsAreWrittenRound) {
  const std::string note = "with the round friction cone, where the step has 8 facets, which FCG1 cannot say";
  for (const char* cone : {"8", "circular"}) {
    const fs::path out = folder_ / cone;
    const ProgramRun run = run_program({"run", "scenes/slope_headings.json", "--end", "0.03", "--cone", cone, "--out",
                                        out.string(), "--dump-step", "2"});
    EXPECT_EQ(run.code, 0) << run.err;
    EXPECT_TRUE(fs::exists(out / "problems" / "step_000002_island_0.fcp"));
    EXPECT_EQ(run.err.find(note) != std::string::npos, std::string(cone) == "8") << run.err;
  }
}

// The friction of a ball joint has no normal.
TEST_F(FailedStepsFolder, HoldsTheFrictionOfABallJoint) {
  const ProgramRun run = run_program(
      {"run", "scenes/joints/spherical_friction.json", "--end", "0.05", "--out", folder_.string(), "--dump-step", "5"});
  EXPECT_EQ(run.code, 0) << run.err;
  const ProgramRun again = run_program({"solve", (folder_ / "problems").string()});
  EXPECT_EQ(again.code, 0) << again.out << again.err;
}

TEST_F(FailedStepsFolder, IsNotMadeWhereAllIsWell) {
  const fs::path dump = folder_ / "dump";
  const ProgramRun run = run_program({"run", "scenes/slope_headings.json", "--end", "0.03", "--out",
                                      (folder_ / "run").string(), "--dump-failed", dump.string()});
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_FALSE(fs::exists(dump));
}

// More digits than Lemke's method has, of cubes that bear a thousand times their mass: steps are not certified, say
// what they failed on, and can be solved again to what is usual.
TEST_F(FailedStepsFolder, HoldsAStepThatCouldNotBeSolved) {
  const fs::path dump = folder_ / "dump";
  const ProgramRun run =
      run_program({"run", "scenes/stacks/ten_cubes.json", "--end", "0.5", "--solver", "lemke", "--set",
                   "/simulation/tolerance=1e-14", "--out", (folder_ / "run").string(), "--dump-failed", dump.string()});
  EXPECT_EQ(run.code, 1);
  ASSERT_TRUE(fs::exists(dump)) << run.err;
  EXPECT_NE(run.err.find("not certified"), std::string::npos) << run.err;
  EXPECT_NE(run.err.find("cube"), std::string::npos) << run.err;
  EXPECT_NE(run.err.find("(worst)"), std::string::npos) << run.err;
  // Ten cubes have 60 velocities, and all of their 120 rows of contact depend on these.
  EXPECT_NE(run.err.find("rank 60 of 120 rows, masses up to 1e+03 : 1"), std::string::npos) << run.err;
  const ProgramRun again = run_program({"solve", dump.string()});
  EXPECT_EQ(again.code, 0) << again.out << again.err;
  EXPECT_NE(again.out.find(" solved, all as expected"), std::string::npos) << again.out;
}

// A press that stops for nothing: no impulse answers in the step, and what was written is proven to have no answer.
TEST_F(FailedStepsFolder, HoldsAStepWithoutAnAnswer) {
  fs::create_directories(folder_);
  const fs::path scene = folder_ / "press.json", dump = folder_ / "dump";
  std::ofstream(scene) << R"({"stiction": 1, "name": "press", "materials": {"default": {"mu": 0.3}}, "bodies": [
    {"name": "floor", "fixed": true, "shape": {"type": "half_space"}},
    {"name": "press", "kinematic": true, "velocity": [0, 0, -0.1], "position": [0, 0, 0.303],
     "shape": {"type": "box", "size": [0.4, 0.4, 0.2]}},
    {"name": "block", "mass": 1, "position": [0, 0, 0.1], "shape": {"type": "box", "size": [0.2, 0.2, 0.2]}}],
    "simulation": {"h": 0.01, "end": 0.5}})";
  const ProgramRun run =
      run_program({"run", scene.string(), "--out", (folder_ / "run").string(), "--dump-failed", dump.string()});
  EXPECT_EQ(run.code, 1);
  EXPECT_NE(run.err.find("could not be solved"), std::string::npos) << run.err;
  EXPECT_NE(run.err.find("block - "), std::string::npos) << run.err;
  ASSERT_TRUE(fs::exists(dump)) << run.err;
  const ProgramRun again = run_program({"solve", dump.string()});
  EXPECT_EQ(again.code, 1) << again.out;
  EXPECT_NE(again.out.find("infeasible"), std::string::npos) << again.out;
  EXPECT_NE(again.out.find("proof checked: no answer has |r| < "), std::string::npos) << again.out;
}

}  // namespace
}  // namespace stiction::apps
