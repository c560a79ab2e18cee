#include "stiction/contact/polyhedral_solver.h"

#include <utility>

namespace stiction {

/// Sizes the answer and gives every contact the facets it had, or unturned ones.
void PolyhedralSolver::prepare(const StepProblem& problem, StepSolution& solution) {
  const auto contacts = static_cast<std::size_t>(problem.size());
  solution.v = problem.v;
  solution.c_nu.assign(static_cast<std::size_t>(problem.joints()), 0.0);
  for (auto* list : {&solution.c_n, &solution.c_t1, &solution.c_t2, &solution.lambda}) list->assign(contacts, 0.0);
  solution.facets.assign(contacts, {});
  solution.beta_start.assign(1, 0);
  for (int j = 0; j < problem.size(); ++j) {
    Facets& facets = solution.facets[j];
    const StepProblem::Contact& contact = problem.contacts[j];
    facets.count = contact.tangents == 0 ? 0 : contact.tangents == 1 ? 2 : options_.facets;
    if (const auto* entry = memory_.find(contact.id); entry && entry->facets.count == facets.count && options_.turn)
      facets.turn = entry->facets.turn;
    solution.beta_start.push_back(solution.beta_start.back() + facets.count);
  }
  solution.beta.assign(static_cast<std::size_t>(solution.beta_start.back()), 0.0);
}

bool PolyhedralSolver::solve(const StepProblem& problem, StepSolution& solution, StepCertificate& certificate) {
  prepare(problem, solution);
  islands_.split(problem);
  next_memory_.reset(problem, solution);
  bool solved = true;
  for (int island = 0; island < islands_.size(); ++island)
    solved &= solver_.solve(problem, islands_, island, memory_, solution, next_memory_);
  counts_.add(solver_.take_counts());
  if (solved) {
    next_memory_.finish();
    std::swap(memory_, next_memory_);
  }
  certificate = certify(problem, solution);
  return solved;
}

}  // namespace stiction
