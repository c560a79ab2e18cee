#include "stiction/schemes/active_set_finder.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace stiction {

namespace {

// What is left of a row beside the others, relative to its size, below which it adds nothing to them.
constexpr double dependent = 1e-9;

}  // namespace

/// An event at the end of one surface is at the start of the next one: there all contacts are taken for beyond it.
ActiveSetFinder::ActiveSetFinder(const System& system, PolyhedralSolver& solver)
    : solver_(solver), acceleration_(system), motion_(system) {
  acceleration_.see_bends_ahead(20.0);
}

bool ActiveSetFinder::solve(const Acceleration& at, StepReport& report) {
  at.pose(problem_);
  ++report.solves;
  return solver_.solve(problem_, solution_, certificate_);
}

MotionStatus ActiveSetFinder::solve(double t, const Vector& q, const Vector& v, const ActiveSet& candidates,
                                    StepReport& report) {
  const MotionStatus status = acceleration_.evaluate(t, q, v, candidates);
  if (status != MotionStatus::fine) return status;
  return solve(acceleration_, report) ? MotionStatus::fine : MotionStatus::unsolved;
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
  active.drives = candidates.drives;
  const ActiveRows& rows = acceleration_.rows();
  for (std::size_t k = 0; k < rows.held().size(); ++k) {
    const int row = rows.joints() + static_cast<int>(k);
    const Drive& drive = rows.drives().drives[rows.held()[k]];
    const double mobility = acceleration_.held_mobility(static_cast<int>(k)), force = solution_.c_nu[row];
    const double speeding = problem_.row_speed(row, solution_.v, force);
    const bool at_lower = (force - drive.lower) * mobility <= nothing,
               at_upper = (drive.upper - force) * mobility <= nothing;
    if (at_lower && speeding > nothing)
      active.drives[rows.held()[k]] = DriveMode::at_lower;
    else if (at_upper && speeding < -nothing)
      active.drives[rows.held()[k]] = DriveMode::at_upper;
    else
      in_doubt = in_doubt || at_lower || at_upper;
  }
  for (int j = 0; j < problem_.size(); ++j) {
    const double push = solution_.c_n[j] * acceleration_.mobility(j);
    const double parting = problem_.n.dot(j, solution_.v) + problem_.b_n[j];
    if (parting > nothing && push <= nothing) continue;
    if (push <= nothing && std::binary_search(leaving_.begin(), leaving_.end(), candidates.contacts[j])) continue;
    in_doubt = in_doubt || push <= nothing;
    active.contacts.push_back(candidates.contacts[j]);
  }
  return in_doubt;
}

bool ActiveSetFinder::find(const State& state, const ActiveSet& candidates, const std::vector<std::uint64_t>& leaving,
                           double tau, StepReport& report) {
  active_ = candidates;
  leaving_ = leaving;
  const bool is_held =
      std::find(candidates.drives.begin(), candidates.drives.end(), DriveMode::holds) != candidates.drives.end();
  if (candidates.contacts.empty() && !is_held) return true;
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
  for (int i = at.rows().joints(); i < problem_.joints(); ++i)
    largest = std::max(largest, std::abs(problem_.row_speed(i, solution_.v, solution_.c_nu[i])));
  for (int j = 0; j < problem_.size(); ++j)
    largest = std::max(largest, problem_.n.dot(j, solution_.v) + problem_.b_n[j]);
  return largest / scale();
}

/// As a step problem at rest, with minus the sum as applied impulse: it stays at rest. What the solver finds is one
/// answer of many; the one of least length is taken.
void ActiveSetFinder::make_push(const Acceleration& at, double length, Vector& impulses, StepReport& report) {
  const ActiveRows& rows = at.rows();
  at.pose(problem_);
  lower_.assign(static_cast<std::size_t>(rows.size()), -std::numeric_limits<double>::infinity());
  upper_.assign(static_cast<std::size_t>(rows.size()), std::numeric_limits<double>::infinity());
  for (std::size_t i = 0; i < problem_.row_laws.size(); ++i) {
    StepProblem::RowLaw& law = problem_.row_laws[i];
    lower_[i] = law.lower *= length;
    upper_[i] = law.upper *= length;
  }
  std::fill(lower_.begin() + problem_.joints(), lower_.end(), 0.0);
  problem_.k.setZero();
  for (int i = 0; i < rows.size(); ++i) rows.rows().add_to(i, -impulses[i], problem_.k);
  std::fill(problem_.b_nu.begin(), problem_.b_nu.end(), 0.0);
  std::fill(problem_.b_n.begin(), problem_.b_n.end(), 0.0);
  ++report.solves;
  if (!solver_.solve(problem_, solution_, certificate_)) return;
  double applied = 0.0;
  for (int i = 0; i < problem_.velocities(); ++i)
    applied = std::max(applied, std::abs(problem_.k[i]) / problem_.M.coeff(i, i));
  if (solution_.v.lpNorm<Eigen::Infinity>() > 1e-8 * applied) return;
  for (int i = 0; i < problem_.joints(); ++i) impulses[i] = std::clamp(solution_.c_nu[i], lower_[i], upper_[i]);
  for (int j = 0; j < problem_.size(); ++j) impulses[problem_.joints() + j] = std::max(solution_.c_n[j], 0.0);
  bounded_.share(rows.rows(), problem_.velocities(), lower_, upper_, dependent, impulses);
}

bool ActiveSetFinder::certify_pushing(const Acceleration& at, StepReport& report) {
  if (!solve(at, report)) return false;
  report.certificate.merge(certificate_);
  return true;
}

}  // namespace stiction
