// `stiction plot` and `stiction view` on a stored run.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "apps/page_template.h"
#include "apps/served_runs.h"
#include "apps/test/run_program.h"
#include "stiction/base/file.h"

namespace stiction::apps {
namespace {

namespace fs = std::filesystem;

class LookCommand : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) /
              ("stiction look " + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    const std::string scene = (folder_ / "scene.json").string();
    // A stone that falls freely for half a second from 10 m, by the papers' formula v = g t.
    std::ofstream(scene) << R"({"stiction": 1, "name": "<b>\"stone\" 😀", "bodies": [
      {"name": "stone", "mass": 2, "shape": {"type": "sphere", "radius": 0.1}, "position": [0, 0, 10]}],
      "simulation": {"h": 0.01, "end": 0.5}})";
    run_ = (folder_ / "run").string();
    const ProgramRun run = run_program({"run", scene, "--out", run_, "--quiet"});
    ASSERT_EQ(run.code, 0) << run.err;
  }
  void TearDown() override { fs::remove_all(folder_); }

  fs::path folder_;
  std::string run_;
};

TEST_F(LookCommand, PlotGivesTablesAndPictures) {
  const ProgramRun table = run_program({"plot", run_, "--y", "body.stone.vz,energy.kinetic"});
  ASSERT_EQ(table.code, 0) << table.err;
  EXPECT_TRUE(table.out.starts_with("t,body.stone.vz,energy.kinetic\n0,0,0\n")) << table.out.substr(0, 100);
  const std::string last = table.out.substr(table.out.rfind('\n', table.out.size() - 2) + 1);
  double t = 0, v = 0, energy = 0;
  ASSERT_EQ(std::sscanf(last.c_str(), "%lf,%lf,%lf", &t, &v, &energy), 3) << last;
  EXPECT_EQ(t, 0.5);
  EXPECT_NEAR(v, -9.81 * 0.5, 1e-12);
  EXPECT_NEAR(energy, 0.5 * 2 * v * v, 1e-12);

  const std::string picture = (folder_ / "a.svg").string(), csv = (folder_ / "a.csv").string();
  EXPECT_EQ(run_program({"plot", run_ + "/run.h5", "-o", picture}).code, 0);
  EXPECT_TRUE(read_file(picture, 1 << 24).value().starts_with("<svg"));
  EXPECT_EQ(run_program({"plot", run_, "--x", "body.stone.z", "--y", "body.stone.speed", "-o", csv}).code, 0);
  EXPECT_TRUE(read_file(csv, 1 << 24).value().starts_with("body.stone.z,body.stone.speed\n10,0\n"));

  for (const std::vector<std::string>& bad :
       std::vector<std::vector<std::string>>{{"plot"},
                                             {"plot", folder_.string()},
                                             {"plot", run_ + "/summary.json"},
                                             {"plot", run_, "--y", "body.rock.x"},
                                             {"plot", run_, "--x", "step.residual", "--y", "energy.total"},
                                             {"plot", run_, "-o", "picture.gif"}}) {
    const ProgramRun refused = run_program(bad);
    EXPECT_EQ(refused.code, 2) << refused.err;
    EXPECT_TRUE(refused.err.starts_with("error: ")) << refused.err;
  }
  EXPECT_EQ(run_program({"plot", run_, "-o", (folder_ / "none" / "a.svg").string()}).code, 1);
}

TEST_F(LookCommand, ViewSaysWhereThePageIs) {
  if (page_template().empty()) GTEST_SKIP() << "the program was built without its page";
  const ProgramRun page = run_program({"view", run_, "--no-open"});
  EXPECT_EQ(page.code, 0) << page.err;
  EXPECT_TRUE(page.out.starts_with("file:///")) << page.out;
  EXPECT_TRUE(page.out.ends_with("/run/replay.html\n")) << page.out;
  EXPECT_EQ(page.out.find(' '), std::string::npos) << "blanks are escaped";
  EXPECT_EQ(run_program({"view", folder_.string(), "--no-open"}).code, 2);
  EXPECT_EQ(run_program({"view", run_, run_, run_, "--no-open"}).code, 2);
  EXPECT_EQ(run_program({"view", run_, "--port", "70000"}).code, 2);
}

TEST_F(LookCommand, TwoRunsAreServedTogether) {
  ServedRuns runs({run_ + "/run.h5", run_ + "/run.h5"}, false);
  const auto data = nlohmann::ordered_json::parse(runs.data(0).value(), nullptr, false);
  ASSERT_EQ(data["runs"].size(), 2u);
  EXPECT_EQ(data["runs"][0]["status"], "done");
  EXPECT_EQ(data["runs"][1]["arrays"]["time"]["shape"][0], 51);
  const auto later = nlohmann::ordered_json::parse(runs.data(50).value(), nullptr, false);
  EXPECT_EQ(later["runs"][1]["arrays"]["time"]["shape"][0], 1);
  fs::remove(run_ + "/run.h5");
  EXPECT_FALSE(runs.data(0).ok()) << "a run that is gone is told, not shown";
}

TEST_F(LookCommand, ThePageHoldsNoMarkupOfTheScene) {
  if (page_template().empty()) GTEST_SKIP() << "the program was built without its page";
  const std::string page = read_file(run_ + "/replay.html", 1 << 26).value();
  EXPECT_EQ(page.find("<b>"), std::string::npos);
  EXPECT_NE(page.find("\\u003cb>\\\"stone\\\" \xf0\x9f\x98\x80"), std::string::npos);
}

}  // namespace
}  // namespace stiction::apps
