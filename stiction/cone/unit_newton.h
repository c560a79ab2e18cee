#pragma once

#include <cstdint>

#include "stiction/cone/body_space.h"

namespace stiction::cone {

/// Over the mobility of their units, of contacts and of joints and bounded rows: how soft Newton's method makes them.
struct Softness {
  double contact, joint;
};

/// Which of its states a unit is in: of a contact whether it is closed, and which of its groups stick; of a bounded row
/// whether it is at a bound, and at which.
struct UnitState {
  enum : std::uint8_t { between, low, high };
  std::uint8_t bound = between;
  bool is_closed = false;
  std::uint8_t sticking = 0;  ///< A bit for each group.
};
[[nodiscard]] UnitState state_of(const BodySpace& space, const BodyProblem::Unit& unit, const double* r,
                                 const double* u);

/// dr = -c - D du of one unit in this state, by Newton's method for its law at impulses r and speeds u, both those of
/// the unit; D row after row. The equations with their derivatives are in docs/solvers/body_space.md.
void linearise(const BodySpace& space, const BodyProblem::Unit& unit, const UnitState& state, const double* r,
               const double* u, const Softness& softness, double* D, double* c);

}  // namespace stiction::cone
