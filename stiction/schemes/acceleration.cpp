#include "stiction/schemes/acceleration.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace stiction {

/// Forces of the drives that are not held.
void Acceleration::add_drives(const Vector& v, const ActiveSet& active) {
  const DriveSet& set = rows_.drives();
  drive_forces_.assign(static_cast<std::size_t>(set.size()), 0.0);
  for (int i = 0; i < set.size() && i < static_cast<int>(active.drives.size()); ++i) {
    const Drive& drive = set.drives[i];
    double force = 0.0;
    if (active.drives[i] == DriveMode::follows && !drive.is_applied) {
      force = -drive.stiffness * drive.position - drive.damping * (set.r.dot(i, v) - drive.velocity);
      force = std::clamp(force, drive.lower, drive.upper);
    }
    if (active.drives[i] == DriveMode::at_lower) force = drive.lower;
    if (active.drives[i] == DriveMode::at_upper) force = drive.upper;
    drive_forces_[i] = force;
    set.r.add_to(i, force, f_);
  }
}

MotionStatus Acceleration::evaluate(double t, const Vector& q, const Vector& v, const ActiveSet& active) {
  if (!q.allFinite() || !v.allFinite()) return MotionStatus::not_finite;
  if (!rows_.find(t, q, active)) return MotionStatus::lost_contact;
  system_.mass(t, q, M_);
  system_.gyroscopic(q, v, F_);
  system_.applied_force(t, q, v, f_);
  for (int j = 0; j < F_.outerSize(); ++j)
    for (SparseMatrix::InnerIterator it(F_, j); it; ++it) f_[it.row()] += it.value() * v[j];
  add_drives(v, active);
  if (!f_.allFinite()) return MotionStatus::not_finite;
  rows_.find_convection(t, q, v, active, c_);
  motion_.factorise(M_, rows_.rows());
  motion_.solve(f_, c_, a_);
  motion_.find_multipliers(lambda_);
  if (!a_.allFinite()) return MotionStatus::not_finite;
  const int joints = rows_.joints(), drives = rows_.drives().size(), contacts = rows_.size() - rows_.first_contact();
  forces_.resize(joints + drives + contacts);
  forces_.head(joints) = lambda_.head(joints);
  for (int i = 0; i < drives; ++i) forces_[joints + i] = drive_forces_[i];
  for (std::size_t k = 0; k < rows_.held().size(); ++k)
    forces_[joints + rows_.held()[k]] = lambda_[joints + static_cast<int>(k)];
  forces_.tail(contacts) = lambda_.tail(contacts);
  scale_ = a_.size() > 0 ? a_.lpNorm<Eigen::Infinity>() : 0.0;
  for (int i = 0; i < f_.size(); ++i) scale_ = std::max(scale_, std::abs(f_[i]) / M_.coeff(i, i));
  return MotionStatus::fine;
}

double Acceleration::smallest_push() const {
  double smallest = std::numeric_limits<double>::infinity();
  for (int i = rows_.joints(); i < rows_.first_contact(); ++i) {
    const Drive& drive = rows_.drives().drives[rows_.held()[i - rows_.joints()]];
    smallest = std::min(smallest, std::min(lambda_[i] - drive.lower, drive.upper - lambda_[i]) * motion_.mobility(i));
  }
  for (int i = rows_.first_contact(); i < rows_.size(); ++i)
    smallest = std::min(smallest, lambda_[i] * motion_.mobility(i));
  return smallest / std::max(scale_, std::numeric_limits<double>::min());
}

void Acceleration::pose(StepProblem& problem) const {
  if (!problem.has_blocks()) problem.set_bodies(system_.body_structure());
  problem.clear_constraints();
  problem.alpha = 1.0;
  problem.M = M_;
  problem.take_masses();
  problem.v.setZero(f_.size());
  problem.k = f_;
  for (int i = 0; i < rows_.joints(); ++i)
    problem.add_joint(rows_.bodies(i), rows_.joint_of(i), {&rows_.rows(), i}, c_[i]);
  for (int i = rows_.joints(); i < rows_.first_contact(); ++i) {
    const Drive& drive = rows_.drives().drives[rows_.held()[i - rows_.joints()]];
    problem.add_drive(rows_.bodies(i), drive.owner, {&rows_.rows(), i}, c_[i],
                      {.lower = drive.lower, .upper = drive.upper});
  }
  for (int i = rows_.first_contact(); i < rows_.size(); ++i) {
    problem.add_contact({.id = rows_.contacts()[i - rows_.first_contact()].id}, rows_.bodies(i), {&rows_.rows(), i}, {},
                        {}, {.n = c_[i]});
  }
}

void Acceleration::answer(StepSolution& solution) const {
  const auto contacts = rows_.contacts().size();
  const double* first_contact = lambda_.data() + rows_.first_contact();
  solution.v = a_;
  solution.c_nu.assign(lambda_.data(), first_contact);
  solution.c_n.assign(first_contact, first_contact + contacts);
  for (auto* list : {&solution.c_t1, &solution.c_t2, &solution.lambda}) list->assign(contacts, 0.0);
  solution.facets.assign(contacts, {});
  solution.beta.clear();
  solution.beta_start.assign(contacts + 1, 0);
}

}  // namespace stiction
