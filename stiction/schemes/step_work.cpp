#include "stiction/schemes/step_work.h"

#include <algorithm>
#include <cmath>

#include "stiction/base/phase_times.h"
#include "stiction/contact/least_forces.h"

namespace stiction {

namespace {

constexpr double resting = 1e-9;  // m/s or rad/s: slower is at rest

}  // namespace

StepWork::StepWork(const System& system, const SchemeOptions& options)
    : system_(system),
      cone_(options.cone),
      assembly_(system),
      least_forces_(std::make_unique<LeastForces>(options.cone.turn, options.cone.tolerance)),
      solver_(options.cone) {}

StepWork::~StepWork() = default;

bool StepWork::solve(StepReport& report, Effort effort, double rough) {
  assembly_.add_ball_frictions();
  StepProblem& problem = assembly_.problem();
  for (StepProblem::Contact& contact : problem.contacts) {
    contact.facets = cone_.asked_facets();
    contact.turns = cone_.turn;
  }
  ++report.solves;
  report.posed_contacts = problem.size();
  report.force_time = assembly_.force_time();
  report.forces_are_finite = problem.k.allFinite() && std::all_of(problem.b_nu.begin(), problem.b_nu.end(),
                                                                  [](double b) { return std::isfinite(b); });
  if (!report.forces_are_finite) return false;
  is_shared_ = false;
  const bool solved = solver_.solve(problem, solution_, certificate_, effort, rough);
  report.solves += solver_.tries() - 1;
  return solved;
}

const StepSolution& StepWork::shared() {
  if (is_shared_) return shared_;
  is_shared_ = true;
  shared_ = solution_;
  // They are as far within their cones as they can be: the best start of the next step.
  if (least_forces_->find(assembly_.problem(), shared_, certificate_)) solver_.start_from(assembly_.problem(), shared_);
  return shared_;
}

void StepWork::record(StepReport& report, double times) {
  const PhaseScope scope(Phase::record);
  const StepSolution& answer = shared();
  const StepProblem& problem = assembly_.problem();
  const std::vector<ContactPoint>& posed = assembly_.posed();
  const std::vector<int>& slots = assembly_.slots();
  report.certificate.merge(certificate_);
  recorded_.clear();
  for (std::size_t i = 0; i < report.contacts.size(); ++i) recorded_.emplace_back(report.contacts[i].geometry.id, i);
  std::sort(recorded_.begin(), recorded_.end());
  for (int j = 0; j < static_cast<int>(posed.size()); ++j) {
    auto place = std::lower_bound(recorded_.begin(), recorded_.end(), std::pair(posed[j].id, std::size_t{0}));
    if (place == recorded_.end() || place->first != posed[j].id) {
      place = recorded_.emplace(place, posed[j].id, report.contacts.size());
      report.contacts.emplace_back();
    }
    ContactRecord& record = report.contacts[place->second];
    record.geometry = posed[j];
    if (!problem.has_normal(j)) {
      const bool spins = (problem.contacts[j].id & spin_bit) != 0;
      (spins ? record.c_spin : record.c_roll1) += times * answer.c_t1[j];
      record.c_roll2 += times * answer.c_t2[j];
      continue;
    }
    record.c_n += times * answer.c_n[j];
    record.c_t1 += times * answer.c_t1[j];
    record.c_t2 += times * answer.c_t2[j];
    record.slip = answer.lambda[j];
  }
  const auto places = static_cast<std::size_t>(joints().size() + assembly_.drives().size());
  report.joint_impulses.resize(std::max(report.joint_impulses.size(), places), 0.0);
  // Rows without a place are contacts that an impact holds as equalities.
  for (std::size_t i = 0; i < slots.size(); ++i) report.joint_impulses[slots[i]] += times * answer.c_nu[i];
  record_drives(report);
  record_balls(report, times);
  // Impacts take no time, and count as a whole.
  if (assembly_.takes_time()) record_heat(report, times);
}

/// What friction takes, and of a drive of a joint's friction -c r'v_alpha.
void StepWork::record_heat(StepReport& report, double times) const {
  const StepProblem& problem = assembly_.problem();
  const std::vector<int>& slots = assembly_.slots();
  for (int j = 0; j < problem.size(); ++j) {
    const double heat = times * problem.friction_loss(j, shared_);
    (j < static_cast<int>(assembly_.posed().size()) ? report.dissipated.contacts : report.dissipated.joints) += heat;
  }
  for (std::size_t i = 0; i < slots.size(); ++i) {
    const int drive = slots[i] - joints().size(), row = static_cast<int>(i);
    if (drive < 0 || assembly_.drives().drives[drive].event == Drive::silent) continue;
    report.dissipated.joints -= times * shared_.c_nu[i] * problem.speed(problem.nu, row, solution_.v);
  }
}

/// Which drives kept their speed.
void StepWork::record_drives(StepReport& report) const {
  const StepProblem& problem = assembly_.problem();
  const std::vector<int>& slots = assembly_.slots();
  const double speed = solution_.v.size() == 0 ? 0.0 : solution_.v.lpNorm<Eigen::Infinity>();
  report.holds.resize(std::max(report.holds.size(), assembly_.drives().drives.size()), 0);
  for (std::size_t i = 0; i < slots.size(); ++i) {
    const int drive = slots[i] - joints().size(), row = static_cast<int>(i);
    if (drive < 0) continue;
    const bool is_hard = problem.row_law(row).compliance == 0.0;
    const double off = std::abs(problem.row_speed(row, solution_.v, shared_.c_nu[row]));
    const bool holds = is_hard && off <= resting * (1.0 + speed) && report.holds[drive] >= 0;
    report.holds[drive] = holds ? 1 : -1;
  }
}

void StepWork::record_balls(StepReport& report, double times) const {
  if (!assembly_.has_balls()) return;
  report.ball_impulses.resize(3 * assembly_.drives().balls.size(), 0.0);
  std::size_t block = assembly_.posed().size();
  for (std::size_t i = 0; i < report.ball_impulses.size(); i += 3, block += 2) {
    report.ball_impulses[i] += times * shared_.c_t1[block];
    report.ball_impulses[i + 1] += times * shared_.c_t2[block];
    report.ball_impulses[i + 2] += times * shared_.c_t1[block + 1];
  }
}

/// A drive of infinite damping that is not at its velocity slips.
void StepWork::note_drives(StepReport& report) const {
  const DriveSet& drives = assembly_.drives();
  report.drives.clear();
  for (int i = 0; i < drives.size(); ++i) {
    const Drive& drive = drives.drives[i];
    if (drive.event == Drive::silent) continue;
    report.drives.push_back({drive.event, std::abs(drives.r.dot(i, solution_.v) - drive.velocity) > resting});
  }
  for (std::size_t i = 0; i < drives.balls.size(); ++i)
    report.drives.push_back({drives.balls[i].id, drives.ball_speed(static_cast<int>(i), solution_.v) > resting});
}

void StepWork::note_closed(double h, StepReport& report) const {
  const PhaseScope scope(Phase::record);
  constexpr double touching = 1e-12;  // m: gaps that open by less in a step are rounding, as are speeds of 1e-9
  const double speed = solution_.v.size() == 0 ? 0.0 : solution_.v.lpNorm<Eigen::Infinity>();
  const StepProblem& problem = assembly_.problem();
  note_drives(report);
  report.closed.clear();
  bool has_others = false;  // rows of contacts that may have another one
  for (int j = 0; j < problem.size(); ++j) {
    if (!problem.has_normal(j)) continue;
    const double opening = problem.speed(problem.n, j, solution_.v) + problem.b_n[j];
    if (opening > 1e-9 * (1.0 + speed) + touching / h) continue;
    const std::uint64_t id = contact_of_row(problem.contacts[j].id);
    has_others |= id != problem.contacts[j].id;
    const int at = gaps().find(id);
    const double moving = at < 0 ? 0.0 : gaps().normal_speed[at];
    const double slip1 = problem.speed(problem.t1, j, solution_.v) + problem.b_t1[j];
    const double slip2 = problem.speed(problem.t2, j, solution_.v) + problem.b_t2[j];
    report.closed.push_back({id, std::hypot(slip1, slip2), -(problem.n.dot(j, problem.v) + moving)});
  }
  if (!has_others) return;
  std::sort(report.closed.begin(), report.closed.end(),
            [](const auto& a, const auto& b) { return a.id != b.id ? a.id < b.id : a.slip < b.slip; });
  const auto is_same = [](const ClosedContact& a, const ClosedContact& b) { return a.id == b.id; };
  report.closed.erase(std::unique(report.closed.begin(), report.closed.end(), is_same), report.closed.end());
}

const GapSet& StepWork::measure(double t, const Vector& q, double margin, StepReport& report) {
  const PhaseScope scope(Phase::record);
  system_.find_gaps(t, q, margin, measured_);
  system_.find_joints(t, q, measured_joints_);
  for (const ContactPoint& contact : measured_.contacts)
    if (-contact.Phi > report.penetration) {
      report.penetration = -contact.Phi;
      report.deepest_contact = contact.id;
    }
  for (int i = 0; i < measured_joints_.size(); ++i)
    if (std::abs(measured_joints_.Theta[i]) > report.joint_error) {
      report.joint_error = std::abs(measured_joints_.Theta[i]);
      report.worst_joint = measured_joints_.joint[i];
    }
  measure_implied(t, q, report);
  return measured_;
}

/// Rows that others imply are off by little more than those: by what numbers may miss each other, or by the drift. What
/// is further off was never implied, and ends the run; what is promised of them is what is promised of any joint.
void StepWork::measure_implied(double t, const Vector& q, StepReport& report) {
  system_.find_implied_joints(t, q, implied_);
  const double bound = 1e-4 + 100.0 * report.joint_error;
  for (int i = 0; i < implied_.size(); ++i) {
    const double off = std::abs(implied_.Theta[i]);
    if (!(off > report.joint_error)) continue;
    report.joint_error = off;
    report.worst_joint = implied_.joint[i];
    report.implied_hold = report.implied_hold && off <= bound;
  }
}

double StepWork::kinetic_energy(double t, const Vector& q, const Vector& v) {
  system_.mass(t, q, mass_);
  double sum = 0.0;
  for (int j = 0; j < mass_.outerSize(); ++j)
    for (SparseMatrix::InnerIterator it(mass_, j); it; ++it) sum += v[it.row()] * it.value() * v[j];
  return 0.5 * sum;
}

}  // namespace stiction
