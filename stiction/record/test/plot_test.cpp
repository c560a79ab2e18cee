#include "stiction/record/plot.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <sstream>

#include "stiction/record/svg_text.h"

namespace stiction {
namespace {

long count(const std::string& text, const std::string& part) {
  long times = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++times;
  return times;
}

Plot one_panel(PlotSeries series) {
  return {.panels = {{.title = "a title", .x_label = "x", .y_label = "y", .series = {std::move(series)}}}};
}

/// The points of the first line.
std::vector<std::pair<double, double>> points_of(const std::string& svg) {
  const auto at = svg.find("points=\"") + 8;
  std::istringstream text(svg.substr(at, svg.find('"', at) - at));
  std::vector<std::pair<double, double>> points;
  char comma = 0;
  for (double x = 0.0, y = 0.0; text >> x >> comma >> y;) points.emplace_back(x, y);
  return points;
}

TEST(Plot, PointsLieWhereTheirNumbersAre) {
  const std::string svg = to_svg(one_panel({.name = "", .x = {0.0, 1.0, 2.0}, .y = {0.0, 4.0, 2.0}}));
  const auto points = points_of(svg);
  ASSERT_EQ(points.size(), 3u);
  EXPECT_NEAR(points[1].first - points[0].first, points[2].first - points[1].first, 0.02) << "x is even";
  EXPECT_NEAR(points[0].second - points[1].second, 2.0 * (points[2].second - points[1].second), 0.03) << "y grows up";
  EXPECT_EQ(svg.rfind("</svg>\n"), svg.size() - 7);
}

TEST(Plot, ASecondOrderErrorHasSlopeTwoOnLogarithmicAxes) {
  Plot plot = one_panel({.name = "", .x = {1e-3, 1e-2, 1e-1}, .y = {1e-6, 1e-4, 1e-2}});
  plot.panels[0].log_x = plot.panels[0].log_y = true;
  const auto points = points_of(to_svg(plot));
  ASSERT_EQ(points.size(), 3u);
  EXPECT_NEAR(points[1].first - points[0].first, points[2].first - points[1].first, 0.02);
  EXPECT_NEAR(points[1].second - points[0].second, points[2].second - points[1].second, 0.02);
}

TEST(Plot, AHoleBreaksTheLine) {
  const double none = NAN, infinity = std::numeric_limits<double>::infinity();
  const std::string svg =
      to_svg(one_panel({.name = "", .x = {0, 1, 2, 3, 4, 5, 6}, .y = {0, 1, none, 3, 4, infinity, 6}}));
  EXPECT_EQ(count(svg, "<polyline"), 2);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  EXPECT_EQ(svg.find("inf"), std::string::npos);
}

TEST(Plot, MarksLegendAndPanels) {
  PlotSeries marked{.name = "errors", .x = {1, 2}, .y = {1, 2}, .style = PlotStyle::marked_line};
  PlotSeries guide{.name = "order 2", .x = {1, 2}, .y = {1, 1e9}, .style = PlotStyle::guide};
  Plot plot = one_panel(marked);
  plot.panels[0].series.push_back(guide);
  plot.panels.push_back({.title = "another", .series = {{.name = "x", .x = {1}, .y = {1}}}});
  const std::string svg = to_svg(plot);
  EXPECT_EQ(count(svg, "<circle"), 2 + 1) << "two points and one in the legend";
  EXPECT_EQ(count(svg, "stroke-dasharray"), 2) << "the guide, and in the legend";
  for (const char* text : {">errors<", ">order 2<", ">a title<", ">another<"}) EXPECT_EQ(count(svg, text), 1) << text;
  EXPECT_NE(svg.find("viewBox=\"0 0 920 340\""), std::string::npos) << "two panels side by side";
  const auto points = points_of(svg);
  ASSERT_EQ(points.size(), 2u);
  EXPECT_GT(points[0].second - points[1].second, 100.0) << "the guide does not squeeze the data";
}

TEST(Plot, ExtremeAndEmptyDataAreDrawn) {
  const double smallest = std::numeric_limits<double>::denorm_min(), largest = std::numeric_limits<double>::max();
  for (const bool is_logarithmic : {false, true}) {
    for (const auto& series :
         {PlotSeries{.name = "a", .x = {smallest, largest}, .y = {largest, smallest}},
          PlotSeries{.name = "a", .x = {-largest, largest}, .y = {-largest, largest}},
          PlotSeries{.name = "a", .x = {}, .y = {}},
          PlotSeries{.name = "a", .x = {smallest, 1}, .y = {0, largest}, .style = PlotStyle::guide}}) {
      Plot plot = one_panel(series);
      plot.panels[0].log_x = plot.panels[0].log_y = is_logarithmic;
      const std::string svg = to_svg(plot);
      EXPECT_EQ(svg.find("nan"), std::string::npos);
      EXPECT_EQ(svg.find("inf"), std::string::npos);
      EXPECT_LT(svg.size(), 20000u);
    }
  }
  EXPECT_EQ(count(to_svg({}), "<svg"), 1);
}

TEST(Plot, ALongRunIsDrawnWithFewPoints) {
  PlotSeries wave{.name = "wave"};
  for (int i = 0; i < 200'000; ++i) {
    wave.x.push_back(i * 1e-5);
    wave.y.push_back(std::sin(5.0 * wave.x.back()));
  }
  const std::string svg = to_svg(one_panel(wave));
  EXPECT_LT(svg.size(), 60'000u);
  const auto points = points_of(svg);
  EXPECT_GT(points.size(), 300u);
}

TEST(SvgText, EscapesWhatXmlCannotHold) {
  EXPECT_EQ(svg_escape("a<b & \"c\">"), "a&lt;b &amp; &quot;c&quot;&gt;");
  EXPECT_EQ(svg_escape("\x01\xff\xc3"), "???");
  EXPECT_EQ(svg_escape("Lötstedt"), "Lötstedt");
  EXPECT_EQ(svg_number(1.0), "1");
  EXPECT_EQ(svg_number(-0.001), "0");
  EXPECT_EQ(svg_number(12.345), "12.35");
}

TEST(SvgText, RaisesExponents) {
  std::string svg;
  svg_text(svg, 0, 0, "h = 10^-3 s", "middle");
  EXPECT_NE(svg.find("h = 10<tspan dy=\"-5\" font-size=\"9\">-3</tspan><tspan dy=\"5\"> s</tspan>"), std::string::npos)
      << svg;
}

}  // namespace
}  // namespace stiction
