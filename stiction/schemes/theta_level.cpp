#include "stiction/schemes/theta_level.h"

#include <algorithm>
#include <cmath>

namespace stiction {

namespace {

// A contact that was closed stays so while it floats no further off than this share of the way of a step, or this many
// times what a curved surface falls away: velocity-level schemes leave it by O(h^2).
constexpr double float_share = 0.05, float_curvature = 2.0;
// Trials of a step that may go into finding sticking, slipping and parting.
constexpr int most_trials = 100;
// And so many of them are followed in a step: a stiff spring that carries something to and fro over and over within it
// is not.
constexpr int most_changes = 8;
// Sliding that is so small, against what it was, has stopped.
constexpr double stopped = 1e-12;

bool has(const std::vector<std::uint64_t>& sorted, std::uint64_t id) {
  return std::binary_search(sorted.begin(), sorted.end(), id);
}

}  // namespace

void ThetaLevel::find_closed(const State& state) {
  const double way = state.v.size() == 0 ? 0.0 : whole_ * state.v.lpNorm<Eigen::Infinity>();
  system_.find_gaps(state.t, state.q, options_.contact_tolerance + way, start_);
  closed_.clear();
  for (const ContactPoint& contact : start_.contacts) {
    const double reach = has(kept_, contact.id) ? way * (float_share + float_curvature * contact.curvature * way) : 0.0;
    if (contact.Phi <= options_.contact_tolerance + reach) closed_.push_back(contact.id);
  }
}

/// A contact that is closed now, was not before, and approaches: an impact at once ("snap"). Also a start against a
/// contact, and penetration that has not gone when the bodies approach again (1997, section 4).
bool ThetaLevel::is_approached(const State& state) const {
  const double slow = 1e-9 * (1.0 + state.v.lpNorm<Eigen::Infinity>());
  for (int j = 0; j < start_.size(); ++j) {
    const std::uint64_t id = start_.contacts[j].id;
    if (has(closed_, id) && !has(kept_, id) && start_.opening(j, state.v) < -slow) return true;
  }
  return false;
}

bool ThetaLevel::collide(State& state, double h, StepReport& report) {
  const std::size_t first = report.events.size();
  if (!impact_.resolve(state, closed_, h, report)) return false;
  kept_ = closed_;  // what was closed here has had its impact; what leaves is neither closed nor a collision
  std::erase_if(kept_, [&](std::uint64_t id) {
    const int at = start_.find(id);
    if (at >= 0 && start_.contacts[at].pfaffian) return false;  // no position ever opens these
    return at >= 0 && start_.opening(at, state.v) > 1e-9;
  });
  closed_ = kept_;
  part_.forget();
  transitions_.restart(start_, state.v, closed_, state.t, report);
  floating_.drop_taps(state, first, report);
  return true;
}

bool ThetaLevel::try_part(const State& state, double h, bool plastic, StepReport& report) {
  if (!part_.advance(state, h, closed_, plastic, report)) return false;
  transitions_.read(work_, part_.holding_rows(), state.t, h);
  return true;
}

/// A trial of this length, or of a part of it in which nothing passes through anything unseen: by the velocities at its
/// start, and by those that it found at its end, since forces that are stiff say nothing about them.
bool ThetaLevel::try_whole(const State& state, double& length, bool plastic, StepReport& report) {
  const Vector* v_end = &state.v;
  for (int tries = 0; tries < 3; ++tries) {
    const int parts = sweep_.parts_for(state, *v_end, length, report);
    if (parts > 1) {
      ++report.parts;
      length /= parts;
    }
    if (tries > 0 && parts == 1) return true;
    if (!try_part(state, length, plastic, report)) return false;
    v_end = &part_.v();
  }
  return true;
}

/// The trial of the whole length shows sliding that has turned round: the length after which it stops.
bool ThetaLevel::locate_turn(const State& state, double& length, double value, StepReport& report) {
  double low = 0.0, high = length, value_low = 1.0, value_high = value;
  int side = 0;
  for (; trials_ > 0; --trials_) {
    double at = low + (high - low) * value_low / (value_low - value_high);  // regula falsi, Illinois
    if (!(at > low && at < high)) at = 0.5 * (low + high);
    ++report.trials;
    if (!try_part(state, at, false, report)) return false;
    length = at;
    const Transitions::Change change = transitions_.change();
    if (change.releases) return locate_release(state, length, report);
    if (std::abs(change.value) <= stopped || !(high - low > 1e-13 * high)) return true;
    if (change.value > 0.0) {
      low = at;
      value_low = change.value;
      if (side == 1) value_high *= 0.5;
      side = 1;
    } else {
      high = at;
      value_high = change.value;
      if (side == -1) value_low *= 0.5;
      side = -1;
    }
  }
  return true;
}

/// The trial of the whole length shows that something gave way: half the longest length over which the mean forces hold
/// is where the forces themselves do no longer, to second order.
bool ThetaLevel::locate_release(const State& state, double& length, StepReport& report) {
  double low = 0.0, high = length, at = 1e-3 * length;
  for (int tries = 0; tries < 24 && trials_ > 0; ++tries, --trials_, at = 0.5 * (low + high)) {
    ++report.trials;
    if (!try_part(state, at, false, report)) return false;
    const bool gave_way = transitions_.change().releases;
    (gave_way ? high : low) = at;
    if (gave_way && tries == 0) break;  // from the start
  }
  if (!try_part(state, high, false, report)) return false;
  transitions_.settle_changes();
  if (low > 0.0) length = 0.5 * high;
  return try_part(state, length, false, report);
}

/// How far this part goes: its length, or to the first contact that sticks, slips or parts. The last trial is of that
/// length.
bool ThetaLevel::find_part(const State& state, double& length, StepReport& report) {
  const Transitions::Change change = transitions_.change();
  if (change.releases || change.value < -stopped) --changes_;
  if (change.releases) {
    const double whole = length;
    if (!locate_release(state, length, report)) return false;
    const Transitions::Change left = transitions_.change();
    if (left.value < -stopped && length == whole) return locate_turn(state, length, left.value, report);
    return true;
  }
  if (change.value < -stopped) return locate_turn(state, length, change.value, report);
  const double spent = transitions_.spent_after();
  if (spent < length && trials_ > 0) {
    transitions_.settle_spent(spent);
    length = spent;
    --trials_;
    ++report.trials;
    return try_part(state, length, false, report);
  }
  return true;
}

/// Contacts that the last trial goes into; where two meet and part again within it, a shorter one.
bool ThetaLevel::find_collisions(const State& state, double& length, bool plastic, StepReport& report, bool& solved) {
  if (path_.find_hits(state.t + length, part_.q(), closed_)) return true;
  if (plastic) return false;
  if (!passing_.find(state.t, state.q, part_.v_gamma(), length, closed_, options_.contact_tolerance)) return false;
  length = passing_.at();
  ++report.parts;
  solved = try_part(state, length, false, report);
  return solved && path_.find_hits(state.t + length, part_.q(), closed_);
}

/// Where transitions are not located, an opening contact may be one that floats.
void ThetaLevel::tell_transitions(StepReport& report) {
  const std::size_t first = report.events.size();
  transitions_.accept(report);
  transitions_.find_closed(kept_);
  if (!options_.locate_transitions) floating_.take(start_, first, report);
}

void ThetaLevel::accept(State& state, StepReport& report) {
  const double h = part_.length();
  work_.record(report);
  work_.note_closed(h, report);
  part_.accept(state.t);
  tell_transitions(report);
  state.q = part_.q();
  state.v = part_.v();
  state.v_alpha = part_.v_alpha();
  state.t += h;
}

/// The part last tried is taken up to a collision, as the cubic through its ends has it.
void ThetaLevel::stop_at(State& state, double share, StepReport& report) {
  const double h = part_.length();
  work_.record(report, share);
  tell_transitions(report);
  state.t += share * h;
  path_.at(share, state.q, state.v);
  state.v_alpha = state.v;
  part_.forget();
}

/// What is closed, and the impact of what has just become so.
bool ThetaLevel::begin_part(State& state, bool plastic, StepReport& report) {
  find_closed(state);
  floating_.add(kept_, closed_, state.t);
  if (!plastic && is_approached(state)) {
    if (!collide(state, whole_, report)) return false;
  } else if (is_new_ || was_pushed_) {
    part_.forget();
    transitions_.restart(start_, state.v, closed_, state.t, report);
  }
  is_new_ = was_pushed_ = false;
  const double way = state.v.size() == 0 ? 0.0 : whole_ * state.v.lpNorm<Eigen::Infinity>();
  floating_.settle(start_, state, options_.contact_tolerance + gone * float_share * way, kept_, closed_, report);
  return true;
}

/// One part, up to the end of the step or the first thing that happens; what is left gets less.
bool ThetaLevel::take_part(State& state, double& left, bool plastic, StepReport& report) {
  double length = left;
  if (!try_whole(state, length, plastic, report)) return false;
  if (!plastic && trials_ > 0 && changes_ > 0 && !find_part(state, length, report)) return false;
  const double tried = length;
  bool solved = true;
  const bool collides = find_collisions(state, length, plastic, report, solved);
  if (!solved) return false;
  if (collides || length < tried) ++events_;
  double share = 1.0;
  if (collides) {
    path_.set(state, part_.v(), part_.v_gamma(), length);
    share = plastic ? 0.0 : path_.find_touch(state.t);
  }
  if (collides && share > 0.0) {
    stop_at(state, share, report);
    left -= share * length;
    return true;
  }
  if (collides) {
    // Nothing opens, or too much has happened: what is hit stays closed over this part.
    closed_.insert(closed_.end(), path_.hits().begin(), path_.hits().end());
    std::sort(closed_.begin(), closed_.end());
    if (!try_part(state, length, plastic, report)) return false;
  }
  accept(state, report);
  left -= length;
  return true;
}

bool ThetaLevel::step(State& state, double h, StepReport& report) {
  saved_ = state;
  whole_ = h;
  part_.begin(h);
  trials_ = options_.locate_transitions ? most_trials : 0;
  changes_ = most_changes;
  events_ = 0;
  const double end = state.t + h;
  if (is_new_) {
    kept_.clear();
    transitions_.forget();
    floating_.forget();
  }
  for (double left = h; left > 1e-14 * h;) {
    const bool plastic = events_ >= options_.most_events;
    report.plastic |= plastic;
    if (begin_part(state, plastic, report) && take_part(state, left, plastic, report)) continue;
    state = saved_;
    is_new_ = true;
    return false;
  }
  state.t = end;
  if (options_.projection) projection_.project(state, kept_);
  return true;
}

}  // namespace stiction
