#pragma once

#include <vector>

#include "stiction/schemes/floating_contacts.h"
#include "stiction/schemes/hermite_path.h"
#include "stiction/schemes/impact.h"
#include "stiction/schemes/passing.h"
#include "stiction/schemes/safe_projection.h"
#include "stiction/schemes/sweep.h"
#include "stiction/schemes/theta_step.h"
#include "stiction/schemes/transitions.h"

namespace stiction {

/// The family of 2008 with the events of 2006: closed contacts keep n'v_alpha >= 0; others are watched, collisions are
/// located on the cubic through both ends of the step, resolved as impacts, and the step goes on after each. Where
/// alpha < 1, sticking, slipping and parting are located too.
class ThetaLevel {
 public:
  ThetaLevel(const System& system, const SchemeOptions& options, StepWork& work, Impact& impact)
      : system_(system),
        options_(options),
        work_(work),
        impact_(impact),
        sweep_(system),
        passing_(system),
        part_(system, options, work),
        path_(system),
        projection_(system) {}

  /// Advances the state by h, or leaves it and returns false.
  bool step(State& state, double h, StepReport& report);
  void forget() { is_new_ = true; }
  /// The velocity was changed from outside.
  void forget_motion() { was_pushed_ = true; }

 private:
  void find_closed(const State& state);
  void tell_transitions(StepReport& report);
  [[nodiscard]] bool is_approached(const State& state) const;
  bool begin_part(State& state, bool plastic, StepReport& report);
  bool take_part(State& state, double& left, bool plastic, StepReport& report);
  bool collide(State& state, double h, StepReport& report);
  bool try_part(const State& state, double h, bool plastic, StepReport& report);
  bool try_whole(const State& state, double& length, bool plastic, StepReport& report);
  bool find_part(const State& state, double& length, StepReport& report);
  bool locate_turn(const State& state, double& length, double value, StepReport& report);
  bool locate_release(const State& state, double& length, StepReport& report);
  bool find_collisions(const State& state, double& length, bool plastic, StepReport& report, bool& solved);
  void accept(State& state, StepReport& report);
  void stop_at(State& state, double share, StepReport& report);

  const System& system_;
  const SchemeOptions& options_;
  StepWork& work_;
  Impact& impact_;
  Sweep sweep_;
  Passing passing_;
  ThetaStep part_;
  HermitePath path_;
  Transitions transitions_;
  FloatingContacts floating_;
  SafeProjection projection_;
  State saved_;
  GapSet start_;
  std::vector<std::uint64_t> closed_;  ///< Contacts of the problem, sorted.
  std::vector<std::uint64_t> kept_;    ///< Closed after the last part: they stay so while near.
  int trials_ = 0;                     ///< Left in this step to locate transitions,
  int changes_ = 0;                    ///< and how many more of these.
  int events_ = 0;                     ///< Collisions of this step.
  double whole_ = 0.0;                 ///< Its length.
  bool is_new_ = true, was_pushed_ = false;
};

}  // namespace stiction
