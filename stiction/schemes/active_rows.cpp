#include "stiction/schemes/active_rows.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace stiction {

namespace {

// m: contacts that are held are looked for up to this gap. Differences leave the surface by less.
constexpr double search = 0.01;
// Of 1 + |v|: redundant joints that do not fit quite miss each other by less.
constexpr double contradicting = 1e-6;

}  // namespace

bool is_rigid(const Drive& drive) {
  return !std::isfinite(drive.damping) && !std::isfinite(drive.lower) && !std::isfinite(drive.upper);
}

bool ActiveSet::has(std::uint64_t id) const {
  return std::binary_search(contacts.begin(), contacts.end(), id);
}

bool ActiveRows::find(double t, const Vector& q, const ActiveSet& active) {
  system_.find_joints(t, q, joint_set_);
  joints_ = joint_set_.size();
  rows_.clear();
  bodies_.clear();
  position_rows_.clear();
  positions_.clear();
  offsets_.clear();
  contacts_.clear();
  for (int i = 0; i < joints_; ++i) {
    rows_.append(joint_set_.nu, i);
    bodies_.push_back(joint_set_.bodies_of(i));
    offsets_.push_back(-joint_set_.velocity[i]);
    if (joint_set_.is_pfaffian(i)) continue;
    position_rows_.append(joint_set_.nu, i);
    positions_.push_back(joint_set_.Theta[i]);
  }
  system_.find_drives(t, q, 0.0, drives_);
  held_.clear();
  for (int i = 0; i < drives_.size() && i < static_cast<int>(active.drives.size()); ++i) {
    if (active.drives[i] != DriveMode::holds) continue;
    held_.push_back(i);
    rows_.append(drives_.r, i);
    bodies_.push_back(drives_.drives[i].bodies);
    offsets_.push_back(-drives_.drives[i].velocity);
  }
  if (active.contacts.empty()) return true;
  system_.find_gaps(t, q, search, gaps_);
  for (const std::uint64_t id : active.contacts) {
    const int at = gaps_.find(id);
    if (at < 0) {
      lost_ = id;
      return false;
    }
    rows_.append(gaps_.n, at);
    bodies_.push_back(gaps_.contacts[at].bodies);
    offsets_.push_back(gaps_.normal_speed[at]);
    contacts_.push_back(gaps_.contacts[at]);
    if (gaps_.contacts[at].pfaffian) continue;
    position_rows_.append(gaps_.n, at);
    positions_.push_back(gaps_.contacts[at].Phi);
  }
  return true;
}

bool ActiveRows::contradict(const Vector& v) const {
  const bool has_rigid = std::any_of(held_.begin(), held_.end(), [&](int i) { return is_rigid(drives_.drives[i]); });
  if (!has_rigid) return false;
  const double tolerance = contradicting * (1.0 + v.lpNorm<Eigen::Infinity>());
  for (int i = 0; i < first_contact(); ++i)
    if (std::abs(speed(i, v)) > tolerance) return true;
  return false;
}

void ActiveRows::find_speeds(double t, const Vector& q, const Vector& v, const ActiveSet& active,
                             std::vector<double>& speeds) {
  speeds.clear();
  system_.find_joints(t, q, near_joints_);
  for (int i = 0; i < near_joints_.size(); ++i) speeds.push_back(near_joints_.nu.dot(i, v) - near_joints_.velocity[i]);
  if (!held_.empty()) system_.find_drives(t, q, 0.0, near_drives_);
  for (const int i : held_) speeds.push_back(near_drives_.r.dot(i, v) - near_drives_.drives[i].velocity);
  if (active.contacts.empty()) return;
  system_.find_gaps(t, q, search, near_gaps_);
  for (const std::uint64_t id : active.contacts) {
    const int at = near_gaps_.find(id);
    speeds.push_back(at < 0 ? std::numeric_limits<double>::quiet_NaN()
                            : near_gaps_.n.dot(at, v) + near_gaps_.normal_speed[at]);
  }
}

}  // namespace stiction
