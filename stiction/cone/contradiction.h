#pragma once

#include "stiction/cone/certificate.h"
#include "stiction/cone/factor_form.h"

namespace stiction::cone {

/// How far y, one number a row of G and zero on rows with bounds, goes to prove that joints contradict each other.
///
/// Of an answer 0 = y'(G'v_alpha + d + C c), C the compliance, and v_alpha = v0 + alpha M^-1 (f + H r + G c). With
/// p = G y, which vanishes up to rounding, that is
///
///     0 = d'y + p'(v0 + alpha M^-1 f) + z'(r, c),    z = alpha (H G)'M^-T p + (0, C y),
///
/// so no answer has |(r, c)| < |q'y| / |z|, q'y the first two terms: `bound`. It is the proof of certify_infeasible
/// with y on joints alone. `least_tolerance` is |q'y| over the sum of 2 |y_i| V + |z_i| rho_i V / eps, where V is the
/// largest size of what the left sides of these joints are summed from, and rho_i of a row or a contact the number of
/// its columns over their trace of alpha (H G)'M^-1 (H G) + C.
///
/// From the form and y alone: p and d'y are summed in twice the precision. Zeros where M is singular.
[[nodiscard]] InfeasibilityProof certify_contradiction(const FactorForm& form, const Vector& y);

}  // namespace stiction::cone
