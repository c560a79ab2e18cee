#pragma once

#include <memory>
#include <vector>

#include "stiction/schemes/position_judge.h"
#include "stiction/schemes/position_level.h"
#include "stiction/schemes/sweep.h"
#include "stiction/schemes/velocity_level.h"

namespace stiction {

class Lotstedt;
class ThetaLevel;

/// A problem with its answer by the solver.
struct AnsweredProblem {
  const StepProblem& problem;
  const StepSolution& solution;
  double length = 0.0;  ///< Of time over which its impulses act, s: that of a part of a step, zero for an impact.
                        ///< `lotstedt` poses accelerations: its impulses are forces, over a second.
};

/// Advances a system by the scheme that the options name, and says what happened. The system must outlive the stepper.
///
/// A step is divided where its scheme could not take it whole: when its nonlinear iteration does not converge, and when
/// a body moves so far that it could pass through another unseen.
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
  /// What was posed last, by an impact or a part of a step: where a step failed, the problem that it failed on.
  [[nodiscard]] const StepProblem& last_problem() { return work_.problem(); }
  /// What was answered last.
  [[nodiscard]] AnsweredProblem last_answered();

 private:
  struct Touch {
    std::uint64_t id;
    bool slides;
    bool floats = false;  ///< It is no part of the problem any more,
    double since = 0.0;   ///< from this time on.
  };

  bool begin(State& state, double h, StepReport& report);
  void note_depth();
  void judge_positions(const State& state, double h, StepReport& report);
  [[nodiscard]] double measure_margin(const State& state, double h) const;
  bool advance(State& state, double h, int halvings, StepReport& report);
  void find_events(const State& state, double h, std::size_t first, StepReport& report);
  void find_drive_events(const State& state, StepReport& report);
  bool push(State& state, double at, StepReport& report);
  [[nodiscard]] bool still_touches(const GapSet& gaps, const State& state, double h, std::uint64_t id) const;
  void drop_taps(const State& state, std::size_t first, StepReport& report) const;
  [[nodiscard]] bool moved_on(const GapSet& gaps, std::uint64_t id) const;

  SchemeOptions options_;
  StepWork work_;
  Impact impact_;
  PositionLevel position_level_;
  VelocityLevel velocity_level_;
  Sweep sweep_;
  PositionJudge position_judge_;
  std::unique_ptr<Lotstedt> lotstedt_;       ///< Made when the scheme asks for it,
  std::unique_ptr<ThetaLevel> theta_level_;  ///< likewise.
  std::vector<Touch> before_, now_;  ///< Contacts closed after the last part of a step and this one, sorted by id.
  std::vector<DriveState> drives_;   ///< At the end of the last part.
  std::vector<std::uint64_t> closed_;
  Vector impulse_;
  GapSet gaps_;
  State saved_;
  int depth_ = 0;             ///< Halvings with which a step begins,
  int halved_ = 0;            ///< and that this one needed beyond.
  std::uint64_t passed_ = 0;  ///< The contact of what was last seen to meet and part within this step.
  int calm_steps_ = 0;        ///< Since one was needed.
  bool is_new_ = true;
};

}  // namespace stiction
