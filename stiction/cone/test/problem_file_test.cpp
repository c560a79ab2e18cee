#include "stiction/cone/problem_file.h"

#include <gtest/gtest.h>

#include "problems/generator/cone_problem.h"
#include "problems/generator/families.h"

namespace stiction::cone {
namespace {

constexpr const char* small = "FCP1 2 1 3\n0 0 2\n1 1 1.5\n0 1 -0.5\n-1 0.25\n0.3\n";

TEST(ContactProblemFile, ReadsWhatTheFormatSays) {
  const auto problem = parse_problem(small, "folder/small.fcp");
  ASSERT_TRUE(problem.ok()) << problem.error();
  const Problem& p = problem.value();
  EXPECT_EQ(p.name, "small");
  EXPECT_EQ(p.dimension, 2);
  EXPECT_EQ(p.contacts(), 1);
  EXPECT_EQ(p.W.coefficient(0, 0), 2.0);
  EXPECT_EQ(p.W.coefficient(0, 1), -0.5);
  EXPECT_EQ(p.W.coefficient(1, 0), 0.0);
  EXPECT_EQ(p.W.coefficient(1, 1), 1.5);
  EXPECT_EQ(p.q[1], 0.25);
  EXPECT_EQ(p.mu[0], 0.3);
}

TEST(ContactProblemFile, WrittenProblemsComeBackToTheLastBit) {
  Problem problem = families::to_cone(families::find_family("jointed")->make({.contacts = 6, .seed = 3}));
  problem.mu2 = 0.5 * problem.mu;
  const auto text = to_text(problem);
  ASSERT_TRUE(text.ok());
  const auto back = parse_problem(text.value(), problem.name + ".fcp");
  ASSERT_TRUE(back.ok()) << back.error();
  EXPECT_EQ(back.value().name, problem.name);
  EXPECT_TRUE(back.value().W.to_dense() == problem.W.to_dense());
  EXPECT_TRUE(back.value().q == problem.q);
  EXPECT_TRUE(back.value().mu == problem.mu);
  EXPECT_TRUE(back.value().mu2 == problem.mu2);
}

TEST(ContactProblemFile, MistakesAreToldWithTheirLine) {
  const std::pair<const char*, const char*> cases[] = {
      {"", "x.fcp:1: found the end of the file, expected FCP1"},
      {"FCP2 3 1 0", "x.fcp:1: found \"FCP2\", expected FCP1"},
      {"FCP1 4 1 0", "x.fcp:1: found \"4\", expected the dimension, a whole number from 2 to 3"},
      {"FCP1 2 0 0", "expected the number of contacts, a whole number from 1"},
      {"FCP1 2 1 -1", "expected the number of entries of W"},
      {"FCP1 2 100000 1\n0 0 1\n", "the file is too short for its header"},
      {"FCP1 2 1 1\n0 2 1\n0 0\n0.1          ",
       "x.fcp:2: found \"2\", expected a column of W, a whole number from 0 to 1"},
      {"FCP1 2 1 1\n0 0 1\n0 nan\n0.1          ", "x.fcp:3: found \"nan\", expected q[1], a finite number"},
      {"FCP1 2 1 1\n0 0 1\n0 1e999\n0.1        ", "expected q[1], a finite number"},
      {"FCP1 2 1 1\n0 0 1\n0 0\n-0.1           ", "mu of contact 0 is -0.1"},
      {"FCP1 2 1 1\n0 0 1\n0 0\n0.1 7          ", "x.fcp:4: found \"7\", expected the end of the file"},
      {"FCP1 2 1 1\n0 0 1\n0 0\n0.1 mu2 0.2    ", "expected the end of the file"},
      {"FCP1 3 1 1\n0 0 1\n0 0 0\n0.1 mu2      ", "expected mu2[0], a finite number"},
      {"FCP1 2 1 1\n0 0 0x1\n0 0\n0.1          ", "found \"0x1\", expected an entry of W"},
  };
  for (const auto& [text, message] : cases) {
    const auto problem = parse_problem(text, "x.fcp");
    ASSERT_FALSE(problem.ok()) << text;
    EXPECT_NE(problem.error().find(message), std::string::npos) << problem.error() << "\nshould say\n" << message;
  }
}

TEST(ContactProblemFile, LimitsHold) {
  EXPECT_FALSE(parse_problem(small, "x.fcp", {.file_bytes = 8}).ok());
  EXPECT_FALSE(parse_problem(small, "x.fcp", {.contacts = 0}).ok());
  EXPECT_FALSE(parse_problem(small, "x.fcp", {.entries = 2}).ok());
}

TEST(ContactProblemFile, MalformedProblemsAreNotWritten) {
  EXPECT_FALSE(to_text({.name = "odd", .q = Vector::Zero(3), .mu = Vector::Zero(1)}).ok());
}

}  // namespace
}  // namespace stiction::cone
