#pragma once

#include "stiction/lcp/problem.h"

namespace stiction::lcp {

/// Whether certify_infeasible accepts `proof`, or would but for the rounding of the calculation that it comes from: the
/// columns of M'y that are zero up to that are then made so to the last bits, by the smallest change of the entries of
/// y that are not zero.
bool mend_infeasibility_proof(const Problem& problem, Vector& proof);

/// Looks for a y that certify_infeasible accepts, by solving the linear programme
///
///     minimise t over z in its bounds, t >= 0,  such that  M z + q + t >= 0 where w may not be negative,
///                                                          M z + q - t <= 0 where it may not be positive,
///
/// whose multipliers are y when the least t is positive. As a complementarity problem the programme is skew-symmetric,
/// so Lemke's method ends with its answer. True when `proof` holds a valid one.
bool find_infeasibility_proof(const Problem& problem, Vector& proof);

}  // namespace stiction::lcp
