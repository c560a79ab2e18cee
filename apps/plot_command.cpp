#include "apps/plot_command.h"

#include <fmt/core.h>

#include <cstdio>
#include <filesystem>

#include "apps/log.h"
#include "stiction/base/file.h"
#include "stiction/record/run_plots.h"
#include "stiction/record/run_reader.h"

namespace stiction::apps {

namespace {

constexpr int bad_input = 2;

int refuse(const std::string& why) {
  log(LogLevel::error, why);
  return bad_input;
}

/// The energies, the residual and the penetration, each where there is something to see.
std::vector<std::string> usual_quantities(const RecordedRun& run, bool is_table) {
  std::vector<std::string> names{"energy.total", "energy.kinetic", "energy.gravity"};
  for (const double value : run.array("energy/springs").values) {
    if (value == 0.0) continue;
    names.emplace_back("energy.springs");
    break;
  }
  if (!is_table) names.insert(names.end(), {"step.residual", "step.penetration"});
  return names;
}

}  // namespace

std::string record_path(const std::string& run) {
  std::error_code code;
  return std::filesystem::is_directory(run, code) ? (std::filesystem::path(run) / "run.h5").string() : run;
}

int run_plot(const PlotOptions& options) {
  const bool is_table = !options.out || options.out->ends_with(".csv");
  if (!is_table && !options.out->ends_with(".svg"))
    return refuse(fmt::format("-o {}: expected a name that ends in .svg or .csv", *options.out));
  const Result<RecordedRun> run = read_run(record_path(options.run));
  if (!run) return refuse(run.error());
  const std::vector<std::string> y = options.y.empty() ? usual_quantities(run.value(), is_table) : options.y;

  std::string text;
  if (is_table) {
    Result<std::string> table = tabulate_quantities(run.value(), options.x, y);
    if (!table) return refuse(table.error());
    text = std::move(table).value();
  } else {
    const Result<Plot> plot = plot_quantities(run.value(), options.x, y);
    if (!plot) return refuse(plot.error());
    text = to_svg(plot.value());
  }
  if (!options.out) {
    std::fputs(text.c_str(), stdout);
    if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return 0;
    log(LogLevel::error, "standard output cannot be written");
    return 1;
  }
  if (const auto error = write_file(*options.out, text)) {
    log(LogLevel::error, error->message);
    return 1;
  }
  return 0;
}

}  // namespace stiction::apps
