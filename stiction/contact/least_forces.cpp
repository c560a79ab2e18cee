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

bool LeastForces::find(const StepProblem& problem, StepSolution& solution, StepCertificate& certificate) {
  if (problem.size() == 0 || !certificate.certified(tolerance_)) return false;
  islands_.split(problem);
  const double speed = speed_of(problem, solution);
  least_ = solution;
  long changed = 0;
  for (int island = 0; island < islands_.size(); ++island) changed += find_island(problem, island, speed, least_);
  if (changed == 0) return false;
  const StepCertificate found = certify(problem, least_, certify_work_);
  if (!found.certified(tolerance_)) {
    counts_.changed -= changed;
    counts_.left += changed;
    return false;
  }
  std::swap(solution, least_);
  certificate.merge(found);
  return true;
}

}  // namespace stiction
