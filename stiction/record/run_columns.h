#pragma once

#include <cstdint>
#include <vector>

#include "stiction/record/record_file.h"
#include "stiction/sim/simulator.h"

namespace stiction {

/// The columns of run.h5, in the order of run_columns(). docs/record.md describes them.
enum class RunColumn : std::uint8_t {
  frame_time,
  frame_step,
  position,
  orientation,
  velocity,
  angular_velocity,
  kinetic,
  gravity,
  springs,
  total,
  dissipated_contacts,
  dissipated_joints,
  dissipated_impacts,
  dissipated_rest,
  contact_start,
  contact_id,
  contact_point,
  contact_normal,
  contact_gap,
  contact_impulse,
  contact_slip,
  contact_state,
  contact_mu,
  joint_force,
  joint_torque,
  joint_point,
  step_time,
  step_residual,
  step_cone_violation,
  step_penetration,
  step_joint_error,
  step_equality_residual,
  step_momentum_defect,
  step_energy_defect,
  step_certified,
  step_solved,
  step_relaxed,
  step_converged,
  step_contacts,
  step_solves,
  step_parts,
  step_problems,
  step_reused,
  step_pivots,
  step_solver,
  step_worst_contact,
  step_deepest_contact,
  step_grade,
  step_contact_residual,
  event_time,
  event_kind,
  event_contact,
  event_energy_gain,
  event_step,
  velocity_alpha,  ///< The last two are second names of the velocities where has_own_alpha() is false.
  angular_velocity_alpha,
};

/// The lists of names of run.h5.
enum class RunList : std::uint8_t { bodies, joints, contacts };

/// How a step was solved: by nothing, where nothing touched or was held; by a linear solve with the basis of the last
/// step; by Newton's method on the true cone; by Lemke's pivots; or by the active sets of `lotstedt`.
enum class StepSolver : std::uint8_t { none, basis, newton, lemke, active_set };

/// Of a contact at the end of a step.
enum class ContactState : std::uint8_t { open, stick, slip };

/// Bodies with a row in each frame: those that forces move and those that move as prescribed, in the model's order.
[[nodiscard]] std::vector<BodyId> moving_bodies(const Model& model);
/// Whether the contact law of a step holds at another velocity than that at its end.
[[nodiscard]] bool has_own_alpha(const SchemeOptions& scheme);
[[nodiscard]] std::vector<ColumnDef> run_columns(const Model& model, const SchemeOptions& scheme);
[[nodiscard]] std::vector<NameList> run_lists(const Model& model);

}  // namespace stiction
