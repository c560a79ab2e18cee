#include "stiction/lcp/lemke.h"

#include <algorithm>
#include <array>

#include "stiction/lcp/infeasibility.h"

namespace stiction::lcp {

namespace {

using Settings = LemkePath::Settings;

/// The ladder: tolerances start tight and loosen only on failure; then another cover vector, another order, and at last
/// a perturbation of q that the final linear solve takes out again. Never a diagonal (DESIGN.md, section 5).
constexpr std::array<Settings, 12> ladder = {{
    {.tie = 1e-12, .pivot = 1e-9, .seed = 1},
    {.tie = 1e-11, .pivot = 1e-9, .random_cover = true, .seed = 2, .onward = true},
    {.tie = 1e-10, .pivot = 1e-8, .random_cover = true, .seed = 3},
    {.tie = 1e-10, .pivot = 1e-8, .random_cover = true, .seed = 4, .onward = true},
    {.tie = 1e-13, .pivot = 1e-10, .random_cover = true, .seed = 5},
    {.tie = 1e-9, .pivot = 1e-8, .random_cover = true, .seed = 6, .onward = true},
    {.tie = 1e-12, .pivot = 1e-9, .random_cover = true, .perturbation = 1e-9, .seed = 7},
    {.tie = 1e-12, .pivot = 1e-9, .random_cover = true, .seed = 8, .onward = true},
    {.tie = 1e-9, .pivot = 1e-7, .random_cover = true, .seed = 9},
    {.tie = 1e-12, .pivot = 1e-9, .random_cover = true, .perturbation = 1e-7, .seed = 10},
    {.tie = 1e-12, .pivot = 1e-9, .random_cover = true, .seed = 11, .onward = true},
    {.tie = 1e-11, .pivot = 1e-9, .random_cover = true, .seed = 12, .pivots_per_row = 100.0},
}};

}  // namespace

/// Evaluates the basis basic_ and takes the point if it certifies; keeps the best so far in any case.
bool Lemke::accept(const Problem& problem, Solution& solution) {
  if (!point_.evaluate(form_, basic_, solution.z)) return false;
  const Certificate certificate = certify(problem, solution.z, work_);
  if (certificate.residual < best_residual_) {
    best_residual_ = certificate.residual;
    best_ = solution.z;
    form_.basis_to_problem(basic_, solution.basis);
  }
  return certificate.certified(tolerance);
}

/// The point of the box nearest to zero: with bounds on both sides of it, a path that starts from a bound would only
/// come back to it up to rounding, and where q = 0 that is no answer.
bool Lemke::accept_rest(const Problem& problem, Solution& solution) {
  solution.z.resize(problem.size());
  solution.basis.resize(static_cast<std::size_t>(problem.size()));
  for (Index i = 0; i < problem.size(); ++i) {
    const double lower = problem.lower_bound(i), upper = problem.upper_bound(i);
    const double z = solution.z[i] = std::clamp(0.0, lower, upper);
    solution.basis[static_cast<std::size_t>(i)] = z == lower ? Place::lower : z == upper ? Place::upper : Place::basic;
  }
  return certify(problem, solution.z, work_).certified(tolerance);
}

bool Lemke::accept_end(const Problem& problem, Solution& solution) {
  basic_ = path_.basic();
  if (accept(problem, solution)) return true;
  if (path_.undecided() < 0) return false;
  basic_[path_.undecided()] = true;
  return accept(problem, solution);
}

/// True when there is an answer, or a proof that there is none.
bool Lemke::climb(const Problem& problem, Solution& solution) {
  using End = LemkePath::End;
  for (rung_ = 0; rung_ < std::min<int>(options_.most_tries, ladder.size()); ++rung_) {
    const Settings& settings = ladder[static_cast<std::size_t>(rung_)];
    if (settings.onward)
      basic_ = path_.basic();
    else
      basic_.assign(static_cast<std::size_t>(form_.size()), false);
    const End end = path_.run(form_, basic_, settings);
    solution.iterations += path_.pivots();
    if (end == End::no_start && !settings.onward) return false;  // so would every other try from z = 0
    if (end == End::solution && accept_end(problem, solution)) return true;
    if (end == End::ray) {
      saw_ray_ = true;
      if (prove(problem, solution, true)) return true;
    }
  }
  return false;
}

/// Looks once in a solve: first at the ray, if there is one, then by the linear programme.
bool Lemke::prove(const Problem& problem, Solution& solution, bool from_ray) {
  if (!options_.prove_infeasible || looked_for_proof_) return false;
  looked_for_proof_ = true;
  if (from_ray) form_.proof_to_problem(path_.ray(), proof_);
  if (!(from_ray && mend_infeasibility_proof(problem, proof_)) && !find_infeasibility_proof(problem, proof_))
    return false;
  solution.proof = proof_;
  solution.status = Status::infeasible;
  return true;
}

/// False when there are none.
bool Lemke::split_free_variables(const Problem& problem) {
  bool any = false;
  split_.assign(static_cast<std::size_t>(problem.size()), false);
  for (Index i = 0; i < problem.size(); ++i)
    if (problem.is_free(i)) any = split_[static_cast<std::size_t>(i)] = true;
  if (any) form_.build(problem, split_);
  return any;
}

void Lemke::run(const Problem& problem, Solution& solution) {
  best_residual_ = infinity;
  saw_ray_ = looked_for_proof_ = false;
  rung_ = 0;
  solution.status = Status::solved;
  split_.clear();
  form_.build(problem, split_);

  const bool has_suggestion = static_cast<Index>(solution.basis.size()) == problem.size() && problem.size() > 0;
  if (options_.reuse_basis && has_suggestion) {
    form_.basis_from_problem(solution.basis, basic_);
    solution.reused_basis = accept(problem, solution);
    if (solution.reused_basis) return;
  }
  if (form_.is_shifted() && accept_rest(problem, solution)) return;
  if (climb(problem, solution)) return;
  // Free variables that are dependent by themselves but not redundant (multipliers of equality constraints) leave no
  // basis to start from: split them into two nonnegative ones. One try that ended in a ray had such a basis.
  const bool had_its_try = options_.most_tries == 1 && saw_ray_;
  if (!had_its_try && split_free_variables(problem) && climb(problem, solution)) return;
  if (prove(problem, solution, false)) return;
  if (best_residual_ < infinity)
    solution.z = best_;
  else
    solution.z.setZero(problem.size());
  solution.status = saw_ray_ ? Status::ray : Status::iteration_limit;
}

}  // namespace stiction::lcp
