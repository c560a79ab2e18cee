#include "stiction/sim/run_certificate.h"

#include <algorithm>
#include <limits>

namespace stiction {

Grade RunCertificate::grade() const {
  for (int i = grade_count - 1; i > 0; --i)
    if (grades[static_cast<std::size_t>(i)].steps > 0) return static_cast<Grade>(i);
  return Grade::full;
}

void RunCertificate::add_grade(double t, const StepReport& report, Grade grade) {
  GradeTally& tally = grades[static_cast<std::size_t>(grade)];
  const StepCertificate& step = report.certificate;
  const bool by_residual = grade == Grade::polyhedral || grade == Grade::loose || grade == Grade::failed;
  const bool is_open = report.open_gap > report.penetration;
  const bool is_joint = !by_residual && report.joint_error > std::max(report.penetration, report.open_gap);
  const double residual = std::max({step.residual, step.contact_residual, step.own_residual});
  const double off = !report.solved ? std::numeric_limits<double>::infinity()
                     : by_residual  ? residual
                                    : report.position_error();
  ++tally.steps;
  if (grade == Grade::full || !(off > tally.off || tally.steps == 1)) return;
  tally.off = off;
  tally.time = t;
  tally.joint = is_joint ? report.worst_joint : -1;
  tally.contact = !by_residual      ? (is_open ? report.open_contact : report.deepest_contact)
                  : step.polyhedral ? step.own_worst
                                    : step.worst_contact;
}

void RunCertificate::add(double t, const StepReport& report, double tolerance) {
  const StepCertificate& step = report.certificate;
  const Grade grade = report.grade(tolerance);
  ++steps;
  add_grade(t, report, grade);
  uncertified_steps += !is_certified(grade);
  relaxed_steps += report.relaxed;
  unconverged_steps += !report.converged || report.rough;
  divided_steps += report.parts > 1;
  plastic_steps += report.plastic;
  grazing_steps += report.grazes;
  exact_jacobian_steps += report.jacobian == JacobianUse::exact;
  rank_one_jacobian_steps += report.jacobian == JacobianUse::rank_one;
  if (rank_changes == 0 && report.rank_changes > 0) rank_change_time = t;
  rank_changes += report.rank_changes;
  if (step.residual > max_residual) {
    max_residual = step.residual;
    worst_time = t;
    worst_contact = step.worst_contact;
  }
  max_contact_residual = std::max(max_contact_residual, step.contact_residual);
  if (report.penetration > max_penetration) {
    max_penetration = report.penetration;
    deepest_time = t;
    deepest_contact = report.deepest_contact;
  }
  max_equality_residual = std::max(max_equality_residual, step.equality_residual);
  max_momentum_defect = std::max(max_momentum_defect, step.momentum_defect);
  max_energy_defect = std::max(max_energy_defect, step.energy_defect);
  if (report.joint_error > max_joint_error) {
    max_joint_error = report.joint_error;
    worst_joint = report.worst_joint;
  }
  max_misalignment = std::max(max_misalignment, step.misalignment);
  max_friction_loss = std::max(max_friction_loss, step.friction_loss);
  for (const Event& event : report.events) impact_energy_gain += event.energy_gain;
}

}  // namespace stiction
