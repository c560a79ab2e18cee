#pragma once

#include <cstdint>

#include "stiction/schemes/step_report.h"

namespace stiction {

/// The worst over all steps of a run: what the run is worth.
struct RunCertificate {
  long steps = 0, uncertified_steps = 0, relaxed_steps = 0, unconverged_steps = 0, divided_steps = 0;
  double max_residual = 0.0, max_penetration = 0.0, max_equality_residual = 0.0, max_momentum_defect = 0.0;
  double max_energy_defect = 0.0, max_joint_error = 0.0, max_misalignment = 0.0, impact_energy_gain = 0.0;
  double max_friction_loss = 0.0;   ///< Share of friction that the facets left out where something slid.
  double worst_time = 0.0;          ///< When the residual was largest,
  std::uint64_t worst_contact = 0;  ///< and where.
  double deepest_time = 0.0;
  std::uint64_t deepest_contact = 0;
  int worst_joint = -1;  ///< Where |Theta| was largest.

  void add(double t, const StepReport& report, double tolerance);
};

/// Kinetic, gravity and springs, in joules, computed from v.
struct EnergyLedger {
  double initial = 0.0, now = 0.0, largest = 0.0;
  void start(double energy) { initial = now = largest = energy; }
  void add(double energy) {
    now = energy;
    if (energy > largest) largest = energy;
  }
};

}  // namespace stiction
