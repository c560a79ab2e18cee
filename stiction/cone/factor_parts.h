#pragma once

#include <vector>

#include "stiction/cone/factor_form.h"

namespace stiction::cone {

/// Internal: one contact of the condensed problem of a factor form (`condense` has the list of them).
struct FactorPart {
  Index contact = -1;         ///< Of the form,
  Index row = -1;             ///< or a row of G.
  bool bears = false;         ///< Has the normal of its contact, or is a row with one bound.
  bool rubs = false;          ///< Has tangents.
  Index carrier = -1;         ///< The part whose normal bounds its friction, where that is another one,
  double mu = 0.0, hf = 0.0;  ///< by mu r_n + hf.
  double shift = 0.0;         ///< Of a row: c = shift + sign r.
  double sign = 1.0;
};

[[nodiscard]] std::vector<FactorPart> find_parts(const FactorForm& form);

/// Whether a row of G has no bounds.
[[nodiscard]] bool is_joint(const FactorForm& form, Index row);

/// The columns that the numbers of r push along, in their order; copies have none.
[[nodiscard]] SparseMatrix find_pushes(const FactorForm& form, const std::vector<FactorPart>& parts);

/// u at v_alpha = 0 and r = 0, for each number of r: b and d, and what the middles of bounds give. Copies: zero.
[[nodiscard]] Vector find_offsets(const FactorForm& form, const std::vector<FactorPart>& parts);
/// The number of r that pushes a row, which has a compliance.
[[nodiscard]] inline int axis_of_row(const FactorPart& part) {
  return part.bears ? 0 : 1;
}

/// mu and mu2 of the condensed problem; mu2 empty where all cones are round.
void set_friction(const FactorForm& form, const std::vector<FactorPart>& parts, Problem& problem);

}  // namespace stiction::cone
