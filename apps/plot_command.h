#pragma once

#include <optional>
#include <string>
#include <vector>

namespace stiction::apps {

struct PlotOptions {
  std::string run;  ///< A run.h5 or the folder it is in.
  std::string x = "t";
  std::vector<std::string> y;      ///< Names of run_series.h; a few that suit any run where there are none.
  std::optional<std::string> out;  ///< NAME.svg or NAME.csv; the CSV on standard output where there is none.
};

/// `stiction plot`: quantities of a stored run as a picture or a table. Returns the exit code.
[[nodiscard]] int run_plot(const PlotOptions& options);

/// The record that a user means by a folder or a file.
[[nodiscard]] std::string record_path(const std::string& run);

}  // namespace stiction::apps
