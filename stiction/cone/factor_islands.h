#pragma once

#include <vector>

#include "stiction/cone/factor_parts.h"

namespace stiction::cone {

/// A part of a factor form that nothing else acts on, as a form of its own.
struct FactorIsland {
  FactorForm form;
  std::vector<Index> parts;  ///< Of the whole form (find_parts): those of this one, in their order.
};

/// The islands with a contact or a row with bounds, in the order of their first velocities. What M, a block of
/// `bodies`, a contact with what bears its friction, or a row touches hangs together.
[[nodiscard]] std::vector<FactorIsland> split_islands(const FactorForm& form, const std::vector<FactorPart>& parts);

/// Writes the numbers of an island to their places among those of the whole.
void scatter(const FactorIsland& island, const Vector& r, Vector& whole);

}  // namespace stiction::cone
