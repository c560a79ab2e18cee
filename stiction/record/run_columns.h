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

/// Of a contact at the end of a step.
enum class ContactState : std::uint8_t { open, stick, slip };

/// Bodies with a row in each frame: those that forces move and those that move as prescribed, in the model's order.
[[nodiscard]] std::vector<BodyId> moving_bodies(const Model& model);
/// Whether the contact law of a step holds at another velocity than that at its end.
[[nodiscard]] bool has_own_alpha(const SchemeOptions& scheme);
[[nodiscard]] std::vector<ColumnDef> run_columns(const Model& model, const SchemeOptions& scheme);
[[nodiscard]] std::vector<NameList> run_lists(const Model& model);

}  // namespace stiction
