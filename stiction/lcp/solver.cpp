#include "stiction/lcp/solver.h"

namespace stiction::lcp {

std::string_view to_string(Status status) {
  switch (status) {
    case Status::solved:
      return "solved";
    case Status::infeasible:
      return "infeasible";
    case Status::ray:
      return "ray";
    case Status::iteration_limit:
      return "iteration_limit";
    case Status::invalid:
      return "invalid";
  }
  return "invalid";
}

void Solver::solve(const Problem& problem, Solution& solution) {
  solution.status = Status::invalid;
  solution.iterations = 0;
  solution.reused_basis = false;
  solution.proof.resize(0);
  solution.certificate = {};
  solution.attempts.clear();
  if (!find_defect(problem).empty()) return;

  run(problem, solution);

  if (solution.status == Status::invalid) return;
  if (solution.z.size() == problem.size()) solution.certificate = certify(problem, solution.z, certify_work_);
  if (solution.certificate.certified(tolerance))
    solution.status = Status::solved;
  else if (solution.status == Status::solved)
    solution.status = Status::iteration_limit;
  else if (solution.status == Status::infeasible && !certify_infeasible(problem, solution.proof).valid)
    solution.status = Status::ray;
  if (solution.status != Status::infeasible) solution.proof.resize(0);
  if (solution.attempts.empty())
    solution.attempts.push_back({name(), solution.iterations, solution.certificate.residual});
}

}  // namespace stiction::lcp
