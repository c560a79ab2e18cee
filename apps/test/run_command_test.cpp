#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "apps/page_template.h"
#include "apps/test/run_program.h"
#include "stiction/base/file.h"
#include "stiction/record/run_reader.h"

namespace stiction::apps {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

constexpr const char* ball = R"({
  "stiction": 1, "name": "a ball",  // comments are allowed
  "materials": {"default": {"mu": 0.3, "restitution": 0.5}},
  "bodies": [
    {"name": "floor", "fixed": true, "shape": {"type": "half_space"}},
    {"name": "zebra", "mass": 1, "shape": {"type": "sphere", "radius": 0.1}, "position": [0, 0, 0.11],
     "velocity": [1, 0, 0]},
    {"name": "ape", "mass": 2, "shape": {"type": "sphere", "radius": 0.1}, "position": [0, 1, 0.2]}
  ],
  "simulation": {"scheme": "anitescu_potra", "h": 0.01, "end": 0.2}
})";

/// With these, replay.html where the program has a page.
std::vector<std::string> with_page(std::vector<std::string> files) {
  if (!page_template().empty()) files.emplace_back("replay.html");
  std::sort(files.begin(), files.end());
  return files;
}

const std::vector<std::string> run_files = with_page({"plots", "run.h5", "scene.json", "shapes.json", "summary.json"});
const std::vector<std::string> csv_files =
    with_page({"plots", "certificate.csv", "contacts.csv", "energy.csv", "events.csv", "joints.csv", "run.h5",
               "scene.json", "shapes.json", "states.csv", "summary.json"});

class RunCommand : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) /
              ("stiction_run_" + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    scene_ = write("ball.json", ball);
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
  /// Runs `scene_` into out(), with --json.
  [[nodiscard]] ProgramRun run(std::vector<std::string> more = {}) const {
    more.insert(more.begin(), {"run", scene_, "--json", "--out", out()});
    return run_program(more);
  }

  fs::path folder_;
  std::string scene_;
};

long lines_in(const std::string& text) {
  return std::count(text.begin(), text.end(), '\n');
}

std::vector<std::string> files_in(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

std::vector<std::string> keys_of(const ordered_json& object) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : object.items()) keys.push_back(key);
  return keys;
}

using Keys = std::vector<std::string>;

TEST_F(RunCommand, PrintsTheContractsJson) {
  const ProgramRun done = run();
  ASSERT_EQ(done.code, 0) << done.err;
  EXPECT_EQ(done.err, "");
  const auto answer = ordered_json::parse(done.out, nullptr, false);
  ASSERT_TRUE(answer.is_object()) << done.out;
  const Keys keys = keys_of(answer);
  const Keys contract{"scene", "scheme",       "solver",      "h",      "end",    "time",
                      "steps", "wall_seconds", "certificate", "energy", "events", "bodies"};
  ASSERT_GE(keys.size(), contract.size());
  EXPECT_EQ(Keys(keys.begin(), keys.begin() + static_cast<std::ptrdiff_t>(contract.size())), contract);
  EXPECT_EQ(keys_of(answer["certificate"]),
            (Keys{"uncertified_steps", "max_residual", "max_penetration", "max_equality_residual",
                  "max_momentum_defect", "max_energy_defect", "max_contact_residual", "grade", "grades", "weaker"}));
  EXPECT_EQ(answer["certificate"]["grades"]["full"], answer["steps"]);
  EXPECT_EQ(keys_of(answer["energy"]), (Keys{"initial", "final", "max"}));
  ASSERT_FALSE(answer["events"].empty()) << "both balls land";
  EXPECT_EQ(keys_of(answer["events"][0]), (Keys{"time", "kind", "contact"}));
  EXPECT_EQ(answer["events"][0]["kind"], "impact");
  EXPECT_EQ(answer["events"][0]["contact"], "zebra - floor");
  EXPECT_EQ(keys_of(answer["bodies"]), (Keys{"zebra", "ape"})) << "movable ones, in the file's order";
  EXPECT_EQ(keys_of(answer["bodies"]["ape"]), (Keys{"position", "orientation", "velocity", "angular_velocity",
                                                    "velocity_alpha", "angular_velocity_alpha"}));
  EXPECT_EQ(answer["bodies"]["ape"]["orientation"].size(), 4u);
  EXPECT_EQ(answer["scene"], "a ball");
  EXPECT_EQ(answer["scheme"], "anitescu_potra");
  EXPECT_EQ(answer["steps"], 20);
  EXPECT_EQ(answer["time"], 0.2);
  EXPECT_EQ(answer["ended"], "done");
  EXPECT_EQ(answer["certificate"]["uncertified_steps"], 0);
  EXPECT_EQ(text("summary.json"), done.out) << "the same object";
  EXPECT_EQ(text("scene.json"), ball);
  EXPECT_EQ(files_in(fs::path(out()) / "plots"), (Keys{"energy.svg", "penetration.svg", "residual.svg"}));
  EXPECT_EQ(files_in(out()), run_files);
}

TEST_F(RunCommand, PrintsACertificateInWords) {
  const ProgramRun done = run_program({"run", scene_, "--out", out()});
  EXPECT_EQ(done.code, 0) << done.err;
  for (const char* words : {"a ball: done at t = 0.2 s", "20 steps", "not certified          0 steps", "worst residual",
                            "deepest penetration", "J at the start", "basis reused", "for each simulated second"})
    EXPECT_NE(done.out.find(words), std::string::npos) << words << " is not in\n" << done.out;
  EXPECT_EQ(run_program({"run", scene_, "--out", out("b"), "--quiet"}).out, "");
}

TEST_F(RunCommand, OverridesChangeTheSceneAndAreCheckedLikeIt) {
  const ProgramRun done = run({"--h", "0.02", "--end", "0.1", "--scheme", "stewart_trinkle", "--cone", "6", "--solver",
                               "lemke", "--set", "/gravity=[0,0,-1]", "--set", "/bodies/1/mass=3"});
  ASSERT_EQ(done.code, 0) << done.err;
  const auto answer = ordered_json::parse(done.out, nullptr, false);
  EXPECT_EQ(answer["h"], 0.02);
  EXPECT_EQ(answer["end"], 0.1);
  EXPECT_EQ(answer["scheme"], "stewart_trinkle");
  EXPECT_EQ(answer["solver"], "lemke");
  EXPECT_NEAR(answer["bodies"]["ape"]["velocity"][2].get<double>(), -0.1, 1e-12) << "under the new gravity";
  const auto scene = ordered_json::parse(text("scene.json"), nullptr, false);
  EXPECT_EQ(scene["bodies"][1]["mass"], 3) << "the folder's scene repeats the run";

  for (const std::vector<std::string>& bad : std::vector<std::vector<std::string>>{{"--h", "0"},
                                                                                   {"--h", "nan"},
                                                                                   {"--end", "0.001"},
                                                                                   {"--scheme", "euler"},
                                                                                   {"--solver", "magic"},
                                                                                   {"--cone", "7"},
                                                                                   {"--set", "/bodies/1/mass=-1"},
                                                                                   {"--set", "nonsense"},
                                                                                   {"--every", "0"},
                                                                                   {"--max-wall", "0"},
                                                                                   {"--max-wall", "nan"}}) {
    const ProgramRun refused = run_program({"run", scene_, "--out", out("bad"), bad[0], bad[1]});
    EXPECT_EQ(refused.code, 2) << bad[0] << " " << bad[1] << "\n" << refused.err;
    EXPECT_TRUE(refused.err.starts_with("error: ")) << refused.err;
    EXPECT_FALSE(fs::exists(out("bad"))) << bad[0] << " " << bad[1];
  }
}

TEST_F(RunCommand, TheCircularConeIsOneOfTheCones) {
  const ProgramRun refused = run({"--cone", "oval"});
  EXPECT_EQ(refused.code, 2);
  EXPECT_NE(refused.err.find("\"circular\""), std::string::npos) << refused.err;
  EXPECT_EQ(run({"--cone", "circular"}).code, 0);
}

TEST_F(RunCommand, BadFilesAreBadInput) {
  EXPECT_EQ(run_program({"run"}).code, 2);
  EXPECT_EQ(run_program({"run", out("none.json")}).code, 2);
  EXPECT_EQ(run_program({"run", folder_.string()}).code, 2);
  EXPECT_EQ(run_program({"run", write("bad.json", "{"), "--out", out()}).code, 2);
  EXPECT_FALSE(fs::exists(out())) << "no folder for a run that is none";
  EXPECT_EQ(run_program({"run", "--help"}).code, 0);
}

TEST_F(RunCommand, NeverWritesIntoAFolderWithSomethingInIt) {
  fs::create_directories(out());
  EXPECT_EQ(run().code, 0) << "an empty one is fine";
  const std::string before = text("summary.json");
  const ProgramRun again = run();
  EXPECT_EQ(again.code, 2);
  EXPECT_NE(again.err.find("is not empty"), std::string::npos) << again.err;
  EXPECT_EQ(text("summary.json"), before);
  EXPECT_EQ(run_program({"run", scene_, "--out", scene_}).code, 2) << "a file is no folder";
  EXPECT_EQ(run_program({"run", scene_, "--out", scene_ + "/x"}).code, 2) << "nor can it hold one";
}

TEST_F(RunCommand, NumbersItsOwnFolders) {
  const fs::path before = fs::current_path();
  fs::current_path(folder_);
  const ProgramRun first = run_program({"run", scene_, "--quiet"});
  const ProgramRun second = run_program({"run", scene_, "--quiet"});
  fs::current_path(before);
  EXPECT_EQ(first.code, 0) << first.err;
  EXPECT_EQ(second.code, 0) << second.err;
  EXPECT_EQ(files_in(folder_ / "runs"), (Keys{"0001-a_ball", "0002-a_ball"}));
  EXPECT_EQ(files_in(folder_ / "runs" / "0002-a_ball"), run_files);
}

TEST_F(RunCommand, TwoRunsAreTheSameBytes) {
  ASSERT_EQ(run_program({"run", scene_, "--quiet", "--csv", "--out", out("a")}).code, 0);
  ASSERT_EQ(run_program({"run", scene_, "--quiet", "--csv", "--out", out("b")}).code, 0);
  for (const std::string& file : csv_files) {
    if (file.ends_with(".csv") || file == "scene.json" || file == "shapes.json") {
      EXPECT_EQ(text(file, "a"), text(file, "b")) << file;
    }
  }
  auto a = ordered_json::parse(text("summary.json", "a")), b = ordered_json::parse(text("summary.json", "b"));
  for (const char* key : {"wall_seconds", "record_seconds", "folder"}) {
    a.erase(key);
    b.erase(key);
  }
  EXPECT_EQ(a.dump(), b.dump());
}

TEST_F(RunCommand, EveryThinsTheStatesAndKeepsTheLast) {
  ASSERT_EQ(run({"--every", "8", "--csv"}).code, 0);
  EXPECT_EQ(files_in(out()), csv_files);
  const Result<RecordedRun> record = read_run(fs::path(out()) / "run.h5");
  ASSERT_TRUE(record.ok()) << record.error();
  EXPECT_EQ(record.value().frames(), 4u);
  EXPECT_EQ(record.value().steps(), 20u);
  EXPECT_EQ(record.value().array("frames/time").values.back(), 0.2);
  EXPECT_EQ(lines_in(text("energy.csv")), 1 + 1 + 2 + 1) << "header, start, steps 8 and 16, the end";
  EXPECT_EQ(lines_in(text("certificate.csv")), 1 + 20);
  EXPECT_NE(text("energy.csv").find("\n0.2,"), std::string::npos);
}

TEST_F(RunCommand, AnInterruptedRunIsWholeUpToThere) {
  const ProgramRun stopped = run_program(
      {"run", scene_, "--end", "100000", "--out", out(), "--json", "--csv", "--log-level", "info"}, "info: a ball");
  EXPECT_EQ(stopped.code, 1);
  EXPECT_EQ(files_in(out()), csv_files) << "no .part is left";
  const auto answer = ordered_json::parse(stopped.out, nullptr, false);
  ASSERT_TRUE(answer.is_object()) << stopped.out;
  EXPECT_EQ(answer["ended"], "interrupted");
  EXPECT_EQ(text("summary.json"), stopped.out);
  EXPECT_EQ(lines_in(text("certificate.csv")), 1 + answer["steps"].get<long>());
  EXPECT_EQ(lines_in(text("states.csv")), 1 + 2 * (1 + answer["steps"].get<long>()));
  for (const std::string& file : csv_files) EXPECT_TRUE(text(file).back() == '\n' || !file.ends_with(".csv")) << file;
  const Result<RecordedRun> record = read_run(fs::path(out()) / "run.h5");
  ASSERT_TRUE(record.ok()) << record.error();
  EXPECT_EQ(record.value().steps(), answer["steps"].get<std::uint64_t>());
  EXPECT_EQ(record.value().status, "interrupted");
  auto told = answer;
  told.erase("folder");
  EXPECT_EQ(ordered_json::parse(record.value().summary, nullptr, false), told) << "all but the sender's folder";
}

/// Files larger than this cannot be written while it lives: a full disk.
class SmallFiles {
 public:
  explicit SmallFiles(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{bytes, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~SmallFiles() {
    setrlimit(RLIMIT_FSIZE, &before_);
    (void)std::signal(SIGXFSZ, handler_);
  }
  SmallFiles(const SmallFiles&) = delete;
  SmallFiles& operator=(const SmallFiles&) = delete;

 private:
  void (*handler_)(int);
  rlimit before_{};
};

TEST_F(RunCommand, AFullDiskEndsARunWithAWord) {
  ProgramRun failed;
  {
    const SmallFiles full(16384);
    failed = run({"--end", "1000", "--csv"});
  }
  EXPECT_EQ(failed.code, 2) << "not even the heading of the record has room";
  EXPECT_NE(failed.err.find("run.h5: cannot be written: File too large"), std::string::npos) << failed.err;
  EXPECT_FALSE(fs::exists(fs::path(out()) / "run.h5")) << "half of it does not look whole";
  EXPECT_FALSE(fs::exists(fs::path(out()) / "run.h5.part"));
}

TEST_F(RunCommand, ADiskThatFillsUpLeavesWhatWasFlushed) {
  ProgramRun failed;
  {
    const SmallFiles full(200'000);
    failed = run({"--end", "1000", "--flush", "0", "--no-page"});
  }
  EXPECT_EQ(failed.code, 1);
  EXPECT_NE(failed.err.find("run.h5: cannot be written: File too large"), std::string::npos) << failed.err;
  const auto answer = ordered_json::parse(failed.out, nullptr, false);
  ASSERT_TRUE(answer.is_object()) << failed.out;
  EXPECT_EQ(answer["ended"], "failed");
  EXPECT_LT(answer["steps"], 100'000) << "it does not go on for nothing";
  EXPECT_EQ(files_in(out()), (Keys{"run.h5", "scene.json", "shapes.json", "summary.json"}));
  const Result<RecordedRun> record = read_run(fs::path(out()) / "run.h5");
  ASSERT_TRUE(record.ok()) << record.error();
  EXPECT_GT(record.value().steps(), 0u);
  EXPECT_LT(record.value().steps(), answer["steps"].get<std::uint64_t>());
}

TEST_F(RunCommand, ATerminatedRunKeepsItsRecordAndIsServedMeanwhile) {
  const ProgramRun stopped = run_program({"run", scene_, "--end", "100000", "--out", out(), "--json", "--live"},
                                         "to look at while it runs: http://127.0.0.1:", SIGTERM);
  EXPECT_EQ(stopped.code, 1) << stopped.err;
  const Result<RecordedRun> record = read_run(fs::path(out()) / "run.h5");
  ASSERT_TRUE(record.ok()) << record.error();
  EXPECT_EQ(record.value().status, "interrupted");
  EXPECT_EQ(record.value().steps(), ordered_json::parse(stopped.out, nullptr, false)["steps"].get<std::uint64_t>());
  EXPECT_EQ(files_in(out()), run_files);
}

TEST_F(RunCommand, AFolderThatCannotBeWrittenIsBadInput) {
  const ProgramRun refused = run_program({"run", scene_, "--out", "/proc/self/runs"});
  EXPECT_EQ(refused.code, 2);
  EXPECT_NE(refused.err.find("--out /proc/self/runs: cannot be made a folder"), std::string::npos) << refused.err;
}

TEST_F(RunCommand, ARunThatDoesNotBeginLeavesNothing) {
  // Somebody has the port.
  const int taken = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  ASSERT_EQ(::bind(taken, reinterpret_cast<sockaddr*>(&address), size), 0);
  ASSERT_EQ(::listen(taken, 1), 0);
  ASSERT_EQ(::getsockname(taken, reinterpret_cast<sockaddr*>(&address), &size), 0);
  const std::string port = std::to_string(ntohs(address.sin_port));
  const ProgramRun refused = run({"--live", "--csv", "--force-bounds", "--port", port});
  EXPECT_EQ(refused.code, 2);
  EXPECT_NE(refused.err.find("--port " + port), std::string::npos) << refused.err;
  EXPECT_FALSE(fs::exists(out()));
  fs::create_directories(out());
  EXPECT_EQ(run({"--live", "--port", port}).code, 2);
  EXPECT_EQ(files_in(out()), Keys{}) << "a folder that was there stays, and is empty as before";
  ::close(taken);
}

TEST_F(RunCommand, AFolderWithTooLongANameIsRefused) {
  const std::string longer_than_any(300, 'x');
  const ProgramRun refused = run_program({"run", scene_, "--json", "--out", out(longer_than_any)});
  EXPECT_EQ(refused.code, 2) << refused.err;
  EXPECT_NE(refused.err.find("--out " + out(longer_than_any) + ": cannot be made a folder"), std::string::npos)
      << refused.err;
  EXPECT_EQ(ordered_json::parse(refused.out, nullptr, false)["ended"], "refused");
}

// Records and pages are sent to others.
TEST_F(RunCommand, WhatIsSentNamesNoFolder) {
  const std::string secret = "a_folder_of_mine";
  fs::create_directories(folder_ / secret);
  for (const std::string& name : {secret + "/out", secret + "/slash/", secret + "/slashes//"}) {
    ProgramRun done;
    {
      // Tables cannot be written any more, the record can: its last word names a file.
      const SmallFiles full(1 << 20);
      done = run_program({"run", scene_, "--json", "--csv", "--end", "60", "--out", out(name)});
    }
    ASSERT_EQ(done.code, 1) << name << ": " << done.err;
    EXPECT_EQ(ordered_json::parse(done.out, nullptr, false)["folder"], out(name)) << "who runs it is told";
    const Result<RecordedRun> record = read_run(fs::path(out(name)) / "run.h5");
    ASSERT_TRUE(record.ok()) << record.error();
    EXPECT_NE(record.value().summary.find("\"states.csv: cannot be written"), std::string::npos)
        << record.value().summary;
    EXPECT_EQ(record.value().summary.find(secret), std::string::npos) << record.value().summary;
    for (const std::string& file : files_in(out(name))) {
      if (file == "summary.json" || fs::is_directory(fs::path(out(name)) / file)) continue;
      EXPECT_EQ(text(file, name).find(secret), std::string::npos) << name << ": " << file;
    }
  }
}

TEST_F(RunCommand, WallTimeEndsARun) {
  const ProgramRun stopped = run({"--end", "100000", "--max-wall", "0.2"});
  EXPECT_EQ(stopped.code, 1);
  EXPECT_NE(stopped.err.find("out of wall time"), std::string::npos) << stopped.err;
  EXPECT_EQ(ordered_json::parse(stopped.out, nullptr, false)["ended"], "max_wall");
  EXPECT_EQ(files_in(out()), run_files);
}

}  // namespace
}  // namespace stiction::apps
