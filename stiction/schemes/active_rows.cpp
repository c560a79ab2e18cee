#include "stiction/schemes/active_rows.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace stiction {

namespace {

// m: contacts that are held are looked for up to this gap. Differences leave the surface by less.
constexpr double search = 0.01;
// How far the fastest velocity moves in one step of the differences, m or rad. Rounding leaves 1e-16/way of v^2, and
// the fourth order (way * curvature)^4 / 30: 4e-13 and 1e-16 at a curvature of 1/m, 1e-12 at 10/m.
constexpr double way = 2.5e-4;

}  // namespace

bool ActiveSet::has(std::uint64_t id) const {
  return std::binary_search(contacts.begin(), contacts.end(), id);
}

bool ActiveRows::find(double t, const Vector& q, const ActiveSet& active) {
  system_.find_joints(t, q, joint_set_);
  joints_ = joint_set_.size();
  rows_.clear();
  position_rows_.clear();
  positions_.clear();
  offsets_.clear();
  contacts_.clear();
  for (int i = 0; i < joints_; ++i) {
    rows_.append(joint_set_.nu, i);
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
    offsets_.push_back(gaps_.normal_speed[at]);
    contacts_.push_back(gaps_.contacts[at]);
    if (gaps_.contacts[at].pfaffian) continue;
    position_rows_.append(gaps_.n, at);
    positions_.push_back(gaps_.contacts[at].Phi);
  }
  return true;
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

void ActiveRows::find_convection(double t, const Vector& q, const Vector& v, const ActiveSet& active,
                                 std::vector<double>& c) {
  c.assign(static_cast<std::size_t>(size()), 0.0);
  if (size() == 0) return;
  // Not longer in slow motion, where speeds and their rounding are small anyhow: kinematic bodies may turn fast.
  const double step = way / std::max(v.lpNorm<Eigen::Infinity>(), 1.0);
  constexpr std::array<double, 4> places{-2.0, -1.0, 1.0, 2.0};
  for (std::size_t k = 0; k < places.size(); ++k) {
    system_.advance(q, v, places[k] * step, q_near_);
    find_speeds(t + places[k] * step, q_near_, v, active, speeds_[k]);
  }
  for (int i = 0; i < size(); ++i) {
    const double far_back = speeds_[0][i], back = speeds_[1][i], ahead = speeds_[2][i], far_ahead = speeds_[3][i];
    const double here = speed(i, v);
    const bool has_back = std::isfinite(far_back + back), has_ahead = std::isfinite(ahead + far_ahead);
    if (has_back && has_ahead) {
      c[i] = (8.0 * (ahead - back) - (far_ahead - far_back)) / (12.0 * step);
    } else if (has_back) {
      c[i] = (3.0 * here - 4.0 * back + far_back) / (2.0 * step);
    } else if (has_ahead) {
      c[i] = (4.0 * ahead - far_ahead - 3.0 * here) / (2.0 * step);
    }
  }
}

}  // namespace stiction
