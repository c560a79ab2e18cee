#pragma once

#include <utility>
#include <vector>

#include "stiction/model/system.h"

namespace stiction {

/// Everything constant: M, forces, flat contacts n'q >= offset and flat joints nu'q = offset. What 1996, section 3.3
/// assumes for (24), and what lets an impact have any matrix n'M^-1 n one wants.
class FlatSystem final : public System {
 public:
  struct Contact {
    Vector n, t1 = {}, t2 = {};  ///< Tangents are left empty where there is no friction.
    double mu = 0.0, restitution = 0.0, offset = 0.0;
  };

  FlatSystem(const linalg::DenseMatrix& M, Vector k) : M_(M.sparseView()), k_(std::move(k)) {}

  std::vector<Contact> contacts;
  std::vector<std::pair<Vector, double>> joint_rows;

  [[nodiscard]] int positions() const override { return static_cast<int>(k_.size()); }
  [[nodiscard]] int velocities() const override { return positions(); }
  void mass(double /*t*/, const Vector& /*q*/, SparseMatrix& M) const override { M = M_; }
  void applied_force(double /*t*/, const Vector& /*q*/, const Vector& /*v*/, Vector& k) const override { k = k_; }
  void advance(const Vector& q, const Vector& v, double h, Vector& q_new) const override { q_new = q + h * v; }
  void find_joints(double /*t*/, const Vector& q, JointSet& joints) const override {
    joints.clear();
    for (const auto& [row, offset] : joint_rows) {
      append(row, joints.nu);
      joints.Theta.push_back(row.dot(q) - offset);
      joints.velocity.push_back(0.0);
      joints.joint.push_back(joints.size() - 1);
    }
  }
  void find_gaps(double /*t*/, const Vector& q, double margin, GapSet& gaps) const override {
    gaps.clear();
    for (std::size_t j = 0; j < contacts.size(); ++j) {
      const Contact& contact = contacts[j];
      const double Phi = contact.n.dot(q) - contact.offset;
      if (Phi > margin) continue;
      ContactPoint& point = gaps.contacts.emplace_back();
      point.id = j + 1;
      point.Phi = Phi;
      point.mu = point.mu2 = contact.mu;
      point.restitution = contact.restitution;
      point.tangents = (contact.t1.size() > 0 ? 1 : 0) + (contact.t2.size() > 0 ? 1 : 0);
      append(contact.n, gaps.n);
      append(contact.t1, gaps.t1);
      append(contact.t2, gaps.t2);
      for (auto* speeds : {&gaps.normal_speed, &gaps.slip1, &gaps.slip2}) speeds->push_back(0.0);
    }
  }
  [[nodiscard]] double potential_energy(double /*t*/, const Vector& q) const override { return -k_.dot(q); }
  [[nodiscard]] double kinetic_energy(const Vector& v) const { return 0.5 * v.dot(M_ * v); }

 private:
  static void append(const Vector& row, linalg::Rows& rows) {
    for (int i = 0; i < row.size(); ++i) rows.push(i, row[i]);
    rows.end_row();
  }

  SparseMatrix M_;
  Vector k_;
};

}  // namespace stiction
