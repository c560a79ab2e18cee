#include "stiction/schemes/time_stepper.h"

#include <algorithm>
#include <cmath>

#include "stiction/schemes/lotstedt.h"

namespace stiction {

namespace {

constexpr double resting = 1e-9;  // m/s: slower is at rest

}  // namespace

TimeStepper::TimeStepper(const System& system, const SchemeOptions& options)
    : options_(options),
      work_(system, options_),
      position_level_(system, options_, work_),
      velocity_level_(system, options_, work_) {
  if (options_.scheme == Scheme::lotstedt) lotstedt_ = std::make_unique<Lotstedt>(system, options_, work_);
}

TimeStepper::~TimeStepper() = default;

void TimeStepper::forget() {
  position_level_.forget();
  velocity_level_.forget();
  if (lotstedt_) lotstedt_->forget();
  work_.solver().forget();
  is_new_ = true;
}

/// Contacts that are closed at the start and not approached have not come by the end of the first step.
void TimeStepper::note_start(const State& state) {
  work_.system().find_gaps(state.t, state.q, options_.contact_tolerance, start_);
  before_.clear();
  for (int i = 0; i < start_.size(); ++i) {
    if (start_.n.dot(i, state.v) + start_.normal_speed[i] < -resting) continue;
    const double slip1 = start_.t1.dot(i, state.v) + start_.slip1[i],
                 slip2 = start_.t2.dot(i, state.v) + start_.slip2[i];
    before_.push_back({start_.contacts[i].id, std::hypot(slip1, slip2) > resting});
  }
  is_new_ = false;
}

/// Contacts that came, went, stuck or slipped, by comparison with the last step.
void TimeStepper::find_events(double t, double h, StepReport& report) {
  now_.clear();
  for (const ContactRecord& record : report.contacts)
    if (record.c_n > 0.0) now_.push_back({record.geometry.id, record.slip > resting});
  std::sort(now_.begin(), now_.end(), [](const Before& a, const Before& b) { return a.id < b.id; });
  const auto find = [](const std::vector<Before>& list, std::uint64_t id) {
    const auto it =
        std::lower_bound(list.begin(), list.end(), id, [](const Before& a, std::uint64_t b) { return a.id < b; });
    return it != list.end() && it->id == id ? &*it : nullptr;
  };
  const auto located = [&](std::uint64_t id) {
    return std::any_of(report.events.begin(), report.events.end(), [&](const Event& e) { return e.contact == id; });
  };
  for (const Before& contact : now_) {
    const Before* earlier = find(before_, contact.id);
    if (!earlier) {
      if (!located(contact.id)) report.events.push_back({t + h, EventKind::impact, contact.id});
    } else if (earlier->slides != contact.slides) {
      report.events.push_back({t + h, contact.slides ? EventKind::slip : EventKind::stick, contact.id});
    }
  }
  for (const Before& contact : before_)
    if (!find(now_, contact.id)) report.events.push_back({t + h, EventKind::take_off, contact.id});
  std::swap(before_, now_);
}

bool TimeStepper::step_by_scheme(State& state, double h, StepReport& report) {
  switch (options_.scheme) {
    case Scheme::stewart_trinkle:
      return position_level_.step(state, h, report);
    case Scheme::anitescu_potra:
      return velocity_level_.step(state, h, report);
    case Scheme::lotstedt:
      return lotstedt_->step(state, h, report);
  }
  return false;
}

bool TimeStepper::step(State& state, double h, StepReport& report) {
  report.clear();
  if (is_new_) note_start(state);
  const double t = state.t;
  report.solved = step_by_scheme(state, h, report);
  if (!report.solved) return false;
  work_.measure(state.t, state.q, report);
  if (options_.scheme != Scheme::lotstedt) find_events(t, h, report);  // it knows its own
  return true;
}

}  // namespace stiction
