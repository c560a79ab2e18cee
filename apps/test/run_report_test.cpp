#include "apps/run_report.h"

#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "apps/run_progress.h"

namespace stiction::apps {
namespace {

TEST(RunReport, OnlyADoneAndCertifiedRunIsZero) {
  RunSummary summary;
  EXPECT_EQ(exit_code(summary), 0);
  for (const RunEnd end : {RunEnd::failed, RunEnd::interrupted, RunEnd::max_wall}) {
    summary.ended = end;
    EXPECT_EQ(exit_code(summary), 1) << to_string(end);
  }
  summary.ended = RunEnd::done;
  summary.certificate.uncertified_steps = 1;
  EXPECT_EQ(exit_code(summary), 1);
}

TEST(RunReport, AFailureSaysWhyInBothForms) {
  RunSummary summary;
  summary.ended = RunEnd::failed;
  summary.error = "step at t = 1 s could not be solved";
  summary.certificate.steps = 10;
  summary.certificate.uncertified_steps = 1;
  summary.certificate.max_residual = std::numeric_limits<double>::infinity();
  EXPECT_NE(to_words(summary).find("NOT CERTIFIED          1 of 10 steps"), std::string::npos) << to_words(summary);
  EXPECT_NE(to_words(summary).find(summary.error), std::string::npos);
  const auto answer = nlohmann::json::parse(to_json(summary), nullptr, false);
  ASSERT_TRUE(answer.is_object()) << "also with numbers that are not finite";
  EXPECT_EQ(answer["ended"], "failed");
  EXPECT_EQ(answer["error"], summary.error);
}

TEST(RunReport, WordsTellWhatTheCertificateAllows) {
  RunSummary summary;
  EXPECT_EQ(to_words(summary).find("friction off sliding"), std::string::npos);
  summary.certificate.max_misalignment = 0.1;
  summary.certificate.max_friction_loss = 0.076;
  summary.certificate.impact_energy_gain = 0.25;
  summary.certificate.steps = 10;
  summary.certificate.grades[static_cast<std::size_t>(Grade::full)].steps = 7;
  summary.certificate.grades[static_cast<std::size_t>(Grade::linear)] = {3, 2e-6, 0.5, 7, -1};
  summary.grade_places[static_cast<std::size_t>(Grade::linear)] = "box - floor";
  const std::string words = to_words(summary);
  EXPECT_NE(words.find("friction off sliding   up to 5.7 degrees"), std::string::npos) << words;
  EXPECT_NE(words.find("friction too small     by up to 7.6 %"), std::string::npos) << words;
  EXPECT_NE(words.find("made by impacts        0.25 J"), std::string::npos) << words;
  EXPECT_NE(words.find("full                   7 of 10 steps\n"), std::string::npos) << words;
  EXPECT_NE(words.find("linear                 3 steps: gaps or joints at the end of a step are further off than the "
                       "scheme promises; off by 2e-06 m or rad  (box - floor, t = 0.5 s)\n"),
            std::string::npos)
      << words;
  EXPECT_EQ(words.find("polyhedral"), std::string::npos) << "what did not happen is not told";
}

// A weaker grade is certified, and enough for all but --strict; loose is not certified.
TEST(RunReport, GradesDecideTheExitCode) {
  RunSummary summary;
  summary.certificate.steps = 2;
  summary.certificate.grades[static_cast<std::size_t>(Grade::full)].steps = 2;
  EXPECT_EQ(exit_code(summary), 0);
  summary.is_strict = true;
  EXPECT_EQ(exit_code(summary), 0);
  summary.certificate.grades[static_cast<std::size_t>(Grade::polyhedral)] = {1, 0.02, 0.25, 5, -1};
  EXPECT_EQ(exit_code(summary), 1);
  summary.is_strict = false;
  EXPECT_EQ(exit_code(summary), 0);
  const auto certificate = nlohmann::json::parse(to_json(summary), nullptr, false)["certificate"];
  EXPECT_EQ(certificate["grade"], "polyhedral");
  EXPECT_EQ(certificate["grades"]["full"], 2);
  EXPECT_EQ(certificate["grades"]["polyhedral"], 1);
  EXPECT_EQ(certificate["grades"]["loose"], 0);
  ASSERT_EQ(certificate["weaker"].size(), 1u);
  EXPECT_EQ(certificate["weaker"][0]["residual"], 0.02);
  EXPECT_EQ(certificate["weaker"][0]["time"], 0.25);
  summary.certificate.uncertified_steps = 1;
  EXPECT_EQ(exit_code(summary), 1);
}

TEST(RunReport, WhereEnergyWentAddsUp) {
  RunSummary summary;
  summary.energy.initial = 10.0;
  summary.energy.now = 4.0;
  summary.energy.dissipated.contacts = 3.0;
  summary.energy.dissipated.joints = 1.0;
  summary.energy.dissipated.impacts = 0.5;
  const std::string words = to_words(summary);
  EXPECT_NE(words.find("3 J to friction, 1 J to friction in joints, 0.5 J to impacts, 1.5 J to the rest\n"),
            std::string::npos)
      << words;
}

TEST(RunReport, ChangesOfTheRankAreTold) {
  RunSummary summary;
  EXPECT_EQ(to_words(summary).find("rank changed"), std::string::npos);
  summary.certificate.rank_changes = 2;
  summary.certificate.rank_change_time = 1.125;
  EXPECT_NE(to_words(summary).find("rank changed           2 times, first by t = 1.125 s"), std::string::npos);
  EXPECT_EQ(nlohmann::json::parse(to_json(summary), nullptr, false)["rank_changes"], 2);
}

TEST(RunProgress, SaysHowFarAndHowLong) {
  const std::string line = progress_line({.time = 0.5, .end = 2.0, .steps = 500, .max_residual = 3e-12}, 10.0);
  EXPECT_EQ(line, "[####............]  25 %  t 0.5/2 s  50 steps/s  30 s left  residual 3.0e-12");
  const std::string start = progress_line({.time = 0.0, .end = 2.0}, 3.0);
  EXPECT_EQ(start.find("left"), std::string::npos) << "nothing is known yet: " << start;
  EXPECT_LE(progress_line({1e-300, 1e9, 123456789, 1e-300}, 1e9).size(), 100u);
}

}  // namespace
}  // namespace stiction::apps
