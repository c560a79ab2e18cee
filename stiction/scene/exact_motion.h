#pragma once

#include <array>
#include <optional>

#include "stiction/model/definitions.h"

namespace stiction {

/// How a body moves in closed form, as the scene's author knows it: what `stiction study --reference exact` measures
/// runs against. World frame. What is not given is not compared.
struct ExactMotion {
  using Formulas = std::array<TimeFormula, 3>;

  BodyId body;
  std::optional<Formulas> position;          ///< m
  std::optional<Formulas> velocity;          ///< m/s; the rate of `position` where missing.
  std::optional<TimeFormula> turn;           ///< rad, from the orientation at the start, about `axis`.
  Vec3 axis = Vec3::UnitZ();                 ///< Unit.
  std::optional<Formulas> angular_velocity;  ///< rad/s; the rate of `turn` about `axis` where missing.
};

}  // namespace stiction
