#include "stiction/model/system.h"

#include <algorithm>

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
