#pragma once

#include <optional>
#include <string>
#include <vector>

namespace stiction::apps {

struct StudyOptions {
  std::string scene;
  std::string h;                                 ///< A list of steps, as given.
  std::optional<std::string> reference;          ///< A step, or "exact"; a quarter of the smallest step otherwise.
  std::optional<std::string> schemes;            ///< A list of names; the scene's own otherwise.
  std::optional<std::string> end, solver, cone;  ///< Stand for values of the scene's `simulation`.
  std::vector<std::string> set;
  std::optional<std::string> out;
  int threads = 0;
  std::optional<double> max_wall_seconds;
  bool json = false, quiet = false;
};

/// `stiction study`: runs a scene with several steps and says how wrong it is. Returns the exit code.
[[nodiscard]] int run_study(const StudyOptions& options);

}  // namespace stiction::apps
