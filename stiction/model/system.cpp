#include "stiction/model/system.h"

#include <algorithm>
#include <array>

namespace stiction {

void JointSet::clear() {
  nu.clear();
  Theta.clear();
  velocity.clear();
  joint.clear();
  pfaffian.clear();
}

void GapSet::clear() {
  contacts.clear();
  n.clear();
  t1.clear();
  t2.clear();
  normal_speed.clear();
  for (linalg::Rows* rows : {&spin, &roll1, &roll2}) rows->clear();
  for (std::vector<double>* speeds : {&spin_speed, &roll_speed1, &roll_speed2}) speeds->clear();
  slip1.clear();
  slip2.clear();
}

void DriveSet::clear() {
  r.clear();
  drives.clear();
}

int GapSet::find(std::uint64_t id) const {
  const auto it = std::lower_bound(contacts.begin(), contacts.end(), id,
                                   [](const ContactPoint& contact, std::uint64_t value) { return contact.id < value; });
  return it != contacts.end() && it->id == id ? static_cast<int>(it - contacts.begin()) : -1;
}

void System::gyroscopic(const Vector& /*q*/, const Vector& /*v*/, SparseMatrix& F) const {
  F.resize(velocities(), velocities());
  F.setZero();
}

void System::position_rate(const Vector& q, const Vector& v, Vector& q_rate) const {
  // Of sixth order: what is left is 1e-14 of rounding where a radian is the measure.
  constexpr double way = 0.01;
  constexpr std::array<double, 3> weights{0.75, -0.15, 1.0 / 60.0};
  const double step = way / std::max(1.0, v.size() > 0 ? v.lpNorm<Eigen::Infinity>() : 0.0);
  thread_local Vector moved;
  q_rate.setZero(positions());
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const double part = static_cast<double>(i + 1) * step;
    advance(q, v, part, moved);
    q_rate += (weights[i] / step) * moved;
    advance(q, v, -part, moved);
    q_rate -= (weights[i] / step) * moved;
  }
}

void System::find_joints(double /*t*/, const Vector& /*q*/, JointSet& joints) const {
  joints.clear();
}

void System::find_gaps(double /*t*/, const Vector& /*q*/, double /*margin*/, GapSet& gaps) const {
  gaps.clear();
}

void System::find_drives(double /*t*/, const Vector& /*q*/, double /*h*/, DriveSet& drives) const {
  drives.clear();
}

std::string System::contact_name(std::uint64_t id) const {
  return "contact " + std::to_string(id);
}

std::string System::joint_name(int joint) const {
  return "joint " + std::to_string(joint);
}

}  // namespace stiction
