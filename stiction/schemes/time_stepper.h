#pragma once

#include <memory>
#include <vector>

#include "stiction/schemes/position_level.h"
#include "stiction/schemes/velocity_level.h"

namespace stiction {

class Lotstedt;

/// Advances a system by the scheme that the options name, and says what happened. The system must outlive the stepper.
class TimeStepper {
 public:
  TimeStepper(const System& system, const SchemeOptions& options);
  ~TimeStepper();

  /// The next step starts from a state that the last one did not lead to.
  void forget();
  /// One step of length h > 0; lengths may vary. False leaves the state as it was.
  bool step(State& state, double h, StepReport& report);

  [[nodiscard]] const SolveCounts& counts() { return work_.solver().counts(); }
  [[nodiscard]] const SchemeOptions& options() const { return options_; }

 private:
  bool step_by_scheme(State& state, double h, StepReport& report);
  void note_start(const State& state);
  void find_events(double t, double h, StepReport& report);

  SchemeOptions options_;
  StepWork work_;
  PositionLevel position_level_;
  VelocityLevel velocity_level_;
  std::unique_ptr<Lotstedt> lotstedt_;  ///< Made when the scheme asks for it.
  struct Before {
    std::uint64_t id;
    bool slides;
  };
  std::vector<Before> before_, now_;  ///< Contacts with an impulse in the last step and this one, sorted by id.
  GapSet start_;
  bool is_new_ = true;
};

}  // namespace stiction
