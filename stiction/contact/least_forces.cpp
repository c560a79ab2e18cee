#include "stiction/contact/least_forces.h"

#include <algorithm>
#include <cmath>

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

/// Gives these islands of `solution` their shortest forces; where the answer does not certify then, each half of them,
/// down to the islands that keep the solver's. True when any changed.
bool LeastForces::share(const StepProblem& problem, std::span<const int> changed, StepSolution& solution,
                        StepCertificate& certificate) {
  for (const int island : changed) copy_island(island, least_, solution);
  const StepCertificate found = certify(problem, solution, certify_work_);
  if (found.certified(tolerance_)) {
    certificate.merge(found);
    return true;
  }
  for (const int island : changed) copy_island(island, by_solver_, solution);
  if (changed.size() == 1) {
    --counts_.changed;
    ++counts_.left;
    return false;
  }
  const std::size_t half = changed.size() / 2;
  const bool first = share(problem, changed.first(half), solution, certificate);
  return share(problem, changed.subspan(half), solution, certificate) || first;
}

bool LeastForces::find(const StepProblem& problem, StepSolution& solution, StepCertificate& certificate) {
  if (problem.size() == 0 || !certificate.certified(tolerance_)) return false;
  islands_.split(problem);
  const double speed = speed_of(problem, solution);
  least_ = solution;
  changed_.clear();
  for (int island = 0; island < islands_.size(); ++island)
    if (find_island(problem, island, speed, least_)) changed_.push_back(island);
  if (changed_.empty()) return false;
  by_solver_ = solution;
  return share(problem, changed_, solution, certificate);
}

}  // namespace stiction
