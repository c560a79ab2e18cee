#include <algorithm>

#include "stiction/schemes/lotstedt.h"

/// What a part of a step says about itself.
namespace stiction {

/// The acceleration at the end of the part answers the complementarity problem (2.5b) of its contacts.
void Lotstedt::certify_end(StepReport& report) {
  const Acceleration& at = motion_.acceleration();
  if (at.rank() != rank_) ++report.rank_changes;
  rank_ = at.rank();
  // At an event the problem of the next set is solved and certified instead: forces pull there by rounding.
  if (at.rows().size() == 0 || has_event_) return;
  if (at.is_redundant() && at.smallest_push() < -ActiveSetFinder::sharp && finder_.certify_pushing(at, report)) return;
  at.pose(problem_);
  at.answer(solution_);
  report.certificate.merge(certify(problem_, solution_, certify_work_));
}

/// Whether the impulses of a part of this length, those of least length, pull at a contact or go beyond a drive's
/// bounds.
bool Lotstedt::breaks_bounds(const ActiveRows& rows, double length) const {
  const auto contacts = static_cast<linalg::Index>(rows.contacts().size());
  if (contacts > 0 && impulses_.tail(contacts).minCoeff() < 0.0) return true;
  return std::any_of(rows.held().begin(), rows.held().end(), [&](int i) {
    const Drive& drive = rows.drives().drives[i];
    const double impulse = impulses_[rows.joints() + i];
    return impulse < length * drive.lower || impulse > length * drive.upper;
  });
}

/// Impulses of the part, of this length; where they are not unique, such that contacts push and drives keep to their
/// bounds.
void Lotstedt::record(double length, StepReport& report) {
  const Acceleration& at = motion_.acceleration();
  const ActiveRows& rows = at.rows();
  const int joints = rows.joints(), drives = rows.drives().size(), contacts = static_cast<int>(rows.contacts().size());
  impulses_.resize(joints + drives + contacts);
  for (int i = 0; i < impulses_.size(); ++i) impulses_[i] = motion_.impulse(i);
  if (at.is_redundant() && breaks_bounds(rows, length)) {
    row_impulses_.resize(rows.size());
    row_impulses_.head(joints) = impulses_.head(joints);
    row_impulses_.tail(contacts) = impulses_.tail(contacts);
    for (std::size_t k = 0; k < rows.held().size(); ++k)
      row_impulses_[joints + static_cast<int>(k)] = impulses_[joints + rows.held()[k]];
    finder_.make_push(at, length, row_impulses_, report);
    impulses_.head(joints) = row_impulses_.head(joints);
    impulses_.tail(contacts) = row_impulses_.tail(contacts);
    for (std::size_t k = 0; k < rows.held().size(); ++k)
      impulses_[joints + rows.held()[k]] = row_impulses_[joints + static_cast<int>(k)];
  }
  const auto held = static_cast<std::size_t>(joints + drives);
  report.joint_impulses.resize(std::max(report.joint_impulses.size(), held), 0.0);
  for (std::size_t i = 0; i < held; ++i) report.joint_impulses[i] += impulses_[static_cast<int>(i)];
  for (int j = 0; j < contacts; ++j) {
    const ContactPoint& contact = rows.contacts()[j];
    auto it = std::find_if(report.contacts.begin(), report.contacts.end(),
                           [&](const ContactRecord& record) { return record.geometry.id == contact.id; });
    if (it == report.contacts.end()) it = report.contacts.insert(report.contacts.end(), ContactRecord{});
    it->geometry = contact;
    it->c_n += impulses_[joints + drives + j];
  }
}

}  // namespace stiction
