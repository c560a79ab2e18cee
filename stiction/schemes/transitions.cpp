#include "stiction/schemes/transitions.h"

#include <algorithm>
#include <cmath>

namespace stiction {

namespace {

constexpr double resting = 1e-9;                           // m/s at 1 m/s: slower is at rest
constexpr double opening_way = 1e-12;                      // m: what opens by less in a part is closed
constexpr std::uint64_t row_bit = std::uint64_t{1} << 61;  // marks friction in joints
constexpr double stopped = 1e-3;                           // share of a speed that may be left where it turns
constexpr double too_soon = 1e-3;                          // share of a part below which nothing is divided
constexpr int settled_parts = 3;                           // that up to the change, and the two after it

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
  told_.clear();
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
  mode.opening_start = problem.n.dot(carrier, problem.v) + problem.b_n[carrier];
  mode.opening_end = problem.n.dot(carrier, solution.v) + problem.b_n[carrier];
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
  mode.friction.margin = (problem.radius_left(j, solution) - used) / h_;
}

void Transitions::read_row(const StepProblem& problem, const StepSolution& solution, const HoldingRow& holding,
                           Mode& mode) const {
  const int row = holding.row;
  mode.id = row_bit + static_cast<std::uint64_t>(row);
  mode.event = holding.event;
  mode.is_closed = mode.has_friction = true;
  mode.slip_start = {problem.nu.dot(row, problem.v) - holding.start, 0.0};
  mode.slip_end = {problem.nu.dot(row, solution.v) - holding.end, 0.0};
  mode.slides = std::abs(problem.row_speed(row, solution.v, solution.c_nu[row])) > slow_;
  const StepProblem::RowLaw law = problem.row_law(row);
  mode.friction.margin = std::min(solution.c_nu[row] - law.lower, law.upper - solution.c_nu[row]) / h_;
}

/// The line by which a margin changes. With alpha = 1/2 impulses on the level of velocities are c_k = smooth + (-1)^k
/// jitter: an eighth of the third difference of four equal parts is the jitter, to O(h^3). Where there are no four,
/// means over two parts cancel it at the price of a longer way to extrapolate.
void Transitions::compare(Force& force, const Force& before, const Mode& mode, const Mode& earlier) const {
  if (!(earlier.length > 0.0)) return;
  const bool is_equal = std::abs(earlier.length - h_) <= 1e-9 * h_;
  force.equal = is_equal ? std::min(before.equal + 1, 3) : 0;
  force.past = {before.margin, before.past[0], before.past[1]};
  force.has_mean = true;
  force.mean = (h_ * force.margin + earlier.length * before.margin) / (h_ + earlier.length);
  force.centre = t_ + 0.5 * (h_ - earlier.length);
  force.has_rate = true;
  if (force.equal < 3 && before.has_mean) {
    force.value = force.mean;
    force.time = force.centre;
    force.rate = (force.mean - before.mean) / (force.centre - before.centre);
    return;
  }
  const auto& past = force.past;
  const double jitter = force.equal < 3 ? 0.0 : (force.margin - 3.0 * past[0] + 3.0 * past[1] - past[2]) / 8.0;
  force.value = force.margin - jitter;
  force.time = mode.middle;
  force.rate = (force.value - (before.margin + jitter)) / (mode.middle - earlier.middle);
}

/// Rates of the margins since the parts before, where they did the same.
void Transitions::compare(Mode& mode) const {
  const Mode* before = find(before_, mode.id);
  if (before == nullptr || !before->is_closed) return;
  mode.normal.settled = std::max(before->normal.settled - 1, 0);
  mode.friction.settled = before->slides ? 0 : std::max(before->friction.settled - 1, 0);
  if (mode.has_normal && mode.is_closed) compare(mode.normal, before->normal, mode, *before);
  if (mode.has_friction && mode.is_closed && !mode.slides && !before->slides)
    compare(mode.friction, before->friction, mode, *before);
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
    const int at = work.gaps().find(problem.contacts[j].id);
    trial_.back().is_rate = at >= 0 && work.gaps().contacts[at].pfaffian;
  }
  for (const HoldingRow& row : holding_rows) {
    trial_.emplace_back();
    read_row(problem, solution, row, trial_.back());
  }
  std::sort(trial_.begin(), trial_.end(), [](const Mode& a, const Mode& b) { return a.id < b.id; });
  for (Mode& mode : trial_) {
    mode.middle = t + 0.5 * h;
    mode.length = h;
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
    if (at < 0 || gaps.opening(at, v) > slow) continue;
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

/// With alpha = 1/2 a ratchet that comes to rest within a step would come out of it turning back as fast as it came in,
/// and shake from then on.
bool Transitions::came_to_rest(const Mode& mode, const Mode* before, double& value) const {
  if (!mode.is_rate || !(mode.opening_start > slow_) || (before != nullptr && before->is_closed)) return false;
  value = mode.opening_end / mode.opening_start;
  return true;
}

bool Transitions::parts(const Mode& mode, const Mode* before) const {
  return mode.has_normal && !mode.is_closed && before != nullptr && before->is_closed && before->normal.margin > 0.0 &&
         before->normal.settled == 0;
}

bool Transitions::starts_to_slide(const Mode& mode, const Mode* before) const {
  return mode.has_friction && mode.slides && before != nullptr && before->is_closed && !before->slides &&
         before->friction.margin > 0.0 && before->friction.settled == 0;
}

Transitions::Change Transitions::change() const {
  Change change;
  for (const Mode& mode : trial_) {
    const Mode* before = find(before_, mode.id);
    double value = 1.0;
    if (turned_round(mode, before, value) || came_to_rest(mode, before, value))
      change.value = std::min(change.value, value);
    if (parts(mode, before) || starts_to_slide(mode, before)) change.releases = true;
  }
  return change;
}

/// The margin at the end of the part by its rate is negative: it was zero before.
double Transitions::spent_after(const Force& force) const {
  if (!force.has_rate || force.settled > 0 || !(force.margin > 0.0) || !(force.rate < 0.0)) return h_;
  const double after = force.time - t_ - force.value / force.rate;
  return after > 0.0 && after < h_ ? after : h_;
}

double Transitions::spent_after() const {
  double first = h_;
  for (const Mode& mode : trial_) {
    if (mode.has_normal) first = std::min(first, spent_after(mode.normal));
    first = std::min(first, spent_after(mode.friction));
  }
  return first < (1.0 - too_soon) * h_ ? first : h_;
}

void Transitions::settle_changes() {
  for (Mode& mode : before_) {
    const Mode* trial = find(trial_, mode.id);
    if (trial == nullptr) continue;
    if (parts(*trial, &mode)) mode.normal.settled = settled_parts;
    if (starts_to_slide(*trial, &mode)) mode.friction.settled = settled_parts;
  }
}

void Transitions::settle_spent(double length) {
  for (Mode& mode : before_) {
    const Mode* trial = find(trial_, mode.id);
    if (trial == nullptr) continue;
    if (trial->has_normal && spent_after(trial->normal) <= length) mode.normal.settled = settled_parts;
    if (spent_after(trial->friction) <= length) mode.friction.settled = settled_parts;
  }
}

/// Against what was told last: a blow may have come between. What is new is judged by how it starts.
void Transitions::tell_sliding(const Mode& mode, const Mode* before, StepReport& report) const {
  if (!mode.is_closed || !mode.has_friction) return;
  const auto told = std::lower_bound(told_.begin(), told_.end(), mode.id,
                                     [](const Sliding& a, std::uint64_t id) { return a.id < id; });
  bool slid = length_of(mode.slip_start) > slow_;
  if (told != told_.end() && told->id == mode.id)
    slid = told->slides;
  else if (before != nullptr)
    slid = before->slides;
  if (slid != mode.slides) report.events.push_back({t_, mode.slides ? EventKind::slip : EventKind::stick, mode.event});
}

void Transitions::accept(StepReport& report) {
  for (const Mode& mode : trial_) {
    const Mode* before = find(before_, mode.id);
    if (mode.event == Drive::silent) continue;
    if (before != nullptr && before->is_closed && !mode.is_closed)
      report.events.push_back({t_, EventKind::take_off, mode.event});
    tell_sliding(mode, before, report);
    if (before != nullptr && before->is_closed && before->slides && mode.slides && turned_back(*before, mode))
      report.events.push_back({t_, EventKind::reversal, mode.event});
  }
  told_.clear();
  for (const Mode& mode : trial_)
    if (mode.is_closed && mode.has_friction) told_.push_back({mode.id, mode.slides});
  std::swap(before_, trial_);
}

void Transitions::find_closed(std::vector<std::uint64_t>& ids) const {
  ids.clear();
  for (const Mode& mode : before_)
    if (mode.has_normal && mode.is_closed) ids.push_back(mode.id);
}

}  // namespace stiction
