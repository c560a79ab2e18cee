#pragma once

#include <string>

#include "apps/run_job.h"

namespace stiction::apps {

/// A bar, the time, the speed, what remains and the worst residual, in at most 100 columns.
[[nodiscard]] std::string progress_line(const RunPosition& position, double seconds);

/// Shows where a run is on standard error: a bar that stays in place on a terminal, a line now and then elsewhere.
class RunProgress {
 public:
  explicit RunProgress(bool is_terminal) : is_terminal_(is_terminal) {}

  void show(const RunPosition& position, double seconds);

 private:
  bool is_terminal_;
  double next_line_ = 10.0;  ///< s, where there is no terminal.
};

}  // namespace stiction::apps
