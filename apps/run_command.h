#pragma once

#include <optional>
#include <string>
#include <vector>

namespace stiction::apps {

struct RunOptions {
  std::string scene;               ///< The file.
  std::optional<std::string> out;  ///< The run folder.
  std::optional<std::string> h, end, scheme, solver,
      cone;                      ///< Override the scene's `simulation`; checked as in the file.
  std::vector<std::string> set;  ///< "/json/pointer=value" each.
  long every = 1;                ///< States and contacts of every so many steps are written.
  bool json = false;
  bool quiet = false;
  double flush_seconds = 2.0;  ///< How far run.h5 may be behind.
  bool live = false;           ///< Serve the page meanwhile,
  int port = 0;                ///< there; 0: anywhere.
  bool pages = true;           ///< replay.html and plots.
  bool csv = false;            ///< Tables beside run.h5.
  bool keep_going = false;     ///< After a step that is not certified.
  bool strict = false;         ///< A step below `full` makes the exit code 1.
  std::optional<double> max_wall_seconds;
  bool force_bounds = false;               ///< Write the intervals of possible contact forces.
  std::optional<std::string> dump_failed;  ///< Folder for the contact problems of steps that are not certified.
  std::vector<long> dump_steps;            ///< And of these, there or in the run folder.
};

/// `stiction run`: runs a scene, writes the run folder, prints the certificate or the JSON object, and returns the exit
/// code. Does not return when a step had to be abandoned.
[[nodiscard]] int run_scene(const RunOptions& options);

}  // namespace stiction::apps
