#include "stiction/cone/solver.h"

namespace stiction::cone {

void Solver::solve(const Problem& problem, Solution& solution) {
  solution.status = Status::invalid;
  solution.iterations = 0;
  solution.attempts.clear();
  solution.certificate = {};
  if (!find_defect(problem).empty()) return;

  scaled_.load(problem);
  if (solution.r.size() == problem.size() && solution.r.allFinite())
    scaled_.from_original(solution.r, s_);
  else
    s_.setZero(scaled_.size());
  attempts_.clear();
  // A little below, since the certificate is rounded otherwise than the scaled problem's residual.
  solution.iterations = improve(scaled_, 0.5 * tolerance, s_);
  scaled_.to_original(s_, solution.r);
  solution.certificate = certify(problem, solution.r, certify_work_);
  if (attempts_.empty()) attempts_.push_back({name(), solution.iterations, solution.certificate.residual});
  solution.attempts = attempts_;
  solution.status = solution.certificate.certified(tolerance) ? Status::solved : Status::iteration_limit;
}

}  // namespace stiction::cone
