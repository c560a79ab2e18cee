#pragma once

#include <optional>
#include <string>
#include <vector>

namespace stiction::apps {

struct SolveOptions {
  std::vector<std::string> inputs;  ///< Files and folders.
  std::string solver = "auto";      ///< A name of lcp:: or cone::solver_names, "auto" or "all".
  std::optional<std::string> out;   ///< The folder for the answers.
  bool json = false;
  bool quiet = false;
  double tolerance = 1e-8;  ///< Of the certificate.
  std::optional<double> max_wall_seconds;
};

/// `stiction solve`: solves stored problems, prints the table or the JSON object, and returns the exit code. Does not
/// return when a solve had to be abandoned.
[[nodiscard]] int run_solve(const SolveOptions& options);

}  // namespace stiction::apps
