#pragma once

#include <functional>
#include <string>
#include <vector>

#include "stiction/base/result.h"
#include "stiction/model/joint_reaction.h"
#include "stiction/model/model_builder.h"
#include "stiction/model/multibody.h"
#include "stiction/model/state.h"
#include "stiction/schemes/time_stepper.h"
#include "stiction/sim/run_certificate.h"

namespace stiction {

struct SimulationOptions {
  double h = 1e-3;   ///< Step, s.
  double end = 1.0;  ///< Of a run, s.
  SchemeOptions scheme = preset(Scheme::stewart_trinkle);
  bool keep_going = false;  ///< Go on after a step that failed its certificate.
};

/// Runs a model. Every step is judged and graded. A step that fails ends the run unless `keep_going`; a loose one does
/// not, and counts as not certified.
class Simulator {
 public:
  Simulator(Model model, SimulationOptions options);
  Simulator(const Simulator&) = delete;
  Simulator& operator=(const Simulator&) = delete;

  /// One step of length h. False: the step failed; why() says more. A failed step leaves the state.
  bool step() { return step(options_.h); }
  bool step(double h);
  /// Steps to time t; the last step is shortened to end there. The value is the number of steps.
  Result<long> run_until(double t);
  /// The same, asking after each step whether to go on.
  Result<long> run_until(double t, const std::function<bool()>& go_on);

  [[nodiscard]] double time() const { return state_.t; }
  [[nodiscard]] const State& state() const { return state_; }
  /// Replaces positions and velocities.
  void set_state(const State& state);
  [[nodiscard]] Pose pose(BodyId body) const { return system_.pose(body, state_.t, state_.q); }
  [[nodiscard]] Vec3 velocity(BodyId body) const { return system_.velocity(body, state_.t, state_.q, state_.v); }
  [[nodiscard]] Vec3 angular_velocity(BodyId body) const {
    return system_.angular_velocity(body, state_.t, state_.q, state_.v);
  }
  [[nodiscard]] double kinetic_energy() const { return system_.kinetic_energy(state_.v); }
  [[nodiscard]] double potential_energy() const { return system_.potential_energy(state_.t, state_.q); }

  [[nodiscard]] const RunCertificate& certificate() const { return certificate_; }
  [[nodiscard]] const EnergyLedger& energy() const { return energy_; }
  [[nodiscard]] const StepReport& report() const { return report_; }  ///< Of the last step.
  /// What the joints did in the last step, by joint: the mean, which belongs to its middle.
  [[nodiscard]] std::vector<Reaction> reactions() const;
  [[nodiscard]] const std::vector<Event>& events() const { return events_; }  ///< Of the whole run.
  [[nodiscard]] const SolveCounts& counts() { return stepper_.counts(); }
  /// The problem posed last: where a step failed, what it failed on.
  [[nodiscard]] const StepProblem& last_problem() { return stepper_.last_problem(); }
  [[nodiscard]] AnsweredProblem last_answered() { return stepper_.last_answered(); }
  [[nodiscard]] const Multibody& system() const { return system_; }
  [[nodiscard]] const Model& model() const { return system_.model(); }
  [[nodiscard]] const SimulationOptions& options() const { return options_; }
  [[nodiscard]] std::string why() const;

 private:
  [[nodiscard]] double mass_ratio() const;
  /// Of the step last reported, of length h.
  [[nodiscard]] std::vector<Reaction> find_reactions(double h) const;

  SimulationOptions options_;
  Multibody system_;
  TimeStepper stepper_;
  State state_;
  StepReport report_;
  double last_h_ = 0.0;
  bool may_break_ = false;           ///< Some joint can let go.
  std::vector<Reaction> reactions_;  ///< Of the last step, where one can: rows change when it does.
  RunCertificate certificate_;
  EnergyLedger energy_;
  std::vector<Event> events_;
};

}  // namespace stiction
