#include "problems/generator/stored_problems.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "stiction/lcp/enumeration.h"
#include "stiction/lcp/lemke.h"
#include "stiction/lcp/solvers.h"

namespace stiction::families {
namespace {

using lcp::StoredProblem;
using lcp::Vector;

const std::filesystem::path folder = "problems";

std::vector<std::filesystem::path> all_files() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

std::vector<StoredProblem> read_all() {
  std::vector<StoredProblem> all;
  for (const auto& file : all_files()) {
    auto problems = lcp::read_problems(file);
    EXPECT_TRUE(problems.ok()) << (problems.ok() ? "" : problems.error());
    if (!problems.ok()) continue;
    for (const StoredProblem& stored : problems.value()) all.push_back(stored);
  }
  return all;
}

// problems/README.md tells how STICTION_WRITE_PROBLEMS is used.
TEST(StoredProblems, FilesAreWhatTheGeneratorMakes) {
  for (const StoredFile& file : make_stored_files()) {
    const auto path = folder / file.name;
    if (std::getenv("STICTION_WRITE_PROBLEMS")) {
      const auto error = lcp::write_problems(path, file.problems);
      ASSERT_FALSE(error.has_value()) << error->message;
    }
    const auto expected = lcp::to_json(file.problems);
    ASSERT_TRUE(expected.ok()) << expected.error();
    std::ostringstream found;
    found << std::ifstream(path).rdbuf();
    EXPECT_TRUE(found.str() == expected.value()) << path << " differs from what the generator makes";
  }
}

TEST(StoredProblems, SayWhereTheyComeFromAndWhatMustHappen) {
  const std::vector<StoredProblem> all = read_all();
  EXPECT_GE(all.size(), 100u);
  std::vector<std::string> names;
  for (const StoredProblem& stored : all) {
    EXPECT_FALSE(stored.source.empty()) << stored.problem.name;
    EXPECT_FALSE(stored.must.empty()) << stored.problem.name;
    names.push_back(stored.problem.name);
  }
  std::sort(names.begin(), names.end());
  const auto twice = std::adjacent_find(names.begin(), names.end());
  EXPECT_TRUE(twice == names.end()) << *twice << " is the name of two problems";
}

TEST(StoredProblems, AutoEndsAsExpected) {
  const auto solver = lcp::make_solver("auto");
  for (const StoredProblem& stored : read_all()) {
    lcp::Solution solution;
    solver->solve(stored.problem, solution);
    EXPECT_EQ(to_string(solution.status), to_string(stored.expect)) << stored.problem.name;
    if (stored.basic_solutions && stored.basic_solutions->size() == 1 && solution.status == lcp::Status::solved) {
      EXPECT_LE(lcp::certify(stored.problem, stored.basic_solutions->front()).residual, 1e-12) << stored.problem.name;
    }
  }
}

// All but what is stored as beyond it.
TEST(StoredProblems, LemkeAloneEndsAsExpected) {
  lcp::Lemke lemke;
  int beyond = 0;
  for (const StoredProblem& stored : read_all()) {
    lcp::Solution solution;
    lemke.solve(stored.problem, solution);
    if (solution.status == stored.expect) continue;
    EXPECT_EQ(to_string(solution.status), "ray") << stored.problem.name;
    EXPECT_NE(stored.must.find("Lemke with a positive cover vector ends on a ray"), std::string::npos)
        << stored.problem.name;
    ++beyond;
  }
  EXPECT_EQ(beyond, 4);
}

bool contains(const std::vector<Vector>& all, const Vector& z) {
  return std::any_of(all.begin(), all.end(), [&](const Vector& other) {
    return (other - z).cwiseAbs().maxCoeff() <= 1e-9 * (1.0 + z.cwiseAbs().maxCoeff());
  });
}

// The listed solutions were found in exact arithmetic; enumeration must find the same ones.
TEST(StoredProblems, ListAllBasicSolutions) {
  lcp::Enumeration enumeration;
  int compared = 0;
  for (const StoredProblem& stored : read_all()) {
    if (!stored.basic_solutions || stored.problem.size() > 8) continue;
    const std::vector<Vector> found = enumeration.all_solutions(stored.problem);
    EXPECT_EQ(found.size(), stored.basic_solutions->size()) << stored.problem.name;
    for (const Vector& z : *stored.basic_solutions) EXPECT_TRUE(contains(found, z)) << stored.problem.name;
    for (const Vector& z : found) EXPECT_TRUE(contains(*stored.basic_solutions, z)) << stored.problem.name;
    ++compared;
  }
  EXPECT_GE(compared, 45);
}

TEST(StoredProblems, FolderStaysSmall) {
  std::uintmax_t bytes = 0;
  for (const auto& file : all_files()) bytes += std::filesystem::file_size(file);
  EXPECT_LE(bytes, 1'000'000u);
}

}  // namespace
}  // namespace stiction::families
