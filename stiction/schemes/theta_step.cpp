#include "stiction/schemes/theta_step.h"

#include <algorithm>
#include <cmath>

namespace stiction {

namespace {

// Newton's method on (2.5) of 2006 ends when velocities change by less, relative to 1 + |v|.
constexpr double settled = 1e-13, stalled = 1e-6;
// It begins by itself where the forces at the end are off by so much, as a share of the speed: a stiff spring that
// turns has left its line by (h v)^2/2L, and what it is longer by is nothing to second order but everything to its
// stiffness.
constexpr double missed = 1e-3;

/// Friction or a motor that may give way.
bool holds_within_bounds(const Drive& drive) {
  return !std::isfinite(drive.damping) && std::isfinite(drive.upper);
}

}  // namespace

/// Gaps and joints where the scheme evaluates its geometry.
void ThetaStep::place(const State& state, const Vector& v_middle) {
  const double h = step_.h;
  system_.advance(state.q, v_middle, share_ * h, q_hat_);
  const double way = state.v.size() == 0 ? 0.0 : h * state.v.lpNorm<Eigen::Infinity>();
  work_.look(state.t + share_ * h, q_hat_, 1e-3 + options_.contact_tolerance + 3.0 * way);
}

void ThetaStep::pose(const State& state, const std::vector<std::uint64_t>& closed, double theta) {
  const double back = share_ * step_.h;
  // The position at the start, to first order from q^, over the whole step (2006, section 10.3).
  const auto position_part = [&](double value, double rate) { return theta * (value - back * rate) / whole_; };
  work_.begin_constraints();
  const JointSet& joints = work_.joints();
  for (int i = 0; i < joints.size(); ++i) {
    double part = 0.0;
    if (theta > 0.0 && !joints.is_pfaffian(i))
      part = position_part(joints.Theta[i], joints.nu.dot(i, state.v) - joints.velocity[i]);
    work_.add_joint(i, part - joints.velocity[i]);
  }
  add_drives(state);
  const GapSet& gaps = work_.gaps();
  for (int j = 0; j < gaps.size(); ++j) {
    if (!std::binary_search(closed.begin(), closed.end(), gaps.contacts[j].id)) continue;
    double part = 0.0;
    if (theta > 0.0 && !gaps.contacts[j].pfaffian) part = position_part(gaps.contacts[j].Phi, gaps.opening(j, state.v));
    work_.add_contact(j, part + gaps.normal_speed[j]);
  }
}

/// The law of a drive and its right-hand side. With x its position at the start of the step and w = r'v - velocity,
/// c = -h [k (x + alpha h w_gamma) + d w_alpha], where w_gamma is written in w_alpha and w.
StepProblem::RowLaw ThetaStep::law_of(const Drive& drive, double speed, double start, double& b) const {
  const double h = step_.h, alpha = step_.alpha, gamma = step_.gamma;
  StepProblem::RowLaw law{h * drive.lower, h * drive.upper, 0.0};
  b = -drive.velocity;
  if (!std::isfinite(drive.damping)) return law;
  law.compliance = 1.0 / (h * (gamma * h * drive.stiffness + drive.damping));
  b += law.compliance * h * drive.stiffness * (start + (alpha - gamma) * h * speed);
  return law;
}

/// What drives are to hold at both ends of the part: that of a motor may be a function of time.
void ThetaStep::find_targets(const State& state, const DriveSet& drives) {
  targets_.assign(drives.drives.size(), {0.0, 0.0});
  const bool any_moves = std::any_of(drives.drives.begin(), drives.drives.end(), [](const Drive& drive) {
    return holds_within_bounds(drive) && drive.velocity != 0.0;
  });
  if (!any_moves) return;
  const auto find = [&](double t, double std::pair<double, double>::* end) {
    system_.find_drives(t, q_hat_, 0.0, end_drives_);
    for (std::size_t i = 0; i < targets_.size() && i < end_drives_.drives.size(); ++i)
      targets_[i].*end = end_drives_.drives[i].velocity;
  };
  find(state.t, &std::pair<double, double>::first);
  find(state.t + step_.h, &std::pair<double, double>::second);
}

/// Motors, servos and friction in joints are rows with bounds, at the middle of the step; springs and dampers that are
/// too stiff for M~ are soft rows, with the direction of the start as (9.2)-(9.3) of 2006 have it.
void ThetaStep::add_drives(const State& state) {
  const double ahead = step_.alpha * step_.h;
  double b = 0.0;
  holding_rows_.clear();
  if (share_ != step_.alpha) system_.advance(state.q, state.v, ahead, q_drive_);
  const DriveSet& drives = work_.find_drives(state.t + ahead, share_ == step_.alpha ? q_hat_ : q_drive_, step_.h);
  find_targets(state, drives);
  for (int i = 0; i < drives.size(); ++i) {
    const Drive& drive = drives.drives[i];
    if (std::isfinite(drive.damping) && step_.gamma * step_.h * drive.stiffness + drive.damping == 0.0) continue;
    if (holds_within_bounds(drive))
      holding_rows_.push_back({work_.problem().joints(), drive.event, targets_[i].first, targets_[i].second});
    const double speed = drives.r.dot(i, state.v) - drive.velocity;
    const StepProblem::RowLaw law = law_of(drive, speed, drive.position - ahead * speed, b);
    work_.add_drive(i, b, law);
  }
  const DriveSet& stiff = forces_.stiff_drives();
  first_stiff_row_ = work_.problem().joints();
  for (int i = 0; i < stiff.size(); ++i) {
    const Drive& drive = stiff.drives[i];
    const StepProblem::RowLaw law = law_of(drive, stiff.r.dot(i, state.v) - drive.velocity, drive.position, b);
    work_.problem().add_drive(drive.bodies, drive.owner, {&stiff.r, i}, b, law);
  }
}

/// Where nothing certifies with the stabilising terms they are dropped, and the report says so.
bool ThetaStep::solve_relaxed(StepReport& report) {
  StepProblem& problem = work_.problem();
  const GapSet& gaps = work_.gaps();
  for (int j = 0; j < problem.size(); ++j)
    if (problem.has_normal(j)) problem.b_n[j] = gaps.normal_speed[gaps.find(problem.contacts[j].id)];
  for (int i = 0; i < work_.joints().size(); ++i) problem.b_nu[i] = -work_.joints().velocity[i];
  report.relaxed = true;
  return work_.solve(report);
}

void ThetaStep::read(const State& state) {
  v_new_ = work_.solution().v;
  v_alpha_ = step_.alpha * v_new_ + (1.0 - step_.alpha) * state.v;
  v_gamma_ = step_.gamma * v_new_ + (1.0 - step_.gamma) * state.v;
}

/// The problem that is posed, three times where the gyroscopic force needs a velocity that is not known yet.
bool ThetaStep::solve(const State& state, StepReport& report) {
  constexpr int passes = 3;
  const bool is_known = predictor_.predict(state.t + 0.5 * step_.h, state.v, v_middle_);
  for (int pass = 0; pass < passes; ++pass) {
    const bool turns = forces_.add_gyroscopic(q_hat_, v_middle_, work_.problem());
    if (!work_.solve(report)) return false;
    read(state);
    if (is_known || !turns) break;
    v_middle_ = 0.5 * (state.v + v_new_);
  }
  return true;
}

/// Newton's method for (2.5) of 2006 with its constraints: forces at the last q+ and v+, geometry and gyroscopic force
/// at the last middle. What the derivative leaves out (of M, F and the geometry) is of higher order in h.
ThetaStep::Outcome ThetaStep::iterate(const State& state, const std::vector<std::uint64_t>& closed, double theta,
                                      StepReport& report) {
  step_.has_rows = false;
  const double scale = 1.0 + v_new_.lpNorm<Eigen::Infinity>();
  double last = Drive::unlimited;
  for (int i = 0; i < options_.most_iterations; ++i) {
    system_.advance(state.q, v_gamma_, step_.h, q_new_);
    place(state, v_gamma_);
    forces_.set_mean_mass(state.t, state.q, state.t + step_.h, q_new_);
    forces_.linearise(state, step_, {q_new_, v_new_, v_gamma_}, work_.problem());
    v_middle_ = 0.5 * (state.v + v_new_);
    forces_.add_gyroscopic(q_hat_, v_middle_, work_.problem());
    pose(state, closed, theta);
    v_last_ = v_new_;
    if (!work_.solve(report)) return Outcome::unsolved;
    read(state);
    const double change = (v_new_ - v_last_).lpNorm<Eigen::Infinity>();
    // Rounding ends the iteration where it no longer gets smaller: that of a length times a stiffness may be much.
    if (change <= settled * scale || (change <= stalled * scale && change >= last)) return Outcome::settled;
    last = change;
  }
  return Outcome::unsettled;
}

/// The one linear problem of (4.4) of 2008.
bool ThetaStep::solve_linear(const State& state, const std::vector<std::uint64_t>& closed, double theta,
                             StepReport& report) {
  step_.has_rows = !options_.newton && options_.jacobian != ForceJacobian::exact;
  place(state, state.v);
  forces_.set_mass(state.t + share_ * step_.h, q_hat_);
  forces_.linearise(state, step_, {state.q, state.v, zero_}, work_.problem());
  work_.set_force_time(state.t + step_.h);
  pose(state, closed, theta);
  if (!solve(state, report)) {
    if (theta == 0.0 || !report.forces_are_finite || !solve_relaxed(report)) return false;
    read(state);
  }
  system_.advance(state.q, v_gamma_, step_.h, q_new_);
  return true;
}

/// The forces are not what the linear problem took them for.
bool ThetaStep::misses(const State& state) {
  if (v_new_.size() == 0) return false;
  const double miss = forces_.miss(state, q_new_, v_new_, work_.solution().c_nu.data() + first_stiff_row_);
  return miss > missed * std::max(v_new_.lpNorm<Eigen::Infinity>(), state.v.lpNorm<Eigen::Infinity>());
}

double ThetaStep::energy(double t, const Vector& q, const Vector& v) {
  return forces_.kinetic_energy(v) + system_.potential_energy(t, q);
}

/// (2.5) of 2006 instead of the linear problem, if it has a solution with no more energy: it can have others, and none.
bool ThetaStep::refine(const State& state, const std::vector<std::uint64_t>& closed, double theta, StepReport& report) {
  const double end = state.t + step_.h, part = report.relaxed ? 0.0 : theta;
  const double most = std::max(energy(state.t, state.q, state.v), energy(end, q_new_, v_new_));
  if (iterate(state, closed, part, report) == Outcome::settled && damp(state, closed, part, report)) {
    system_.advance(state.q, v_gamma_, step_.h, q_new_);
    if (energy(end, q_new_, v_new_) <= most + 1e-9 * std::abs(most)) return true;
  }
  step_.alpha = options_.alpha;
  step_.gamma = options_.gamma;
  return solve_linear(state, closed, theta, report);
}

/// With 1/2, 1/2 the length of a stiff spring that turns swings from step to step, a little more each time. As much
/// more than 1/2 as the velocity turns in the step damps that, and keeps the second order.
bool ThetaStep::damp(const State& state, const std::vector<std::uint64_t>& closed, double theta, StepReport& report) {
  const double change = (v_new_ - state.v).lpNorm<Eigen::Infinity>();
  const double turn = change / std::max(v_new_.lpNorm<Eigen::Infinity>(), state.v.lpNorm<Eigen::Infinity>());
  const double share = 0.5 + std::min(0.05 * turn, 0.1);
  if (!(share > step_.alpha && share > step_.gamma)) return true;
  step_.alpha = step_.gamma = share;
  return iterate(state, closed, theta, report) == Outcome::settled;
}

bool ThetaStep::advance(const State& state, double h, const std::vector<std::uint64_t>& closed, bool plastic,
                        StepReport& report) {
  step_ = {h, plastic ? 1.0 : options_.alpha, plastic ? 1.0 : options_.gamma, options_.jacobian, true};
  share_ = options_.geometry == GeometryAt::start ? 0.0 : options_.geometry == GeometryAt::midpoint ? 0.5 : 1.0;
  const double theta = plastic ? 0.0 : options_.stabilisation;
  zero_.setZero(state.v.size());
  if (!solve_linear(state, closed, theta, report)) return false;
  if (options_.newton && !plastic) {
    const Outcome outcome = iterate(state, closed, report.relaxed ? 0.0 : theta, report);
    if (outcome == Outcome::unsolved) return false;
    report.converged &= outcome == Outcome::settled;
    system_.advance(state.q, v_gamma_, h, q_new_);
  } else if (!plastic && options_.jacobian == ForceJacobian::automatic && misses(state)) {
    if (!refine(state, closed, theta, report)) return false;
  }
  if (forces_.used() != JacobianUse::none && report.jacobian != JacobianUse::rank_one) report.jacobian = forces_.used();
  return true;
}

void ThetaStep::accept(double t) {
  if (!forces_.has_gyroscopic()) return;
  v_middle_ = 0.5 * (work_.problem().v + v_new_);
  predictor_.add(t + 0.5 * step_.h, v_middle_);
}

}  // namespace stiction
