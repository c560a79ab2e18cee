#include "stiction/model/coordinate_checks.h"

#include <numbers>

#include "stiction/model/message.h"

namespace stiction {
namespace {

/// Of an angle's range: this much of the turn must be left for what goes through a limit, rad.
constexpr double least_rest = 1e-3;

std::optional<Error> check_limits(const std::string& where, const CoordinateDef& def, bool is_angle) {
  if (!def.limits) {
    if (def.restitution == 0.0) return std::nullopt;
    return error_at(where, "restitution belongs to limits; give limits, or remove it");
  }
  const auto [low, high] = *def.limits;
  if (auto error = need_finite(where, "limits", low)) return error;
  if (auto error = need_finite(where, "limits", high)) return error;
  if (low > 0.0 || high < 0.0 || low >= high) {
    return error_at(where, "limits must have the start, 0, between them, are ", low, " and ", high);
  }
  if (is_angle && high - low > 2.0 * std::numbers::pi - least_rest) {
    return error_at(where, "limits are ", high - low,
                    " rad apart; a pose knows an angle up to whole turns, so they must be less than one turn apart");
  }
  return std::nullopt;
}

std::optional<Error> need_target(const std::string& where, const TimeFormula& target) {
  if (!target.is_constant()) return std::nullopt;
  return need_finite(where, "its target", target.value(0.0));
}

/// Infinity means that there is no limit.
std::optional<Error> need_force(const std::string& where, double force) {
  if (force >= 0.0) return std::nullopt;
  return error_at(where, "max_force must be zero or positive, is ", force);
}

}  // namespace

std::optional<Error> check_restitution(const std::string& where, double restitution) {
  if (restitution >= 0.0 && restitution <= 1.0) return std::nullopt;
  return error_at(where, "restitution must be from 0 to 1, is ", restitution);
}

std::optional<Error> check_coordinate(const std::string& where, const CoordinateDef& def, bool is_angle) {
  if (auto error = check_restitution(where, def.restitution)) return error;
  if (auto error = check_limits(where, def, is_angle)) return error;
  if (auto error = need_not_negative(where, "friction", def.friction)) return error;
  if (def.motor && def.servo) return error_at(where, "has a motor and a servo; give one of them");
  if (def.motor) {
    if (auto error = need_target(where + ", motor", def.motor->velocity)) return error;
    if (auto error = need_force(where + ", motor", def.motor->max_force)) return error;
  }
  if (!def.servo) return std::nullopt;
  const std::string servo = where + ", servo";
  if (auto error = need_target(servo, def.servo->position)) return error;
  if (auto error = need_force(servo, def.servo->max_force)) return error;
  if (auto error = need_not_negative(servo, "stiffness", def.servo->stiffness)) return error;
  if (auto error = need_not_negative(servo, "damping", def.servo->damping)) return error;
  if (def.servo->stiffness > 0.0 || def.servo->damping > 0.0) return std::nullopt;
  return error_at(servo, "has neither stiffness nor damping; give one of them");
}

}  // namespace stiction
