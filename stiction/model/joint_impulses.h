#pragma once

#include <span>
#include <vector>

#include "stiction/model/multibody.h"

namespace stiction {

/// Impulses of all joint rows (Multibody::find_all_joints) from those of the rows that a step holds (find_joints, which
/// may be followed by others): they move the bodies alike, and where rows share a load the sum of their squares is
/// least.
[[nodiscard]] std::vector<double> spread_joint_impulses(const Multibody& system, double t, const Vector& q,
                                                        std::span<const double> impulses);

}  // namespace stiction
