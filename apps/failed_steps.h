#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include "stiction/base/result.h"
#include "stiction/contact/islands.h"
#include "stiction/sim/simulator.h"

namespace stiction::apps {

/// Contact problems of steps, one file an island, for `stiction solve`: FOLDER/step_000123_island_0.fcp, in the form
/// FCG1 of docs/problem_file.md. The folder is made with the first of them. Friction cones are round, also where the
/// step has facets: the log says so.
class FailedSteps {
 public:
  enum class Why : std::uint8_t { failed, asked };

  explicit FailedSteps(std::filesystem::path folder) : folder_(std::move(folder)) {}

  /// What the simulator's last step posed last, with every law of it. What is there already is not overwritten.
  std::optional<Error> write(Simulator& simulator, Why why = Why::failed);

 private:
  std::filesystem::path folder_;
  Islands islands_;
};

}  // namespace stiction::apps
