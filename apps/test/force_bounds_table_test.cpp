// run --force-bounds: intervals of contact forces against statics.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "apps/test/run_program.h"

namespace stiction::apps {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

class ForceBoundsRun : public testing::Test {
 protected:
  ForceBoundsRun()
      : folder_(fs::path(testing::TempDir()) /
                (std::string("bounds_") + testing::UnitTest::GetInstance()->current_test_info()->name())) {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  ~ForceBoundsRun() override { fs::remove_all(folder_); }
  ForceBoundsRun(const ForceBoundsRun&) = delete;
  ForceBoundsRun& operator=(const ForceBoundsRun&) = delete;

  [[nodiscard]] ordered_json run(const std::string& bodies, const std::string& scheme) const {
    const std::string scene = (folder_ / (scheme + ".json")).string();
    std::ofstream(scene) << R"({"stiction": 1, "name": "bounds", "gravity": [0, 0, -10],
      "materials": {"default": {"mu": )"
                         << (scheme == "lotstedt" ? "0" : "0.5") << R"(}}, "bodies": [)" << bodies
                         << R"(], "simulation": {"h": 0.01, "end": 0.05, "scheme": ")" << scheme << R"("}})";
    const ProgramRun done =
        run_program({"run", scene, "--json", "--force-bounds", "--out", (folder_ / scheme).string()});
    EXPECT_EQ(done.code, 0) << done.err;
    return ordered_json::parse(done.out, nullptr, false);
  }

  fs::path folder_;
};

// 8 kg at 10 m/s^2 on four legs: each bears from nothing to 40 N, in every scheme.
TEST_F(ForceBoundsRun, ALegOfATable) {
  for (const char* scheme : {"stewart_trinkle", "anitescu_potra", "trapezoidal", "lotstedt"}) {
    const ordered_json answer = run(R"({"name": "floor", "fixed": true, "shape": {"type": "half_space"}},
      {"name": "table", "mass": 8, "shape": {"type": "box", "size": [1, 1, 0.5]}, "position": [0, 0, 0.25]})",
                                    scheme);
    ASSERT_TRUE(answer.contains("force_bounds")) << scheme;
    ASSERT_EQ(answer["force_bounds"].size(), 4U) << scheme;
    for (const auto& bound : answer["force_bounds"]) {
      EXPECT_NEAR(bound["force_min"].get<double>(), 0.0, 1e-6) << scheme;
      EXPECT_NEAR(bound["force_max"].get<double>(), 40.0, 1e-6) << scheme;
      EXPECT_TRUE(bound["tight"].get<bool>());
    }
    std::ifstream table(folder_ / scheme / "force_bounds.csv");
    std::string line;
    int rows = 0;
    std::getline(table, line);
    EXPECT_EQ(line, "time,contact,force_min,force_max,tight");
    while (std::getline(table, line)) ++rows;
    EXPECT_EQ(rows, 5 * 4) << scheme;
  }
}

// Walls at 1.2 rad and mu = 0.5 > cot 1.2: a ball of 2 kg can jam between them. Its least force is W/2 / (cos + mu
// sin).
TEST_F(ForceBoundsRun, AWedgeThatJamsHasNoLargestForce) {
  const ordered_json answer = run(R"(
      {"name": "left", "fixed": true,
       "shape": {"type": "half_space", "normal": [0.9320390859672263, 0, 0.3623577544766736]}},
      {"name": "right", "fixed": true,
       "shape": {"type": "half_space", "normal": [-0.9320390859672263, 0, 0.3623577544766736]}},
      {"name": "ball", "mass": 2, "shape": {"type": "sphere", "radius": 0.3623577544766736}, "position": [0, 0, 1]})",
                                  "stewart_trinkle");
  ASSERT_TRUE(answer.contains("force_bounds"));
  ASSERT_EQ(answer["force_bounds"].size(), 2U);
  for (const auto& bound : answer["force_bounds"]) {
    EXPECT_TRUE(bound["force_max"].is_null());
    EXPECT_NEAR(bound["force_min"].get<double>(), 10.0 / (0.3623577544766736 + 0.5 * 0.9320390859672263), 1e-5);
  }
}

}  // namespace
}  // namespace stiction::apps
