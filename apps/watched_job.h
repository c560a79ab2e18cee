#pragma once

#include <atomic>
#include <functional>
#include <optional>

namespace stiction::apps {

enum class JobEnd { finished, interrupted, out_of_time };

struct JobOutcome {
  JobEnd end = JobEnd::finished;
  /// The job did not look at `stop` in time and still runs on its thread: the process must end by leave_process.
  bool is_still_running = false;
};

/// From here on the first Ctrl-C is noted, for run_watched to end its job by; before anything is written that would be
/// left behind.
void catch_signals();

/// Runs `job(stop)` on a thread of its own, so that Ctrl-C and the time limit work in the middle of a long solve. The
/// job should end soon after `stop` becomes true. `tick(seconds)` is called about five times a second meanwhile. What
/// the job touches must live as long as the process when it is left running.
[[nodiscard]] JobOutcome run_watched(std::function<void(const std::atomic<bool>& stop)> job,
                                     const std::function<void(double seconds)>& tick,
                                     std::optional<double> max_wall_seconds);

/// Flushes the streams and ends the process without touching what a running job may use.
[[noreturn]] void leave_process(int code);

}  // namespace stiction::apps
