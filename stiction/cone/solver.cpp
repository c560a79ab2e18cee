#include "stiction/cone/solver.h"

#include <algorithm>

#include "stiction/cone/infeasibility.h"

namespace stiction::cone {

void Solver::solve(const Problem& problem, Solution& solution) {
  solution.status = Status::invalid;
  solution.iterations = 0;
  solution.attempts.clear();
  solution.certificate = {};
  solution.proof.resize(0);
  solution.bound = 0.0;
  if (!find_defect(problem).empty()) return;
  if (problem.is_contradictory()) {
    solution.status = Status::infeasible;
    solution.r.setZero(problem.size());
    solution.proof = problem.contradiction.y;
    solution.bound = problem.contradiction.bound;
    return;
  }

  scaled_.load(problem);
  if (solution.r.size() == problem.size() && solution.r.allFinite() && !problem.q.isZero(0.0))
    scaled_.from_original(solution.r, s_);
  else
    s_.setZero(scaled_.size());
  attempts_.clear();
  // A little below, since the certificate is rounded otherwise than the scaled problem's residual.
  solution.iterations = improve(scaled_, 0.5 * tolerance, s_);
  scaled_.to_original(s_, solution.r);
  solution.certificate = certify(problem, solution.r, certify_work_);
  const Certificate& certificate = solution.certificate;
  if (attempts_.empty())
    attempts_.push_back({name(), solution.iterations, std::max(certificate.residual, certificate.contact_residual)});
  solution.attempts = attempts_;
  solution.status = certificate.certified(tolerance) ? Status::solved : Status::iteration_limit;
  if (solution.status == Status::solved || !prove_infeasible) return;
  const InfeasibilityProof proof =
      find_infeasibility_proof(problem, scaled_, solution.r, certificate.worst, solution.proof);
  if (proof.refutes(tolerance)) {
    solution.status = Status::infeasible;
    solution.bound = proof.bound;
  } else {
    solution.proof.resize(0);
  }
}

}  // namespace stiction::cone
