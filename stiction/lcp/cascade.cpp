#include "stiction/lcp/cascade.h"

namespace stiction::lcp {

/// True when there is an answer, or a proof that there is none. Otherwise the better of the two points is kept, and its
/// status with it.
bool Cascade::ask(Solver& method, const Problem& problem, Solution& solution) {
  method.tolerance = tolerance;
  trial_.z.resize(0);  // no start: those of the methods before have led to nothing
  trial_.basis.clear();
  method.solve(problem, trial_);
  attempts_.push_back({method.name(), trial_.iterations, trial_.certificate.residual});
  const bool is_settled = trial_.status == Status::solved || trial_.status == Status::infeasible;
  if (is_settled || trial_.certificate.residual < solution.certificate.residual) {
    const Status status = is_settled ? trial_.status : solution.status;
    const int before = solution.iterations;
    std::swap(solution, trial_);
    solution.status = status;
    solution.iterations += before;
  } else {
    solution.iterations += trial_.iterations;
  }
  return is_settled;
}

bool Cascade::ask_others(const Problem& problem, Solution& solution) {
  if (!others_) others_ = std::make_unique<Others>(options_);
  const Index n = problem.size();
  if (n <= options_.pivoting && ask(others_->pivoting, problem, solution)) return true;
  if (n <= options_.newton && ask(others_->newton, problem, solution)) return true;
  if (n <= Enumeration::Options{}.max_size && ask(others_->enumeration, problem, solution)) return true;
  return n <= options_.many_starts_size && ask(others_->many_newtons, problem, solution);
}

void Cascade::run(const Problem& problem, Solution& solution) {
  attempts_.clear();
  lemke_.tolerance = tolerance;
  lemke_.solve(problem, solution);
  attempts_.push_back({lemke_.name(), solution.iterations, solution.certificate.residual});
  if (solution.status != Status::solved && solution.status != Status::infeasible) ask_others(problem, solution);
  solution.attempts = attempts_;
}

}  // namespace stiction::lcp
