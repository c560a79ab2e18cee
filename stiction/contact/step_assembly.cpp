#include "stiction/contact/step_assembly.h"

#include <algorithm>
#include <cmath>

#include "stiction/base/phase_times.h"

namespace stiction {

StepAssembly::StepAssembly(const System& system) : system_(system) {
  problem_.set_bodies(system.body_structure());
}

void StepAssembly::linearise(double t, const Vector& q_mass, const Vector& q_force, const Vector& v, double h,
                             double share) {
  const PhaseScope scope(Phase::assembly);
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
    problem_.take_masses();
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
  problem_.take_masses();
}

void StepAssembly::linearise_impact(double t, const Vector& q, const Vector& v) {
  const PhaseScope scope(Phase::assembly);
  system_.mass(t, q, mass_);
  problem_.alpha = 1.0;
  takes_time_ = false;
  problem_.M = mass_;
  problem_.take_masses();
  problem_.v = v;
  problem_.k.setZero(v.size());
  system_.applied_force(t, q, v, problem_.weight);
  for (Eigen::Index i = 0; i < v.size(); ++i)
    problem_.weight[i] = step_ * std::abs(problem_.weight[i]) / mass_.coeff(i, i);
}

/// Finds the drives, takes them out of the applied force, and puts their positions back to the start of the step.
void StepAssembly::take_drives(double t, const Vector& q_force, const Vector& v, double h, double share) {
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

void StepAssembly::look(double t, const Vector& q, double margin) {
  const PhaseScope scope(Phase::assembly);
  system_.find_gaps(t, q, margin, gaps_);
  system_.find_joints(t, q, joints_);
}

void StepAssembly::begin_constraints() {
  problem_.clear_constraints();
  slots_.clear();
  posed_.clear();
  has_balls_ = false;
}

void StepAssembly::add_joint(int row, double b) {
  problem_.add_joint(joints_.bodies_of(row), joints_.joint[row], {&joints_.nu, row}, b);
  slots_.push_back(row);
}

bool StepAssembly::update_drives(double t, const Vector& q, const Vector& v) {
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

void StepAssembly::add_drives() {
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
    add_drive(i, b, {h * drive.lower, h * drive.upper, compliance});
  }
}

const DriveSet& StepAssembly::find_drives(double t, const Vector& q, double h) {
  system_.find_drives(t, q, 0.0, drives_);
  drive_step_ = h;
  takes_time_ = true;
  problem_.weight.resize(0);
  return drives_;
}

void StepAssembly::add_drive(int index, double b, const StepProblem::RowLaw& law) {
  const Drive& drive = drives_.drives[index];
  problem_.add_drive(drive.bodies, drive.owner, {&drives_.r, index}, b, law);
  slots_.push_back(joints_.size() + index);
}

void StepAssembly::add_rigid_drives(double t, const Vector& q) {
  system_.find_drives(t, q, drive_step_, drives_);
  for (int i = 0; i < drives_.size(); ++i) {
    const Drive& drive = drives_.drives[i];
    const bool is_rigid = !std::isfinite(drive.damping) && !std::isfinite(drive.lower) && !std::isfinite(drive.upper);
    if (is_rigid) add_drive(i, -drive.velocity, {});
  }
}

void StepAssembly::add_equality(int index, double b) {
  const ContactPoint& contact = gaps_.contacts[index];
  const int next = joints_.size() == 0 ? 0 : joints_.joint.back() + 1;  // an owner that no joint is
  problem_.add_joint(contact.bodies, next + index, {&gaps_.n, index}, b);
}

void StepAssembly::add_contact(const GapSet& geometry, int index, double b_n, std::uint64_t mark) {
  const ContactPoint& contact = geometry.contacts[index];
  posed_.push_back(contact);
  const int carrier = problem_.size();
  problem_.add_contact({contact.id | mark, contact.mu, contact.mu2, 0.0, contact.tangents}, contact.bodies,
                       {&geometry.n, index}, {&geometry.t1, index}, {&geometry.t2, index},
                       {b_n, geometry.slip1[index], geometry.slip2[index]});
  for (const bool spins : {true, false}) add_turning_friction(geometry, index, carrier, spins);
}

/// Torsional or rolling friction: a block of its own, bounded by the normal impulse of its contact.
void StepAssembly::add_turning_friction(const GapSet& geometry, int index, int carrier, bool spins) {
  const ContactPoint& contact = geometry.contacts[index];
  const double mu = spins ? contact.spin_friction : contact.roll_friction;
  const linalg::Rows& first = spins ? geometry.spin : geometry.roll1;
  if (!(mu > 0.0) || first.is_zero(index)) return;
  const bool two = !spins && !geometry.roll2.is_zero(index);
  posed_.push_back(contact);
  problem_.add_contact(
      {problem_.contacts[carrier].id | (spins ? spin_bit : roll_bit), mu, mu, 0.0, two ? 2 : 1, carrier},
      contact.bodies, {}, {&first, index}, two ? RowOf{&geometry.roll2, index} : RowOf{},
      {0.0, spins ? geometry.spin_speed[index] : geometry.roll_speed1[index], two ? geometry.roll_speed2[index] : 0.0});
  if (spins && contact.soft && contact.tangents > 0) pair(carrier, problem_.size() - 1);
}

/// Two blocks share one set.
void StepAssembly::pair(int first, int second) {
  problem_.contacts[first].partner = second;
  problem_.contacts[second].partner = first;
}

/// Friction without a normal force: a block that is borne by itself, whose normal impulse is zero.
void StepAssembly::add_block(const BallFriction& ball, int row, int directions) {
  const bool two = directions == 2;
  const std::uint64_t id = ball.id | (two ? roll_bit : spin_bit);
  problem_.add_contact({id, 0.0, 0.0, drive_step_ * ball.largest, directions, problem_.size()}, ball.bodies, {},
                       {&drives_.ball_rows, row}, two ? RowOf{&drives_.ball_rows, row + 1} : RowOf{},
                       {0.0, drives_.ball_speeds[row], two ? drives_.ball_speeds[row + 1] : 0.0});
}

void StepAssembly::add_ball_frictions() {
  if (!takes_time_ || has_balls_) return;
  has_balls_ = true;
  for (std::size_t i = 0; i < drives_.balls.size(); ++i) {
    const int first = problem_.size(), row = 3 * static_cast<int>(i);
    add_block(drives_.balls[i], row, 2);
    add_block(drives_.balls[i], row + 2, 1);
    pair(first, first + 1);
  }
}

}  // namespace stiction
