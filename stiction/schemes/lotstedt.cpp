#include "stiction/schemes/lotstedt.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace stiction {

namespace {

constexpr double sharp = ActiveSetFinder::sharp;
constexpr double closing = 2e-13;   // m, or m/s, by which a gap or a slip must be negative to be over, times 1 + |q|
constexpr double shortest = 1e-11;  // of the step: parts are not made shorter to meet a tolerance
constexpr double ahead = 0.01;      // of the integration's own step: where the set after an event is tried
constexpr double agreeing = 1e-9;   // of 1 + |v|: by which a velocity may miss what is held
constexpr int most_parts = 100'000;
constexpr double singular = 1e3;  // times the tolerance: an error that no shorter part makes smaller
constexpr double fading = 0.9;    // of the usual pace, which is not forgotten while short parts creep up to an event

}  // namespace

Lotstedt::Lotstedt(const System& system, const SchemeOptions& options, StepWork& work)
    : system_(system),
      options_(options),
      plastic_options_(options),
      impact_(system, options_, work),
      plastic_impact_(system, plastic_options_, work),
      plastic_step_(system, plastic_options_, work, plastic_impact_),
      finder_(system, work.solver()),
      motion_(system),
      projection_(system),
      watch_(system) {
  plastic_options_.restitution_threshold = std::numeric_limits<double>::max();
  plastic_options_.geometry = GeometryAt::predicted;
  plastic_options_.most_events = 10;
}

/// The speed with which the forces let a contact rise by less than a tenth of the contact tolerance. A bar that falls
/// flat rocks from end to end infinitely often in a finite time, without restitution; this is how that comes to an end.
double Lotstedt::calm_speed(const State& state) {
  system_.mass(state.t, state.q, mass_);
  system_.applied_force(state.t, state.q, state.v, force_);
  double largest = 0.0;
  for (int i = 0; i < force_.size(); ++i) largest = std::max(largest, std::abs(force_[i]) / mass_.coeff(i, i));
  return std::isfinite(largest) ? std::sqrt(0.2 * options_.contact_tolerance * largest) : 0.0;
}

/// Contacts within the tolerance, and of these the candidates for (2.5b): those that do not leave. True when one
/// approaches.
bool Lotstedt::find_closed(const State& state, StepReport& report) {
  const double slow = 1e-10 * (1.0 + state.v.lpNorm<Eigen::Infinity>());
  system_.find_gaps(state.t, state.q, options_.contact_tolerance, gaps_);
  closed_.clear();
  candidates_.contacts.clear();
  leaving_.clear();
  const double calm = calm_speed(state);
  bool approached = false;
  for (int j = 0; j < gaps_.size(); ++j) {
    const ContactPoint& contact = gaps_.contacts[j];
    if (std::find(released_.begin(), released_.end(), contact.id) != released_.end()) continue;
    if ((contact.tangents > 0 && (contact.mu > 0.0 || contact.mu2 > 0.0)) || contact.spin_friction > 0.0 ||
        contact.roll_friction > 0.0) {
      report.has_friction = true;
      report.certificate.worst_contact = contact.id;
      report.certificate.has_worst = true;
      return false;
    }
    const double speed = gaps_.n.dot(j, state.v) + gaps_.normal_speed[j];
    closed_.push_back(contact.id);
    const bool comes_back = !contact.pfaffian && speed > slow && speed <= calm;
    if (speed <= slow || comes_back) candidates_.contacts.push_back(contact.id);
    if (comes_back) leaving_.push_back(contact.id);
    approached = approached || speed < -slow;
  }
  return approached;
}

/// Drives as candidates: at their velocity they may hold, elsewhere they are at a bound (1982, (6.5)).
void Lotstedt::find_drive_modes(const State& state) {
  const double slow = 1e-10 * (1.0 + state.v.lpNorm<Eigen::Infinity>());
  system_.find_drives(state.t, state.q, 0.0, drives_);
  candidates_.drives.clear();
  for (int i = 0; i < drives_.size(); ++i) {
    const Drive& drive = drives_.drives[i];
    const double slip = drives_.r.dot(i, state.v) - drive.velocity;
    DriveMode mode = DriveMode::follows;
    if (!std::isfinite(drive.damping)) {
      mode = DriveMode::holds;
      if (slip > slow && std::isfinite(drive.lower)) mode = DriveMode::at_lower;
      if (slip < -slow && std::isfinite(drive.upper)) mode = DriveMode::at_upper;
    }
    candidates_.drives.push_back(mode);
  }
}

/// Whether there is a velocity that joints and drives without bounds allow.
bool Lotstedt::rigid_drives_agree(const State& state) {
  rigid_ = {{}, candidates_.drives};
  bool has_rigid = false;
  for (int i = 0; i < drives_.size(); ++i) {
    if (is_rigid(drives_.drives[i]))
      has_rigid = true;
    else
      rigid_.drives[i] = DriveMode::follows;
  }
  if (!has_rigid) return true;
  rigid_q_ = state.q;
  rigid_v_ = state.v;
  return projection_.project(state.t, rigid_, rigid_q_, rigid_v_) && !projection_.rows().contradict(rigid_v_);
}

/// What is left until a drive that slips is at its velocity again.
double Lotstedt::slip_slack() const {
  const DriveSet& set = motion_.acceleration().rows().drives();
  double smallest = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < slips_.size(); ++i) {
    const DriveMode mode = active_.drives[i];
    if (mode != DriveMode::at_lower && mode != DriveMode::at_upper) continue;
    const double sign = mode == DriveMode::at_lower ? 1.0 : -1.0;
    const double slip = set.r.dot(static_cast<int>(i), motion_.v()) - set.drives[i].velocity;
    smallest = std::min(smallest, above_floor(sign * slip, sign * slips_[i], closing_));
  }
  return smallest;
}

void Lotstedt::note_slips() {
  const DriveSet& set = motion_.acceleration().rows().drives();
  slips_.clear();
  for (int i = 0; i < set.size(); ++i) slips_.push_back(set.r.dot(i, motion_.v()) - set.drives[i].velocity);
}

/// Impacts, and the active set of what follows.
bool Lotstedt::settle(State& state, StepReport& report) {
  const std::size_t events_before = report.events.size();
  std::swap(was_active_, active_);
  for (int tries = 0; tries < 4 && (find_closed(state, report) || must_push_); ++tries) {
    must_push_ = false;
    Impact& impact = events_ > options_.most_events ? plastic_impact_ : impact_;
    if (!impact.resolve(state, closed_, whole_, report)) {
      // A law of restitution may have no answer, with joints; a plastic impact always has.
      report.relaxed = true;
      if (!plastic_impact_.resolve(state, closed_, whole_, report)) return false;
    }
    ++events_;
  }
  if (report.has_friction) return false;
  find_drive_modes(state);
  if (is_new_) was_active_ = {{}, candidates_.drives};
  if (!drives_.balls.empty()) {
    report.has_friction = report.certificate.has_worst = true;
    report.certificate.worst_contact = drives_.balls.front().id;
    return false;
  }
  if (!rigid_drives_agree(state)) return false;
  const double tau = ahead * std::min(std::max(pace_, usual_pace_), whole_);
  if (!finder_.find(state, candidates_, leaving_, tau, report)) return false;
  active_ = finder_.active();
  while (!projection_.project(state.t, active_, state.q, state.v)) {
    released_.push_back(projection_.lost());
    std::erase(active_.contacts, projection_.lost());
  }
  state.v_alpha = state.v;
  note_changes(state, events_before, report);
  is_settled_ = true;
  return begin_motion(state, report);
}

/// Contacts that the last set had and this one has not have left, unless an impact here says so already. Where there
/// was no last set, drives were as their velocities say.
void Lotstedt::note_changes(const State& state, std::size_t events_before, StepReport& report) const {
  const auto here = static_cast<std::ptrdiff_t>(events_before);
  for (const std::uint64_t id : was_active_.contacts) {
    const bool is_told = std::any_of(report.events.begin() + here, report.events.end(),
                                     [&](const Event& event) { return event.contact == id; });
    if (!active_.has(id) && !is_told) report.events.push_back({state.t, EventKind::take_off, id});
  }
  if (was_active_.drives.size() != active_.drives.size()) return;
  for (int i = 0; i < drives_.size(); ++i) {
    const std::uint64_t id = drives_.drives[i].event;
    const bool held = was_active_.drives[i] == DriveMode::holds, holds = active_.drives[i] == DriveMode::holds;
    if (id != Drive::silent && held != holds)
      report.events.push_back({state.t, holds ? EventKind::stick : EventKind::slip, id});
  }
}

bool Lotstedt::begin_motion(const State& state, StepReport& report) {
  const MotionStatus status = motion_.begin(state.t, state.q, state.v, active_);
  report.forces_are_finite = status != MotionStatus::not_finite;
  report.force_time = state.t;
  if (status != MotionStatus::fine) return false;
  rank_ = motion_.acceleration().rank();
  note_slips();
  floor_ = 0.0;
  floor_ = sharp * (push_slack(report) - 1.0);
  return true;
}

/// What is left until an event, at the end of the motion's last part, in units of what is taken for rounding: negative
/// after an event, 1 where a gap, a slip or a force is zero.
double Lotstedt::slack(StepReport& report) {
  return std::min({watch_.lowest(motion_.t(), motion_.q(), motion_.v(), closing_), slip_slack(), push_slack(report)});
}

/// Of contacts until they would have to pull and drives until they are at a bound.
double Lotstedt::push_slack(StepReport& report) {
  const Acceleration& at = motion_.acceleration();
  double push = at.smallest_push();
  // Where multipliers are not unique those of least length may pull though others do not.
  if (push < -sharp && at.is_redundant()) push = std::min(0.0, sharp - finder_.largest_parting(at, report));
  return above_floor(push, floor_, sharp);
}

/// A step of the integration whose error is within the tolerance. False where there is none.
bool Lotstedt::try_part(double& part, StepReport& report) {
  const double left = part;
  part = std::min(left, pace_);
  for (;;) {
    const bool is_shortest = part <= shortest * whole_;
    const MotionStatus status = motion_.advance(part);
    if (status != MotionStatus::fine) {
      if (is_shortest) {
        report.forces_are_finite = status != MotionStatus::not_finite;
        report.force_time = motion_.t();
        return false;
      }
      part *= 0.25;
      continue;
    }
    const double error = motion_.error(options_.integration_tolerance);
    if (is_shortest && error > singular) {
      is_stuck_ = true;
      return false;
    }
    const double wanted = part * DormandPrince::factor(error);
    if (error <= 1.0 || is_shortest) {
      pace_ = std::max(part < pace_ ? std::max(pace_, wanted) : wanted, shortest * whole_);
      return true;
    }
    part = pace_ = wanted;
  }
}

/// Whether there is an event in the part just made; it is then cut off there.
bool Lotstedt::find_event(double& part, StepReport& report) {
  const double at_end = slack(report);
  if (at_end < 0.0) {
    part = locate(part, at_end, report);
    return true;
  }
  watch_.find_dips(motion_.v(), part, closing_);
  bool has_looked = false;
  for (double share = 1.0; watch_.next_look(share); watch_.narrow_dip(motion_.v(), share)) {
    has_looked = true;
    if (motion_.advance(share * part) != MotionStatus::fine) break;
    if (const double between = slack(report); between < 0.0) {
      part = locate(share * part, between, report);
      return true;
    }
  }
  if (has_looked) motion_.advance(part);
  return false;
}

/// Halves the part until it ends before the event, so that a zero at its start (a contact just left) is not taken for
/// the event; then regula falsi (Illinois) with bisection now and then. Each try is a step of its own: the state at the
/// event is as exact as any.
double Lotstedt::locate(double high, double slack_high, StepReport& report) {
  constexpr double aim = 0.5;  // rounding keeps off 0 and 1
  const double length = high;
  slack_high -= aim;
  const double slack_end = slack_high;
  const auto try_at = [&](double at) {
    return motion_.advance(at) == MotionStatus::fine ? slack(report) - aim : -std::numeric_limits<double>::infinity();
  };
  double low = 0.5 * high, slack_low = try_at(low);
  for (; slack_low <= aim && low > shortest * length; low *= 0.5, slack_low = try_at(low)) {
    high = low;
    slack_high = slack_low;
  }
  if (slack_low <= aim) {
    // A gap that stays closed from the start, between surfaces that go over into each other, has no such place.
    low = 0.0;
    slack_low = aim;
    high = length;
    slack_high = slack_end;
  }
  int side = 0;
  for (int tries = 1; tries < 200 && high - low > 1e-15 * length && slack_low > 0.0; ++tries) {
    double at = low + (high - low) * (tries % 4 == 0 ? 0.5 : slack_low / (slack_low - slack_high));
    if (!(at > low && at < high)) at = 0.5 * (low + high);
    const double here = try_at(at);
    if (std::abs(here) <= 0.5 * aim) return at;
    if (here > 0.0) {
      low = at;
      slack_low = here;
      if (side == 1) slack_high *= 0.5;
      side = 1;
    } else {
      high = at;
      slack_high = here;
      if (side == -1) slack_low *= 0.5;
      side = -1;
    }
  }
  motion_.advance(high);
  return high;
}

/// A part of the step, up to an event or as far as the integration goes.
bool Lotstedt::move(State& state, double left, StepReport& report) {
  closing_ = closing * (1.0 + state.q.lpNorm<Eigen::Infinity>());
  watch_.begin(state, std::min(left, pace_), options_.contact_tolerance, active_, released_);
  double part = std::min(left, watch_.longest_part(state.v));
  bool is_fine = try_part(part, report);
  if (is_fine) {
    // Forces may have made it faster than it began.
    watch_.widen(state, part, motion_.v());
    if (const double safe = watch_.longest_part(motion_.v()); safe < part) {
      part = safe;
      is_fine = try_part(part, report);
    }
  }
  if (!is_fine) {
    if (!report.forces_are_finite) return false;
    if (is_stuck_) return pass_jump(state, report);
    release(state);
    return true;
  }
  usual_pace_ = std::max(part, fading * usual_pace_);
  has_event_ = find_event(part, report);
  if (motion_.acceleration().is_redundant() && motion_.acceleration().rows().contradict(motion_.v())) return false;
  accept(state, report);
  if (has_event_) end_phase();
  return true;
}

void Lotstedt::end_phase() {
  ++events_;
  is_settled_ = false;
  pace_ = std::max(pace_, usual_pace_);
}

/// No part is short enough. Where the velocity does not agree with what is held a moment later, an edge was reached or
/// a drive changed its velocity at once: the motion goes on behind that, as after any event. Otherwise the constraints
/// are about to depend on each other, and rounding decides.
bool Lotstedt::pass_jump(State& state, StepReport& report) {
  const ActiveRows& rows = motion_.acceleration().rows();
  const double slow = agreeing * (1.0 + state.v.lpNorm<Eigen::Infinity>());
  bool jumps = false;
  for (int i = 0; i < rows.size(); ++i) {
    if (!(std::abs(rows.speed(i, state.v)) > slow)) continue;
    jumps = true;
    must_push_ = must_push_ || i < rows.first_contact();
  }
  if (!jumps) {
    ++report.rank_changes;
    return false;
  }
  is_stuck_ = false;
  state.t = motion_.t();
  state.q = motion_.q();
  end_phase();
  return true;
}

/// The support of an active contact ends here: it is let go (1982, end of section 2). A little further, where others
/// take over if the bodies only meet with other features.
void Lotstedt::release(State& state) {
  released_.push_back(motion_.lost());
  const double past = shortest * whole_;
  system_.advance(state.q, state.v, past, past_q_);
  state.q = past_q_;
  state.t += past;
  end_phase();
}

void Lotstedt::accept(State& state, StepReport& report) {
  record(motion_.t() - state.t, report);
  certify_end(report);
  state.t = motion_.t();
  state.q = motion_.q();
  state.v = state.v_alpha = motion_.v();
  motion_.accept();
  note_slips();
  released_.clear();
}

bool Lotstedt::finish_plastic(State& state, double left, StepReport& report) {
  report.relaxed = true;
  plastic_step_.forget();
  is_settled_ = false;
  return plastic_step_.step(state, left, report);
}

bool Lotstedt::step(State& state, double h, StepReport& report) {
  saved_ = state;
  whole_ = h;
  events_ = 0;
  is_stuck_ = false;
  if (pace_ == 0.0) pace_ = h;
  const double end = state.t + h;
  // Callers may set the time to what it should be to the last bit, and may have pushed: that changes v alone.
  const bool goes_on = reached_.q.size() == state.q.size() && reached_.v.size() == state.v.size() &&
                       std::abs(reached_.t - state.t) <= 1e-9 * h && reached_.q == state.q;
  is_settled_ = is_settled_ && goes_on && reached_.v == state.v;
  if (is_settled_) motion_.set_time(state.t);
  if (!goes_on) {
    is_new_ = true;
    must_push_ = false;
    active_ = {};
    released_.clear();
  }
  const auto fail = [&] {
    state = saved_;
    forget();
    return false;
  };
  int parts = 0;
  while (end - state.t > 1e-14 * h) {
    if (++parts > most_parts) return fail();
    if (events_ > 2 * options_.most_events + 20) {
      if (!finish_plastic(state, end - state.t, report)) return fail();
      break;
    }
    if (!is_settled_ && !settle(state, report)) return fail();
    is_new_ = false;
    if (!move(state, end - state.t, report)) return fail();
  }
  state.t = end;
  reached_ = state;
  report.closed.clear();
  for (const std::uint64_t id : active_.contacts) report.closed.push_back({.id = id});
  return true;
}

}  // namespace stiction
