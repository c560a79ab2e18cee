#include "stiction/schemes/velocity_level.h"

#include <algorithm>
#include <cmath>

namespace stiction {

namespace {

// A located collision ends with the gap this share of the contact tolerance open, so that it counts as closed.
constexpr double landing = 0.5;
// A contact that pushed stays closed while it floats no further than this share of the way of a step: with its geometry
// evaluated once, a curved contact leaves the surface by O(h^2) each step.
constexpr double float_share = 0.05;

bool has(const std::vector<std::uint64_t>& sorted, std::uint64_t id) {
  return std::binary_search(sorted.begin(), sorted.end(), id);
}

}  // namespace

void VelocityLevel::find_closed(const State& state, double h) {
  const double way = h * state.v.lpNorm<Eigen::Infinity>();
  system_.find_gaps(state.t, state.q, options_.contact_tolerance + way, start_);
  closed_.clear();
  for (const ContactPoint& contact : start_.contacts) {
    const double reach = has(kept_, contact.id) ? float_share * way : 0.0;
    if (contact.Phi <= options_.contact_tolerance + reach) closed_.push_back(contact.id);
  }
}

/// A contact that is closed now, was not before, and approaches: an impact at once ("snap"). Also an inconsistent
/// start, and penetration that has not gone when the bodies approach again (1997, section 4). What a force does in one
/// step is none.
bool VelocityLevel::is_approached(const State& state) const {
  const double slow = 1e-9 * (1.0 + state.v.lpNorm<Eigen::Infinity>());
  for (int j = 0; j < start_.size(); ++j) {
    const std::uint64_t id = start_.contacts[j].id;
    if (!has(closed_, id) || has(kept_, id)) continue;
    if (start_.n.dot(j, state.v) + start_.normal_speed[j] < -slow) return true;
  }
  return false;
}

/// One velocity-level problem over h from the state, into q_new_ and v_new_.
bool VelocityLevel::advance(const State& state, double h, bool plastic, StepReport& report) {
  const double share = options_.geometry == GeometryAt::start      ? 0.0
                       : options_.geometry == GeometryAt::midpoint ? 0.5
                                                                   : 1.0;
  system_.advance(state.q, state.v, share * h, q_hat_);
  work_.linearise(state.t, q_hat_, state.q, state.v, h, 0.0);
  const double way = h * state.v.lpNorm<Eigen::Infinity>();
  work_.look(state.t + share * h, q_hat_, 1e-3 + options_.contact_tolerance + 3.0 * way);
  work_.begin_constraints();
  const double theta = plastic ? 0.0 : options_.stabilisation;
  const JointSet& joints = work_.joints();
  // The position at the start, to first order from q^, over the whole step: a part may be too short to be corrected in.
  const auto position_part = [&](double value, double rate) { return theta * (value - share * h * rate) / whole_; };
  for (int i = 0; i < joints.size(); ++i) {
    const double velocity = joints.velocity[i];
    const double part =
        joints.is_pfaffian(i) ? 0.0 : position_part(joints.Theta[i], joints.nu.dot(i, state.v) - velocity);
    work_.add_joint(i, part - velocity);
  }
  work_.add_drives();
  const GapSet& gaps = work_.gaps();
  for (int j = 0; j < gaps.size(); ++j) {
    const std::uint64_t id = gaps.contacts[j].id;
    if (!has(closed_, id) && !(plastic && has(hit_, id))) continue;
    const double speed = gaps.normal_speed[j];
    const double part =
        gaps.contacts[j].pfaffian ? 0.0 : position_part(gaps.contacts[j].Phi, gaps.n.dot(j, state.v) + speed);
    work_.add_contact(j, part + speed);
  }
  if (!work_.solve(report)) {
    // Outside the guaranteed class only through stabilisation or motors: drop the position part and say so.
    if (theta == 0.0) return false;
    StepProblem& problem = work_.problem();
    for (int j = 0; j < problem.size(); ++j)
      if (problem.has_normal(j)) problem.b_n[j] = gaps.normal_speed[gaps.find(problem.contacts[j].id)];
    for (int i = 0; i < joints.size(); ++i) problem.b_nu[i] = -joints.velocity[i];
    report.relaxed = true;
    if (!work_.solve(report)) return false;
  }
  v_new_ = work_.solution().v;
  const bool old_velocity = options_.position_update == PositionUpdate::old_velocity;
  system_.advance(state.q, old_velocity ? state.v : v_new_, h, q_new_);
  return true;
}

/// Where something meets and parts again on the way of the last advance, advances only that far.
bool VelocityLevel::advance_to_passing(const State& state, double& h, StepReport& report) {
  const Vector& way = options_.position_update == PositionUpdate::old_velocity ? state.v : v_new_;
  if (!passing_.find(state.t, state.q, way, h, closed_, options_.contact_tolerance)) return true;
  h = passing_.at();
  ++report.parts;
  return advance(state, h, false, report);
}

/// Contacts that penetrate at q_new_ without being part of the problem.
bool VelocityLevel::find_collisions(double t) {
  system_.find_gaps(t, q_new_, 0.0, check_);
  hit_.clear();
  for (const ContactPoint& contact : check_.contacts)
    if (contact.Phi < 0.0 && !has(closed_, contact.id)) hit_.push_back(contact.id);
  return !hit_.empty();
}

/// The lowest gap at q among contacts that are not closed.
double VelocityLevel::lowest_gap(double t, const Vector& q) {
  system_.find_gaps(t, q, 1.0, check_);
  double lowest = 1.0;
  for (const ContactPoint& contact : check_.contacts)
    if (!has(closed_, contact.id)) lowest = std::min(lowest, contact.Phi);
  return lowest;
}

/// The part of the step after which the first collision happens: the end of a step of that length has its lowest gap
/// within the contact tolerance. Each try is a step of its own, since v+ depends on its length.
bool VelocityLevel::locate(const State& state, double h, StepReport& report, double& at) {
  const double aim = landing * options_.contact_tolerance;
  double low = 0.0, high = h;
  double gap_low = lowest_gap(state.t, state.q) - aim, gap_high = lowest_gap(state.t + h, q_new_) - aim;
  if (gap_low <= 0.0) {
    at = 0.0;
    return true;
  }
  int side = 0;
  for (int tries = 0; tries < 100; ++tries) {
    at = low + (high - low) * gap_low / (gap_low - gap_high);  // regula falsi, Illinois
    if (!(at > low && at < high)) at = 0.5 * (low + high);
    if (!advance(state, at, false, report)) return false;
    const double gap = lowest_gap(state.t + at, q_new_) - aim;
    if (std::abs(gap) <= 0.9 * aim || high - low < 1e-15 * h) return true;
    if (gap > 0.0) {
      low = at;
      gap_low = gap;
      if (side == 1) gap_high *= 0.5;
      side = 1;
    } else {
      high = at;
      gap_high = gap;
      if (side == -1) gap_low *= 0.5;
      side = -1;
    }
  }
  return true;
}

/// Takes the last advance as part of the step.
void VelocityLevel::accept(State& state, double h, StepReport& report) {
  work_.record(report);
  work_.note_closed(h, report);
  state.q = q_new_;
  state.v = state.v_alpha = v_new_;
  state.t += h;
  kept_.clear();
  for (int j = 0; j < work_.problem().size(); ++j)
    if (work_.solution().c_n[j] > 0.0) kept_.push_back(work_.problem().contacts[j].id);
  std::sort(kept_.begin(), kept_.end());
}

bool VelocityLevel::step(State& state, double h, StepReport& report) {
  saved_ = state;
  whole_ = h;
  const double end = state.t + h;
  int events = 0;
  if (first_) kept_.clear();
  first_ = false;
  const auto fail = [&] {
    state = saved_;
    return false;
  };
  for (double left = h; left > 1e-14 * h;) {
    find_closed(state, left);
    const bool plastic = events >= options_.most_events;
    report.plastic |= plastic;
    if (!plastic && is_approached(state)) {
      if (!impact_.resolve(state, closed_, h, report)) return fail();
      kept_ = closed_;  // what was closed here has had its impact
      std::erase_if(kept_, [&](std::uint64_t id) {
        const int at = start_.find(id);
        if (at >= 0 && start_.contacts[at].pfaffian) return false;  // no position ever opens these
        return at >= 0 && start_.n.dot(at, state.v) + start_.normal_speed[at] > 1e-9;
      });
      // What leaves is neither closed nor a collision.
      closed_ = kept_;
    }
    const int parts = sweep_.parts_for(state, left, report);
    if (parts > 1) ++report.parts;
    double length = parts > 1 ? left / parts : left;
    if (!advance(state, length, plastic, report)) return fail();
    bool collides = find_collisions(state.t + length);
    if (!collides && !plastic) {
      const double whole = length;
      if (!advance_to_passing(state, length, report)) return fail();
      collides = length < whole && find_collisions(state.t + length);
      events += static_cast<int>(length < whole);
    }
    if (!collides || plastic) {
      if (collides && !advance(state, length, true, report)) return fail();
      accept(state, length, report);
      left -= length;
      continue;
    }
    double part = 0.0;
    if (!locate(state, length, report, part)) return fail();
    if (part > 0.0) {
      if (!advance(state, part, false, report)) return fail();
      accept(state, part, report);
      left -= part;
    }
    ++events;  // whatever follows, an impact or not: parts too short to be felt must not go on for ever
  }
  state.t = end;
  return true;
}

}  // namespace stiction
