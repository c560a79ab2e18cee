#pragma once

#include <string>
#include <utility>
#include <vector>

#include "stiction/base/result.h"
#include "stiction/record/plot.h"
#include "stiction/record/recorded_run.h"

namespace stiction {

/// The pictures of a run folder, each with its file's name: energy.svg, residual.svg, penetration.svg.
[[nodiscard]] std::vector<std::pair<std::string, Plot>> make_run_plots(const RecordedRun& run);

/// These quantities (run_series.h) over another, in one panel for each unit.
[[nodiscard]] Result<Plot> plot_quantities(const RecordedRun& run, const std::string& x,
                                           const std::vector<std::string>& y);
/// The same as a table with commas; frames and steps do not go together.
[[nodiscard]] Result<std::string> tabulate_quantities(const RecordedRun& run, const std::string& x,
                                                      const std::vector<std::string>& y);

}  // namespace stiction
