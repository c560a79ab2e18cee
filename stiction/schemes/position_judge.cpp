#include "stiction/schemes/position_judge.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "stiction/base/phase_times.h"

namespace stiction {

namespace {

constexpr double resting = 1e-9;  // m/s: an impulse that moves its bodies by less is none
// m: how far the shapes of a contact that pushed are looked for.
constexpr double far = 1.0;
// Of the bodies' thickness: what parts at q+ by less within the step has not been through.
constexpr double through = 0.25;
// Over the largest number of the velocities: two bodies may come nearer along three axes at once, and turn.
constexpr double widest = 10.0;
// Where a pair is nearest is found until its gap falls by no more than this share of the tolerance, or so often.
constexpr double share_seen = 1e-2;
constexpr int most_halvings = 60;
constexpr int looks = 8;  // on the way of what parts by more

/// What is no number is worse than any.
void raise(double& worst, double value) {
  if (!(value <= worst)) worst = std::isnan(value) ? std::numeric_limits<double>::infinity() : value;
}

std::uint64_t pair_of(std::uint64_t id) {
  return contact_of_row(id) >> feature_bits;
}

void make_set(std::vector<std::uint64_t>& pairs) {
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
}

/// The contact, or where its features do not meet any more the nearest one of its pair: it is as far off as that. -1
/// where there is none.
int find_or_nearest(const GapSet& gaps, std::uint64_t id) {
  int at = gaps.find(id);
  if (at >= 0) return at;
  const auto before = [](const ContactPoint& contact, std::uint64_t pair) { return pair_of(contact.id) < pair; };
  const auto begin = gaps.contacts.begin();
  const auto first = std::lower_bound(begin, gaps.contacts.end(), pair_of(id), before);
  for (auto it = first; it != gaps.contacts.end() && pair_of(it->id) == pair_of(id); ++it)
    if (at < 0 || std::abs(it->Phi) < std::abs(gaps.contacts[at].Phi)) at = static_cast<int>(it - begin);
  return at;
}

/// How fast a row of a joint moves against what is prescribed.
double speed_of(const JointSet& joints, int row, const Vector& v) {
  return joints.nu.dot(row, v) - joints.velocity[row];
}

}  // namespace

/// Of the rows of one joint.
double PositionJudge::bound(const Step& step, const JointSet& start, const JointSet& joints, int first,
                            int last) const {
  double turned = 0.0;
  for (const Vector* v : {&step.before.v, &step.after.v}) {
    double sum = 0.0;
    for (int i = first; i < last; ++i) {
      if (joints.is_pfaffian(i)) continue;
      const double change = speed_of(joints, i, *v) - speed_of(start, i, *v);
      sum += change * change;
    }
    raise(turned, std::sqrt(sum) / step.h());
  }
  return step.promise.tolerance + step.promise.drift * turned;
}

/// By how much forces may have closed a gap that was open, which no row of the step knew of.
double PositionJudge::closing(const Step& step, const GapSet& gaps, int at) const {
  const double done = std::abs(gaps.n.dot(at, step.after.v) - gaps.n.dot(at, step.before.v)) / step.h();
  double forced = 0.0;
  const auto columns = gaps.n.columns(at);
  const auto values = gaps.n.values(at);
  for (std::size_t k = 0; k < columns.size(); ++k)
    forced += values[k] * force_[columns[k]] / mass_.coeff(columns[k], columns[k]);
  return std::min(done, std::abs(forced));
}

/// How its row turned is not known of a contact whose features met later.
double PositionJudge::bound(const Step& step, const GapSet& gaps, int at) const {
  const int start = start_gaps_.find(gaps.contacts[at].id);
  double rate = 0.0;
  if (start >= 0)
    for (const Vector* v : {&step.before.v, &step.after.v})
      raise(rate, std::abs(gaps.opening(at, *v) - start_gaps_.opening(start, *v)) / step.h());
  if (start < 0 || start_gaps_.contacts[start].Phi > step.promise.tolerance) rate += closing(step, gaps, at);
  return step.promise.tolerance + step.promise.drift * rate;
}

void PositionJudge::judge_joints(const Step& step, const JointSet& joints, bool are_implied, double& excess) {
  bool has_start = false;
  for (int first = 0, last = 0; first < joints.size(); first = last) {
    double sum = 0.0;
    for (last = first; last < joints.size() && joints.joint[last] == joints.joint[first]; ++last)
      sum += joints.Theta[last] * joints.Theta[last];
    const double off = std::sqrt(sum);
    if (off <= step.promise.tolerance || !(step.promise.drift > 0.0)) {
      raise(excess, off / step.promise.tolerance);
      continue;
    }
    if (!has_start && are_implied) system_.find_implied_joints(step.before.t, step.before.q, start_joints_);
    if (!has_start && !are_implied) system_.find_joints(step.before.t, step.before.q, start_joints_);
    has_start = true;
    const bool is_same_set = start_joints_.joint == joints.joint && step.h() > 0.0;
    raise(excess, off / (is_same_set ? bound(step, start_joints_, joints, first, last) : step.promise.tolerance));
  }
}

void PositionJudge::judge_gap(const Step& step, const GapSet& gaps, int at, double off, double& excess) {
  if (off <= step.promise.tolerance || !(step.promise.drift > 0.0) || !(step.h() > 0.0))
    raise(excess, off / step.promise.tolerance);
  else
    suspects_.push_back({&gaps, at, off});
}

void PositionJudge::judge_pushed(const Step& step, const GapSet& gaps, const StepProblem& pushed,
                                 const std::vector<double>& c_n, double length, Verdict& verdict) {
  const auto leaves = [&](int row) { return (pushed.contacts[row].id & leaving_bit) != 0; };
  const auto grazes = [&](int row) { return (pushed.contacts[row].id & grazing_bit) != 0; };
  pushing_.clear();
  left_pairs_.clear();
  away_pairs_.clear();
  for (int j = 0; j < pushed.size(); ++j) {
    if (!pushed.has_normal(j) || !(c_n[j] * pushed.n.mobility(j, pushed.M) > resting)) continue;
    pushing_.push_back(j);
    const std::uint64_t id = contact_of_row(pushed.contacts[j].id);
    if (grazes(j)) continue;
    if (leaves(j))
      left_pairs_.push_back(pair_of(id));
    else if (gaps.find(id) < 0)
      away_pairs_.push_back(pair_of(id));
  }
  make_set(left_pairs_);
  make_set(away_pairs_);
  if (!left_pairs_.empty()) {
    // Where the last part of the step began, q = q+ (+) -h v+, whatever the gaps there.
    system_.advance(step.after.q, step.after.v, -length, q_back_);
    const double margin = far + 2.0 * length * system_.fastest(step.after.v);
    system_.find_pair_gaps(step.after.t - length, q_back_, left_pairs_, margin, left_);
  }
  if (!away_pairs_.empty()) system_.find_pair_gaps(step.after.t, step.after.q, away_pairs_, far, away_);
  for (const int j : pushing_) {
    const std::uint64_t id = contact_of_row(pushed.contacts[j].id);
    if (grazes(j)) {
      raise(verdict.excess, std::abs(least_gap(step, pair_of(id), length)) / step.promise.tolerance);
      continue;
    }
    const GapSet& there = leaves(j) ? left_ : gaps.find(id) >= 0 ? gaps : away_;
    const int at = find_or_nearest(there, id);
    if (at >= 0 && there.contacts[at].pfaffian) continue;
    const double gap = at < 0 ? far : there.contacts[at].Phi;
    if (at < 0)
      raise(verdict.excess, far / step.promise.tolerance);
    else
      judge_gap(step, there, at, gap, verdict.excess);
    if (at >= 0 && !leaves(j)) judge_side(step, there, at, length, verdict.excess);
    if (gap <= verdict.open_gap) continue;
    verdict.open_gap = gap;
    verdict.open_contact = id;
  }
}

/// Of a pair that comes nearer and parts on the last part of the step: where its rate is zero, by bisection and secants
/// (Illinois). Infinite where it is not seen.
double PositionJudge::least_gap(const Step& step, std::uint64_t pair, double length) {
  const Vector& v = step.after.v;
  const double margin = far + widest * length * system_.fastest(v);
  side_pair_.assign(1, pair);
  double least = std::numeric_limits<double>::infinity();
  const auto rate_at = [&](double back) {
    system_.advance(step.after.q, v, -back, q_back_);
    system_.find_pair_gaps(step.after.t - back, q_back_, side_pair_, margin, way_);
    int nearest = -1;
    for (int i = 0; i < way_.size(); ++i)
      if (nearest < 0 || way_.contacts[i].Phi < way_.contacts[nearest].Phi) nearest = i;
    if (nearest < 0) return 0.0;
    least = std::min(least, way_.contacts[nearest].Phi);
    return way_.opening(nearest, v);
  };
  double early = length, late = 0.0, early_rate = rate_at(early), late_rate = rate_at(late);
  int last = 0;
  for (int i = 0; i < most_halvings && early_rate < 0.0 && late_rate > 0.0; ++i) {
    if ((early - late) * std::min(-early_rate, late_rate) <= share_seen * step.promise.tolerance) break;
    const double back =
        i % 3 == 2 ? 0.5 * (early + late) : (early * late_rate - late * early_rate) / (late_rate - early_rate);
    const double rate = rate_at(back);
    const bool is_early = rate < 0.0;
    (is_early ? early : late) = back;
    (is_early ? early_rate : late_rate) = rate;
    // The end that stays counts half, or it would stay for ever.
    if (last == (is_early ? -1 : 1)) (is_early ? late_rate : early_rate) *= 0.5;
    last = is_early ? -1 : 1;
  }
  return least;
}

/// Of a contact that pushes while it parts: as far as its row says, the bodies overlapped where the step began.
void PositionJudge::judge_side(const Step& step, const GapSet& gaps, int at, double length, double& excess) {
  const ContactPoint& contact = gaps.contacts[at];
  const Vector& v = step.after.v;
  if (step.promise.drift > 0.0 || !(length * gaps.opening(at, v) > through * contact.thickness)) return;
  side_pair_.assign(1, pair_of(contact.id));
  const auto look = [&](double back, double margin) {
    system_.advance(step.after.q, v, -back, q_back_);
    system_.find_pair_gaps(step.after.t - back, q_back_, side_pair_, margin, way_);
    return std::min_element(way_.contacts.begin(), way_.contacts.end(),
                            [](const ContactPoint& a, const ContactPoint& b) { return a.Phi < b.Phi; });
  };
  const auto start = look(length, far + 2.0 * length * system_.fastest(v));
  if (start == way_.contacts.end() || start->normal.dot(contact.normal) >= 0.0) return;
  double deepest = 0.0;
  // Somewhere on the way, and half through: where the way is long that is near its end.
  const double half = std::min(0.5 * contact.thickness / gaps.opening(at, v), length);
  for (int k = 0; k < looks; ++k) {
    const auto nearest = look(k == 0 ? half : length * k / looks, 0.0);
    if (nearest != way_.contacts.end()) deepest = std::max(deepest, -nearest->Phi);
  }
  raise(excess, deepest / step.promise.tolerance);
}

void PositionJudge::judge_suspects(const Step& step, double& excess) {
  if (suspects_.empty()) return;
  suspect_pairs_.clear();
  for (const Suspect& suspect : suspects_) suspect_pairs_.push_back(pair_of(suspect.gaps->contacts[suspect.at].id));
  make_set(suspect_pairs_);
  const State& before = step.before;
  const double fastest = std::max(system_.fastest(before.v), system_.fastest(step.after.v));
  system_.find_pair_gaps(before.t, before.q, suspect_pairs_, far + 2.0 * step.h() * fastest, start_gaps_);
  system_.mass(step.after.t, step.after.q, mass_);
  system_.applied_force(step.after.t, step.after.q, step.after.v, force_);
  for (const Suspect& suspect : suspects_) raise(excess, suspect.off / bound(step, *suspect.gaps, suspect.at));
}

PositionJudge::Verdict PositionJudge::judge(const State& before, const State& after, const Promise& promise,
                                            const Measured& measured, const StepProblem* pushed,
                                            const std::vector<double>& c_n, double length) {
  const PhaseScope scope(Phase::certify);
  const Step step{before, after, promise};
  Verdict verdict;
  suspects_.clear();
  judge_joints(step, measured.joints, false, verdict.excess);
  judge_joints(step, measured.implied, true, verdict.excess);
  for (int i = 0; i < measured.gaps.size(); ++i)
    judge_gap(step, measured.gaps, i, -measured.gaps.contacts[i].Phi, verdict.excess);
  if (pushed != nullptr) judge_pushed(step, measured.gaps, *pushed, c_n, length, verdict);
  judge_suspects(step, verdict.excess);
  return verdict;
}

}  // namespace stiction
