#include "stiction/study/study_table.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "stiction/study/study_plot.h"

namespace stiction {
namespace {

/// A stone under gravity: q+ = q + h v+ makes the height wrong by exactly g h T/2, and the velocity not at all.
constexpr const char* stone = R"({"stiction": 1, "gravity": [0, 0, -10],
  "bodies": [{"name": "stone", "freedom": "particle", "mass": 2, "velocity": [1, 0, 3]}],
  "exact": [{"body": "stone", "position": ["t", 0, "3*t - 5*t^2"]}],
  "simulation": {"scheme": "anitescu_potra", "h": 0.05, "end": 1}})";

Scene read(const char* text) {
  auto scene = parse_scene(text, "test.json");
  EXPECT_TRUE(scene) << (scene ? "" : scene.error());
  return std::move(scene).value();
}

StudyRun run(const Scene& scene, double h, double nudge = 0.0) {
  const std::atomic<bool> stop = false;
  std::atomic<long> steps = 0;
  return run_for_study(scene, h, nudge, stop, steps);
}

StudyRuns run_all(const Scene& scene, const std::vector<double>& steps, double reference) {
  StudyRuns runs;
  for (const double h : steps) runs.rows.push_back(run(scene, h));
  if (reference > 0.0) runs.reference = run(scene, reference);
  return runs;
}

TEST(StudyTable, AgainstTheExactMotion) {
  const Scene scene = read(stone);
  const StudyTable table = make_table(scene, run_all(scene, {0.1, 0.05, 0.025}, 0.0));
  ASSERT_EQ(table.rows.size(), 3u);
  for (const StudyRow& row : table.rows) {
    EXPECT_NEAR(row.position_error.value(), 5.0 * row.run.h, 1e-12);
    EXPECT_NEAR(row.velocity_error.value(), 0.0, 1e-12);
    EXPECT_FALSE(row.other_event);
  }
  EXPECT_FALSE(table.reference_h);
  EXPECT_TRUE(table.is_asymptotic());
  EXPECT_NEAR(table.position.order.value(), 1.0, 1e-9);
  EXPECT_EQ(table.velocity.verdict, Verdict::rounding);
  EXPECT_EQ(table.reason, "");
  EXPECT_TRUE(table.is_done());
  EXPECT_TRUE(table.estimate.is_measured);
  EXPECT_NEAR(table.estimate.position_error.value(), 5.0 * 0.05, 1e-12);
}

TEST(StudyTable, AgainstAFinerRunTheEstimateIsStillTheErrorItself) {
  const Scene scene = read(stone);
  StudyRuns runs = run_all(scene, {0.1, 0.025, 0.0125}, 0.00625);
  runs.own = run(scene, 0.05);
  const StudyTable table = make_table(scene, runs);
  EXPECT_NEAR(table.rows[2].position_error.value(), 5.0 * 0.00625, 1e-12) << "the difference to the reference";
  EXPECT_NEAR(table.position.order.value(), 1.0, 1e-9) << "and yet the order is right";
  EXPECT_NEAR(table.estimate.position_error.value(), 5.0 * 0.05, 1e-9);
  EXPECT_NEAR(table.rows[0].energy_error.value(), 2.0 * 10.0 * 5.0 * (0.1 - 0.00625), 1e-9) << "m g times the height";
  runs.own.reset();
  const StudyTable without = make_table(scene, runs);
  EXPECT_FALSE(without.estimate.is_measured);
  EXPECT_NEAR(without.estimate.position_error.value(), 5.0 * 0.05, 1e-9) << "extrapolated";
}

TEST(StudyTable, RunsWithOtherEventsDoNotCount) {
  const Scene scene = read(stone);
  StudyRuns runs = run_all(scene, {0.1, 0.05, 0.025}, 0.0125);
  runs.rows[2].events.push_back({0.5, EventKind::impact, "stone - floor"});
  const StudyTable table = make_table(scene, runs);
  EXPECT_FALSE(table.is_asymptotic());
  EXPECT_FALSE(table.position.order);
  EXPECT_FALSE(table.estimate.position_error);
  EXPECT_EQ(
      table.reason,
      "the runs went through different events: at h = 0.025 s, impact of stone - floor at t = 0.5 s is not in the "
      "reference; try smaller steps, or an earlier --end");
}

TEST(StudyTable, ARunThatFailedIsNamed) {
  const Scene scene = read(stone);
  StudyRuns runs = run_all(scene, {0.1, 0.05, 0.025}, 0.0125);
  runs.rows[1].is_done = false;
  runs.rows[1].error = "step at t = 0.1 s could not be solved";
  const StudyTable table = make_table(scene, runs);
  EXPECT_FALSE(table.is_done());
  EXPECT_FALSE(table.rows[1].position_error);
  EXPECT_EQ(table.reason, "the run with h = 0.05 s did not come to its end: step at t = 0.1 s could not be solved");
}

/// Two rods swinging over the top for ten seconds: the textbook's chaos.
constexpr const char* pendulum = R"({"stiction": 1, "gravity": [0, -9.81, 0],
  "bodies": [{"name": "one", "freedom": ["x", "y"], "mass": 1, "position": [0, 1, 0], "velocity": [2, 0, 0]},
             {"name": "two", "freedom": ["x", "y"], "mass": 1, "position": [0, 2, 0], "velocity": [5, 0, 0]}],
  "joints": [{"name": "upper", "type": "distance", "body": "one", "partner": "world", "partner_anchor": [0, 0, 0]},
             {"name": "lower", "type": "distance", "body": "two", "partner": "one"}],
  "simulation": {"scheme": "anitescu_potra", "h": 0.01, "end": 10}})";

TEST(StudyTable, ChaosHasNoOrderAndSaysSo) {
  const Scene scene = read(pendulum);
  StudyRuns runs = run_all(scene, {0.01, 0.005, 0.0025}, 0.00125);
  StudyTable table = make_table(scene, runs);
  EXPECT_FALSE(table.is_asymptotic()) << table.position.order.value_or(0);
  EXPECT_FALSE(table.estimate.position_error);
  ASSERT_TRUE(wants_nudge(table)) << table.reason;
  runs.nudge = 1e-9;
  runs.nudged = run(scene, 0.0025, runs.nudge);
  table = make_table(scene, runs);
  ASSERT_TRUE(table.sensitivity);
  EXPECT_GT(*table.sensitivity, 1e3);
  EXPECT_NE(table.reason.find("chaotic"), std::string::npos) << table.reason;
}

TEST(StudyTable, WhatDoesNotFallButIsSmallIsNotCalledChaos) {
  const Scene scene = read(stone);
  StudyRuns runs = run_all(scene, {0.1, 0.05, 0.025}, 0.0125);
  // As a scheme with a tolerance of its own would end.
  const std::array<double, 3> off{2e-6, 3e-6, 1.5e-6};
  for (std::size_t i = 0; i < 3; ++i) {
    runs.rows[i].bodies = runs.reference->bodies;
    runs.rows[i].bodies[0].pose.position.x() += off[i];
  }
  const StudyTable table = make_table(scene, runs);
  EXPECT_EQ(table.position.verdict, Verdict::not_falling);
  EXPECT_EQ(table.reason.find("chaotic"), std::string::npos) << table.reason;
  EXPECT_NE(table.reason.find("stay below 3e-06"), std::string::npos) << table.reason;
}

TEST(StudyTable, JointsAreMeasuredAtTheEnd) {
  const Scene scene = read(pendulum);
  EXPECT_EQ(joint_names(scene), (std::vector<std::string>{"upper", "lower"}));
  const StudyRun swung = run(scene, 0.01);
  ASSERT_EQ(swung.joint_errors.size(), 2u);
  const Vec3 one = swung.bodies[0].pose.position, two = swung.bodies[1].pose.position;
  EXPECT_NEAR(swung.joint_errors[0], one.norm() - 1.0, 1e-14);
  EXPECT_NEAR(swung.joint_errors[1], (two - one).norm() - 1.0, 1e-14);
}

TEST(StudyTable, AStoppedRunIsNotDone) {
  const Scene scene = read(stone);
  const std::atomic<bool> stop = true;
  std::atomic<long> steps = 0;
  EXPECT_FALSE(run_for_study(scene, 0.1, 0.0, stop, steps).is_done);
  EXPECT_EQ(steps, 1);
}

TEST(StudyPlot, DrawsErrorsBesideSlopes) {
  const Scene scene = read(stone);
  const std::vector<StudyTable> tables{make_table(scene, run_all(scene, {0.1, 0.05, 0.025}, 0.0))};
  const Plot plot = plot_study("stone", tables);
  ASSERT_EQ(plot.panels.size(), 2u);
  const PlotPanel& panel = plot.panels[0];
  ASSERT_EQ(panel.series.size(), 3u);
  EXPECT_TRUE(panel.log_x && panel.log_y);
  EXPECT_EQ(panel.series[0].name, "anitescu_potra");
  EXPECT_EQ(panel.series[1].name, "order 1");
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(panel.series[1].y[i], panel.series[0].y[i], 1e-9) << "the error lies on the line of its order";
    EXPECT_NEAR(panel.series[2].y[i], 0.5 * std::pow(panel.series[0].x[i] / 0.1, 2), 1e-9);
  }
  EXPECT_NE(to_svg(plot).find(">order 2<"), std::string::npos);
}

}  // namespace
}  // namespace stiction
