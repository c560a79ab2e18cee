#pragma once

#include <vector>

#include "stiction/schemes/active_set_finder.h"
#include "stiction/schemes/gap_watch.h"
#include "stiction/schemes/impact.h"
#include "stiction/schemes/smooth_motion.h"
#include "stiction/schemes/step_work.h"
#include "stiction/schemes/velocity_level.h"

namespace stiction {

/// Lotstedt's event-driven method (1982), for contacts without friction. Between events the active contacts are held
/// like joints and the motion is integrated to a tolerance (section 4); an event is a gap that closes, a force that
/// would have to pull, or a support that ends. There velocities jump by Newton's law (3.9)-(3.10) where contacts
/// approach, and the next active set is found (section 5).
class Lotstedt {
 public:
  Lotstedt(const System& system, const SchemeOptions& options, StepWork& work);

  /// Advances the state by h, or leaves it and returns false.
  bool step(State& state, double h, StepReport& report);
  /// The next step starts from a state that the last one did not lead to.
  void forget() {
    is_settled_ = false;
    reached_ = {};
  }
  /// The accelerations that were certified last.
  [[nodiscard]] const StepProblem& problem() const { return problem_; }
  [[nodiscard]] const StepSolution& solution() const { return solution_; }

 private:
  bool find_closed(const State& state, StepReport& report);
  [[nodiscard]] double calm_speed(const State& state);
  void find_drive_modes(const State& state);
  bool rigid_drives_agree(const State& state);
  [[nodiscard]] double slip_slack() const;
  void note_slips();
  bool settle(State& state, StepReport& report);
  bool begin_motion(const State& state, StepReport& report);
  void note_changes(const State& state, std::size_t events_before, StepReport& report) const;
  bool move(State& state, double left, StepReport& report);
  bool try_part(double& part, StepReport& report);
  bool find_event(double& part, StepReport& report);
  [[nodiscard]] double slack(StepReport& report);
  [[nodiscard]] double push_slack(StepReport& report);
  double locate(double high, double slack_high, StepReport& report);
  void accept(State& state, StepReport& report);
  void record(double length, StepReport& report);
  [[nodiscard]] bool breaks_bounds(const ActiveRows& rows, double length) const;
  void release(State& state);
  bool pass_jump(State& state, StepReport& report);
  void end_phase();
  void certify_end(StepReport& report);
  bool finish_plastic(State& state, double left, StepReport& report);

  const System& system_;
  const SchemeOptions& options_;
  SchemeOptions plastic_options_;
  Impact impact_, plastic_impact_;
  VelocityLevel plastic_step_;
  ActiveSetFinder finder_;
  SmoothMotion motion_;
  Projection projection_;
  GapWatch watch_;

  State saved_, reached_;  ///< At the start of the step, and at the end of the last one.
  GapSet gaps_;
  SparseMatrix mass_;
  Vector force_;
  DriveSet drives_;
  std::vector<double> slips_;  ///< r'v - velocity of the drives at the start of the part.
  std::vector<std::uint64_t> closed_, leaving_;
  ActiveSet candidates_, active_, was_active_, rigid_;
  Vector rigid_q_, rigid_v_, past_q_;
  std::vector<std::uint64_t> released_;  ///< Contacts whose support ends here.
  StepProblem problem_;                  ///< Of the acceleration, for its certificate.
  StepSolution solution_;
  StepCertifyWork certify_work_;
  Vector impulses_, row_impulses_;  ///< Of the part: as Acceleration::forces() lists them, and by rows.
  double whole_ = 0.0;              ///< Length of the step.
  double pace_ = 0.0;               ///< Of the integration, now
  double usual_pace_ = 0.0;         ///< and where it does not creep up to an event.
  double floor_ = 0.0;              ///< The smallest push when the set was chosen.
  double closing_ = 0.0;            ///< Rounding of gaps and slips here.
  int rank_ = 0;
  int events_ = 0;
  bool is_settled_ = false;  ///< The active set is that of the state.
  bool is_new_ = true;       ///< There was no state before.
  bool has_event_ = false;   ///< At the end of the last part.
  bool is_stuck_ = false;    ///< No part from here is short enough: a singular position.
  bool must_push_ = false;   ///< A joint or a drive has changed its velocity at once.
};

}  // namespace stiction
