#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "apps/test/run_program.h"
#include "stiction/base/file.h"

namespace stiction::apps {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;
using Keys = std::vector<std::string>;

/// Semi-implicit steps leave a falling stone g h T/2 too low, and its velocity right: errors known to the last digit.
constexpr const char* stone = R"({"stiction": 1, "name": "a stone", "gravity": [0, 0, -10],
  "bodies": [{"name": "stone", "freedom": "particle", "mass": 2, "velocity": [1, 0, 3]}],
  "exact": [{"body": "stone", "position": ["t", 0, "3*t - 5*t^2"]}],
  "simulation": {"scheme": "anitescu_potra", "h": 0.05, "end": 1}})";

class StudyCommand : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) /
              ("stiction_study_" + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    scene_ = write("stone.json", stone);
  }
  void TearDown() override { fs::remove_all(folder_); }

  [[nodiscard]] std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return (folder_ / name).string();
  }
  [[nodiscard]] std::string out(const std::string& name = "out") const { return (folder_ / name).string(); }
  [[nodiscard]] std::string text(const std::string& file, const std::string& run = "out") const {
    const auto content = read_file(folder_ / run / file, 1 << 24);
    return content ? content.value() : content.error();
  }
  [[nodiscard]] ProgramRun study(std::vector<std::string> more, const std::string& to = "out") const {
    more.insert(more.begin(), {"study", scene_, "--json", "--out", out(to)});
    return run_program(more);
  }

  fs::path folder_;
  std::string scene_;
};

Keys keys_of(const ordered_json& object) {
  Keys keys;
  for (const auto& [key, value] : object.items()) keys.push_back(key);
  return keys;
}

Keys files_in(const fs::path& folder) {
  Keys names;
  for (const auto& entry : fs::directory_iterator(folder)) names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

TEST_F(StudyCommand, PrintsTheContractsJson) {
  const ProgramRun done = study({"--h", "0.1,0.05,0.025"});
  ASSERT_EQ(done.code, 0) << done.err;
  EXPECT_EQ(done.err, "");
  const auto answer = ordered_json::parse(done.out, nullptr, false);
  ASSERT_TRUE(answer.is_object()) << done.out;
  const Keys keys = keys_of(answer);
  EXPECT_EQ(Keys(keys.begin(), keys.begin() + 4), (Keys{"scene", "scheme", "reference_h", "rows"}));
  EXPECT_EQ(answer["scene"], "a stone");
  EXPECT_EQ(answer["scheme"], "anitescu_potra");
  EXPECT_EQ(answer["reference_h"], 0.00625) << "a quarter of the smallest";
  ASSERT_EQ(answer["rows"].size(), 3u);
  const Keys row_keys = keys_of(answer["rows"][0]);
  EXPECT_EQ(Keys(row_keys.begin(), row_keys.begin() + 4), (Keys{"h", "position_error", "velocity_error", "order"}));
  EXPECT_EQ(answer["rows"][0]["h"], 0.1);
  EXPECT_NEAR(answer["rows"][0]["position_error"].get<double>(), 5.0 * (0.1 - 0.00625), 1e-12);
  EXPECT_TRUE(answer["rows"][0]["order"].is_null());
  EXPECT_NEAR(answer["rows"][2]["order"].get<double>(), 1.0, 1e-9);
  EXPECT_NEAR(answer["order"].get<double>(), 1.0, 1e-9);
  EXPECT_EQ(answer["asymptotic"], true);
  EXPECT_NEAR(answer["estimate"]["position_error"].get<double>(), 0.25, 1e-9) << "g h T/2 at the scene's own h = 0.05";
  EXPECT_EQ(answer["estimate"]["h"], 0.05);
  EXPECT_EQ(answer["ended"], "done");
  EXPECT_EQ(text("study.json"), done.out) << "the same object";
  EXPECT_EQ(text("scene.json"), stone);
  EXPECT_EQ(files_in(out()), (Keys{"scene.json", "study.csv", "study.json", "study.svg"}));
  EXPECT_NE(text("study.svg").find("</svg>"), std::string::npos);
  const std::string csv = text("study.csv");
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 1 + 3);
}

TEST_F(StudyCommand, AgainstTheExactMotion) {
  const ProgramRun done = study({"--h", "2^-3..2^-6", "--reference", "exact"});
  ASSERT_EQ(done.code, 0) << done.err;
  const auto answer = ordered_json::parse(done.out, nullptr, false);
  EXPECT_TRUE(answer["reference_h"].is_null());
  EXPECT_EQ(answer["exact"], true);
  ASSERT_EQ(answer["rows"].size(), 4u);
  for (const auto& row : answer["rows"]) {
    EXPECT_NEAR(row["position_error"].get<double>(), 5.0 * row["h"].get<double>(), 1e-12);
    EXPECT_NEAR(row["velocity_error"].get<double>(), 0.0, 1e-12);
  }
}

TEST_F(StudyCommand, OneTableForEachScheme) {
  const ProgramRun done = study({"--h", "0.1,0.05,0.025", "--schemes", "stewart_trinkle, anitescu_potra"});
  ASSERT_EQ(done.code, 0) << done.err;
  const auto answer = ordered_json::parse(done.out, nullptr, false);
  EXPECT_EQ(answer["scheme"], "stewart_trinkle");
  ASSERT_EQ(answer["studies"].size(), 2u);
  EXPECT_EQ(answer["studies"][0]["rows"], answer["rows"]);
  EXPECT_EQ(answer["studies"][1]["scheme"], "anitescu_potra");
  EXPECT_NE(text("study.svg").find(">stewart_trinkle<"), std::string::npos);
}

TEST_F(StudyCommand, PrintsTablesInWords) {
  const ProgramRun done = run_program({"study", scene_, "--h", "0.1,0.05,0.025", "--out", out()});
  EXPECT_EQ(done.code, 0) << done.err;
  for (const char* words : {"a stone by anitescu_potra, 0 to 1 s, against the run with h = 0.00625 s",
                            "order 1.00 in position, settled from h = 0.1 s on", "positions wrong by 2.50e-01"})
    EXPECT_NE(done.out.find(words), std::string::npos) << words << " is not in\n" << done.out;
  EXPECT_EQ(run_program({"study", scene_, "--h", "0.1,0.05,0.025", "--out", out("b"), "--quiet"}).out, "");
}

TEST_F(StudyCommand, TheSameWhateverTheNumberOfThreads) {
  auto one = ordered_json::parse(study({"--h", "2^-3..2^-8", "--threads", "1"}, "one").out, nullptr, false);
  auto four = ordered_json::parse(study({"--h", "2^-3..2^-8", "--threads", "4"}, "four").out, nullptr, false);
  for (auto* answer : {&one, &four}) {
    for (const char* key : {"wall_seconds", "folder"}) answer->erase(key);
    for (auto& row : (*answer)["rows"]) row.erase("seconds");
    (*answer)["reference"].erase("seconds");
  }
  ASSERT_EQ(one["rows"].size(), 6u);
  EXPECT_EQ(one.dump(), four.dump());
  EXPECT_EQ(text("study.csv", "one"), text("study.csv", "four"));
  EXPECT_EQ(text("study.svg", "one"), text("study.svg", "four"));
}

TEST_F(StudyCommand, BadInputIsToldAndWritesNothing) {
  for (const auto& [arguments, words] : std::vector<std::pair<Keys, std::string>>{
           {{}, "--h is required"},
           {{"--h", "0.3"}, "does not divide the run of 1 s"},
           {{"--h", "0.1,0.1"}, "given twice"},
           {{"--h", "0.1,2^-5..2^-7,2^-6"}, "given twice"},
           {{"--h", "0.1,x"}, "found \"x\""},
           {{"--h", "2"}, "longer than the run"},
           {{"--h", "0.1", "--reference", "0.1"}, "less than the smallest step"},
           {{"--h", "0.1", "--reference", "0.03"}, "does not divide"},
           {{"--h", "0.1", "--reference", "best"}, "or `exact`"},
           {{"--h", "0.1", "--schemes", "anitescu_potra,anitescu_potra"}, "twice"},
           {{"--h", "0.1", "--schemes", "euler"}, "/simulation/scheme"},
           {{"--h", "0.1", "--set", "/exact=[]", "--reference", "exact"}, "says nothing of the exact motion"},
           {{"--h", "0.1", "--max-wall", "0"}, "--max-wall"},
           {{"--h", "0.1", "--threads", "-1"}, "--threads"}}) {
    const ProgramRun refused = study(arguments);
    EXPECT_EQ(refused.code, 2) << words;
    EXPECT_NE(refused.err.find(words), std::string::npos) << refused.err;
    EXPECT_EQ(ordered_json::parse(refused.out, nullptr, false)["ended"], "refused") << refused.out;
    EXPECT_FALSE(fs::exists(out())) << words;
  }
  EXPECT_EQ(run_program({"study", "--help"}).code, 0);
  EXPECT_EQ(run_program({"study", out("none.json"), "--h", "0.1"}).code, 2);
  fs::create_directories(out("full"));
  static_cast<void>(write("full/file", "x"));
  EXPECT_EQ(study({"--h", "0.1"}, "full").code, 2) << "nothing is overwritten";
  EXPECT_EQ(files_in(out("full")), Keys{"file"});
}

TEST_F(StudyCommand, AnInterruptedStudyLeavesNothing) {
  const ProgramRun stopped = run_program(
      {"study", scene_, "--end", "1000", "--h", "0.5,0.0001", "--out", out(), "--json", "--log-level", "info"},
      "info: a stone");
  EXPECT_EQ(stopped.code, 1) << stopped.err;
  EXPECT_FALSE(fs::exists(out()));
  EXPECT_EQ(ordered_json::parse(stopped.out, nullptr, false)["ended"], "interrupted") << stopped.out;
}

TEST_F(StudyCommand, WallTimeEndsAStudy) {
  const ProgramRun stopped = study({"--end", "1000", "--h", "0.5,0.0001", "--max-wall", "0.2"});
  EXPECT_EQ(stopped.code, 1);
  EXPECT_NE(stopped.err.find("out of wall time"), std::string::npos) << stopped.err;
  EXPECT_EQ(ordered_json::parse(stopped.out, nullptr, false)["ended"], "max_wall");
  EXPECT_FALSE(fs::exists(out()));
}

TEST_F(StudyCommand, ARunThatFailsMakesTheStudyFail) {
  // The force has no value from t = 0.5 on.
  const ProgramRun failed =
      study({"--h", "0.1,0.05,0.025", "--set",
             R"x(/forces=[{"type": "force", "body": "stone", "force": ["sqrt(0.5 - t)", 0, 0]}])x"});
  EXPECT_EQ(failed.code, 1);
  const auto answer = ordered_json::parse(failed.out, nullptr, false);
  EXPECT_EQ(answer["ended"], "failed");
  EXPECT_EQ(answer["asymptotic"], false);
  EXPECT_TRUE(answer["rows"][0]["position_error"].is_null());
  EXPECT_NE(failed.err.find("not finite"), std::string::npos) << failed.err;
}

TEST_F(StudyCommand, NumbersItsOwnFolders) {
  const fs::path before = fs::current_path();
  fs::current_path(folder_);
  const ProgramRun done = run_program({"study", scene_, "--h", "0.1,0.05", "--quiet"});
  fs::current_path(before);
  EXPECT_EQ(done.code, 0) << done.err;
  EXPECT_EQ(files_in(folder_ / "runs"), Keys{"0001-a_stone-study"});
}

}  // namespace
}  // namespace stiction::apps
