#include "stiction/schemes/step_report.h"

namespace stiction {

std::string_view to_string(EventKind kind) {
  switch (kind) {
    case EventKind::impact:
      return "impact";
    case EventKind::take_off:
      return "take_off";
    case EventKind::stick:
      return "stick";
    case EventKind::slip:
      return "slip";
    case EventKind::breakage:
      return "break";
    case EventKind::reversal:
      return "reversal";
  }
  return "impact";
}

Grade StepReport::grade(double tolerance) const {
  if (!solved || !converged || !followed || !implied_hold) return Grade::failed;
  if (!certificate.certified(tolerance)) return certificate.is_loose() ? Grade::loose : Grade::failed;
  if (plastic) return Grade::plastic;
  if (relaxed) return Grade::relaxed;
  if (rough || grazes || !(position_excess <= 1.0)) return Grade::linear;
  return certificate.polyhedral ? Grade::polyhedral : Grade::full;
}

void StepReport::clear() {
  solved = converged = followed = forces_are_finite = implied_hold = true;
  relaxed = rough = has_friction = plastic = grazes = false;
  jacobian = JacobianUse::none;
  solves = rank_changes = trials = 0;
  parts = 1;
  located = 0;
  posed_contacts = 0;
  certificate = {};
  dissipated = {};
  penetration = joint_error = position_excess = open_gap = 0.0;
  open_contact = 0;
  deepest_contact = 0;
  worst_joint = -1;
  events.clear();
  contacts.clear();
  closed.clear();
  drives.clear();
  joint_impulses.clear();
  holds.clear();
  ball_impulses.clear();
}

}  // namespace stiction
