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
  /// The same by two velocities, those at the start and the end of the step.
  [[nodiscard]] int parts_for(const State& state, const Vector& v_end, double h, StepReport& report);

 private:
  const System& system_;
  GapSet gaps_;
  Vector pushed_, force_;
  SparseMatrix mass_;
};

}  // namespace stiction
