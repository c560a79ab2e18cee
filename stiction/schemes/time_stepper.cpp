#include "stiction/schemes/time_stepper.h"

#include <algorithm>
#include <cmath>

#include "stiction/schemes/floating_contacts.h"
#include "stiction/schemes/lotstedt.h"
#include "stiction/schemes/theta_level.h"

namespace stiction {

namespace {

constexpr double resting = 1e-9;  // m/s: slower is at rest
// Halvings with which a step begins at most: what needs more needs it here and there.
constexpr int deepest_start = 6;
// Problems solved in one step after which nothing is divided any more: a minute or so.
constexpr int most_solves = 10'000;

/// How far a step goes before an impulse, in s: not so little before or after it that a part has no digits.
double part_until(double impulse, double left, double h) {
  const double least = 1e-6 * h;
  if (impulse < least) return 0.0;
  return impulse > left - least ? left : impulse;
}

/// By how much the ends of steps, which are sums, may miss a time that was given, s: impulses from outside belong to
/// the step that ends this much later.
double rounding_of(double t) {
  return 1e-12 + 1e-14 * std::abs(t);
}

}  // namespace

TimeStepper::TimeStepper(const System& system, const SchemeOptions& options)
    : options_(options),
      work_(system, options_),
      impact_(system, options_, work_),
      position_level_(system, options_, work_),
      velocity_level_(system, options_, work_, impact_),
      sweep_(system),
      position_judge_(system) {
  if (options_.scheme == Scheme::lotstedt) lotstedt_ = std::make_unique<Lotstedt>(system, options_, work_);
  if (is_theta_family(options_.scheme)) theta_level_ = std::make_unique<ThetaLevel>(system, options_, work_, impact_);
}

TimeStepper::~TimeStepper() = default;

AnsweredProblem TimeStepper::last_answered() {
  if (lotstedt_) return {lotstedt_->problem(), lotstedt_->solution(), 1.0};
  return {work_.problem(), work_.solution(), work_.length()};
}

void TimeStepper::forget() {
  position_level_.forget();
  velocity_level_.forget();
  if (theta_level_) theta_level_->forget();
  if (lotstedt_) lotstedt_->forget();
  work_.solver().forget();
  is_new_ = true;
  depth_ = calm_steps_ = 0;
}

/// Contacts that are closed at the start and not approached have not come by the end of the first step.
bool TimeStepper::begin(State& state, double h, StepReport& report) {
  work_.system().find_gaps(state.t, state.q, options_.contact_tolerance, gaps_);
  if (options_.initial_impact) {
    closed_.clear();
    for (const ContactPoint& contact : gaps_.contacts) closed_.push_back(contact.id);
    if (!impact_.resolve(state, closed_, h, report)) return false;
  }
  before_.clear();
  for (int i = 0; i < gaps_.size(); ++i) {
    if (std::abs(gaps_.opening(i, state.v)) > resting) continue;
    const double slip1 = gaps_.t1.dot(i, state.v) + gaps_.slip1[i], slip2 = gaps_.t2.dot(i, state.v) + gaps_.slip2[i];
    before_.push_back({gaps_.contacts[i].id, std::hypot(slip1, slip2) > resting});
  }
  DriveSet drives;
  work_.system().find_drives(state.t, state.q, h, drives);
  drives_.clear();
  for (int i = 0; i < drives.size(); ++i) {
    const Drive& drive = drives.drives[i];
    if (drive.event == Drive::silent) continue;
    drives_.push_back({drive.event, std::abs(drives.r.dot(i, state.v) - drive.velocity) > resting});
  }
  for (std::size_t i = 0; i < drives.balls.size(); ++i)
    drives_.push_back({drives.balls[i].id, drives.ball_speed(static_cast<int>(i), state.v) > resting});
  is_new_ = false;
  return true;
}

/// Whether a contact that is no longer part of the problem is closed all the same. On the level of velocities a curved
/// contact or a taut rope leaves its surface by O(h^2) in a step, and comes back.
bool TimeStepper::still_touches(const GapSet& gaps, const State& state, double h, std::uint64_t id) const {
  const int at = gaps.find(id);
  if (at < 0) return false;
  // What has a rate and no gap has nothing to float in.
  const bool drifts = options_.scheme != Scheme::stewart_trinkle && !gaps.contacts[at].pfaffian;
  const double drift = drifts ? drift_share * state.v.lpNorm<Eigen::Infinity>() : 0.0;
  if (gaps.contacts[at].Phi > options_.contact_tolerance + gone * h * drift) return false;
  return gaps.opening(at, state.v) <= gentle + drift;
}

/// What was closed when the part began and closes again as slowly as a curved contact does is no impact. Only events of
/// this part, from the first on, are looked at.
void TimeStepper::drop_taps(const State& state, std::size_t first, StepReport& report) const {
  const double slow = gentle + drift_share * state.v.lpNorm<Eigen::Infinity>();
  const auto is_tap = [&](const Event& event) {
    if (event.kind != EventKind::impact || event.energy_gain != 0.0 || event.approach > slow) return false;
    return std::any_of(before_.begin(), before_.end(), [&](const Touch& t) { return t.id == event.contact; });
  };
  const auto begin = report.events.begin() + static_cast<std::ptrdiff_t>(first);
  report.events.erase(std::remove_if(begin, report.events.end(), is_tap), report.events.end());
}

/// Whether a contact has gone because two shapes that still touch now meet with other features: no take-off.
bool TimeStepper::moved_on(const GapSet& gaps, std::uint64_t id) const {
  if (gaps.find(id) >= 0) return false;
  return std::any_of(now_.begin(), now_.end(),
                     [&](const Touch& t) { return t.id >> feature_bits == id >> feature_bits; });
}

/// Up to which gaps are measured at the end of a part of length h, m.
double TimeStepper::measure_margin(const State& state, double h) const {
  const double way = state.v.size() == 0 ? 0.0 : h * state.v.lpNorm<Eigen::Infinity>();
  return options_.contact_tolerance + 2.0 * way;
}

/// Contacts that came, went, stuck or slipped, by comparison with the last part. What carries load among redundant
/// contacts is not unique, so that is not looked at: a contact is closed where it does not open.
void TimeStepper::find_events(const State& state, double h, std::size_t first, StepReport& report) {
  const GapSet& gaps = work_.measure(state.t, state.q, measure_margin(state, h), report);
  drop_taps(state, first, report);
  const auto find = [](const std::vector<Touch>& list, std::uint64_t id) {
    const auto it =
        std::lower_bound(list.begin(), list.end(), id, [](const Touch& a, std::uint64_t b) { return a.id < b; });
    return it != list.end() && it->id == id ? &*it : nullptr;
  };
  const auto located = [&](std::uint64_t id) {
    return std::any_of(report.events.begin(), report.events.end(),
                       [&](const Event& e) { return e.contact == id && e.kind == EventKind::impact; });
  };
  now_.clear();
  for (const ClosedContact& contact : report.closed) {
    const bool slides = contact.slip > resting;
    const Touch* earlier = find(before_, contact.id);
    if (!earlier && contact.approach > gentle && !located(contact.id))
      report.events.push_back({state.t, EventKind::impact, contact.id});
    if (earlier && earlier->slides != slides)
      report.events.push_back({state.t, slides ? EventKind::slip : EventKind::stick, contact.id});
    now_.push_back({contact.id, slides});
  }
  const auto by_id = [](const Touch& a, const Touch& b) { return a.id < b.id; };
  std::sort(now_.begin(), now_.end(), by_id);
  const std::size_t known = now_.size();
  for (const Touch& contact : before_) {
    const auto end = now_.begin() + static_cast<std::ptrdiff_t>(known);
    if (std::binary_search(now_.begin(), end, contact, by_id)) continue;
    const double since = contact.floats ? contact.since : state.t;
    if (still_touches(gaps, state, h, contact.id))
      now_.push_back({contact.id, contact.slides, true, since});
    else if (!located(contact.id) && !moved_on(gaps, contact.id))
      report.events.push_back({since, EventKind::take_off, contact.id});
  }
  std::sort(now_.begin(), now_.end(), by_id);
  std::swap(before_, now_);
}

/// Joint friction that stuck or slipped, likewise.
void TimeStepper::find_drive_events(const State& state, StepReport& report) {
  for (std::size_t i = 0; i < report.drives.size() && i < drives_.size(); ++i) {
    const DriveState &before = drives_[i], &now = report.drives[i];
    if (before.event == now.event && before.slips != now.slips)
      report.events.push_back({state.t, now.slips ? EventKind::slip : EventKind::stick, now.event});
  }
  drives_ = report.drives;
}

/// The impulses from outside at one time.
bool TimeStepper::push(State& state, double at, StepReport& report) {
  state.t = at;
  work_.system().find_impulse(at, state.q, impulse_);
  work_.system().find_gaps(at, state.q, options_.contact_tolerance, gaps_);
  closed_.clear();
  for (const ContactPoint& contact : gaps_.contacts) closed_.push_back(contact.id);
  if (theta_level_) theta_level_->forget_motion();
  return impact_.push(state, closed_, impulse_, report);
}

/// One part of a step, divided further while it does not converge.
bool TimeStepper::advance(State& state, double h, int halvings, StepReport& report) {
  if (lotstedt_) {
    if (!lotstedt_->step(state, h, report)) return false;
    work_.measure(state.t, state.q, measure_margin(state, h), report);
    return true;
  }
  if (theta_level_) {
    if (!theta_level_->step(state, h, report)) return false;
    work_.measure(state.t, state.q, measure_margin(state, h), report);
    return true;
  }
  const std::size_t first_event = report.events.size();
  if (options_.scheme == Scheme::stewart_trinkle) {
    const bool must = halvings == 0 || report.solves > most_solves;
    const PositionLevel::Outcome outcome = position_level_.step(state, h, must, report);
    if (outcome == PositionLevel::Outcome::failed) return false;
    if (outcome == PositionLevel::Outcome::unconverged) {
      ++report.parts;
      halved_ = std::max(halved_, options_.most_halvings - depth_ - halvings + 1);
      return advance(state, 0.5 * h, halvings - 1, report) && advance(state, 0.5 * h, halvings - 1, report);
    }
    if (outcome == PositionLevel::Outcome::passed) {
      ++report.parts;
      ++report.located;
      // A pair that passes again in what is left of the part meets because of what happens in there: it is not known
      // when.
      const bool again = passed_ != 0 && position_level_.met() == passed_;
      passed_ = position_level_.met();
      const double first = again ? std::max(position_level_.at(), 0.5 * h) : position_level_.at();
      return advance(state, first, halvings - 1, report) && advance(state, h - first, halvings - 1, report);
    }
  } else if (!velocity_level_.step(state, h, report)) {
    return false;
  }
  find_events(state, h, first_event, report);
  find_drive_events(state, report);
  return true;
}

bool TimeStepper::step(State& state, double h, StepReport& report) {
  report.clear();
  work_.begin_step(h);
  saved_ = state;
  passed_ = 0;
  const bool was_new = is_new_;
  report.solved = !is_new_ || begin(state, h, report);
  const double end = state.t + h;
  for (double left = h; left > 1e-14 * h && report.solved;) {
    const double impulse = work_.system().next_impulse(state.t + rounding_of(state.t));
    const bool is_pushed = impulse <= state.t + left + rounding_of(end);
    const double until = is_pushed ? part_until(impulse - state.t, left, h) : left;
    if (until > 0.0) {
      // Anew before each part: what was hit in one may be fast in the next. The others look after themselves.
      // What had to be halved once in this step would have to be again.
      const int depth = std::min(depth_ + (halved_ > 0 ? 1 : 0), options_.most_halvings);
      int parts = static_cast<int>(std::ceil((1 << depth) * until / h - 1e-9));
      if (options_.scheme == Scheme::stewart_trinkle) parts = std::max(parts, sweep_.parts_for(state, until, report));
      report.parts += parts > 1 ? 1 : 0;
      const double part = parts > 1 ? until / parts : until;
      report.solved = advance(state, part, options_.most_halvings - depth, report);
      left -= part;
      if (part < until) continue;
    }
    if (is_pushed && report.solved) report.solved = push(state, impulse, report);
  }
  if (!report.solved) {
    state = saved_;
    is_new_ = was_new;
    return false;
  }
  state.t = end;
  judge_positions(state, h, report);
  note_depth();
  return true;
}

/// The linear variant, asked for by name, promises nothing of positions.
void TimeStepper::judge_positions(const State& state, double h, StepReport& report) {
  const bool is_position_level = options_.scheme == Scheme::stewart_trinkle;
  if (is_position_level && options_.linear) return;
  const double order = options_.scheme == Scheme::trapezoidal || lotstedt_ ? 2.0 : 1.0;
  const PositionJudge::Promise promise{options_.contact_tolerance, is_position_level ? 0.0 : order * h * h};
  const bool has_problem = !lotstedt_ && work_.length() > 0.0;
  const PositionJudge::Verdict verdict = position_judge_.judge(
      saved_, state, promise, {work_.measured(), work_.measured_joints(), work_.measured_implied()},
      has_problem ? &work_.problem() : nullptr, work_.solution().c_n, work_.length());
  report.position_excess = verdict.excess;
  report.open_gap = verdict.open_gap;
  report.open_contact = verdict.open_contact;
}

/// Steps that had to be halved begin halved next time. Longer parts are tried the sooner, the more of them a step has:
/// the first that fails costs as much as sixteen that do not, and the rest of the step is halved again.
void TimeStepper::note_depth() {
  const int patience = std::max(1, 16 >> depth_);
  if (halved_ > 0) {
    depth_ = std::min({depth_ + halved_, options_.most_halvings, deepest_start});
    calm_steps_ = 0;
  } else if (depth_ > 0 && ++calm_steps_ >= patience) {
    --depth_;
    calm_steps_ = 0;
  }
  halved_ = 0;
}

}  // namespace stiction
