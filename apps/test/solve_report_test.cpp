#include "apps/solve_report.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace stiction::apps {
namespace {

using lcp::Status;

TEST(SolveReport, TheJudgedSolverMustEndAsExpected) {
  EXPECT_TRUE(is_as_expected(Status::solved, Status::solved, true));
  EXPECT_FALSE(is_as_expected(Status::solved, Status::ray, true));
  EXPECT_FALSE(is_as_expected(Status::infeasible, Status::ray, true));
  EXPECT_TRUE(is_as_expected(Status::infeasible, Status::infeasible, true));
}

TEST(SolveReport, TheOthersMustOnlyNotContradict) {
  EXPECT_TRUE(is_as_expected(Status::solved, Status::invalid, false));
  EXPECT_TRUE(is_as_expected(Status::solved, Status::iteration_limit, false));
  EXPECT_FALSE(is_as_expected(Status::solved, Status::infeasible, false));
  EXPECT_TRUE(is_as_expected(Status::infeasible, Status::ray, false));
  EXPECT_FALSE(is_as_expected(Status::infeasible, Status::solved, false));
}

TEST(SolveReport, ExitCodes) {
  SolveReport report;
  EXPECT_EQ(exit_code(report), 0);
  report.failures.emplace_back("disk full");
  EXPECT_EQ(exit_code(report), 1);
  report = {};
  report.not_done.push_back({"f", "n"});
  EXPECT_EQ(exit_code(report), 1);
  report = {};
  report.rows.emplace_back().is_as_expected = false;
  EXPECT_EQ(exit_code(report), 1);
  report.bad_inputs.emplace_back("f: empty");
  EXPECT_EQ(exit_code(report), 2);
}

TEST(SolveReport, JsonIsValidWhateverTheNames) {
  SolveReport report;
  SolveRow& row = report.rows.emplace_back();
  row.file = "bad\xff\x1b";
  row.name = "quote\" \xC3\xA9";
  const auto answer = nlohmann::json::parse(to_json(report), nullptr, false);
  ASSERT_TRUE(answer.is_object());
  EXPECT_EQ(answer["problems"][0]["name"], row.name);
  EXPECT_TRUE(answer["problems"][0]["residual"].is_null()) << "infinity is not JSON";
}

}  // namespace
}  // namespace stiction::apps
