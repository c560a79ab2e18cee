#include <algorithm>

#include "stiction/schemes/impact.h"

namespace stiction {

/// 1982, (3.9): n'v+ = -e n'v- where a contact approaches, (3.10) for the others. The equalities are posed as joints;
/// where they contradict each other (redundant contacts with different e) there is no answer.
bool Impact::by_newton_equality(const State& state, const std::vector<std::uint64_t>& closed, StepReport& report) {
  pose(state, closed, v_minus_);
  StepProblem& problem = work_.problem();
  equal_.clear();
  kept_.clear();
  for (int j = 0; j < problem.size(); ++j) {
    if (!problem.has_normal(j)) continue;  // torsional and rolling friction come with their contact
    const int at = work_.gaps().find(problem.contacts[j].id);
    if (approach_[j] > 0.0)
      equal_.emplace_back(at, problem.b_n[j] - restitution_[j] * approach_[j]);
    else
      kept_.emplace_back(at, problem.b_n[j]);
  }
  work_.begin_constraints();
  for (int i = 0; i < work_.joints().size(); ++i) work_.add_joint(i, -work_.joints().velocity[i]);
  work_.add_rigid_drives(state.t, state.q);
  const auto first = static_cast<std::size_t>(problem.joints());
  for (const auto& [at, b] : equal_) work_.add_equality(at, b);
  for (const auto& [at, b] : kept_) work_.add_contact(at, b);
  if (!work_.solve(report)) return false;
  work_.record(report);
  for (std::size_t i = 0; i < equal_.size(); ++i) {
    const ContactPoint& contact = work_.gaps().contacts[equal_[i].first];
    auto it = std::find_if(report.contacts.begin(), report.contacts.end(),
                           [&](const ContactRecord& record) { return record.geometry.id == contact.id; });
    if (it == report.contacts.end()) it = report.contacts.insert(report.contacts.end(), ContactRecord{});
    it->geometry = contact;
    it->c_n += work_.solution().c_nu[first + i];
  }
  return true;
}

}  // namespace stiction
