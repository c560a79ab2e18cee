#include "stiction/schemes/gap_mending.h"

#include <algorithm>
#include <cmath>

namespace stiction {

namespace {

// Weight of a joint beside a gap: it keeps its place to a millionth of what gaps that contradict each other ask for.
constexpr double firm = 1e3;
// m: what gaps that are not held may lose.
constexpr double rounding = 1e-12;
// Share of the band that joints may lose, m or rad: the step that follows closes them.
constexpr double joint_share = 0.1;
// Times the deepest gap, how far anything may be moved. What has to go further is badly conditioned, and is left to the
// step.
constexpr double furthest = 30.0;

}  // namespace

bool GapMending::pose(const std::vector<std::uint64_t>& held) {
  rows_.clear();
  errors_.clear();
  for (const std::uint64_t id : held) {
    const int at = before_.find(id);
    if (at < 0) return false;
    rows_.append(before_.n, at);
    errors_.push_back(before_.contacts[at].Phi);
  }
  for (int i = 0; i < joints_.size(); ++i) {
    const auto columns = joints_.nu.columns(i);
    const auto values = joints_.nu.values(i);
    for (std::size_t p = 0; p < columns.size(); ++p) rows_.push(columns[p], firm * values[p]);
    rows_.end_row();
    errors_.push_back(0.0);
  }
  return true;
}

/// Where the features of a contact do not meet any more, others of the same two shapes hold it.
bool GapMending::is_closed(std::uint64_t id, double band) const {
  if (after_.find(id) >= 0) return true;
  return std::any_of(after_.contacts.begin(), after_.contacts.end(), [&](const ContactPoint& contact) {
    return contact.id >> feature_bits == id >> feature_bits && std::abs(contact.Phi) <= band;
  });
}

bool GapMending::is_better(const std::vector<std::uint64_t>& held, double band) const {
  for (const ContactPoint& contact : after_.contacts) {
    if (std::binary_search(held.begin(), held.end(), contact.id)) {
      if (!(std::abs(contact.Phi) <= 0.25 * band)) return false;
      continue;
    }
    const int at = before_.find(contact.id);
    const double bound = at < 0 ? 0.0 : std::min(before_.contacts[at].Phi, 0.0);
    if (contact.Phi < bound - rounding) return false;
  }
  for (int i = 0; i < joints_.size(); ++i)
    if (std::abs(joints_after_.Theta[i]) > std::abs(joints_.Theta[i]) + joint_share * band) return false;
  return std::all_of(held.begin(), held.end(), [&](std::uint64_t id) { return is_closed(id, band); });
}

bool GapMending::mend(double t, const std::vector<std::uint64_t>& held, const Vector& masses, double band,
                      double deepest, Vector& q) {
  const double reach = furthest * std::max(band, deepest);
  system_.find_gaps(t, q, reach, before_);
  system_.find_joints(t, q, joints_);
  if (!pose(held)) return false;
  shortest_way_.find(rows_, masses, errors_, rounding, change_);
  if (!(change_.lpNorm<Eigen::Infinity>() <= reach)) return false;
  system_.advance(q, change_, 1.0, moved_);
  system_.find_gaps(t, moved_, reach, after_);
  system_.find_joints(t, moved_, joints_after_);
  if (!is_better(held, band)) return false;
  q = moved_;
  return true;
}

}  // namespace stiction
