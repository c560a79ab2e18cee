#pragma once

#include <filesystem>
#include <optional>

#include "stiction/base/result.h"
#include "stiction/contact/cone_start.h"
#include "stiction/contact/islands.h"
#include "stiction/sim/simulator.h"

namespace stiction::apps {

/// Contact problems of steps that were not certified, one file an island, for `stiction solve`:
/// FOLDER/step_000123_island_0.fcp. The folder is made with the first of them.
class FailedSteps {
 public:
  explicit FailedSteps(std::filesystem::path folder) : folder_(std::move(folder)) {}

  /// What the simulator's last step posed last, with joints and velocities eliminated. Islands that have no such form
  /// (drives with one bound) are named in the log and left out; what is there already is not overwritten.
  std::optional<Error> write(Simulator& simulator);

 private:
  std::filesystem::path folder_;
  Islands islands_;
  ConeStart cone_;
};

}  // namespace stiction::apps
