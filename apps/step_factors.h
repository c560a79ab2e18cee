#pragma once

#include "stiction/cone/factor_form.h"
#include "stiction/contact/islands.h"
#include "stiction/contact/step_problem.h"

namespace stiction::apps {

/// One island of a step's problem as the factors that it consists of, with all its laws: contacts in the island's
/// order, then its rows of joints, limits and drives. The problem must have no pairs (share_out). Two rows a contact
/// where none has a second tangent.
[[nodiscard]] cone::FactorForm find_factors(const StepProblem& problem, const Islands& islands, int island);

}  // namespace stiction::apps
