#include "stiction/record/run_plots.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "stiction/record/run_series.h"

namespace stiction {

namespace {

struct NamedSeries {
  const char *path, *name;
};

/// A panel over time; series that are zero throughout are left out.
PlotPanel panel_over_time(const RecordedRun& run, const char* time, const std::vector<NamedSeries>& columns) {
  PlotPanel panel;
  panel.x_label = "time, s";
  for (const auto& [path, name] : columns) {
    const std::vector<double>& values = run.array(path).values;
    if (columns.size() > 1 && std::all_of(values.begin(), values.end(), [](double v) { return v == 0.0; })) continue;
    panel.series.push_back({.name = columns.size() > 1 ? name : "", .x = run.array(time).values, .y = values});
  }
  return panel;
}

/// What to plot against the time axis a quantity lives on.
Result<std::vector<double>> x_values(const RecordedRun& run, const std::string& x, const RunSeries& y) {
  if (x == "t") return y.time;
  Result<RunSeries> series = find_series(run, x);
  if (!series) return Error{series.error()};
  if (series.value().is_of_steps != y.is_of_steps)
    return Error{x + " and " + y.name + ": one belongs to frames, the other to steps; plot each over t"};
  return series.value().values;
}

std::string label_with_unit(const std::string& name, const std::string& unit) {
  return unit.empty() ? name : name + ", " + unit;
}

void append_number(std::string& text, double value) {
  std::array<char, 32> digits;
  text.append(digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr);
}

}  // namespace

std::vector<std::pair<std::string, Plot>> make_run_plots(const RecordedRun& run) {
  PlotPanel energy = panel_over_time(run, "frames/time",
                                     {{"energy/total", "total"},
                                      {"energy/kinetic", "kinetic"},
                                      {"energy/gravity", "gravity"},
                                      {"energy/springs", "springs"},
                                      {"dissipated/contacts", "to friction"},
                                      {"dissipated/joints", "to friction in joints"},
                                      {"dissipated/impacts", "to impacts"},
                                      {"dissipated/rest", "rest"}});
  energy.title = "energy";
  energy.y_label = "J";
  PlotPanel residual = panel_over_time(run, "steps/time", {{"steps/residual", "residual"}});
  residual.title = "residual of each step";
  residual.log_y = true;
  PlotPanel penetration = panel_over_time(run, "steps/time", {{"steps/penetration", "penetration"}});
  penetration.title = "deepest penetration";
  penetration.y_label = "m";
  return {{"energy.svg", Plot{{energy}}}, {"residual.svg", Plot{{residual}}}, {"penetration.svg", Plot{{penetration}}}};
}

Result<Plot> plot_quantities(const RecordedRun& run, const std::string& x, const std::vector<std::string>& y) {
  Plot plot;
  const Result<RunSeries> along = find_series(run, x);
  if (!along) return Error{along.error()};
  for (const std::string& name : y) {
    Result<RunSeries> series = find_series(run, name);
    if (!series) return Error{series.error()};
    Result<std::vector<double>> values = x_values(run, x, series.value());
    if (!values) return Error{values.error()};
    const std::string& unit = series.value().unit;
    const bool is_logarithmic = name == "step.residual" || name.ends_with("_defect");
    auto panel = std::find_if(plot.panels.begin(), plot.panels.end(),
                              [&](const PlotPanel& p) { return p.y_label == unit && p.log_y == is_logarithmic; });
    if (panel == plot.panels.end())
      panel = plot.panels.insert(panel, {.x_label = label_with_unit(x == "t" ? "time" : x, along.value().unit),
                                         .y_label = unit,
                                         .log_y = is_logarithmic});
    panel->series.push_back({.name = name, .x = std::move(values).value(), .y = series.value().values});
  }
  return plot;
}

Result<std::string> tabulate_quantities(const RecordedRun& run, const std::string& x,
                                        const std::vector<std::string>& y) {
  std::vector<std::vector<double>> columns;
  std::string text = x;
  bool is_of_steps = false;
  for (const std::string& name : y) {
    Result<RunSeries> series = find_series(run, name);
    if (!series) return Error{series.error()};
    if (!columns.empty() && series.value().is_of_steps != is_of_steps)
      return Error{name + " and " + y.front() + ": one belongs to frames, the other to steps; write a table for each"};
    is_of_steps = series.value().is_of_steps;
    if (columns.empty()) {
      Result<std::vector<double>> along = x_values(run, x, series.value());
      if (!along) return Error{along.error()};
      columns.push_back(std::move(along).value());
    }
    columns.push_back(series.value().values);
    // Names of bodies may hold anything.
    std::string cell = name;
    for (std::size_t at = 0; (at = cell.find('"', at)) != std::string::npos; at += 2) cell.insert(at, 1, '"');
    text += "," + (cell.find_first_of(",\"\r\n") == std::string::npos ? cell : "\"" + cell + "\"");
  }
  text += '\n';
  for (std::size_t row = 0; !columns.empty() && row < columns.front().size(); ++row) {
    for (std::size_t i = 0; i < columns.size(); ++i) {
      if (i > 0) text += ',';
      append_number(text, columns[i][row]);
    }
    text += '\n';
  }
  return text;
}

}  // namespace stiction
