#include "stiction/contact/island_problem.h"

#include <algorithm>

namespace stiction {

namespace {

void append(const linalg::Rows& rows, int row, const Islands& islands, linalg::Rows& part) {
  const auto columns = rows.columns(row);
  const auto values = rows.values(row);
  for (std::size_t p = 0; p < columns.size(); ++p) part.push(islands.local(columns[p]), values[p]);
  part.end_row();
}

}  // namespace

void IslandProblem::copy_velocities(const StepProblem& problem, const Islands& islands, int island,
                                    const StepSolution& solution) {
  const std::span<const int> velocities = islands.velocities(island);
  const int size = static_cast<int>(velocities.size());
  problem_.alpha = problem.alpha;
  for (Vector* list : {&problem_.v, &problem_.k, &solution_.v}) list->resize(size);
  problem_.weight.resize(problem.weight.size() > 0 ? size : 0);
  triplets_.clear();
  for (int i = 0; i < size; ++i) {
    const int global = velocities[i];
    problem_.v[i] = problem.v[global];
    problem_.k[i] = problem.k[global];
    if (problem.weight.size() > 0) problem_.weight[i] = problem.weight[global];
    solution_.v[i] = solution.v[global];
    for (SparseMatrix::InnerIterator it(problem.M, global); it; ++it)
      triplets_.add(islands.local(static_cast<int>(it.row())), i, it.value());
  }
  triplets_.fill(size, size, problem_.M);
}

void IslandProblem::copy_joints(const StepProblem& problem, const Islands& islands, int island,
                                const StepSolution& solution) {
  problem_.row_laws.clear();
  solution_.c_nu.clear();
  for (const int i : islands.joints(island)) {
    append(problem.nu, i, islands, problem_.nu);
    problem_.b_nu.push_back(problem.b_nu[i]);
    problem_.row_laws.push_back(problem.row_law(i));
    solution_.c_nu.push_back(solution.c_nu[i]);
  }
}

bool IslandProblem::copy_contacts(const StepProblem& problem, const Islands& islands, int island,
                                  const StepSolution& solution) {
  const std::span<const int> list = islands.contacts(island);
  for (auto* values : {&solution_.c_n, &solution_.c_t1, &solution_.c_t2, &solution_.lambda, &solution_.beta})
    values->clear();
  solution_.facets.clear();
  solution_.beta_start.assign(1, 0);
  for (const int j : list) {
    StepProblem::Contact contact = problem.contacts[j];
    for (int* other : {&contact.normal, &contact.partner}) {
      if (*other < 0) continue;
      const auto place = std::lower_bound(list.begin(), list.end(), *other);
      if (place == list.end() || *place != *other) return false;
      *other = static_cast<int>(place - list.begin());
    }
    problem_.contacts.push_back(contact);
    append(problem.n, j, islands, problem_.n);
    append(problem.t1, j, islands, problem_.t1);
    append(problem.t2, j, islands, problem_.t2);
    problem_.b_n.push_back(problem.b_n[j]);
    problem_.b_t1.push_back(problem.b_t1[j]);
    problem_.b_t2.push_back(problem.b_t2[j]);
    solution_.c_n.push_back(solution.c_n[j]);
    solution_.c_t1.push_back(solution.c_t1[j]);
    solution_.c_t2.push_back(solution.c_t2[j]);
    solution_.lambda.push_back(solution.lambda[j]);
    solution_.facets.push_back(solution.facets[j]);
    solution_.beta.insert(solution_.beta.end(), solution.beta.begin() + solution.beta_start[j],
                          solution.beta.begin() + solution.beta_start[j + 1]);
    solution_.beta_start.push_back(static_cast<int>(solution_.beta.size()));
  }
  return true;
}

bool IslandProblem::copy(const StepProblem& problem, const Islands& islands, int island, const StepSolution& solution) {
  problem_.clear_constraints();
  copy_velocities(problem, islands, island, solution);
  copy_joints(problem, islands, island, solution);
  return copy_contacts(problem, islands, island, solution);
}

}  // namespace stiction
