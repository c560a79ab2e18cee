#include "stiction/record/run_series.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "stiction/record/run_plots.h"

namespace stiction {
namespace {

/// A wheel that turns by 2 rad a frame and a "dotted.name" that stands still.
RecordedRun make_run() {
  RecordedRun run;
  run.bodies = {"wheel", "dotted.name"};
  run.joints = {"hinge"};
  auto& arrays = run.arrays;
  arrays["frames/time"] = {{}, 4, {0, 1, 2, 3}};
  arrays["frames/position"] = {{2, 3}, 4, {}};
  arrays["frames/orientation"] = {{2, 4}, 4, {}};
  arrays["frames/velocity"] = {{2, 3}, 4, {}};
  arrays["joints/force"] = {{1, 3}, 4, {}};
  for (int i = 0; i < 4; ++i) {
    const double x = i;
    for (const double value : {x, 0.0, 0.0, 5.0, 6.0, 7.0}) arrays["frames/position"].values.push_back(value);
    for (const double value : {std::cos(x), 0.0, 0.0, std::sin(x), 1.0, 0.0, 0.0, 0.0})
      arrays["frames/orientation"].values.push_back(value);
    for (const double value : {3.0, 4.0, 0.0, 0.0, 0.0, 0.0}) arrays["frames/velocity"].values.push_back(value);
    for (const double value : {2.0, 3.0, 6.0}) arrays["joints/force"].values.push_back(value);
  }
  arrays["energy/total"] = {{}, 4, {1, 2, 3, 4}};
  arrays["steps/time"] = {{}, 2, {1, 2}};
  arrays["steps/residual"] = {{}, 2, {1e-9, 1e-12}};
  return run;
}

TEST(RunSeries, QuantitiesByName) {
  const RecordedRun run = make_run();
  const auto values = [&](const std::string& name) { return find_series(run, name).value().values; };
  EXPECT_EQ(values("energy.total"), (std::vector<double>{1, 2, 3, 4}));
  EXPECT_EQ(values("body.wheel.x"), (std::vector<double>{0, 1, 2, 3}));
  EXPECT_EQ(values("body.dotted.name.z"), (std::vector<double>{7, 7, 7, 7}));
  EXPECT_EQ(values("body.wheel.speed"), (std::vector<double>{5, 5, 5, 5}));
  EXPECT_EQ(values("joint.hinge.force"), (std::vector<double>{7, 7, 7, 7}));
  EXPECT_EQ(values("t"), (std::vector<double>{0, 1, 2, 3}));
  const std::vector<double> angle = values("body.wheel.angle");
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(angle[static_cast<std::size_t>(i)], 2.0 * i, 1e-12) << "beyond pi, no jump";
  EXPECT_TRUE(find_series(run, "step.residual").value().is_of_steps);
  EXPECT_EQ(find_series(run, "body.wheel.vx").value().unit, "m/s");
}

TEST(RunSeries, WhatThereIsNotIsAnErrorThatSaysWhatThereIs) {
  const RecordedRun run = make_run();
  for (const char* name : {"", ".", "..", "body", "body.", "body.wheel", "body.wheel.", "body.wheel.w", "body.car.x",
                           "energy.", "energy.dark", "step.", "joint.hinge.x", "frames/position", "energy/total"}) {
    const Result<RunSeries> series = find_series(run, name);
    ASSERT_FALSE(series.ok()) << name;
    EXPECT_NE(series.error().find("wheel"), std::string::npos);
  }
}

TEST(RunPlots, PanelsByUnitAndTablesByRow) {
  const RecordedRun run = make_run();
  const Plot plot =
      plot_quantities(run, "t", {"body.wheel.x", "body.wheel.y", "body.wheel.vx", "step.residual"}).value();
  ASSERT_EQ(plot.panels.size(), 3u) << "m, m/s and the residual";
  EXPECT_EQ(plot.panels[0].series.size(), 2u);
  EXPECT_TRUE(plot.panels[2].log_y);
  EXPECT_EQ(plot.panels[2].series[0].x, (std::vector<double>{1, 2}));
  const Plot path = plot_quantities(run, "body.wheel.x", {"body.wheel.speed"}).value();
  EXPECT_EQ(path.panels[0].series[0].x, (std::vector<double>{0, 1, 2, 3}));
  EXPECT_FALSE(plot_quantities(run, "body.wheel.x", {"step.residual"}).ok());
  EXPECT_FALSE(plot_quantities(run, "nothing", {"step.residual"}).ok());

  EXPECT_EQ(tabulate_quantities(run, "t", {"energy.total", "body.wheel.x"}).value(),
            "t,energy.total,body.wheel.x\n0,1,0\n1,2,1\n2,3,2\n3,4,3\n");
  EXPECT_FALSE(tabulate_quantities(run, "t", {"energy.total", "step.residual"}).ok());
}

}  // namespace
}  // namespace stiction
