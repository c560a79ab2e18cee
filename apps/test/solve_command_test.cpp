#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "apps/test/run_program.h"
#include "stiction/cone/solvers.h"
#include "stiction/lcp/problem_file.h"
#include "stiction/lcp/solvers.h"

namespace stiction::apps {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char* good = R"({"problems": [{"name": "good", "M": [[2, 1], [1, 2]], "q": [-5, -6]}]})";
constexpr const char* hopeless = R"({"problems": [{"name": "hopeless", "M": [[-1]], "q": [-1]}]})";
constexpr const char* hopeless_as_said =
    R"({"problems": [{"name": "hopeless", "M": [[-1]], "q": [-1], "expect": "infeasible"}]})";

class SolveCommand : public testing::Test {
 protected:
  void SetUp() override {
    folder_ =
        fs::path(testing::TempDir()) / ("stiction_solve_" + std::to_string(::getpid()) + "_" +
                                        std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string write(const std::string& name, const std::string& text) {
    const fs::path path = folder_ / name;
    fs::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
    return path.string();
  }

  /// One problem for minutes: each of as many pivots as unknowns costs as many operations.
  std::string make_endless_file() {
    constexpr int size = 150'000;
    std::string entries, q;
    for (int i = 0; i < size; ++i) {
      const std::string at = std::to_string(i), comma = i == 0 ? "" : ",";
      entries += comma + "[" + at + "," + at + ",1]";
      q += comma + "-1." + at;
    }
    const std::string n = std::to_string(size);
    return write("endless.json", R"({"problems": [{"M": {"rows": )" + n + R"(, "cols": )" + n + R"(, "triplets": [)" +
                                     entries + R"(]}, "q": [)" + q + "]}]}");
  }

  fs::path folder_;
};

long lines_in(const std::string& text) {
  return std::count(text.begin(), text.end(), '\n');
}

TEST_F(SolveCommand, PrintsTheContractsJson) {
  const std::string file = write("a.json", good);
  const ProgramRun run = run_program({"solve", file, "--json"});
  EXPECT_EQ(run.code, 0);
  EXPECT_EQ(run.err, "");
  const json answer = json::parse(run.out, nullptr, false);
  ASSERT_TRUE(answer.is_object()) << run.out;
  ASSERT_EQ(answer["problems"].size(), 1u);
  const json& row = answer["problems"][0];
  EXPECT_EQ(row["file"], file);
  EXPECT_EQ(row["name"], "good");
  EXPECT_EQ(row["size"], 2);
  EXPECT_TRUE(row["contacts"].is_null());
  EXPECT_EQ(row["solver"], "auto");
  EXPECT_EQ(row["status"], "solved");
  EXPECT_LE(row["residual"].get<double>(), 1e-8);
  EXPECT_TRUE(row["iterations"].is_number_integer());
  EXPECT_GE(row["seconds"].get<double>(), 0.0);
  EXPECT_TRUE(row["solution"].is_null());
}

TEST_F(SolveCommand, WritesAnswersThatCertify) {
  const std::string file = write("a.json", good);
  write("b/a.json", good);
  write("b/c.json", hopeless_as_said);
  const ProgramRun run =
      run_program({"solve", file, (folder_ / "b").string(), "--json", "--out", (folder_ / "new/out").string()});
  EXPECT_EQ(run.code, 0) << run.err;
  const json answer = json::parse(run.out, nullptr, false);
  ASSERT_EQ(answer["problems"].size(), 3u);
  const auto problem = lcp::read_problems(file).value()[0].problem;
  for (const int i : {0, 1}) {
    const fs::path path = answer["problems"][i]["solution"].get<std::string>();
    EXPECT_EQ(path.parent_path(), folder_ / "new/out");
    std::ifstream stream(path);
    lcp::Vector z(2);
    std::string line;
    for (double& number : z) {
      ASSERT_TRUE(std::getline(stream, line));
      number = std::stod(line);
    }
    EXPECT_FALSE(std::getline(stream, line));
    EXPECT_LE(lcp::certify(problem, z).residual, 1e-15);
  }
  EXPECT_NE(answer["problems"][0]["solution"], answer["problems"][1]["solution"]) << "same names in two files";
  EXPECT_TRUE(answer["problems"][2]["solution"].is_null()) << "an unsolvable problem has no answer";
  EXPECT_TRUE(fs::exists(answer["problems"][2]["proof"].get<std::string>()));
  for (const auto& entry : fs::directory_iterator(folder_ / "new/out")) EXPECT_EQ(entry.path().extension(), ".txt");
}

TEST_F(SolveCommand, WritesTheBestPointWhereThereIsNoAnswer) {
  // Without a diagonal sweeps cannot move z. A tolerance that no rounded number keeps leaves r off by its last digit.
  const std::string stuck = write("stuck.json", R"({"problems": [{"M": [[0, 1], [1, 0]], "q": [-1, -1]}]})");
  const std::string sliding = write("sliding.fcp", "FCP1 3 1 3\n0 0 0.7\n1 1 0.7\n2 2 0.7\n-1 3.1 4.3\n0.3\n");
  const std::string out = (folder_ / "best").string();
  const auto check = [&](const std::vector<std::string>& arguments, std::size_t size, double nearest) {
    const ProgramRun run = run_program(arguments);
    EXPECT_EQ(run.code, 1) << run.out;
    const json row = json::parse(run.out, nullptr, false)["problems"][0];
    EXPECT_EQ(row["status"], "iteration_limit") << "and never infeasible: both have an answer";
    EXPECT_GT(row["residual"].get<double>(), nearest);
    ASSERT_TRUE(row["solution"].is_string());
    std::ifstream file(row["solution"].get<std::string>());
    double number = 0.0;
    std::size_t found = 0;
    while (file >> number) ++found;
    EXPECT_EQ(found, size);
  };
  check({"solve", stuck, "--solver", "projected_gauss_seidel", "--json", "--out", out}, 2, 1e-3);
  check({"solve", sliding, "--tolerance", "1e-19", "--json", "--out", out}, 3, 1e-19);
}

TEST_F(SolveCommand, ExitCodeFollowsWhatIsExpected) {
  EXPECT_EQ(run_program({"solve", write("a.json", good)}).code, 0);
  EXPECT_EQ(run_program({"solve", write("c.json", hopeless_as_said)}).code, 0);
  const ProgramRun surprise = run_program({"solve", write("b.json", hopeless)});
  EXPECT_EQ(surprise.code, 1);
  EXPECT_NE(surprise.out.find("proof checked; NOT AS EXPECTED (solved)"), std::string::npos) << surprise.out;
  const ProgramRun all = run_program({"solve", folder_.string()});
  EXPECT_EQ(all.code, 1);
  EXPECT_LT(all.out.find("a.json"), all.out.find("b.json")) << "sorted";
}

TEST_F(SolveCommand, TableHasARowForEachProblem) {
  const ProgramRun run = run_program({"solve", write("a.json", good)});
  EXPECT_EQ(lines_in(run.out), 4) << "header, file, problem, summary:\n" << run.out;
  for (const char* word :
       {"problem", "size", "solver", "status", "iterations", "residual", "contact", "time", "good", "auto"})
    EXPECT_NE(run.out.find(word), std::string::npos) << word;
  EXPECT_EQ(run.err, "");
  EXPECT_EQ(run_program({"solve", write("a.json", good), "--quiet"}).out, "");
}

TEST_F(SolveCommand, AllSolversAreHeldToWhatTheyPromise) {
  const ProgramRun run =
      run_program({"solve", write("a.json", good), write("b.json", hopeless_as_said), "--json", "--solver", "all"});
  EXPECT_EQ(run.code, 0) << run.out;
  const json answer = json::parse(run.out, nullptr, false);
  ASSERT_EQ(answer["problems"].size(), 2 * (lcp::solver_names().size() + 1));
  EXPECT_EQ(answer["problems"][0]["solver"], "auto");
  for (std::size_t i = 0; i <= lcp::solver_names().size(); ++i) {
    if (i > 0) {
      EXPECT_EQ(answer["problems"][i]["solver"], lcp::solver_names()[i - 1]);
    }
    EXPECT_EQ(answer["problems"][i]["status"], "solved");
  }
  std::string large = R"({"problems": [{"name": "large", "M": {"rows": 20, "cols": 20, "triplets": [[0, 0, 1])";
  for (int i = 1; i < 20; ++i) large += ",[" + std::to_string(i) + "," + std::to_string(i) + ",1]";
  large += R"(]}, "q": [-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1]}]})";
  const std::string file = write("large.json", large);
  EXPECT_EQ(run_program({"solve", file, "--solver", "all"}).code, 0)
      << "enumeration refuses it, and that is no failure";
  EXPECT_EQ(run_program({"solve", file, "--solver", "enumeration"}).code, 1) << "asked for alone, it is";
}

TEST_F(SolveCommand, AutoSaysWhichMethodsItAsked) {
  const std::string file = write("game.json", R"({"problems": [{"M": [[0, 2], [3, 0]], "q": [-4, -6]}]})");
  const ProgramRun run = run_program({"solve", file, "--json"});
  EXPECT_EQ(run.code, 0) << run.out;
  const json row = json::parse(run.out, nullptr, false)["problems"][0];
  ASSERT_GE(row["attempts"].size(), 2u);
  EXPECT_EQ(row["attempts"][0]["method"], "lemke");
  EXPECT_EQ(run_program({"solve", file, "--solver", "lemke"}).code, 1) << "alone it does not find the answer";
}

TEST_F(SolveCommand, UnknownSolverIsBadInput) {
  const ProgramRun run = run_program({"solve", write("a.json", good), "--solver", "lemkes"});
  EXPECT_EQ(run.code, 2);
  EXPECT_EQ(lines_in(run.err), 1) << run.err;
  EXPECT_NE(run.err.find("did you mean \"lemke\"?"), std::string::npos) << run.err;
  EXPECT_NE(run.err.find("enumeration"), std::string::npos) << "the list of names";
}

TEST_F(SolveCommand, HelpNamesSolversThatThereAre) {
  const std::string file = write("a.fcp", "FCP1 3 1 3 0 0 1 1 1 1 2 2 1 -1 0 0 0.5");
  const std::string help = run_program({"solve", "--help"}).out;
  const std::string intro = "Their solvers: ";
  const std::size_t begin = help.find(intro);
  ASSERT_NE(begin, std::string::npos);
  std::istringstream words(help.substr(begin + intro.size(), help.find('.', begin) - begin - intro.size()));
  int names = 0;
  for (std::string word; std::getline(words, word, ','); ++names) {
    const std::size_t first = word.find_first_not_of(' ');
    const std::string name = word.substr(first, word.find(' ', first) - first);
    EXPECT_NE(run_program({"solve", file, "--solver", name}).code, 2) << name;
  }
  EXPECT_GE(names, 5);
}

TEST_F(SolveCommand, BadOptionsAreBadInput) {
  const std::string file = write("a.json", good);
  for (const char* value : {"0", "-1", "nan", "inf", "1", "word"})
    EXPECT_EQ(run_program({"solve", file, "--tolerance", value}).code, 2) << value;
  EXPECT_EQ(run_program({"solve", file, "--max-wall", "0"}).code, 2);
  EXPECT_EQ(run_program({"solve", file, "--max-wall", "nan"}).code, 2);
  EXPECT_EQ(run_program({"solve", file, "--log-level", "loud"}).code, 2);
  EXPECT_EQ(run_program({"solve", file, "--out", file}).code, 2) << "a file is no folder";
  EXPECT_EQ(run_program({"solve"}).code, 2);
  EXPECT_EQ(run_program({}).code, 2);
  EXPECT_EQ(run_program({"solve", "--help"}).code, 0);
}

TEST_F(SolveCommand, EachMalformedFileIsOneLineAndTheOthersAreSolved) {
  std::string deep_objects = "{\"notes\": ";
  for (int i = 0; i < 1'000'000; ++i) deep_objects += "{\"a\":";
  const std::vector<std::pair<std::string, std::string>> bad = {
      {"empty", ""},
      {"not_json", "hello"},
      {"truncated", std::string(good).substr(0, 50)},
      {"nan", R"({"problems": [{"name": "a", "M": [[NaN]], "q": [1]}]})"},
      {"infinity", R"({"problems": [{"name": "a", "M": [[1]], "q": [-Infinity]}]})"},
      {"overflow", R"({"problems": [{"name": "a", "M": [[1e400]], "q": [1]}]})"},
      {"ragged", R"({"problems": [{"name": "a", "M": [[1, 2], [3]], "q": [1, 2]}]})"},
      {"not_square", R"({"problems": [{"name": "a", "M": [[1, 2]], "q": [1]}]})"},
      {"sizes", R"({"problems": [{"name": "a", "M": [[1]], "q": [1, 2]}]})"},
      {"no_q", R"({"problems": [{"name": "a", "M": [[1]]}]})"},
      {"no_M", R"({"problems": [{"name": "a", "q": [1]}]})"},
      {"no_problems", R"({"problems": []})"},
      {"no_list", R"({"version": 1})"},
      {"array", "[]"},
      {"types", R"({"problems": [{"name": "a", "M": "1", "q": [1]}]})"},
      {"twice", R"({"problems": [{"name": "a", "M": [[1]], "M": [[1]], "q": [1]}]})"},
      {"names", R"({"problems": [{"name": "a", "M": [[1]], "q": [1]}, {"name": "a", "M": [[1]], "q": [1]}]})"},
      {"deep_arrays", std::string(1'000'000, '[')},
      {"deep_notes", "{\"notes\": " + std::string(1'000'000, '[')},
      {"deep_objects", deep_objects},
      {"one_bad", R"({"problems": [{"name": "a", "M": [[1]], "q": [1]}, {"name": "b", "M": [[1]], "q": []}]})"},
      {"binary", std::string("\x7f"
                             "ELF\0\0\1\2",
                             8)},
      {"long_string", "{\"" + std::string(2 << 20, 'x') + "\": 1}"},
      {"newlines", "{\"problems\": " + std::string(2 << 20, '\n') + "x"},
  };
  for (const auto& [name, text] : bad) write("bad/" + name + ".json", text);
  write("bad/good.json", good);
  write("bad/more/z_good.json", good);

  const ProgramRun run = run_program({"solve", (folder_ / "bad").string(), "--json"});
  EXPECT_EQ(run.code, 2);
  EXPECT_EQ(lines_in(run.err), static_cast<long>(bad.size())) << run.err;
  for (const auto& [name, text] : bad) {
    const std::string start = "error: " + (folder_ / "bad" / (name + ".json")).string() + ":";
    EXPECT_NE(run.err.find(start), std::string::npos) << start << " is not in\n" << run.err;
  }
  const json answer = json::parse(run.out, nullptr, false);
  ASSERT_TRUE(answer.is_object()) << run.out;
  EXPECT_EQ(answer["problems"].size(), 2u) << "the good files are solved";
  EXPECT_EQ(answer["errors"].size(), bad.size());
}

TEST_F(SolveCommand, PathsThatAreNotThereAreOneLineEach) {
  fs::create_directories(folder_ / "hollow");
  const ProgramRun run = run_program({"solve", (folder_ / "none.json").string(), (folder_ / "hollow").string(),
                                      write("a.fcp", "FCP1"), write("a.json", good), "--json"});
  EXPECT_EQ(run.code, 2);
  EXPECT_EQ(lines_in(run.err), 3) << run.err;
  EXPECT_EQ(json::parse(run.out, nullptr, false)["problems"].size(), 1u);
}

TEST_F(SolveCommand, APipeIsRefusedAtOnce) {
  std::vector<std::string> arguments{"solve", "--json"};
  for (const char* name : {"pipe.json", "pipe.fcp", "pipe.hdf5"}) {
    arguments.push_back((folder_ / name).string());
    ASSERT_EQ(::mkfifo(arguments.back().c_str(), 0600), 0);
  }
  arguments.push_back(write("a.json", good));
  const ProgramRun run = run_program(arguments);
  EXPECT_EQ(run.code, 2);
  EXPECT_EQ(lines_in(run.err), 3) << run.err;
  EXPECT_NE(run.err.find("pipe.fcp: is a pipe, expected a file"), std::string::npos) << run.err;
  EXPECT_EQ(json::parse(run.out, nullptr, false)["problems"].size(), 1u);
  EXPECT_EQ(run_program({"run", (folder_ / "pipe.json").string()}).code, 2);
}

TEST_F(SolveCommand, SolvesContactProblemsBesideOthers) {
  // One block that slides: r = (2, -0.6, -0.8), see the cone module's own tests.
  write("both/b.fcp", "FCP1 3 1 3\n0 0 0.5\n1 1 0.5\n2 2 0.5\n-1 3 4\n0.5\n");
  write("both/a.json", good);
  const std::string folder = (folder_ / "both").string();
  const ProgramRun run = run_program({"solve", folder, "--json", "--out", (folder_ / "answers").string()});
  EXPECT_EQ(run.code, 0) << run.err;
  const json answer = json::parse(run.out, nullptr, false);
  ASSERT_EQ(answer["problems"].size(), 2u) << run.out;
  const json& row = answer["problems"][1];
  EXPECT_EQ(row["name"], "b");
  EXPECT_EQ(row["size"], 3);
  EXPECT_EQ(row["contacts"], 1);
  EXPECT_EQ(row["solver"], "auto");
  EXPECT_EQ(row["status"], "solved");
  EXPECT_LE(row["residual"].get<double>(), 1e-8);
  EXPECT_LE(row["contact_residual"].get<double>(), 1e-8);
  EXPECT_TRUE(row["bound"].is_null());
  EXPECT_TRUE(row["bound_kind"].is_null());
  EXPECT_TRUE(answer["problems"][0]["contact_residual"].is_null()) << "not of contacts";
  ASSERT_FALSE(row["attempts"].empty());
  std::ifstream file(row["solution"].get<std::string>());
  for (const double expected : {2.0, -0.6, -0.8}) {
    double found = 0.0;
    ASSERT_TRUE(file >> found);
    EXPECT_NEAR(found, expected, 1e-7);
  }
  EXPECT_EQ(run_program({"solve", folder + "/b.fcp", "--solver", "proximal_point"}).code, 0);
  EXPECT_EQ(run_program({"solve", folder + "/b.fcp", "--solver", "enumeration"}).code, 2) << "not for contact problems";
}

TEST_F(SolveCommand, AContactProblemWithoutAnAnswerIsRefuted) {
  // A body of 1 kg between two walls that close at 5e-5, beside a contact of speed 1; in the plane.
  const std::string file = write("wedge.fcp",
                                 "FCP1 2 3 8\n0 0 1\n2 0 -1\n1 1 1\n0 2 -1\n2 2 1\n3 3 1\n4 4 1\n5 5 1\n"
                                 "-5e-5 0 -5e-5 0 -1 0\n0.5 0.5 0.5\n");
  const ProgramRun run = run_program({"solve", file, "--json", "--out", (folder_ / "answers").string()});
  EXPECT_EQ(run.code, 1) << "nothing said that it has no answer";
  const json row = json::parse(run.out, nullptr, false)["problems"][0];
  EXPECT_EQ(row["status"], "infeasible");
  EXPECT_GT(row["contact_residual"].get<double>(), 1e-8);
  EXPECT_GT(row["bound"].get<double>(), 1e9);
  EXPECT_EQ(row["bound_kind"], "finite");
  EXPECT_TRUE(row["solution"].is_null());
  std::ifstream proof(row["proof"].get<std::string>());
  for (const double expected : {1.0, 0.0, 1.0, 0.0, 0.0, 0.0}) {
    double found = -1.0;
    ASSERT_TRUE(proof >> found);
    EXPECT_NEAR(found, expected, 1e-12);
  }
  const std::string known = write("known.fcp",
                                  "# A body of 1 kg between two walls that close at 5e-5.\n"
                                  "FCP1 2 2 6\n0 0 1\n2 0 -1\n1 1 1\n0 2 -1\n2 2 1\n3 3 1\n"
                                  "-5e-5 0 -5e-5 0\n0.5 0.5\nexpect infeasible\n");
  EXPECT_EQ(run_program({"solve", known}).code, 0);
  const ProgramRun table = run_program({"solve", file});
  EXPECT_NE(table.out.find("proof checked: no answer has |r| < "), std::string::npos) << table.out;
}

TEST_F(SolveCommand, ABoundWithoutEndIsTold) {
  // What closes does not move along its normal, whatever acts: no r helps, however large.
  const std::string file = write("stuck.fcp", "FCP1 2 1 1\n1 1 1\n-1 0\n0.5\n");
  const json row = json::parse(run_program({"solve", file, "--json"}).out, nullptr, false)["problems"][0];
  EXPECT_EQ(row["status"], "infeasible");
  EXPECT_TRUE(row["bound"].is_null()) << "JSON has no infinity";
  EXPECT_EQ(row["bound_kind"], "infinite");
  const ProgramRun table = run_program({"solve", file});
  EXPECT_NE(table.out.find("proof checked: no answer at all, however large"), std::string::npos) << table.out;
  const ProgramRun other = run_program({"solve", write("a.json", hopeless), "--json"});
  EXPECT_TRUE(json::parse(other.out, nullptr, false)["problems"][0]["bound_kind"].is_null()) << "not of contacts";
}

TEST_F(SolveCommand, NoSolverTakesRoundingForMobility) {
  // Four rows of joints hold two bodies altogether, and the contact between these closes at 72 m/s: W is rounding.
  const std::string file = write("held.fcp",
                                 "FCG1 2 alpha 0.5 bodies 2 2 5.76 0 0 5.76 2 8.52 0 0 8.52 couplings 0 "
                                 "v 3.24 84.9 -1.09 105.0 k -1.74 76.0 -0.646 0.15 contacts 1 0 0 -1 "
                                 "0 2 0 -3.11 1 1.19 0.0607 2 0 1.4 1 -0.356 rows 4 -inf inf 0 0 2 0 -1.08 3 1.4 "
                                 "-inf inf 0 0 2 3 -1.05 2 -0.564 -inf inf 0 -97.2 1 1 -1.01 "
                                 "-inf inf 0 27.5 2 2 -1.04 0 0.542\n");
  const ProgramRun run = run_program({"solve", file, "--solver", "all", "--json"});
  const json rows = json::parse(run.out, nullptr, false)["problems"];
  ASSERT_EQ(rows.size(), cone::solver_names().size()) << run.out;
  for (const json& row : rows) {
    EXPECT_EQ(row["status"], "infeasible") << row["solver"];
    EXPECT_GT(row["contact_residual"].get<double>(), 0.5) << row["solver"];
    EXPECT_GT(row["bound"].get<double>(), 1e9) << row["solver"];
  }
}

TEST_F(SolveCommand, JointsThatContradictEachOtherAreRefuted) {
  // 2 kg above a floor, driven up at 1 and at 2 m/s at once.
  const std::string file = write("torn.fcp",
                                 "FCG1 2 alpha 1 bodies 1 2 2 0 0 2 couplings 0 v 0 0 k 0 0 contacts 1 0.5 0 -1 "
                                 "0 1 0 1 0 1 1 1 rows 2 -inf inf 0 -1 1 0 1 -inf inf 0 -2 1 0 1\n");
  const ProgramRun run = run_program({"solve", file, "--json", "--out", (folder_ / "answers").string()});
  const json row = json::parse(run.out, nullptr, false)["problems"][0];
  EXPECT_EQ(row["status"], "infeasible") << run.out;
  std::ifstream proof(row["proof"].get<std::string>());
  double first = 0.0, second = 0.0;
  ASSERT_TRUE(proof >> first >> second);
  EXPECT_NEAR(first, -second, 1e-15);
  EXPECT_NE(run_program({"solve", file}).out.find("no answer has |r| < "), std::string::npos);
}

TEST_F(SolveCommand, JointsThatDisagreeByTooLittleForAProofLeaveTheBestPoint) {
  // 2 kg that meet a floor at 3 m/s and are with 3 kg, of 3 m/s, that joints drive back at 1 and at 1 + 1.2e-7 m/s at
  // once.
  const std::string file = write("nearly.fcp",
                                 "FCG1 2 alpha 1 bodies 2 1 2 1 3 couplings 0 v -3 -3 k 0 0 contacts 1 0.5 0 -1 "
                                 "0 1 0 1 0 0 rows 2 -inf inf 0 -1 1 1 1 -inf inf 0 -1.00000012 1 1 1\n");
  for (const char* solver : {"auto", "newton"}) {
    const ProgramRun run =
        run_program({"solve", file, "--solver", solver, "--json", "--out", (folder_ / "answers").string()});
    EXPECT_EQ(run.code, 1) << run.err;
    const json row = json::parse(run.out, nullptr, false)["problems"][0];
    EXPECT_EQ(row["status"], "iteration_limit") << run.out;
    EXPECT_NEAR(row["contact_residual"].get<double>(), 1.2e-8, 1e-10);
    ASSERT_TRUE(row["solution"].is_string()) << run.out;
    std::ifstream answer(row["solution"].get<std::string>());
    double first = 0.0;
    ASSERT_TRUE(answer >> first);
    EXPECT_NEAR(first, 6.0, 1e-7);
  }
  const ProgramRun table = run_program({"solve", file});
  EXPECT_NE(table.out.find("joints disagree by 1.2e-08 of their speeds"), std::string::npos) << table.out;
}

TEST_F(SolveCommand, NamedSolversTakeWhatJointsHoldAltogether) {
  // The same block twice, held by joints at (1, 0.7) m/s; the floor opens, or closes at 0.3 m/s.
  for (const bool closes : {false, true}) {
    const std::string file = write("block.fcp",
                                   "FCG1 2 alpha 1 bodies 1 2 0.3 0 0 0.3 couplings 0 v 0 0 k 0 0 "
                                   "contacts 1 0.5 0 -1 " +
                                       std::string(closes ? "-0.4 2 0 0.7 1 -0.6" : "0 1 1 1") +
                                       " 0 1 0 1 rows 2 -inf inf 0 -1.3 2 0 0.6 1 1 -inf inf 0 -0.7 1 1 1\n");
    const ProgramRun run =
        run_program({"solve", file, "--solver", "all", "--json", "--out", (folder_ / "answers").string()});
    const json rows = json::parse(run.out, nullptr, false)["problems"];
    ASSERT_EQ(rows.size(), cone::solver_names().size()) << run.out << run.err;
    for (const json& row : rows) {
      EXPECT_EQ(row["status"], closes ? "infeasible" : "solved") << row["solver"];
      if (!closes) continue;
      std::ifstream proof(row["proof"].get<std::string>());
      double y[4] = {};
      for (double& number : y) ASSERT_TRUE(proof >> number);
      EXPECT_NEAR(0.7 * y[0] + 0.6 * y[2], 0.0, 1e-15);
      EXPECT_NEAR(-0.6 * y[0] + y[2] + y[3], 0.0, 1e-15);
      EXPECT_FALSE(proof >> y[0]) << "two numbers of the contact, one for each row";
    }
  }
}

// A plate in the plane under 3,300 particles: W would have 22 million entries.
TEST_F(SolveCommand, FactorsStayFactorsUnlessAnotherSolverIsNamed) {
  constexpr int particles = 3300;
  std::string bodies = "bodies " + std::to_string(particles + 1) + "\n3  900 0 0  0 900 0  0 0 300\n", v = "v 0 0 0", k,
              contacts = "contacts " + std::to_string(particles) + "\n";
  k = "k 0 0 0";
  for (int i = 0; i < particles; ++i) {
    const std::string x = std::to_string(3 + 2 * i), y = std::to_string(4 + 2 * i);
    const std::string arm = std::to_string(-1.0 + 2.0 * i / particles), speed = std::to_string((i % 7) - 3);
    bodies += "2  1 0  0 1\n";
    v += " " + speed + " 0";
    k += " 0 -0.05";
    contacts += "0.4 0 -1  0 3 " + y + " 1 1 -1 2 " + arm + "  0 2 " + x + " 1 0 -1\n";
  }
  const std::string file =
      write("plate.fcp", "FCG1 2\nalpha 1\n" + bodies + "couplings 0\n" + v + "\n" + k + "\n" + contacts + "rows 0\n");
  const ProgramRun run = run_program({"solve", file, "--json", "--out", (folder_ / "answers").string()});
  EXPECT_EQ(run.code, 0) << run.err;
  const json row = json::parse(run.out, nullptr, false)["problems"][0];
  EXPECT_EQ(row["status"], "solved");
  EXPECT_EQ(row["size"], 2 * particles);
  EXPECT_EQ(row["attempts"][0]["method"], "bodies");
  std::ifstream answer(row["solution"].get<std::string>());
  double first = 0.0, second = 0.0;
  ASSERT_TRUE(answer >> first >> second);
  EXPECT_GT(first, 0.0);
  EXPECT_NEAR(second, 0.4 * first, 1e-6) << "the first particle slides to the left";
  const ProgramRun named = run_program({"solve", file, "--solver", "newton"});
  EXPECT_EQ(named.code, 2);
  EXPECT_NE(named.err.find("plate.fcp: entries of W: more than the 20000000"), std::string::npos) << named.err;
}

TEST_F(SolveCommand, AContactBetweenBodiesThatDoNotMoveIsRefused) {
  const ProgramRun run = run_program({"solve", write("fixed.fcp", "FCP1 3 1 0\n-1 0 0\n0.5\n")});
  EXPECT_EQ(run.code, 2);
  EXPECT_NE(run.err.find("contact 0 is between bodies that do not move"), std::string::npos) << run.err;
}

TEST_F(SolveCommand, AFileOverTheLimitIsRefusedUnread) {
  const std::string file = write("huge.json", good);
  fs::resize_file(file, std::uintmax_t{513} << 20);
  const ProgramRun run = run_program({"solve", file});
  EXPECT_EQ(run.code, 2);
  EXPECT_NE(run.err.find("larger than the limit of 536870912 bytes"), std::string::npos) << run.err;
}

TEST_F(SolveCommand, TimeLimitReportsWhatIsDoneAndWhatIsNot) {
  const std::string first = write("a.json", good);
  const std::string endless = make_endless_file();
  const ProgramRun run = run_program({"solve", first, endless, write("b.json", good), "--json", "--max-wall", "0.3"});
  EXPECT_EQ(run.code, 1);
  const json answer = json::parse(run.out, nullptr, false);
  ASSERT_TRUE(answer.is_object()) << run.out;
  EXPECT_EQ(answer["problems"].size() + answer["not_done"].size(), 3u) << "nothing is passed over in silence";
  ASSERT_GE(answer["not_done"].size(), 2u) << "a slow machine may not reach the first, none the others";
  EXPECT_EQ(answer["not_done"][answer["not_done"].size() - 2]["file"], endless);
}

TEST_F(SolveCommand, InterruptReportsWhatIsDone) {
  const std::string first = write("a.json", good);
  const std::string second = write("b.json", good);
  const ProgramRun run =
      run_program({"solve", first, second, make_endless_file(), "--log-level", "info"}, second + ": 1 problems");
  EXPECT_EQ(run.code, 1);
  EXPECT_NE(run.out.find(first), std::string::npos) << run.out;
  EXPECT_NE(run.out.find("Interrupted. Not done:"), std::string::npos) << run.out;
}

TEST_F(SolveCommand, TextbookProblemsGetTheFilesVerdict) {
  const char* data = std::getenv("STICTION_DATA");  // NOLINT(concurrency-mt-unsafe): no other thread runs
  const fs::path path = fs::path(data != nullptr ? data : "../shared/data") / "lcp/textbook.json";
  if (!fs::exists(path)) GTEST_SKIP() << path << " is not here; set STICTION_DATA to the folder of test data";
  const ProgramRun run = run_program({"solve", path.string(), "--json"});
  const json answer = json::parse(run.out, nullptr, false);
  const auto stored = lcp::read_problems(path);
  ASSERT_TRUE(stored.ok()) << stored.error();
  ASSERT_EQ(answer["problems"].size(), stored.value().size());
  for (std::size_t i = 0; i < stored.value().size(); ++i) {
    const auto& solutions = stored.value()[i].basic_solutions;
    const bool is_solvable = solutions.has_value() && !solutions->empty();
    EXPECT_EQ(answer["problems"][i]["status"], is_solvable ? "solved" : "infeasible") << answer["problems"][i]["name"];
  }
}

}  // namespace
}  // namespace stiction::apps
