#pragma once

#include "stiction/cone/certificate.h"
#include "stiction/cone/problem.h"
#include "stiction/cone/scaled_problem.h"

namespace stiction::cone {

/// Looks for the y of certify_infeasible that refutes the largest tolerance. Candidates: the normal parts of `r`, since
/// of a problem without an answer methods let r grow along a direction that W takes to nothing; and the answer of
///
///     min over y_n >= 0 of  |W'y|^2 + (q'y + 1)^2,
///
/// which for symmetric W is zero where there is a proof at all: -W'y in K* and y in K give y'W y <= 0, so W y = 0. The
/// contacts that take part come from Lemke's method, their numbers from a least-squares solution, as they are and
/// rounded to 2^-20 of the largest, since those of walls that face each other are simple. Twice, with q and with its
/// signs. Of problems with more than a few hundred contacts so many are searched at once: those around the `worst` one,
/// and those that push hardest.
[[nodiscard]] InfeasibilityProof find_infeasibility_proof(const Problem& problem, const ScaledProblem& scaled,
                                                          const Vector& r, Index worst, Vector& y);

}  // namespace stiction::cone
