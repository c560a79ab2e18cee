#pragma once

#include "stiction/model/state.h"
#include "stiction/model/system.h"
#include "stiction/schemes/step_report.h"

namespace stiction {

/// Sees to it that no body passes through another within a step, where no gap would tell.
class Sweep {
 public:
  explicit Sweep(const System& system) : system_(system) {}

  /// Into how many parts a step of length h from here must be divided; where even the most are too few the report says
  /// so, and of which contact.
  [[nodiscard]] int parts_for(const State& state, double h, StepReport& report);

  /// How far a step of length h from here should go: to its end, or to just after two bodies meet that are apart at
  /// both ends and would be in each other on the way. Bodies move as they do now; what moves less than a quarter of
  /// what is safe is not looked at.
  [[nodiscard]] double until_dip(const State& state, double h);

 private:
  struct Dip {
    double low = 0.0, high = 1.0;  ///< Shares of the step: approaching and leaving.
    double gap_low = 0.0, rate_low = 0.0, gap_high = 0.0, rate_high = 0.0;
  };
  [[nodiscard]] bool find_dip(const State& state, double h, std::uint64_t id, Dip dip, double& share);
  [[nodiscard]] double after_touch(const State& state, double h, std::uint64_t id, double apart, double inside);

  const System& system_;
  GapSet gaps_, ahead_, between_;
  Vector pushed_, force_, q_;
  SparseMatrix mass_;
};

}  // namespace stiction
