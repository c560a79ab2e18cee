#pragma once

#include <vector>

#include "stiction/schemes/impact.h"
#include "stiction/schemes/passing.h"
#include "stiction/schemes/step_work.h"
#include "stiction/schemes/sweep.h"

namespace stiction {

/// Anitescu and Potra's scheme (1997, section 4): contacts that are closed keep n'v+ >= 0; others are watched, their
/// collisions located in time and resolved as impacts, and the step goes on after each.
class VelocityLevel {
 public:
  VelocityLevel(const System& system, const SchemeOptions& options, StepWork& work, Impact& impact)
      : system_(system), options_(options), work_(work), impact_(impact), sweep_(system), passing_(system) {}

  /// Advances the state by h, or leaves it and returns false.
  bool step(State& state, double h, StepReport& report);
  void forget() { first_ = true; }

 private:
  bool advance(const State& state, double h, bool plastic, StepReport& report);
  bool advance_to_passing(const State& state, double& h, StepReport& report);
  void find_closed(const State& state, double h);
  [[nodiscard]] bool is_approached(const State& state) const;
  bool find_collisions(double t);
  [[nodiscard]] double lowest_gap(double t, const Vector& q);
  bool locate(const State& state, double h, StepReport& report, double& at);
  void accept(State& state, double h, StepReport& report);

  const System& system_;
  const SchemeOptions& options_;
  StepWork& work_;
  Impact& impact_;
  Sweep sweep_;
  Passing passing_;
  State saved_;
  Vector q_hat_, q_new_, v_new_;
  GapSet start_, check_;
  std::vector<std::uint64_t> closed_;  ///< Contacts of the velocity-level problem, sorted.
  std::vector<std::uint64_t> kept_;    ///< With an impulse in the last part of a step: they stay closed while near.
  std::vector<std::uint64_t> hit_;     ///< Penetrating at the end of a trial without having been closed.
  double whole_ = 0.0;                 ///< Length of the step under way, by which stabilisation goes.
  bool first_ = true;
};

}  // namespace stiction
