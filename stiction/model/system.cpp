#include "stiction/model/system.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "stiction/linalg/triplets.h"

namespace stiction {

void JointSet::clear() {
  nu.clear();
  Theta.clear();
  velocity.clear();
  joint.clear();
  pfaffian.clear();
  bodies.clear();
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

void GapSet::append(const GapSet& other, int index) {
  contacts.push_back(other.contacts[index]);
  // Systems without turning friction leave its rows out.
  const auto take = [&](linalg::Rows GapSet::* rows, std::vector<double> GapSet::* speeds) {
    if (index >= (other.*rows).size()) return;
    (this->*rows).append(other.*rows, index);
    (this->*speeds).push_back((other.*speeds)[index]);
  };
  take(&GapSet::n, &GapSet::normal_speed);
  take(&GapSet::t1, &GapSet::slip1);
  take(&GapSet::t2, &GapSet::slip2);
  take(&GapSet::spin, &GapSet::spin_speed);
  take(&GapSet::roll1, &GapSet::roll_speed1);
  take(&GapSet::roll2, &GapSet::roll_speed2);
}

void DriveSet::clear() {
  r.clear();
  drives.clear();
  ball_rows.clear();
  ball_speeds.clear();
  balls.clear();
}

double DriveSet::ball_speed(int ball, const Vector& v) const {
  double sum = 0.0;
  for (int row = 3 * ball; row < 3 * ball + 3; ++row) sum += std::pow(ball_rows.dot(row, v) + ball_speeds[row], 2);
  return std::sqrt(sum);
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

void System::find_stiff_drives(double /*t*/, const Vector& /*q*/, double /*h*/, DriveSet& drives) const {
  drives.clear();
}

void System::force_jacobians(double t, const Vector& q, const Vector& v, double /*h*/, JacobianKind kind,
                             SparseMatrix& K_q, SparseMatrix& K_v) const {
  thread_local linalg::Triplets along_q, along_v;
  thread_local Vector ahead, back, moved, direction;
  constexpr double way = 6e-6;  // the cube root of the rounding
  along_q.clear();
  along_v.clear();
  const int size = velocities();
  const auto add_column = [&](int column, double step, linalg::Triplets& K) {
    for (int row = 0; row < size; ++row) K.add(row, column, (ahead[row] - back[row]) / (2.0 * step));
  };
  for (int i = 0; i < size && kind == JacobianKind::exact; ++i) {
    direction.setZero(size);
    direction[i] = 1.0;
    for (const double sign : {1.0, -1.0}) {
      advance(q, direction, sign * way, moved);
      applied_force(t, moved, v, sign > 0.0 ? ahead : back);
    }
    add_column(i, way, along_q);
    const double step = way * (1.0 + std::abs(v[i]));
    for (const double sign : {1.0, -1.0}) {
      moved = v;
      moved[i] += sign * step;
      applied_force(t, q, moved, sign > 0.0 ? ahead : back);
    }
    add_column(i, step, along_v);
  }
  along_q.fill(size, size, K_q);
  along_v.fill(size, size, K_v);
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

void System::find_implied_joints(double /*t*/, const Vector& /*q*/, JointSet& joints) const {
  joints.clear();
}

void System::find_gaps(double /*t*/, const Vector& /*q*/, double /*margin*/, GapSet& gaps) const {
  gaps.clear();
}

void System::find_pair_gaps(double t, const Vector& q, std::span<const std::uint64_t> pairs, double margin,
                            GapSet& gaps) const {
  thread_local GapSet all;
  find_gaps(t, q, margin, all);
  gaps.clear();
  for (int i = 0; i < all.size(); ++i)
    if (std::binary_search(pairs.begin(), pairs.end(), all.contacts[i].id >> feature_bits)) gaps.append(all, i);
}

double System::next_impulse(double /*t*/) const {
  return std::numeric_limits<double>::infinity();
}

void System::find_impulse(double /*t*/, const Vector& /*q*/, Vector& impulse) const {
  impulse.setZero(velocities());
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
