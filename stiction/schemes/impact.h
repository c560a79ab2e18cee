#pragma once

#include <utility>
#include <vector>

#include "stiction/schemes/step_work.h"

namespace stiction {

/// Impacts: velocities jump at one position (1997, section 3). All contacts that are closed take part, those that
/// approach with their restitution, by one of three laws.
class Impact {
 public:
  Impact(const System& system, const SchemeOptions& options, StepWork& work)
      : system_(system), options_(options), work_(work) {}

  /// Changes state.v. `closed` are the ids of the contacts that take part, sorted; `threshold_step` is the h that the
  /// automatic restitution threshold is measured by. False, and v as it was, when a problem could not be solved.
  bool resolve(State& state, const std::vector<std::uint64_t>& closed, double threshold_step, StepReport& report);
  /// An impulse from outside at this position (1982, (2.10)): what is closed gives way without bouncing.
  bool push(State& state, const std::vector<std::uint64_t>& closed, const Vector& impulse, StepReport& report);

 private:
  void pose(const State& state, const std::vector<std::uint64_t>& closed, const Vector& v);
  bool compress(const State& state, const std::vector<std::uint64_t>& closed, StepReport& report);
  bool decompress(const State& state, const std::vector<std::uint64_t>& closed, StepReport& report);
  bool by_newton(const State& state, const std::vector<std::uint64_t>& closed, StepReport& report);
  bool by_newton_equality(const State& state, const std::vector<std::uint64_t>& closed, StepReport& report);
  bool end_plastic(State& state, const std::vector<std::uint64_t>& closed, double energy_before, StepReport& report);
  void aim_slip();
  void tell(const State& state, double energy_before, StepReport& report);
  void find_restitution(const State& state, double threshold_step);
  [[nodiscard]] bool simplified_holds(const Vector& v) const;

  const System& system_;
  const SchemeOptions& options_;
  StepWork& work_;
  std::vector<std::uint64_t> posed_;            ///< The contacts of the problem,
  std::vector<double> approach_, restitution_;  ///< per contact,
  std::vector<double> back1_, back2_;           ///< and the slip that tangential restitution aims at, negative.
  std::vector<double> compression_;             ///< c_n of the compression.
  Vector force_, v_minus_, v_c_;
  std::vector<std::pair<int, double>> equal_, kept_;  ///< Contacts of gaps() and their right-hand sides.
};

}  // namespace stiction
