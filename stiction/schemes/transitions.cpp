#include "stiction/schemes/transitions.h"

#include <algorithm>
#include <cmath>

namespace stiction {

namespace {

constexpr double resting = 1e-9;                           // m/s at 1 m/s: slower is at rest
constexpr double opening_way = 1e-12;                      // m: what opens by less in a part is closed
constexpr std::uint64_t row_bit = std::uint64_t{1} << 61;  // marks friction in joints
constexpr double stopped = 1e-6;                           // share of a speed that is left where it was located
constexpr double too_soon = 1e-3;                          // share of a part below which nothing is divided

double dot(const std::array<double, 2>& u, const std::array<double, 2>& v) {
  return u[0] * v[0] + u[1] * v[1];
}

double length_of(const std::array<double, 2>& u) {
  return std::hypot(u[0], u[1]);
}

}  // namespace

void Transitions::forget() {
  before_.clear();
  trial_.clear();
}

const Transitions::Mode* Transitions::find(const std::vector<Mode>& modes, std::uint64_t id) {
  const auto it =
      std::lower_bound(modes.begin(), modes.end(), id, [](const Mode& mode, std::uint64_t v) { return mode.id < v; });
  return it != modes.end() && it->id == id ? &*it : nullptr;
}

void Transitions::read_contact(const StepProblem& problem, const StepSolution& solution, int j, Mode& mode) const {
  const StepProblem::Contact& contact = problem.contacts[j];
  mode.id = contact.id;
  mode.has_normal = problem.has_normal(j);
  const int carrier = problem.normal_of(j);
  const double opening = problem.speed(problem.n, carrier, solution.v) + problem.b_n[carrier];
  mode.is_closed = opening <= slow_ + opening_way / h_;
  mode.normal.margin = solution.c_n[carrier] / h_;
  if (mode.has_normal)
    mode.event = contact.id;
  else if (contact.normal == j && (contact.id & roll_bit) != 0)  // friction of a spherical joint
    mode.event = contact.id & ~roll_bit;
  mode.has_friction = contact.tangents > 0 && (contact.mu > 0.0 || contact.hf > 0.0);
  if (!mode.has_friction) return;
  mode.slip_start = {problem.t1.dot(j, problem.v) + problem.b_t1[j], problem.t2.dot(j, problem.v) + problem.b_t2[j]};
  mode.slip_end = {problem.t1.dot(j, solution.v) + problem.b_t1[j], problem.t2.dot(j, solution.v) + problem.b_t2[j]};
  const double alpha = problem.alpha;
  const std::array<double, 2> slip{alpha * mode.slip_end[0] + (1.0 - alpha) * mode.slip_start[0],
                                   alpha * mode.slip_end[1] + (1.0 - alpha) * mode.slip_start[1]};
  mode.slides = mode.is_closed && length_of(slip) > slow_;
  const double ratio = contact.ratio();
  const double used = std::hypot(solution.c_t1[j], ratio > 0.0 ? solution.c_t2[j] / ratio : 0.0);
  mode.friction.margin = (problem.radius(j, solution.c_n) - used) / h_;
}

void Transitions::read_row(const StepProblem& problem, const StepSolution& solution, const HoldingRow& holding,
                           Mode& mode) const {
  const int row = holding.row;
  mode.id = row_bit + static_cast<std::uint64_t>(row);
  mode.event = holding.event;
  mode.is_closed = mode.has_friction = true;
  mode.slip_start = {problem.nu.dot(row, problem.v) + problem.b_nu[row], 0.0};
  mode.slip_end = {problem.nu.dot(row, solution.v) + problem.b_nu[row], 0.0};
  mode.slides = std::abs(problem.row_speed(row, solution.v, solution.c_nu[row])) > slow_;
  const StepProblem::RowLaw law = problem.row_law(row);
  mode.friction.margin = std::min(solution.c_nu[row] - law.lower, law.upper - solution.c_nu[row]) / h_;
}

/// Rates of the margins since the part before, where it did the same.
void Transitions::compare(Mode& mode) const {
  const Mode* before = find(before_, mode.id);
  if (before == nullptr || !before->is_closed) return;
  mode.normal.is_settled = before->normal.is_settled;
  mode.friction.is_settled = before->friction.is_settled && !before->slides;
  const double apart = mode.middle - before->middle;
  if (!(apart > 0.0)) return;
  mode.normal.rate = (mode.normal.margin - before->normal.margin) / apart;
  mode.friction.rate = (mode.friction.margin - before->friction.margin) / apart;
  mode.normal.has_rate = mode.has_normal && mode.is_closed;
  mode.friction.has_rate = mode.has_friction && mode.is_closed && !mode.slides && !before->slides;
}

void Transitions::read(StepWork& work, const std::vector<HoldingRow>& holding_rows, double t, double h) {
  const StepProblem& problem = work.problem();
  const StepSolution& solution = work.solution();
  t_ = t;
  h_ = h;
  slow_ = resting * (1.0 + (solution.v.size() == 0 ? 0.0 : solution.v.lpNorm<Eigen::Infinity>()));
  trial_.clear();
  for (int j = 0; j < problem.size(); ++j) {
    trial_.emplace_back();
    read_contact(problem, solution, j, trial_.back());
  }
  for (const HoldingRow& row : holding_rows) {
    trial_.emplace_back();
    read_row(problem, solution, row, trial_.back());
  }
  std::sort(trial_.begin(), trial_.end(), [](const Mode& a, const Mode& b) { return a.id < b.id; });
  for (Mode& mode : trial_) {
    mode.middle = t + 0.5 * h;
    compare(mode);
  }
}

void Transitions::restart(const GapSet& gaps, const Vector& v, const std::vector<std::uint64_t>& closed, double t,
                          StepReport& report) {
  for (const Mode& mode : before_) {
    if (!mode.has_normal || !mode.is_closed || std::binary_search(closed.begin(), closed.end(), mode.id)) continue;
    const auto was_hit = [&](const Event& e) { return e.contact == mode.id && e.kind == EventKind::impact; };
    if (gaps.find(mode.id) >= 0 && std::none_of(report.events.begin(), report.events.end(), was_hit))
      report.events.push_back({t, EventKind::take_off, mode.id});
  }
  before_.clear();
  const double slow = resting * (1.0 + (v.size() == 0 ? 0.0 : v.lpNorm<Eigen::Infinity>()));
  for (const std::uint64_t id : closed) {
    const int at = gaps.find(id);
    if (at < 0 || (gaps.opening(at, v) > slow && !gaps.contacts[at].pfaffian)) continue;
    Mode mode;
    mode.id = id;
    mode.has_normal = mode.is_closed = true;
    mode.middle = t;
    mode.has_friction = gaps.contacts[at].tangents > 0 && gaps.contacts[at].mu > 0.0;
    mode.slides = mode.has_friction &&
                  std::hypot(gaps.t1.dot(at, v) + gaps.slip1[at], gaps.t2.dot(at, v) + gaps.slip2[at]) > slow;
    before_.push_back(mode);
  }
}

bool Transitions::turned_round(const Mode& mode, const Mode* before, double& value) const {
  const double start = length_of(mode.slip_start);
  if (!mode.has_friction || !mode.is_closed || !(start > slow_)) return false;
  if (before != nullptr && before->is_closed && !before->slides) return false;
  value = dot(mode.slip_start, mode.slip_end) / (start * start);
  return true;
}

/// Sliding both times, but the other way: from where it stopped between the two parts.
bool Transitions::turned_back(const Mode& before, const Mode& mode) {
  return length_of(mode.slip_start) <= stopped * length_of(before.slip_start) &&
         dot(before.slip_start, mode.slip_end) < 0.0;
}

bool Transitions::parts(const Mode& mode, const Mode* before) const {
  return mode.has_normal && !mode.is_closed && before != nullptr && before->is_closed && before->normal.margin > 0.0 &&
         !before->normal.is_settled;
}

bool Transitions::starts_to_slide(const Mode& mode, const Mode* before) const {
  return mode.has_friction && mode.slides && before != nullptr && before->is_closed && !before->slides &&
         before->friction.margin > 0.0 && !before->friction.is_settled;
}

Transitions::Change Transitions::change() const {
  Change change;
  for (const Mode& mode : trial_) {
    const Mode* before = find(before_, mode.id);
    double value = 1.0;
    if (turned_round(mode, before, value)) change.value = std::min(change.value, value);
    if (parts(mode, before) || starts_to_slide(mode, before)) change.releases = true;
  }
  return change;
}

/// The margin at the end of the part by its rate is negative: it was zero between the middle and the end.
double Transitions::spent_after(const Force& force, double middle) const {
  if (!force.has_rate || force.is_settled || !(force.margin > 0.0) || !(force.rate < 0.0)) return h_;
  const double after = middle - t_ - force.margin / force.rate;
  return after < h_ ? after : h_;
}

double Transitions::spent_after() const {
  double first = h_;
  for (const Mode& mode : trial_) {
    if (mode.has_normal) first = std::min(first, spent_after(mode.normal, mode.middle));
    first = std::min(first, spent_after(mode.friction, mode.middle));
  }
  return first < (1.0 - too_soon) * h_ ? first : h_;
}

void Transitions::settle_changes() {
  for (Mode& mode : before_) {
    const Mode* trial = find(trial_, mode.id);
    if (trial == nullptr) continue;
    if (parts(*trial, &mode)) mode.normal.is_settled = true;
    if (starts_to_slide(*trial, &mode)) mode.friction.is_settled = true;
  }
}

void Transitions::settle_spent(double length) {
  for (Mode& mode : before_) {
    const Mode* trial = find(trial_, mode.id);
    if (trial == nullptr) continue;
    if (trial->has_normal && spent_after(trial->normal, trial->middle) <= length) mode.normal.is_settled = true;
    if (spent_after(trial->friction, trial->middle) <= length) mode.friction.is_settled = true;
  }
}

void Transitions::accept(StepReport& report) {
  for (const Mode& mode : trial_) {
    const Mode* before = find(before_, mode.id);
    if (mode.event == Drive::silent || before == nullptr || !before->is_closed) continue;
    if (!mode.is_closed)
      report.events.push_back({t_, EventKind::take_off, mode.event});
    else if (mode.has_friction && before->slides != mode.slides)
      report.events.push_back({t_, mode.slides ? EventKind::slip : EventKind::stick, mode.event});
    else if (mode.slides && turned_back(*before, mode))
      report.events.push_back({t_, EventKind::reversal, mode.event});
  }
  std::swap(before_, trial_);
}

void Transitions::find_closed(std::vector<std::uint64_t>& ids) const {
  ids.clear();
  for (const Mode& mode : before_)
    if (mode.has_normal && mode.is_closed) ids.push_back(mode.id);
}

}  // namespace stiction
