#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "stiction/schemes/step_report.h"

namespace stiction {

/// The steps of one grade, and how far the worst of them is from `full`.
struct GradeTally {
  long steps = 0;
  double off = 0.0;           ///< For `polyhedral` and `loose` a residual, otherwise m or rad of gaps and joints at q+.
  double time = 0.0;          ///< When,
  std::uint64_t contact = 0;  ///< and at which contact,
  int joint = -1;             ///< or joint, where that is not -1.
};

/// The worst over all steps of a run: what the run is worth.
struct RunCertificate {
  std::array<GradeTally, grade_count> grades{};
  long steps = 0, uncertified_steps = 0, relaxed_steps = 0, unconverged_steps = 0, divided_steps = 0, plastic_steps = 0,
       grazing_steps = 0;
  /// Steps that took derivatives of the forces into M~: exact ones, or those of rank one in at least a part.
  long exact_jacobian_steps = 0, rank_one_jacobian_steps = 0;
  long rank_changes = 0;              ///< lotstedt: times that the rank of what is held changed while the set did not,
  double rank_change_time = 0.0;      ///< and the end of the step with the first.
  double max_contact_residual = 0.0;  ///< Of the worst contact or row against the speeds around it.
  double max_residual = 0.0, max_penetration = 0.0, max_equality_residual = 0.0, max_momentum_defect = 0.0;
  double max_energy_defect = 0.0, max_joint_error = 0.0, max_misalignment = 0.0, impact_energy_gain = 0.0;
  double max_friction_loss = 0.0;   ///< Share of friction that the facets left out where something slid.
  double worst_time = 0.0;          ///< When the residual was largest,
  std::uint64_t worst_contact = 0;  ///< and where.
  double deepest_time = 0.0;
  std::uint64_t deepest_contact = 0;
  int worst_joint = -1;  ///< Where |Theta| was largest.

  void add(double t, const StepReport& report, double tolerance);
  [[nodiscard]] long count(Grade grade) const { return grades[static_cast<std::size_t>(grade)].steps; }
  /// The worst of its steps; `full` before the first.
  [[nodiscard]] Grade grade() const;

 private:
  void add_grade(double t, const StepReport& report, Grade grade);
};

/// Kinetic, gravity and springs, in joules, computed from v.
struct EnergyLedger {
  double initial = 0.0, now = 0.0, largest = 0.0, largest_kinetic = 0.0, largest_term = 0.0;
  Dissipation dissipated;  ///< As far as it is known where it went.
  bool is_closed = false;  ///< Nothing is there that could add energy: no forces, motors or kinematic bodies.
  void start(double kinetic, double potential) {
    initial = now = largest = kinetic + potential;
    dissipated = {};
    largest_kinetic = kinetic;
    largest_term = std::max(kinetic, std::abs(potential));
  }
  void add(double kinetic, double potential) {
    now = kinetic + potential;
    largest = std::max(largest, now);
    largest_kinetic = std::max(largest_kinetic, kinetic);
    largest_term = std::max({largest_term, kinetic, std::abs(potential)});
  }
  /// What closes the ledger, initial = now + dissipated + rest: taken by motors, forces, dampers, moving bodies, by
  /// impacts within a step, and by the scheme itself. Negative where they brought more.
  [[nodiscard]] double rest() const { return initial - now - dissipated.sum(); }
  /// Energy that came from nowhere, beyond what impacts are known to have made: zero where something could add it, and
  /// below a thousandth of the kinetic energy or what rounding can make.
  [[nodiscard]] double growth(double made_by_impacts) const {
    const double grown = largest - initial - made_by_impacts;
    return is_closed && grown > std::max(1e-3 * largest_kinetic, 1e-12 * largest_term) ? grown : 0.0;
  }
};

}  // namespace stiction
