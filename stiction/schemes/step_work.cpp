#include "stiction/schemes/step_work.h"

#include <algorithm>
#include <cmath>

#include "stiction/contact/least_forces.h"

namespace stiction {

namespace {

constexpr double resting = 1e-9;  // m/s or rad/s: slower is at rest

}  // namespace

StepWork::StepWork(const System& system, const SchemeOptions& options)
    : system_(system),
      cone_(options.cone),
      least_forces_(std::make_unique<LeastForces>(options.cone.turn, options.cone.tolerance)),
      solver_(options.cone) {}

StepWork::~StepWork() = default;

void StepWork::linearise(double t, const Vector& q_mass, const Vector& q_force, const Vector& v, double h,
                         double share) {
  system_.mass(t + h, q_mass, mass_);
  system_.gyroscopic(q_mass, v, gyroscopic_);
  system_.applied_force(t + share * h, q_force, v, problem_.k);
  problem_.alpha = 1.0;
  problem_.v = v;
  problem_.weight.resize(0);
  takes_time_ = true;
  take_drives(t, q_force, v, h, share);
  problem_.k *= h;
  if (gyroscopic_.nonZeros() == 0) {
    problem_.M = mass_;
    return;
  }
  triplets_.clear();
  for (int j = 0; j < mass_.outerSize(); ++j) {
    for (SparseMatrix::InnerIterator it(mass_, j); it; ++it) triplets_.add(static_cast<int>(it.row()), j, it.value());
    for (SparseMatrix::InnerIterator it(gyroscopic_, j); it; ++it) {
      triplets_.add(static_cast<int>(it.row()), j, -h * it.value());
      problem_.k[it.row()] += h * it.value() * v[j];
    }
  }
  triplets_.fill(static_cast<int>(v.size()), static_cast<int>(v.size()), problem_.M);
}

/// Finds the drives, takes them out of the applied force, and puts their positions back to the start of the step.
void StepWork::take_drives(double t, const Vector& q_force, const Vector& v, double h, double share) {
  force_time_ = t + share * h;
  system_.find_drives(force_time_, q_force, h, drives_);
  drive_step_ = h;
  for (int i = 0; i < drives_.size(); ++i) {
    Drive& drive = drives_.drives[i];
    const double speed = drives_.r.dot(i, v) - drive.velocity;
    if (drive.is_applied) drives_.r.add_to(i, drive.stiffness * drive.position + drive.damping * speed, problem_.k);
    drive.position -= share * h * speed;
  }
}

bool StepWork::update_drives(double t, const Vector& q, const Vector& v) {
  if (drives_.size() == 0) return false;
  system_.find_drives(t, q, drive_step_, updated_);
  const auto same = [](const Drive& a, const Drive& b) { return a.owner == b.owner; };
  if (!std::equal(drives_.drives.begin(), drives_.drives.end(), updated_.drives.begin(), updated_.drives.end(), same))
    return true;
  std::swap(drives_, updated_);
  force_time_ = t;
  for (int i = 0; i < drives_.size(); ++i) {
    Drive& drive = drives_.drives[i];
    drive.position -= drive_step_ * (drives_.r.dot(i, v) - drive.velocity);
  }
  return true;
}

void StepWork::add_drives() {
  const double h = drive_step_;
  for (int i = 0; i < drives_.size(); ++i) {
    const Drive& drive = drives_.drives[i];
    double compliance = 0.0, b = -drive.velocity;
    if (std::isfinite(drive.damping)) {
      const double holds = h * (h * drive.stiffness + drive.damping);
      if (holds == 0.0) continue;
      compliance = 1.0 / holds;
      b = compliance * h * (drive.stiffness * (drive.position - h * drive.velocity) - drive.damping * drive.velocity);
    }
    problem_.add_row(drives_.r, i, b, {h * drive.lower, h * drive.upper, compliance});
    slots_.push_back(joints_.size() + i);
  }
}

const DriveSet& StepWork::find_drives(double t, const Vector& q, double h) {
  system_.find_drives(t, q, 0.0, drives_);
  drive_step_ = h;
  takes_time_ = true;
  problem_.weight.resize(0);
  return drives_;
}

void StepWork::add_drive(int index, double b, const StepProblem::RowLaw& law) {
  problem_.add_row(drives_.r, index, b, law);
  slots_.push_back(joints_.size() + index);
}

void StepWork::add_rigid_drives(double t, const Vector& q) {
  system_.find_drives(t, q, drive_step_, drives_);
  for (int i = 0; i < drives_.size(); ++i) {
    const Drive& drive = drives_.drives[i];
    const bool is_rigid = !std::isfinite(drive.damping) && !std::isfinite(drive.lower) && !std::isfinite(drive.upper);
    if (!is_rigid) continue;
    problem_.add_row(drives_.r, i, -drive.velocity, {});
    slots_.push_back(joints_.size() + i);
  }
}

void StepWork::linearise_impact(double t, const Vector& q, const Vector& v) {
  system_.mass(t, q, mass_);
  problem_.alpha = 1.0;
  takes_time_ = false;
  problem_.M = mass_;
  problem_.v = v;
  problem_.k.setZero(v.size());
  system_.applied_force(t, q, v, problem_.weight);
  for (Eigen::Index i = 0; i < v.size(); ++i)
    problem_.weight[i] = step_ * std::abs(problem_.weight[i]) / mass_.coeff(i, i);
}

void StepWork::look(double t, const Vector& q, double margin) {
  system_.find_gaps(t, q, margin, gaps_);
  system_.find_joints(t, q, joints_);
}

void StepWork::add_contact(int index, double b_n) {
  add_contact(gaps_, index, b_n);
}

void StepWork::add_contact(const GapSet& geometry, int index, double b_n) {
  const ContactPoint& contact = geometry.contacts[index];
  posed_.push_back(contact);
  const int carrier = problem_.size();
  problem_.contacts.push_back({contact.id, contact.mu, contact.mu2, 0.0, contact.tangents});
  problem_.n.append(geometry.n, index);
  problem_.t1.append(geometry.t1, index);
  problem_.t2.append(geometry.t2, index);
  problem_.b_n.push_back(b_n);
  problem_.b_t1.push_back(geometry.slip1[index]);
  problem_.b_t2.push_back(geometry.slip2[index]);
  for (const bool spins : {true, false}) add_turning_friction(geometry, index, carrier, spins);
}

/// Friction without a normal force: a block that is borne by itself, whose normal impulse is zero.
void StepWork::add_block(const BallFriction& ball, int row, int directions) {
  const double hf = drive_step_ * ball.largest;
  const std::uint64_t id = ball.id | (directions == 2 ? roll_bit : spin_bit);
  problem_.contacts.push_back({id, 0.0, 0.0, hf, directions, problem_.size()});
  problem_.n.end_row();
  problem_.t1.append(drives_.ball_rows, row);
  if (directions == 2)
    problem_.t2.append(drives_.ball_rows, row + 1);
  else
    problem_.t2.end_row();
  problem_.b_n.push_back(0.0);
  problem_.b_t1.push_back(drives_.ball_speeds[row]);
  problem_.b_t2.push_back(directions == 2 ? drives_.ball_speeds[row + 1] : 0.0);
}

void StepWork::add_ball_frictions() {
  if (!takes_time_ || has_balls_) return;
  has_balls_ = true;
  for (std::size_t i = 0; i < drives_.balls.size(); ++i) {
    const int first = problem_.size(), row = 3 * static_cast<int>(i);
    add_block(drives_.balls[i], row, 2);
    add_block(drives_.balls[i], row + 2, 1);
    surfaces_.add(problem_, first, first + 1);
  }
}

/// Torsional or rolling friction: a block of its own, bounded by the normal impulse of its contact.
void StepWork::add_turning_friction(const GapSet& geometry, int index, int carrier, bool spins) {
  const ContactPoint& contact = geometry.contacts[index];
  const double mu = spins ? contact.spin_friction : contact.roll_friction;
  const linalg::Rows& first = spins ? geometry.spin : geometry.roll1;
  if (!(mu > 0.0) || first.is_zero(index)) return;
  const bool two = !spins && !geometry.roll2.is_zero(index);
  posed_.push_back(contact);
  problem_.contacts.push_back({contact.id | (spins ? spin_bit : roll_bit), mu, mu, 0.0, two ? 2 : 1, carrier});
  problem_.n.end_row();
  problem_.t1.append(first, index);
  if (two)
    problem_.t2.append(geometry.roll2, index);
  else
    problem_.t2.end_row();
  problem_.b_n.push_back(0.0);
  problem_.b_t1.push_back(spins ? geometry.spin_speed[index] : geometry.roll_speed1[index]);
  problem_.b_t2.push_back(two ? geometry.roll_speed2[index] : 0.0);
  if (spins && contact.soft && contact.tangents > 0) surfaces_.add(problem_, carrier, problem_.size() - 1);
}

bool StepWork::solve(StepReport& report) {
  add_ball_frictions();
  for (StepProblem::Contact& contact : problem_.contacts) {
    contact.facets = cone_.asked_facets();
    contact.turns = cone_.turn;
  }
  ++report.solves;
  report.posed_contacts = problem_.size();
  report.force_time = force_time_;
  report.forces_are_finite = problem_.k.allFinite() && std::all_of(problem_.b_nu.begin(), problem_.b_nu.end(),
                                                                   [](double b) { return std::isfinite(b); });
  if (!report.forces_are_finite) return false;
  if (surfaces_.empty()) return solve_once();
  constexpr int most_tries = 60;
  surfaces_.begin(problem_);
  for (int tries = 0; tries < most_tries; ++tries) {
    if (!solve_once()) return false;
    if (surfaces_.adjust(problem_, solution_)) break;
    ++report.solves;
  }
  certificate_.misalignment = std::max(certificate_.misalignment, surfaces_.off());
  return true;
}

bool StepWork::solve_once() {
  is_shared_ = false;
  return solver_.solve(problem_, solution_, certificate_);
}

const StepSolution& StepWork::shared() {
  if (is_shared_) return shared_;
  is_shared_ = true;
  shared_ = solution_;
  StepCertificate certificate = certificate_;
  if (!least_forces_->find(problem_, shared_, certificate)) return shared_;
  // Blocks that share one set know nothing of each other in the problem.
  if (surfaces_.hold(problem_, shared_))
    certificate_ = certificate;
  else
    shared_ = solution_;
  return shared_;
}

void StepWork::record(StepReport& report, double times) {
  const StepSolution& answer = shared();
  report.certificate.merge(certificate_);
  recorded_.clear();
  for (std::size_t i = 0; i < report.contacts.size(); ++i) recorded_.emplace_back(report.contacts[i].geometry.id, i);
  std::sort(recorded_.begin(), recorded_.end());
  for (int j = 0; j < static_cast<int>(posed_.size()); ++j) {
    auto place = std::lower_bound(recorded_.begin(), recorded_.end(), std::pair(posed_[j].id, std::size_t{0}));
    if (place == recorded_.end() || place->first != posed_[j].id) {
      place = recorded_.emplace(place, posed_[j].id, report.contacts.size());
      report.contacts.emplace_back();
    }
    ContactRecord& record = report.contacts[place->second];
    record.geometry = posed_[j];
    if (!problem_.has_normal(j)) {
      const bool spins = (problem_.contacts[j].id & spin_bit) != 0;
      (spins ? record.c_spin : record.c_roll1) += times * answer.c_t1[j];
      record.c_roll2 += times * answer.c_t2[j];
      continue;
    }
    record.c_n += times * answer.c_n[j];
    record.c_t1 += times * answer.c_t1[j];
    record.c_t2 += times * answer.c_t2[j];
    record.slip = answer.lambda[j];
  }
  const auto places = static_cast<std::size_t>(joints_.size() + drives_.size());
  report.joint_impulses.resize(std::max(report.joint_impulses.size(), places), 0.0);
  // Rows without a place are contacts that an impact holds as equalities.
  for (std::size_t i = 0; i < slots_.size(); ++i) report.joint_impulses[slots_[i]] += times * answer.c_nu[i];
  record_drives(report);
  record_balls(report, times);
  // Impacts take no time, and count as a whole.
  if (takes_time_) record_heat(report, times);
}

/// What friction takes is lambda (mu c_n + h f), and of a drive of a joint's friction -c r'v_alpha.
void StepWork::record_heat(StepReport& report, double times) const {
  for (int j = 0; j < problem_.size(); ++j) {
    const double heat = times * shared_.lambda[j] * problem_.radius(j, shared_.c_n);
    (j < static_cast<int>(posed_.size()) ? report.dissipated.contacts : report.dissipated.joints) += heat;
  }
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    const int drive = slots_[i] - joints_.size(), row = static_cast<int>(i);
    if (drive < 0 || drives_.drives[drive].event == Drive::silent) continue;
    report.dissipated.joints -= times * shared_.c_nu[i] * problem_.speed(problem_.nu, row, solution_.v);
  }
}

/// Which drives kept their speed.
void StepWork::record_drives(StepReport& report) const {
  const double speed = solution_.v.size() == 0 ? 0.0 : solution_.v.lpNorm<Eigen::Infinity>();
  report.holds.resize(std::max(report.holds.size(), drives_.drives.size()), 0);
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    const int drive = slots_[i] - joints_.size(), row = static_cast<int>(i);
    if (drive < 0) continue;
    const bool is_hard = problem_.row_law(row).compliance == 0.0;
    const double off = std::abs(problem_.row_speed(row, solution_.v, shared_.c_nu[row]));
    const bool holds = is_hard && off <= resting * (1.0 + speed) && report.holds[drive] >= 0;
    report.holds[drive] = holds ? 1 : -1;
  }
}

void StepWork::record_balls(StepReport& report, double times) const {
  if (!has_balls_) return;
  report.ball_impulses.resize(3 * drives_.balls.size(), 0.0);
  std::size_t block = posed_.size();
  for (std::size_t i = 0; i < report.ball_impulses.size(); i += 3, block += 2) {
    report.ball_impulses[i] += times * shared_.c_t1[block];
    report.ball_impulses[i + 1] += times * shared_.c_t2[block];
    report.ball_impulses[i + 2] += times * shared_.c_t1[block + 1];
  }
}

/// A drive of infinite damping that is not at its velocity slips.
void StepWork::note_drives(StepReport& report) const {
  report.drives.clear();
  for (int i = 0; i < drives_.size(); ++i) {
    const Drive& drive = drives_.drives[i];
    if (drive.event == Drive::silent) continue;
    report.drives.push_back({drive.event, std::abs(drives_.r.dot(i, solution_.v) - drive.velocity) > resting});
  }
  for (std::size_t i = 0; i < drives_.balls.size(); ++i)
    report.drives.push_back({drives_.balls[i].id, drives_.ball_speed(static_cast<int>(i), solution_.v) > resting});
}

void StepWork::note_closed(double h, StepReport& report) const {
  constexpr double touching = 1e-12;  // m: gaps that open by less in a step are rounding, as are speeds of 1e-9
  const double speed = solution_.v.size() == 0 ? 0.0 : solution_.v.lpNorm<Eigen::Infinity>();
  note_drives(report);
  report.closed.clear();
  for (int j = 0; j < problem_.size(); ++j) {
    if (!problem_.has_normal(j)) continue;
    const double opening = problem_.speed(problem_.n, j, solution_.v) + problem_.b_n[j];
    if (opening > 1e-9 * (1.0 + speed) + touching / h) continue;
    const std::uint64_t id = problem_.contacts[j].id;
    const int at = gaps_.find(id);
    const double moving = at < 0 ? 0.0 : gaps_.normal_speed[at];
    const double slip1 = problem_.speed(problem_.t1, j, solution_.v) + problem_.b_t1[j];
    const double slip2 = problem_.speed(problem_.t2, j, solution_.v) + problem_.b_t2[j];
    report.closed.push_back({id, std::hypot(slip1, slip2), -(problem_.n.dot(j, problem_.v) + moving)});
  }
}

const GapSet& StepWork::measure(double t, const Vector& q, double margin, StepReport& report) {
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

/// Rows that others imply are off by little more than those: by what numbers may miss each other, or by the drift.
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

double StepWork::applied_acceleration(const State& state) {
  system_.mass(state.t, state.q, mass_);
  system_.applied_force(state.t, state.q, state.v, force_);
  double largest = 0.0;
  for (Eigen::Index i = 0; i < force_.size(); ++i) largest = std::max(largest, std::abs(force_[i]) / mass_.coeff(i, i));
  return largest;
}

double StepWork::kinetic_energy(double t, const Vector& q, const Vector& v) {
  system_.mass(t, q, mass_);
  double sum = 0.0;
  for (int j = 0; j < mass_.outerSize(); ++j)
    for (SparseMatrix::InnerIterator it(mass_, j); it; ++it) sum += v[it.row()] * it.value() * v[j];
  return 0.5 * sum;
}

}  // namespace stiction
