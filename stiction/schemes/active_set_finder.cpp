#include "stiction/schemes/active_set_finder.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace stiction {

bool ActiveSetFinder::solve(const Acceleration& at, StepReport& report) {
  at.pose(problem_);
  ++report.solves;
  return solver_.solve(problem_, solution_, certificate_);
}

MotionStatus ActiveSetFinder::solve(double t, const Vector& q, const Vector& v, const ActiveSet& candidates,
                                    StepReport& report) {
  const MotionStatus status = acceleration_.evaluate(t, q, v, candidates);
  if (status != MotionStatus::fine) return status;
  return solve(acceleration_, report) ? MotionStatus::fine : MotionStatus::not_finite;
}

double ActiveSetFinder::scale() const {
  double largest = solution_.v.size() > 0 ? solution_.v.lpNorm<Eigen::Infinity>() : 0.0;
  for (int i = 0; i < problem_.velocities(); ++i)
    largest = std::max(largest, std::abs(problem_.k[i]) / problem_.M.coeff(i, i));
  return std::max(largest, std::numeric_limits<double>::min());
}

bool ActiveSetFinder::sort_out(const ActiveSet& candidates, ActiveSet& active) const {
  const double nothing = sharp * scale();
  bool in_doubt = false;
  active.contacts.clear();
  for (int j = 0; j < problem_.size(); ++j) {
    const double push = solution_.c_n[j] * acceleration_.mobility(j);
    const double parting = problem_.n.dot(j, solution_.v) + problem_.b_n[j];
    if (parting > nothing && push <= nothing) continue;
    in_doubt = in_doubt || push <= nothing;
    active.contacts.push_back(candidates.contacts[j]);
  }
  return in_doubt;
}

bool ActiveSetFinder::find(const State& state, const ActiveSet& candidates, double tau, StepReport& report) {
  active_.contacts.clear();
  if (candidates.contacts.empty()) return true;
  const MotionStatus status = solve(state.t, state.q, state.v, candidates, report);
  report.forces_are_finite = report.forces_are_finite && status != MotionStatus::not_finite;
  if (status != MotionStatus::fine) return false;
  report.certificate.merge(certificate_);
  if (!sort_out(candidates, active_)) return true;
  for (std::size_t tries = 0; tries < 2 * candidates.contacts.size() + 4; ++tries) {
    if (motion_.begin(state.t, state.q, state.v, active_) != MotionStatus::fine) break;
    if (motion_.advance(tau) != MotionStatus::fine) break;
    if (solve(motion_.t(), motion_.q(), motion_.v(), candidates, report) != MotionStatus::fine) break;
    sort_out(candidates, next_);
    if (next_ == active_) break;
    std::swap(active_, next_);
  }
  return true;
}

double ActiveSetFinder::largest_parting(const Acceleration& at, StepReport& report) {
  if (!solve(at, report)) return -1.0;
  double largest = 0.0;
  for (int j = 0; j < problem_.size(); ++j)
    largest = std::max(largest, problem_.n.dot(j, solution_.v) + problem_.b_n[j]);
  return largest / scale();
}

bool ActiveSetFinder::certify_pushing(const Acceleration& at, StepReport& report) {
  if (!solve(at, report)) return false;
  report.certificate.merge(certificate_);
  return true;
}

}  // namespace stiction
