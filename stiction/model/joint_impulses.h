#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "stiction/model/multibody.h"

namespace stiction {

/// What a step did through the joints, as impulses.
struct StepImpulses {
  std::span<const double> rows;  ///< Of find_joints, followed by those of the drives in the order of find_drives.
  /// By drive: 1 where it kept its speed all along, so that its force may be any within its bounds.
  std::span<const signed char> holds = {};
  std::span<const double> balls = {};  ///< Three for each of find_ball_frictions.
  struct OfGap {
    std::uint64_t id = 0;
    double impulse = 0.0;
  };
  std::span<const OfGap> gaps =
      {};  ///< Of limits, ropes, ratchets and one-way edges; other contacts may be among them.
};

struct SharedImpulses {
  std::vector<double> rows;    ///< Of all joint rows (Multibody::find_all_joints),
  std::vector<double> drives;  ///< of the joints' drives.
};

/// Shares the impulses of a step of length h: they move the bodies alike, and where rows and drives that hold bear a
/// load together, each drive within its bounds, the sum of their squares is least.
[[nodiscard]] SharedImpulses share_joint_impulses(const Multibody& system, double t, const Vector& q,
                                                  const StepImpulses& impulses, double h);

}  // namespace stiction
