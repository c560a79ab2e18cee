#include "stiction/schemes/position_judge.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace stiction {

namespace {

constexpr double resting = 1e-9;  // m/s: an impulse that moves its bodies by less is none
// m: how far the shapes of a contact that pushed are looked for.
constexpr double far = 1.0;

/// What is no number is worse than any.
void raise(double& worst, double value) {
  if (!(value <= worst)) worst = std::isnan(value) ? std::numeric_limits<double>::infinity() : value;
}

/// -1 where there are none.
int nearest_of(const GapSet& gaps) {
  int nearest = -1;
  for (int i = 0; i < gaps.size(); ++i)
    if (nearest < 0 || std::abs(gaps.contacts[i].Phi) < std::abs(gaps.contacts[nearest].Phi)) nearest = i;
  return nearest;
}

}  // namespace

/// Of one row, and what it was `since` s ago, which is not known of contacts that came later.
double PositionJudge::bound(const Rows& rows, int row, const Rows* before, int row_before, double since,
                            const Promise& promise) const {
  if (!(promise.drift > 0.0)) return promise.tolerance;
  double forced = 0.0, turned = 0.0;
  const auto columns = rows.columns(row);
  for (std::size_t k = 0; k < columns.size(); ++k)
    forced += std::abs(rows.values(row)[k] * force_[columns[k]] / mass_.coeff(columns[k], columns[k]));
  if (before != nullptr && since > 0.0)
    for (const Vector* v : {&v_before_, &v_after_})
      turned = std::max(turned, std::abs(rows.dot(row, *v) - before->dot(row_before, *v)) / since);
  return promise.tolerance + promise.drift * (turned + forced);
}

double PositionJudge::bound_of_gap(const GapSet& gaps, int at, const StepProblem* pushed, double length,
                                   const Promise& promise) const {
  int before = -1;
  for (int j = 0; pushed != nullptr && before < 0 && j < pushed->size(); ++j)
    if (pushed->has_normal(j) && contact_of_row(pushed->contacts[j].id) == gaps.contacts[at].id) before = j;
  return bound(gaps.n, at, before < 0 ? nullptr : &pushed->n, before, length, promise);
}

/// The pair of a contact where the last part of the step began, q = q+ (+) -h v+, whatever the gap there.
const GapSet& PositionJudge::look_back(std::uint64_t id, const State& after, double length) {
  const std::uint64_t pair = id >> feature_bits;
  system_.advance(after.q, after.v, -length, q_back_);
  const double margin = far + 2.0 * length * system_.fastest(after.v);
  system_.find_pair_gaps(after.t - length, q_back_, {&pair, 1}, margin, back_);
  return back_;
}

/// The pair of a contact that pushed, at the end, whatever the gap there.
const GapSet& PositionJudge::look_at(std::uint64_t id, const State& after) {
  const std::uint64_t pair = id >> feature_bits;
  system_.find_pair_gaps(after.t, after.q, {&pair, 1}, far, back_);
  return back_;
}

PositionJudge::Verdict PositionJudge::judge(const State& before, const State& after, const Promise& promise,
                                            const GapSet& gaps, const JointSet& joints, const StepProblem* pushed,
                                            const std::vector<double>& c_n, double length) {
  Verdict verdict;
  start_.clear();
  if (promise.drift > 0.0) {
    system_.mass(after.t, after.q, mass_);
    system_.applied_force(after.t, after.q, after.v, force_);
    system_.find_joints(before.t, before.q, start_);
    v_before_ = before.v;
    v_after_ = after.v;
  }
  for (int i = 0; i < gaps.size(); ++i)
    if (gaps.contacts[i].Phi < -promise.tolerance)
      raise(verdict.excess, -gaps.contacts[i].Phi / bound_of_gap(gaps, i, pushed, length, promise));
    else
      raise(verdict.excess, -gaps.contacts[i].Phi / promise.tolerance);
  const bool is_same_set = start_.size() == joints.size();
  for (int i = 0; i < joints.size(); ++i) {
    const double off = std::abs(joints.Theta[i]);
    const Rows* const start = is_same_set ? &start_.nu : nullptr;
    raise(verdict.excess, off / bound(joints.nu, i, start, i, after.t - before.t, promise));
  }
  for (int j = 0; pushed != nullptr && j < pushed->size(); ++j) {
    if (!pushed->has_normal(j) || !(c_n[j] * pushed->n.mobility(j, pushed->M) > resting)) continue;
    const bool leaves = (pushed->contacts[j].id & leaving_bit) != 0;
    const std::uint64_t id = contact_of_row(pushed->contacts[j].id);
    const bool is_measured = !leaves && gaps.find(id) >= 0;
    const GapSet& there = leaves ? look_back(id, after, length) : is_measured ? gaps : look_at(id, after);
    int at = there.find(id);
    // Its features do not meet any more: it is as far off as the nearest contact of the pair.
    if (at < 0) at = nearest_of(there);
    if (at < 0 || there.contacts[at].pfaffian) continue;
    const double gap = there.contacts[at].Phi;
    raise(verdict.excess, gap / bound_of_gap(there, at, pushed, length, promise));
    if (gap <= verdict.open_gap) continue;
    verdict.open_gap = gap;
    verdict.open_contact = id;
  }
  return verdict;
}

}  // namespace stiction
