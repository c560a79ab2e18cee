#include "problems/generator/cone_problem.h"

#include <vector>

#include "stiction/base/assert.h"

namespace stiction::families {

cone::FactorForm to_factor_form(const ContactProblem& c) {
  cone::FactorForm form{.name = c.name, .M = c.A, .f = c.momentum, .G = c.nu, .d = c.b_nu, .mu = c.mu};
  std::vector<Eigen::Triplet<double>> triplets;
  form.b.resize(3 * c.contacts());
  for (Index j = 0; j < c.contacts(); ++j) {
    int at = 0;
    for (const auto& [rows, b] : {std::pair{&c.n, &c.b_n}, std::pair{&c.t1, &c.b_t1}, std::pair{&c.t2, &c.b_t2}}) {
      for (SparseMatrix::InnerIterator it(*rows, j); it; ++it) triplets.emplace_back(it.row(), 3 * j + at, it.value());
      form.b[3 * j + at] = (*b)[j];
      ++at;
    }
  }
  form.H.resize(c.velocities(), 3 * c.contacts());
  form.H.setFromTriplets(triplets.begin(), triplets.end());
  return form;
}

cone::Problem to_cone(const ContactProblem& c) {
  Result<cone::Problem> problem = cone::condense(to_factor_form(c));
  STICTION_ASSERT(problem.ok(), "a generated problem has a regular mass matrix and joints that agree");
  return std::move(problem).value();
}

}  // namespace stiction::families
