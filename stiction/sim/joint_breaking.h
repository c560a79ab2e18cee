#pragma once

#include <vector>

#include "stiction/model/joint_reaction.h"
#include "stiction/model/state.h"
#include "stiction/schemes/step_report.h"

namespace stiction {

/// Breaks the joints whose reaction, the mean over the last step of length h, was more than they bear, and adds an
/// event for each. They held until the end of the step and let go from there, so the time is right to h; a blow counts
/// by its impulse over h. `reactions` are those of the step, of all joints. True when any broke.
bool break_joints(Multibody& system, const State& state, const std::vector<Reaction>& reactions, StepReport& report);

}  // namespace stiction
