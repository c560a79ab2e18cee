#include "stiction/schemes/position_judge.h"

#include <algorithm>
#include <cmath>

namespace stiction {

namespace {

constexpr double resting = 1e-9;  // m/s: an impulse that moves its bodies by less is none
constexpr double felt = 1e-9;     // m/m or m/rad: a gradient below is rounding

}  // namespace

PositionJudge::PositionJudge(const System& system) : system_(system), structure_(system.body_structure()) {
  for (int body = 0; body < structure_.size(); ++body) body_of_.resize(structure_.starts[body + 1], body);
}

bool PositionJudge::is_turning(int velocity) const {
  return velocity < static_cast<int>(structure_.turning.size()) && structure_.turning[velocity] != 0;
}

void PositionJudge::find_motion(const State& before, const State& after) {
  system_.mass(after.t, after.q, mass_);
  system_.applied_force(after.t, after.q, after.v, force_);
  motion_.assign(static_cast<std::size_t>(structure_.size()), {});
  for (int body = 0; body < structure_.size(); ++body) {
    Motion speed, acceleration;
    for (int i = structure_.starts[body]; i < structure_.starts[body + 1]; ++i) {
      double& fastest = is_turning(i) ? speed.turning : speed.along;
      double& hardest = is_turning(i) ? acceleration.turning : acceleration.along;
      fastest = std::max({fastest, std::abs(before.v[i]), std::abs(after.v[i])});
      hardest = std::max(hardest, std::abs(force_[i]) / mass_.coeff(i, i));
    }
    motion_[body] = {speed.along * speed.along + acceleration.along,
                     speed.turning * speed.turning + acceleration.turning};
  }
}

/// Notes which velocities of which bodies a row feels.
void PositionJudge::add_parts(const Rows& rows, int row) {
  const auto columns = rows.columns(row);
  for (std::size_t k = 0; k < columns.size(); ++k) {
    const double gradient = std::abs(rows.values(row)[k]);
    if (gradient < felt) continue;
    const int body = body_of_[columns[k]];
    auto part = std::find_if(parts_.begin(), parts_.end(), [&](const Part& p) { return p.body == body; });
    if (part == parts_.end()) part = parts_.insert(parts_.end(), {body});
    if (is_turning(columns[k]))
      part->arm = std::max(part->arm, gradient);
    else
      part->moves = true;
  }
}

/// Of the rows of one contact or joint.
double PositionJudge::bound(const Rows& rows, int first, int end, const Promise& promise) {
  if (!(promise.drift > 0.0)) return promise.tolerance;
  parts_.clear();
  for (int row = first; row < end; ++row) add_parts(rows, row);
  double motion = 0.0;
  for (const Part& part : parts_)
    motion = std::max(motion, (part.moves ? motion_[part.body].along : 0.0) + part.arm * motion_[part.body].turning);
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
  for (int i = 0; i < gaps.size(); ++i)
    if (gaps.contacts[i].Phi < 0.0)
      verdict.excess = std::max(verdict.excess, -gaps.contacts[i].Phi / bound(gaps.n, i, i + 1, promise));
  for (int first = 0, end = 0; first < joints.size(); first = end) {
    double error = 0.0;
    for (end = first; end < joints.size() && joints.joint[end] == joints.joint[first]; ++end)
      error = std::max(error, std::abs(joints.Theta[end]));
    verdict.excess = std::max(verdict.excess, error / bound(joints.nu, first, end, promise));
  }
  for (int j = 0; pushed != nullptr && j < pushed->size(); ++j) {
    if (!pushed->has_normal(j) || !(c_n[j] * pushed->n.mobility(j, pushed->M) > resting)) continue;
    const bool leaves = (pushed->contacts[j].id & leaving_bit) != 0;
    const std::uint64_t id = contact_of_row(pushed->contacts[j].id);
    const GapSet& there = leaves ? look_back(id, after, length) : gaps;
    const int at = there.find(id);
    if (at < 0 || there.contacts[at].pfaffian) continue;
    const double gap = there.contacts[at].Phi;
    verdict.excess = std::max(verdict.excess, gap / bound(there.n, at, at + 1, promise));
    if (gap <= verdict.open_gap) continue;
    verdict.open_gap = gap;
    verdict.open_contact = id;
  }
  return verdict;
}

}  // namespace stiction
