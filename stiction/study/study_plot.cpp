#include "stiction/study/study_plot.h"

#include <cmath>

namespace stiction {

namespace {

PlotSeries series_of(const StudyTable& table, std::optional<double> StudyRow::* error, int colour) {
  PlotSeries series{.name = table.scheme, .x = {}, .y = {}, .style = PlotStyle::marked_line, .colour = colour};
  for (const StudyRow& row : table.rows) {
    series.x.push_back(row.run.h);
    series.y.push_back((row.*error).value_or(NAN));
  }
  return series;
}

/// C h^p through the coarsest error of the series, a little above it.
void add_slope(PlotPanel& panel, const PlotSeries& through, int p) {
  for (std::size_t i = 0; i < through.x.size(); ++i) {
    if (!(through.y[i] > 0.0) || !std::isfinite(through.y[i])) continue;
    PlotSeries slope{
        .name = "order " + std::to_string(p), .x = {}, .y = {}, .style = PlotStyle::guide, .colour = p - 1};
    for (const double h : through.x) {
      slope.x.push_back(h);
      slope.y.push_back(through.y[i] * std::pow(h / through.x[i], p));
    }
    panel.series.push_back(std::move(slope));
    return;
  }
}

PlotPanel panel_of(std::string title, const char* label, std::span<const StudyTable> tables,
                   std::optional<double> StudyRow::* error) {
  PlotPanel panel{
      .title = std::move(title), .x_label = "step h, s", .y_label = label, .log_x = true, .log_y = true, .series = {}};
  for (std::size_t i = 0; i < tables.size(); ++i)
    panel.series.push_back(series_of(tables[i], error, static_cast<int>(i)));
  if (!panel.series.empty()) {
    const PlotSeries first = panel.series.front();
    for (const int p : {1, 2}) add_slope(panel, first, p);
  }
  return panel;
}

}  // namespace

Plot plot_study(const std::string& title, std::span<const StudyTable> tables) {
  return {.panels = {panel_of(title + ": positions", "error of positions at the end, m and rad", tables,
                              &StudyRow::position_error),
                     panel_of(title + ": velocities", "error of velocities at the end, m/s and rad/s", tables,
                              &StudyRow::velocity_error)}};
}

}  // namespace stiction
