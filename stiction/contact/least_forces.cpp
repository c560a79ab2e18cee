#include "stiction/contact/least_forces.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "stiction/contact/limit_surface.h"

namespace stiction {

namespace {

// Impulses that differ by less of the largest are the same: they were unique.
constexpr double same = 1e-9;

}  // namespace

bool LeastForces::find_island(const StepProblem& problem, int island, double speed, StepSolution& solution) {
  if (islands_.contacts(island).empty()) return false;
  finder_.find(problem, islands_, island, solution, speed, set_);
  // One contact alone, and nothing that could take its part, has no choice.
  if (set_.closed + static_cast<int>(set_.bounded.size()) < 2) return false;
  ++counts_.islands;
  target_.assign(static_cast<std::size_t>(set_.size()), 0.0);
  for (const ForceSet::Group& group : set_.groups)
    if (group.normal >= 0) target_[group.normal] = -group.slope;
  const bool found = projection_.solve(set_, target_);
  counts_.iterations += projection_.iterations();
  if (!found) {
    ++counts_.left;
    return false;
  }
  const std::vector<double>& x = projection_.x();
  double largest = 0.0, change = 0.0;
  for (std::size_t c = 0; c < x.size(); ++c) {
    largest = std::max(largest, std::abs(set_.found[c]));
    change = std::max(change, std::abs(x[c] - set_.found[c]));
  }
  if (!(change > same * largest)) return false;
  finder_.write(problem, set_, x, solution);
  ++counts_.changed;
  return true;
}

void LeastForces::copy_island(int island, const StepSolution& from, StepSolution& to) const {
  for (const int i : islands_.joints(island)) to.c_nu[i] = from.c_nu[i];
  for (const int j : islands_.contacts(island)) {
    to.c_n[j] = from.c_n[j];
    to.c_t1[j] = from.c_t1[j];
    to.c_t2[j] = from.c_t2[j];
    to.lambda[j] = from.lambda[j];
    to.facets[j] = from.facets[j];
    std::copy(from.beta.begin() + from.beta_start[j], from.beta.begin() + from.beta_start[j + 1],
              to.beta.begin() + to.beta_start[j]);
  }
}

bool LeastForces::is_certified(const StepProblem& problem, const StepSolution& solution, StepCertificate& certificate) {
  counts_.judged += problem.size();
  certificate = certify(problem, solution, certify_work_);
  return certificate.certified(tolerance_);
}

/// Gives the islands that changed their shortest forces: all of them or, where the answer does not certify then, those
/// that certify alone. True when any was given its own.
bool LeastForces::share(const StepProblem& problem, StepSolution& solution, StepCertificate& certificate) {
  StepCertificate found;
  if (is_certified(problem, least_, found)) {
    std::swap(solution, least_);
    certificate.merge(found);
    return true;
  }
  const auto changed = static_cast<long>(changed_.size());
  std::erase_if(changed_, [&](int island) {
    return !part_.copy(problem, islands_, island, least_) || !is_certified(part_.problem(), part_.solution(), found);
  });
  by_solver_ = solution;
  for (const int island : changed_) copy_island(island, least_, solution);
  // What islands lack of energy adds up: the whole decides.
  if (!changed_.empty() && !is_certified(problem, solution, found)) {
    changed_.clear();
    std::swap(solution, by_solver_);
  }
  const long left = changed - static_cast<long>(changed_.size());
  counts_.changed -= left;
  counts_.left += left;
  if (changed_.empty()) return false;
  certificate.merge(found);
  return true;
}

bool LeastForces::find(const StepProblem& problem, StepSolution& solution, StepCertificate& certificate) {
  if (problem.size() == 0 || !certificate.certified(tolerance_)) return false;
  islands_.split(problem);
  const double speed = speed_of(problem, solution);
  least_ = solution;
  changed_.clear();
  const bool has_pairs = problem.has_pairs();
  if (has_pairs) share_out(problem, solution, blocks_);
  for (int island = 0; island < islands_.size(); ++island)
    if (find_island(has_pairs ? blocks_ : problem, island, speed, least_)) changed_.push_back(island);
  return !changed_.empty() && share(problem, solution, certificate);
}

}  // namespace stiction
