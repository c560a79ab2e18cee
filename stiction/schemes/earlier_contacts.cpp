#include "stiction/schemes/earlier_contacts.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace stiction {

namespace {

// Two views of a contact are one where the normals differ by less (rad), and the places by less of the arm that the
// curvature gives.
constexpr double same_normal = 1e-3, same_place = 1e-2;
// Rows that are kept in a part of a step; more is no chase of a few features.
constexpr int most_rows = 64;

bool is_same(const ContactPoint& a, const ContactPoint& b) {
  return (a.normal - b.normal).norm() <= same_normal && (a.point - b.point).norm() * a.curvature <= same_place;
}

bool sees(const GapSet& gaps, const ContactPoint& contact) {
  const int at = gaps.find(contact.id);
  return at >= 0 && is_same(gaps.contacts[at], contact);
}

}  // namespace

void EarlierContacts::clear() {
  rows_.clear();
  b_n_.clear();
  iterate_.clear();
  iterates_ = 0;
}

void EarlierContacts::keep(const GapSet& from, int index, double b_n, int iterate) {
  if (next_.size() == most_rows) return;
  next_.append(from, index);
  next_b_n_.push_back(b_n);
  next_iterate_.push_back(iterate);
}

void EarlierContacts::note(const StepProblem& problem, const StepSolution& solution, const GapSet& seen,
                           const GapSet& end, const Vector& v_hat) {
  next_.clear();
  next_b_n_.clear();
  next_iterate_.clear();
  // Ids of both lists increase.
  int old = 0;
  const auto keep_old_before = [&](std::uint64_t id) {
    for (; old < rows_.size() && rows_.contacts[old].id < id; ++old)
      if (!sees(seen, rows_.contacts[old])) keep(rows_, old, b_n_[old], iterate_[old]);
  };
  bool is_new = false;
  for (int j = 0; j < problem.size(); ++j) {
    const std::uint64_t id = problem.contacts[j].id;
    const int at = seen.find(id);
    if (at < 0 || !problem.has_normal(j) || !(solution.c_n[j] > 0.0)) continue;
    const ContactPoint& contact = seen.contacts[at];
    if (contact.pfaffian || sees(end, contact)) continue;
    keep_old_before(id);
    if (old < rows_.size() && rows_.contacts[old].id == id) ++old;  // this one is newer
    keep(seen, at, problem.b_n[j], iterates_);
    is_new = true;
  }
  keep_old_before(~std::uint64_t{0});
  std::swap(rows_, next_);
  std::swap(b_n_, next_b_n_);
  std::swap(iterate_, next_iterate_);
  if (!is_new) return;
  if (static_cast<int>(v_hat_.size()) == iterates_) v_hat_.emplace_back();
  v_hat_[static_cast<std::size_t>(iterates_++)] = v_hat;
}

bool EarlierContacts::is_wanted(int row, const GapSet& seen, const Vector& v_hat, double h, double tolerance) const {
  const ContactPoint& contact = rows_.contacts[row];
  if (sees(seen, contact)) return false;
  const double way = h * (v_hat - v_hat_[static_cast<std::size_t>(iterate_[row])]).lpNorm<Eigen::Infinity>();
  return 0.5 * contact.curvature * way * way <= tolerance;
}

}  // namespace stiction
