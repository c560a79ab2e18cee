#include "apps/contact_problem.h"

#include <utility>
#include <variant>

#include "stiction/cone/joint_proof.h"

namespace stiction::apps {

std::string ContactProblem::solve(cone::Solver& solver, cone::Solution& solution) {
  const auto* form = std::get_if<cone::FactorForm>(&stored_);
  if (form != nullptr && solver.name() == "auto") {
    on_factors_.tolerance = solver.tolerance;
    solved_ = &on_factors_.problem();
    if (std::string defect = on_factors_.prepare(*form); !defect.empty()) return defect;
    on_factors_.solve(solution);
    return {};
  }
  if (form != nullptr && !condensed_) {
    Result<cone::Problem> problem = cone::condense(*form);
    if (!problem) return problem.error();
    if (std::string defect = judge_.prepare(*form); !defect.empty()) return defect;
    condensed_ = std::move(problem).value();
  }
  solved_ = form != nullptr ? &*condensed_ : &std::get<cone::Problem>(stored_);
  solver.solve(*solved_, solution);
  if (form != nullptr && solution.status != cone::Status::infeasible)
    judge_on_factors(*form, solver.tolerance, solution);
  return {};
}

void ContactProblem::judge_on_factors(const cone::FactorForm& form, double tolerance, cone::Solution& solution) {
  const cone::Certificate certificate = judge_.certify(solution.r);
  if (certificate.certified(tolerance)) return;
  solution.certificate = certificate;
  solution.status = cone::Status::iteration_limit;
  cone::refute_held(form, judge_, tolerance, solution);
}

}  // namespace stiction::apps
