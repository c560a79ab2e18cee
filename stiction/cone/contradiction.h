#pragma once

#include "stiction/cone/certificate.h"
#include "stiction/cone/factor_form.h"

namespace stiction::cone {

/// How far y, one number a row of G and zero on rows with bounds, goes to prove that joints contradict each other, or,
/// with `pushes` y_r on contacts, that they hold what would have to give way. y_r is laid out as r, zero or more for
/// normals and rows with one bound, and zero for all else.
///
/// Of an answer 0 = y'(G'v_alpha + d + C c), C the compliance, and 0 <= y_r'u, u = J'v_alpha + b + C r, where
/// v_alpha = v0 + alpha M^-1 (f + J r + G c). With p = J y_r + G y, which vanishes up to rounding, that is
///
///     0 <= b'y_r + d'y + p'(v0 + alpha M^-1 f) + z'(r, c),    z = alpha (J G)'M^-T p + (C y_r, C y),
///
/// so no answer has |(r, c)| < |q'y| / |z|, q'y the first three terms, below zero with y_r and of either sign without:
/// `bound`. It is the proof of certify_infeasible before joints are eliminated. Where they hold a body altogether W is
/// rounding, and no other can be had. `least_tolerance` is |q'y| over the sum of 2 |y_i| V, of a contact times
/// sqrt(1 + mu^2), and |z_i| rho_i V / eps, where V is the largest size of what these joints' and contacts' speeds are
/// summed from, at least `speed`, and rho_i of a row or a contact the number of its columns over their trace of
/// alpha (J G)'M^-1 (J G) + C.
///
/// From the form and y alone: p, b'y_r and d'y are summed in twice the precision. Zeros where M is singular.
[[nodiscard]] InfeasibilityProof certify_contradiction(const FactorForm& form, const Vector& y,
                                                       const Vector& pushes = {}, double speed = 0.0);

}  // namespace stiction::cone
