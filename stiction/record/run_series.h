#pragma once

#include <string>
#include <vector>

#include "stiction/base/result.h"
#include "stiction/record/recorded_run.h"

namespace stiction {

/// One quantity of a run over its frames or its steps.
struct RunSeries {
  std::string name, unit;
  bool is_of_steps = false;
  std::vector<double> time, values;
};

/// By name: energy.total and its like; dissipated.contacts, joints, impacts, rest; body.NAME.x, y, z, vx, vy, vz,
/// speed, wx, wy, wz, qw, qx, qy, qz, angle (about z, without jumps); joint.NAME.force or torque (their size);
/// step.residual and the other columns of steps; contacts (of a step); t. An error lists what there is.
[[nodiscard]] Result<RunSeries> find_series(const RecordedRun& run, const std::string& name);

}  // namespace stiction
