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

/// Takes the path's values if they certify; keeps the best so far in any case.
bool Lemke::accept(const Problem& problem, Solution& solution) {
  form_.to_problem(path_.values(), solution.z);
  const double residual = certify(problem, solution.z, work_).residual;
  if (residual < best_residual_) {
    best_residual_ = residual;
    best_ = solution.z;
    form_.basis_to_problem(path_.basic(), solution.basis);
  }
  return residual <= tolerance;
}

bool Lemke::try_reused(const Problem& problem, Solution& solution) {
  form_.basis_from_problem(solution.basis, basic_);
  if (!path_.evaluate(form_, basic_)) return false;
  return accept(problem, solution);
}

bool Lemke::climb(const Problem& problem, Solution& solution) {
  for (rung_ = 0; rung_ < std::min<int>(options_.most_tries, ladder.size()); ++rung_) {
    const Settings& settings = ladder[static_cast<std::size_t>(rung_)];
    if (settings.onward)
      basic_ = path_.basic();
    else
      basic_.assign(static_cast<std::size_t>(form_.size()), false);
    const LemkePath::End end = path_.run(form_, basic_, settings);
    solution.iterations += path_.pivots();
    saw_ray_ |= end == LemkePath::End::ray;
    if (end == LemkePath::End::solution && accept(problem, solution)) return true;
    if (end == LemkePath::End::ray && rung_ == 0 && options_.prove_infeasible) {
      prove(problem, solution);
      if (solution.status == Status::infeasible) return false;
    }
  }
  return false;
}

void Lemke::prove(const Problem& problem, Solution& solution) {
  Vector proof;
  form_.proof_to_problem(path_.values(), proof);
  if (!certify_infeasible(problem, proof).valid && !find_infeasibility_proof(problem, proof)) return;
  solution.proof = proof;
  solution.status = Status::infeasible;
}

void Lemke::run(const Problem& problem, Solution& solution) {
  best_residual_ = infinity;
  saw_ray_ = false;
  rung_ = 0;
  solution.status = Status::solved;
  split_.clear();
  form_.build(problem, split_);

  const bool has_suggestion = static_cast<Index>(solution.basis.size()) == problem.size() && problem.size() > 0;
  if (options_.reuse_basis && has_suggestion && try_reused(problem, solution)) {
    solution.reused_basis = true;
    return;
  }
  if (climb(problem, solution) || solution.status == Status::infeasible) return;

  // Free variables that are dependent by themselves but not redundant (equality rows without a diagonal block): split
  // them into two nonnegative ones and go through the ladder again.
  bool any_free = false;
  split_.assign(static_cast<std::size_t>(problem.size()), false);
  for (Index i = 0; i < problem.size(); ++i) {
    split_[static_cast<std::size_t>(i)] = problem.is_free(i);
    any_free |= problem.is_free(i);
  }
  if (any_free) {
    form_.build(problem, split_);
    if (climb(problem, solution) || solution.status == Status::infeasible) return;
  }
  if (best_residual_ < infinity) solution.z = best_;
  solution.status = saw_ray_ ? Status::ray : Status::iteration_limit;
}

}  // namespace stiction::lcp
