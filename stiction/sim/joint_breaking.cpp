#include "stiction/sim/joint_breaking.h"

namespace stiction {

bool break_joints(Multibody& system, const State& state, const std::vector<Reaction>& reactions, StepReport& report) {
  const std::vector<Joint>& joints = system.model().joints();
  std::vector<JointId> broken;
  for (std::size_t i = 0; i < joints.size(); ++i) {
    const JointId id{static_cast<int>(i)};
    if (!joints[i].is_breakable() || system.is_broken(id)) continue;
    const Reaction& reaction = reactions[i];
    const bool holds =
        reaction.force.norm() <= joints[i].break_force && reaction.torque.norm() <= joints[i].break_torque;
    if (!holds) broken.push_back(id);
  }
  // Only now: reactions are found by the rows of the step, and those of joints that break are gone.
  for (const JointId id : broken) {
    system.break_joint(id);
    report.events.push_back({state.t, EventKind::breakage, system.event_id(id)});
  }
  return !broken.empty();
}

}  // namespace stiction
