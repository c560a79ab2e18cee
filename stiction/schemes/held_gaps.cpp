#include "stiction/schemes/held_gaps.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace stiction {

namespace {

// Share of the band that a contact may open in a step and still count as closed: more than solvers leave.
constexpr double touching = 0.01;
// Share of the band from which on gaps are mended.
constexpr double adds_up = 0.5;
// Times the band, up to which those of jammed bodies are: micrometres.
constexpr double deep = 100.0;

/// Of a list by velocity, which may be empty.
bool is_any_of(const linalg::Rows& rows, int row, const std::vector<char>& list) {
  const auto columns = rows.columns(row);
  return !list.empty() && std::any_of(columns.begin(), columns.end(),
                                      [&](int velocity) { return list[static_cast<std::size_t>(velocity)] != 0; });
}

}  // namespace

/// Less than what a full step may leave by what one step adds.
double HeldGaps::band() const {
  return (1.0 - touching) * std::min(options_.hold.band, options_.contact_tolerance);
}

double HeldGaps::touch() const {
  return touching * std::min(options_.hold.band, options_.contact_tolerance);
}

std::optional<double> HeldGaps::find(std::uint64_t id) const {
  const auto at = std::lower_bound(entries_.begin(), entries_.end(), id,
                                   [](const Entry& entry, std::uint64_t value) { return entry.id < value; });
  if (at == entries_.end() || at->id != id || !at->is_held) return std::nullopt;
  return at->Phi;
}

bool HeldGaps::is_near(const Vector& ways, double near) const {
  for (Eigen::Index i = 0; i < ways.size(); ++i) {
    const bool is_held = !entries_.empty() && moves_held_[static_cast<std::size_t>(i)] != 0;
    if (!(std::abs(ways[i]) <= (is_held ? std::max(near, touch()) : near))) return false;
  }
  return true;
}

bool HeldGaps::begin(State& state) {
  if (entries_.empty()) return false;
  if (state.q != q_) {
    forget();
    return false;
  }
  const bool asks = std::any_of(entries_.begin(), entries_.end(), [&](const Entry& entry) {
    return entry.is_mended() && std::abs(entry.Phi) > adds_up * band();
  });
  if (asks && may_mend_) mend(state);
  return was_deep_;
}

void HeldGaps::mend(State& state) {
  held_.clear();
  double deepest = 0.0;
  for (const Entry& entry : entries_) {
    if (!entry.is_mended()) continue;
    held_.push_back(entry.id);
    deepest = std::max(deepest, std::abs(entry.Phi));
  }
  may_mend_ = mending_.mend(state.t, held_, masses_, band(), deepest, state.q);
  if (!may_mend_) return;
  q_ = state.q;
  for (Entry& entry : entries_) {
    if (const int at = mending_.gaps().find(entry.id); at >= 0) entry.Phi = mending_.gaps().contacts[at].Phi;
    entry.is_held |= entry.is_jammed && within(entry.Phi);
  }
  was_deep_ |= deepest > band();
}

bool HeldGaps::is_same_set() const {
  return std::equal(entries_.begin(), entries_.end(), now_.begin(), now_.end(),
                    [](const Entry& a, const Entry& b) { return a.id == b.id; });
}

/// Of closed contacts.
bool HeldGaps::may_hold(const ContactPoint& contact, bool is_jammed) const {
  return !contact.pfaffian && (within(contact.Phi) || (is_jammed && std::abs(contact.Phi) <= deep * band()));
}

void HeldGaps::note(const Vector& q, const GapSet& gaps, const StepProblem& problem, const StepSolution& solution,
                    double h, const std::vector<char>& jammed) {
  if (!(options_.hold.band > 0.0)) return;
  closed_.assign(static_cast<std::size_t>(gaps.size()), 0);
  for (int j = 0; j < problem.size(); ++j) {
    if (!problem.has_normal(j) || h * (problem.speed(problem.n, j, solution.v) + problem.b_n[j]) > touch()) continue;
    if (const int at = gaps.find(problem.contacts[j].id); at >= 0) closed_[at] = 1;
  }
  now_.clear();
  for (int i = 0; i < gaps.size(); ++i) {
    const ContactPoint& contact = gaps.contacts[i];
    const bool is_closed = closed_[i] != 0 || contact.Phi <= 0.0;
    closed_[i] = is_closed && may_hold(contact, is_any_of(gaps.n, i, jammed)) ? 1 : 0;
    if (closed_[i] != 0) now_.push_back({contact.id, contact.Phi});
  }
  if (is_same_set() && joint_rows_ == problem.joints()) {
    for (std::size_t i = 0; i < now_.size(); ++i) {
      now_[i].is_held = entries_[i].is_held;
      now_[i].is_jammed = entries_[i].is_jammed;
    }
  } else {
    find_redundant(gaps, problem);
  }
  if (!jammed.empty()) hold_jammed(gaps, problem, jammed);
  std::swap(entries_, now_);
  q_ = q;
  was_deep_ = false;
}

void HeldGaps::hold_jammed(const GapSet& gaps, const StepProblem& problem, const std::vector<char>& jammed) {
  for (Entry& entry : now_) {
    const int at = gaps.find(entry.id);
    if (!is_any_of(gaps.n, at, jammed)) continue;
    entry.is_jammed = true;
    entry.is_held = within(entry.Phi);
    for (const int column : gaps.n.columns(at)) hold_body(problem.blocks.structure, column);
  }
}

/// The body that has this velocity is held.
void HeldGaps::hold_body(const BodyStructure& structure, int velocity) {
  const auto next = std::upper_bound(structure.starts.begin(), structure.starts.end(), velocity);
  std::fill(moves_held_.begin() + *std::prev(next), moves_held_.begin() + *next, 1);
}

/// Drives with bounds or compliance give way and make nothing redundant.
void HeldGaps::find_redundant(const GapSet& gaps, const StepProblem& problem) {
  rows_.clear();
  for (int i = 0; i < gaps.size(); ++i)
    if (closed_[i] != 0) rows_.push_back({&gaps.n, i});
  joint_rows_ = problem.joints();
  for (int i = 0; i < joint_rows_; ++i) {
    const StepProblem::RowLaw law = problem.row_law(i);
    if (law.is_joint() && law.compliance == 0.0) rows_.push_back({&problem.nu, i});
  }
  masses_ = problem.M.diagonal();
  redundancy_.find(problem.blocks.structure, masses_, rows_, redundant_);
  moves_held_.assign(static_cast<std::size_t>(problem.velocities()), 0);
  for (std::size_t i = 0; i < now_.size(); ++i) {
    now_[i].is_held = redundant_[i] != 0;
    if (!now_[i].is_held) continue;
    for (const int column : rows_[i].rows->columns(rows_[i].row)) hold_body(problem.blocks.structure, column);
  }
  may_mend_ = true;
}

}  // namespace stiction
