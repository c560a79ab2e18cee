#pragma once

#include "problems/generator/contact_problem.h"
#include "stiction/cone/factor_form.h"
#include "stiction/cone/problem.h"

namespace stiction::families {

/// The same contacts with the true cone. Friction that needs no normal force is left out.
[[nodiscard]] cone::FactorForm to_factor_form(const ContactProblem& contact_problem);
[[nodiscard]] cone::Problem to_cone(const ContactProblem& contact_problem);

}  // namespace stiction::families
