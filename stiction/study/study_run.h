#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "stiction/record/body_state.h"
#include "stiction/scene/scene.h"
#include "stiction/study/event_history.h"

namespace stiction {

/// A run of a study: what is kept of it is how it ended.
struct StudyRun {
  double h = 0.0;
  bool is_done = false;              ///< It came to the end, certified.
  std::string error;                 ///< Why not.
  std::vector<BodyState> bodies;     ///< The movable ones, at the end.
  std::vector<double> joint_errors;  ///< Theta at the end; of a joint's rows the largest.
  double energy_start = 0.0, energy_end = 0.0;
  RunCertificate certificate;
  std::vector<NamedEvent> events;
  double seconds = 0.0;  ///< Of its thread's processor time.
};

/// Runs the scene to its end with steps of h. `steps` counts them for others to see; `stop` ends the run early, which
/// is then not done. With `nudge`, every free velocity at the start is changed by that much.
[[nodiscard]] StudyRun run_for_study(const Scene& scene, double h, double nudge, const std::atomic<bool>& stop,
                                     std::atomic<long>& steps);

/// Those that may drift: the names to `joint_errors`.
[[nodiscard]] std::vector<std::string> joint_names(const Scene& scene);

}  // namespace stiction
