#pragma once

#include <optional>
#include <string>

#include "stiction/model/multibody.h"

/// Whether a model can start from what it was given. Each function names the worst offender in words, or gives nothing.
namespace stiction {

/// Metres and radians, metres and radians per second.
struct StartTolerances {
  double penetration = 1e-6;
  double joint = 1e-6;     ///< Theta of a joint.
  double touching = 1e-6;  ///< Gaps up to this are closed.
  double speed = 1e-6;     ///< At which a joint may open or a closed contact close.
};

[[nodiscard]] std::optional<std::string> find_start_penetration(const Multibody& system, double tolerance);
[[nodiscard]] std::optional<std::string> find_open_joint(const Multibody& system, double tolerance);
[[nodiscard]] std::optional<std::string> find_velocity_against_joint(const Multibody& system, double speed);
[[nodiscard]] std::optional<std::string> find_velocity_against_contact(const Multibody& system, double touching,
                                                                       double speed);
/// The first of these that finds something.
[[nodiscard]] std::optional<std::string> check_initial_state(const Multibody& system,
                                                             const StartTolerances& tolerances = {});

}  // namespace stiction
