#include "stiction/record/plot_axis.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace stiction {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double smallest = std::numeric_limits<double>::denorm_min(), largest = std::numeric_limits<double>::max();

std::vector<std::string> labels(const PlotAxis& axis) {
  std::vector<std::string> texts;
  for (const PlotTick& tick : axis.ticks())
    if (!tick.label.empty()) texts.push_back(tick.label);
  return texts;
}

TEST(PlotAxis, EvenMarksAreRoundNumbers) {
  const PlotAxis axis(false, std::vector<double>{0.0, 1.0});
  EXPECT_EQ(labels(axis), (std::vector<std::string>{"0", "0.2", "0.4", "0.6", "0.8", "1"}));
  EXPECT_NEAR(axis.share(0.5), 0.5, 1e-12);
  EXPECT_GT(axis.share(0.0), 0.0) << "a little room";
  EXPECT_LT(axis.share(1.0), 1.0);
}

TEST(PlotAxis, MarksAreRoundInTheValuesThemselves) {
  EXPECT_EQ(labels(PlotAxis(false, std::vector<double>{0.0, 1.4538})),
            (std::vector<std::string>{"0", "0.5", "1", "1.5"}));
  EXPECT_EQ(labels(PlotAxis(false, std::vector<double>{-28.7, -18.1})),
            (std::vector<std::string>{"-28", "-26", "-24", "-22", "-20", "-18"}));
  EXPECT_EQ(labels(PlotAxis(false, std::vector<double>{0.0, 4.5e-5})),
            (std::vector<std::string>{"0", "1e-05", "2e-05", "3e-05", "4e-05"}));
}

TEST(PlotAxis, LabelsOfNeighboursDiffer) {
  const PlotAxis axis(false, std::vector<double>{1000.001, 1000.002});
  const auto texts = labels(axis);
  ASSERT_GE(texts.size(), 3u);
  for (std::size_t i = 1; i < texts.size(); ++i) EXPECT_NE(texts[i - 1], texts[i]);
}

TEST(PlotAxis, DecadesAreEven) {
  const PlotAxis axis(true, std::vector<double>{1e-6, 1e-2});
  EXPECT_EQ(labels(axis), (std::vector<std::string>{"10^-6", "10^-5", "10^-4", "10^-3", "10^-2"}));
  EXPECT_NEAR(axis.share(1e-4), 0.5, 1e-12);
  EXPECT_NEAR(axis.share(1e-3) - axis.share(1e-4), axis.share(1e-5) - axis.share(1e-6), 1e-12);
  const PlotAxis narrow(true, std::vector<double>{2.0, 7.0});
  EXPECT_EQ(labels(narrow), (std::vector<std::string>{"2·10^0", "5·10^0"}));
}

TEST(PlotAxis, WhatCannotBeDrawnIsLeftOut) {
  const std::vector<double> values{NAN, infinity, -infinity, 0.0, -1.0, 1.0, 100.0};
  const PlotAxis logarithmic(true, values);
  for (int i = 0; i < 5; ++i) EXPECT_FALSE(logarithmic.can_draw(values[i])) << values[i];
  EXPECT_NEAR(logarithmic.share(10.0), 0.5, 1e-12) << "spans 1 to 100";
  const PlotAxis even(false, values);
  EXPECT_TRUE(even.can_draw(-1.0));
  EXPECT_FALSE(even.can_draw(NAN));
  EXPECT_NEAR(even.share(49.5), 0.5, 1e-12) << "spans -1 to 100";
}

TEST(PlotAxis, TakesEveryRangeThereIs) {
  const std::vector<std::vector<double>> ranges{{},
                                                {0.0},
                                                {5.0},
                                                {smallest},
                                                {largest},
                                                {-largest, largest},
                                                {smallest, largest},
                                                {infinity},
                                                {-smallest, 0.0},
                                                {1e308},
                                                {1.0, 1.0 + 1e-16},
                                                {1e-310, 1e-5},
                                                {-3.0, -3.0},
                                                {NAN, NAN}};
  for (const bool is_logarithmic : {false, true}) {
    for (const auto& values : ranges) {
      const PlotAxis axis(is_logarithmic, values);
      const auto ticks = axis.ticks();
      EXPECT_LE(ticks.size(), 700u);
      double last = -1.0;
      for (const PlotTick& tick : ticks) {
        EXPECT_GE(tick.share, -1e-9);
        EXPECT_LE(tick.share, 1.0 + 1e-9);
        EXPECT_GT(tick.share, last);
        last = tick.share;
      }
      EXPECT_LE(labels(axis).size(), 20u);
      EXPECT_FALSE(labels(axis).empty()) << (is_logarithmic ? "log" : "even") << " range of " << values.size();
      for (const double value : values) {
        if (!axis.can_draw(value)) continue;
        EXPECT_GE(axis.share(value), 0.0) << value;
        EXPECT_LE(axis.share(value), 1.0) << value;
      }
    }
  }
}

TEST(PlotAxis, ZeroIsWrittenAsZero) {
  EXPECT_EQ(tick_label(0.0, 0.0), "0");
  EXPECT_EQ(tick_label(1e-17, 0.1), "0");
  EXPECT_EQ(tick_label(-0.25, 0.05), "-0.25");
}

}  // namespace
}  // namespace stiction
