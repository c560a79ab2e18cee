#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "stiction/base/phase_times.h"
#include "stiction/contact/cone_options.h"

namespace stiction::bench {

/// How long a run may go on.
struct Limits {
  int steps = 200;
  double seconds = 4.0;    ///< Of the wall, looked at after each step; two steps are tried in any case.
  double patience = 20.0;  ///< A scene of ours is given up after so many seconds of processor time; 0: never.
};

/// Processor time of each step, ms.
struct StepTimes {
  std::vector<double> ms;
  [[nodiscard]] double median() const;
  [[nodiscard]] double worst() const;
  [[nodiscard]] double mean() const;
};

/// One run of ours.
struct OwnRun {
  StepTimes times = {};
  StepTimes solves = {};  ///< The solver's part of each.
  PhaseTimes phases = {};
  SolveCounts counts = {};
  double residual = 0.0, contact_residual = 0.0, momentum = 0.0, penetration = 0.0,
         drift = 0.0;  ///< Largest of the run.
  std::string grades = {};
  double contacts = 0.0;     ///< Posed, mean of the steps.
  std::string hash = {};     ///< Of q after the last step whose number is a power of two: "8:1a2b3c4d".
  std::string failure = {};  ///< Why the run ended before its time; empty: it did not.
  double gave_up_ms = 0.0;   ///< What the step that was given up had taken by then; 0: none was.
};

/// One run of another engine.
struct PeerRun {
  StepTimes times = {};
  double penetration = 0.0, drift = 0.0;
  std::string missing = {};  ///< Why there are no times, in a word or two; empty: there are.
};

/// Set by Ctrl-C: runs end after their step, and what was measured is printed.
[[nodiscard]] bool is_interrupted();
void watch_for_interrupts();

}  // namespace stiction::bench
