#include "stiction/schemes/position_judge.h"

#include <algorithm>
#include <cmath>

namespace stiction {

namespace {

constexpr double resting = 1e-9;  // m/s: an impulse that moves its bodies by less is none

}  // namespace

void PositionJudge::find_motion(const State& before, const State& after) {
  system_.mass(after.t, after.q, mass_);
  system_.applied_force(after.t, after.q, after.v, force_);
  motion_.assign(static_cast<std::size_t>(structure_.size()), 0.0);
  for (int body = 0; body < structure_.size(); ++body) {
    double speed = 0.0, acceleration = 0.0;
    for (int i = structure_.starts[body]; i < structure_.starts[body + 1]; ++i) {
      speed = std::max({speed, std::abs(before.v[i]), std::abs(after.v[i])});
      acceleration = std::max(acceleration, std::abs(force_[i]) / mass_.coeff(i, i));
    }
    double& together = motion_[static_cast<std::size_t>(structure_.compound[body])];
    together = std::max(together, speed * speed + acceleration);
  }
  for (int body = 0; body < structure_.size(); ++body)
    motion_[static_cast<std::size_t>(body)] = motion_[static_cast<std::size_t>(structure_.compound[body])];
}

double PositionJudge::bound(const BodyPair& bodies, const Promise& promise) const {
  if (!(promise.drift > 0.0)) return promise.tolerance;
  double motion = 0.0;
  for (const int body : {bodies.a, bodies.b})
    if (body >= 0 && body < structure_.size()) motion = std::max(motion, motion_[static_cast<std::size_t>(body)]);
  return promise.tolerance + promise.drift * motion;
}

/// The pair of a contact where the last part of the step began, q = q+ (+) -h v+, whatever the gap there.
const GapSet& PositionJudge::look_back(std::uint64_t id, const State& after, double length) {
  const std::uint64_t pair = id >> feature_bits;
  system_.advance(after.q, after.v, -length, q_back_);
  const double margin = 1.0 + 2.0 * length * system_.fastest(after.v);
  system_.find_pair_gaps(after.t - length, q_back_, {&pair, 1}, margin, back_);
  return back_;
}

PositionJudge::Verdict PositionJudge::judge(const State& before, const State& after, const Promise& promise,
                                            const GapSet& gaps, const JointSet& joints, const StepProblem* pushed,
                                            const std::vector<double>& c_n, double length) {
  Verdict verdict;
  if (promise.drift > 0.0) find_motion(before, after);
  for (const ContactPoint& contact : gaps.contacts)
    verdict.excess = std::max(verdict.excess, -contact.Phi / bound(contact.bodies, promise));
  for (int i = 0; i < joints.size(); ++i)
    verdict.excess = std::max(verdict.excess, std::abs(joints.Theta[i]) / bound(joints.bodies_of(i), promise));
  for (int j = 0; pushed != nullptr && j < pushed->size(); ++j) {
    if (!pushed->has_normal(j) || !(c_n[j] * pushed->n.mobility(j, pushed->M) > resting)) continue;
    const bool leaves = (pushed->contacts[j].id & leaving_bit) != 0;
    const std::uint64_t id = pushed->contacts[j].id & ~leaving_bit;
    const GapSet& there = leaves ? look_back(id, after, length) : gaps;
    const int at = there.find(id);
    if (at < 0 || there.contacts[at].pfaffian) continue;
    const double gap = there.contacts[at].Phi;
    verdict.excess = std::max(verdict.excess, gap / bound(there.contacts[at].bodies, promise));
    if (gap <= verdict.open_gap) continue;
    verdict.open_gap = gap;
    verdict.open_contact = id;
  }
  return verdict;
}

}  // namespace stiction
