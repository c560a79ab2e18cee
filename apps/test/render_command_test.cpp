#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "apps/headless_browser.h"
#include "apps/page_template.h"
#include "apps/test/run_program.h"
#include "stiction/base/file.h"

namespace stiction::apps {
namespace {

namespace fs = std::filesystem;

class RenderCommand : public testing::Test {
 protected:
  void SetUp() override {
    if (page_template().empty()) GTEST_SKIP() << "the program was built without its page";
    folder_ = fs::path(testing::TempDir()) /
              ("stiction_render_" + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    std::ofstream(folder_ / "scene.json") << R"({"stiction": 1, "bodies": [
      {"name": "stone", "mass": 2, "shape": {"type": "sphere", "radius": 0.1}, "position": [0, 0, 1]}],
      "simulation": {"h": 0.01, "end": 0.1}})";
    run_ = (folder_ / "run").string();
    const ProgramRun run = run_program({"run", (folder_ / "scene.json").string(), "--out", run_, "--quiet"});
    ASSERT_EQ(run.code, 0) << run.err;
  }
  void TearDown() override {
    if (!folder_.empty()) fs::remove_all(folder_);
  }

  fs::path folder_;
  std::string run_;
};

/// Four bytes, the highest first, as PNG has them.
int number_at(const std::string& bytes, std::size_t at) {
  int number = 0;
  for (std::size_t i = 0; i < 4; ++i) number = 256 * number + static_cast<unsigned char>(bytes[at + i]);
  return number;
}

TEST_F(RenderCommand, APictureHasTheSizeAskedFor) {
  if (find_program({"chromium", "chromium-browser", "google-chrome", "chrome"}).empty())
    GTEST_SKIP() << "no Chromium is installed";
  const std::string picture = (folder_ / "a.png").string();
  const ProgramRun done = run_program({"render", run_, "-o", picture, "--at", "0.05", "--size", "320x200"});
  ASSERT_EQ(done.code, 0) << done.err;
  const std::string bytes = read_file(picture, 1 << 24).value();
  ASSERT_TRUE(bytes.starts_with("\x89PNG\r\n\x1a\n"));
  EXPECT_EQ(number_at(bytes, 16), 320);
  EXPECT_EQ(number_at(bytes, 20), 200);
}

TEST_F(RenderCommand, AFilmThatCannotBeKeptLeavesNothing) {
  if (find_program({"chromium", "chromium-browser", "google-chrome", "chrome"}).empty() ||
      find_program({"ffmpeg"}).empty())
    GTEST_SKIP() << "no Chromium or no ffmpeg is installed";
  fs::create_directories(folder_ / "taken.mp4");
  const ProgramRun failed =
      run_program({"render", run_, "-o", (folder_ / "taken.mp4").string(), "--fps", "10", "--size", "64x64"});
  EXPECT_EQ(failed.code, 1);
  EXPECT_EQ(failed.err, "error: " + (folder_ / "taken.mp4").string() + ": cannot be written: Is a directory\n");
  EXPECT_FALSE(fs::exists(folder_ / "taken.mp4.part"));
}

TEST_F(RenderCommand, MistakesAndMissingProgramsAreTold) {
  const std::string picture = (folder_ / "a.png").string(), film = (folder_ / "a.mp4").string();
  for (const std::vector<std::string>& bad :
       std::vector<std::vector<std::string>>{{"render", run_},
                                             {"render", run_, "-o", (folder_ / "a.gif").string()},
                                             {"render", run_, "-o", picture, "--size", "320"},
                                             {"render", run_, "-o", picture, "--size", "1x1"},
                                             {"render", run_, "-o", picture, "--size", "99999999999x2"},
                                             {"render", run_, "-o", picture, "--at", "nan"},
                                             {"render", run_, "-o", picture, "--at", "0.11"},
                                             {"render", run_, "-o", picture, "--at", "-0.01"},
                                             {"render", run_, "-o", film, "--fps", "0"},
                                             {"render", run_, "-o", film, "--speed", "-1"},
                                             {"render", folder_.string(), "-o", picture}}) {
    const ProgramRun refused = run_program(bad);
    EXPECT_EQ(refused.code, 2) << refused.err;
  }
  const std::string path = std::getenv("PATH");
  setenv("PATH", folder_.c_str(), 1);
  const ProgramRun none = run_program({"render", run_, "-o", picture});
  setenv("PATH", path.c_str(), 1);
  EXPECT_EQ(none.code, 1);
  EXPECT_NE(none.err.find("rendering needs Chromium"), std::string::npos) << none.err;
  EXPECT_FALSE(fs::exists(picture));
}

}  // namespace
}  // namespace stiction::apps
