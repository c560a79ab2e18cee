#include "stiction/contact/least_forces.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "stiction/contact/limit_surface.h"

namespace stiction {

namespace {

// Impulses that differ by less of the largest are the same: they were unique.
constexpr double same = 1e-13;
// Steps after which the memory of an island that is no more is another's.
constexpr long kept_steps = 16;

}  // namespace

/// That of the island that began with the same velocity, or else one that was not used for long.
ForceProjection& LeastForces::projection_of(int first_velocity) {
  const auto size = static_cast<std::size_t>(first_velocity) + 1;
  if (memory_of_.size() < size) memory_of_.resize(size, -1);
  int& at = memory_of_[first_velocity];
  if (at < 0 || memories_[at]->first_velocity != first_velocity) {
    if (next_ >= memories_.size()) next_ = 0;
    const bool is_free = !memories_.empty() && memories_[next_]->used + kept_steps < step_;
    at = static_cast<int>(is_free ? next_ : memories_.size());
    if (!is_free) memories_.push_back(std::make_unique<Memory>());
    memories_[at]->first_velocity = first_velocity;
    ++next_;
  }
  memories_[at]->used = step_;
  return memories_[at]->projection;
}

bool LeastForces::find_island(const StepProblem& problem, int island, double speed, StepSolution& solution) {
  if (islands_.contacts(island).empty()) return false;
  finder_.find(problem, islands_, island, solution, speed, set_);
  // One contact alone, and nothing that could take its part, has no choice.
  if (set_.closed + static_cast<int>(set_.bounded.size()) < 2) return false;
  ++counts_.islands;
  const ForceSet& set = determined_.find(set_) ? determined_.rest(set_, rest_) : set_;
  if (set.size() == 0) return false;
  target_.assign(static_cast<std::size_t>(set.size()), 0.0);
  for (const ForceSet::Group& group : set.groups)
    if (group.normal >= 0) target_[group.normal] = -group.slope;
  ForceProjection& projection = projection_of(islands_.velocities(island).front());
  const bool found = projection.resume(set, target_);
  counts_.iterations += projection.iterations();
  if (!found) {
    ++counts_.left;
    return false;
  }
  const std::vector<double>& x = projection.x();
  double largest = 0.0, change = 0.0;
  for (const double value : set_.found) largest = std::max(largest, std::abs(value));
  for (std::size_t c = 0; c < x.size(); ++c) change = std::max(change, std::abs(x[c] - set.found[c]));
  if (!(change > same * largest)) return false;
  finder_.write(problem, set, x, solution);
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
  ++step_;
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
