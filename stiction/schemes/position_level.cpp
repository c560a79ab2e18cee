#include "stiction/schemes/position_level.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "stiction/base/phase_times.h"

namespace stiction {

namespace {

// Meetings on the way that may divide a step, one after the other. What meets beyond is posed where it is nearest.
constexpr int most_located = 2;
// Of the contact tolerance: what overlaps between the ends by no more is no meeting. Bodies side by side in a heap do
// so in every step, at speeds far below g h.
constexpr double shallow = 10.0;
// A gap at q+ within this of zero is closed, m. Well below the contact tolerance, above rounding of metres.
constexpr double closed = 1e-12;
// At this tolerance of the cone problem. A coarser one leaves more in the gaps, and no iteration takes it out.
constexpr double fine_tolerance = 1e-8;
// What a contact that pushes and whose features do not meet any more at q+ is off at least, m, unless they met nearer
// to it: such an iterate is the answer only where there is no better one.
constexpr double gone_features = 1e-6;
// What a step that does not converge in its smallest part may be off, m: contacts that chase each other from one
// iteration to the next. It is a step of the linear version (1996, (25)), certified as such, told, and the next one
// mends it.
constexpr double rough = 1e-5;
// Gaps at q+ are looked at up to this, m.
constexpr double check_margin = 2.0 * rough;
// Soft rows (springs that are taken implicitly) have no gap to be judged by, but the way that the last iteration moved.
constexpr double drive_way = 1e-5, exact_way = 1e-11;
// Geometry that was evaluated this near to where the step ends, m, is that of its end; after some iterations, where
// among redundant contacts velocities may go on moving from one answer to another for ever, from farther off.
constexpr double settled_way = 5e-9, late_way = 1e-7;
constexpr int late_after = 4;
// Iterations after which steps are halved: two sets of contacts, or two answers, may otherwise chase each other. Whole
// steps come back once so many halved ones in a row have each been shorter than the last; where that undoes what they
// had won, the next time comes after many more.
constexpr int damp_after = 15, calm_after = 4, calmer = 4;
// Two iterations that do not go half as far as the two before them did, so often in a row, are such a chase too.
constexpr int chased = 2;
// And so many come back at once where earlier contacts are posed.
constexpr int most_whole = 6;
// A step that may be divided ends after so many iterations in which the error did not fall by half.
constexpr int most_idle = 8;
// How often a step whose problem had no answer is tried again from a better place.
constexpr int most_retries = 3;
// Of how far two iterates are apart, so much may be left in the velocities of hard islands, and at most this, both over
// the largest: the next geometry is no better for less.
constexpr double rough_share = 0.1, roughest = 1e-3;
// Of these so many are solved as well as the tolerance asks; what is within `rough`, and this share of the largest way,
// is the answer then.
constexpr int most_fine = 3;
constexpr double hard_share = 1e-2;
// Iterations after which the contact tolerance is enough, and nothing better is waited for; in a chase after so many in
// which the error did not fall by half.
constexpr int content_after = 20, stuck_after = 2;

/// Of a sorted list.
bool contains(const std::vector<std::uint64_t>& ids, std::uint64_t id) {
  return std::binary_search(ids.begin(), ids.end(), id);
}

void insert(std::vector<std::uint64_t>& ids, std::uint64_t id) {
  const auto place = std::lower_bound(ids.begin(), ids.end(), id);
  if (place == ids.end() || *place != id) ids.insert(place, id);
}

/// Share of the step at which the geometry is evaluated.
double share_of(GeometryAt geometry) {
  switch (geometry) {
    case GeometryAt::start:
      return 0.0;
    case GeometryAt::midpoint:
      return 0.5;
    default:
      return 1.0;
  }
}

}  // namespace

bool PositionLevel::is_active(std::uint64_t id, double Phi) const {
  return Phi <= closed || contains(active_, id) || contains(added_, id) || held_.is_held(id);
}

/// Whether a row belongs to what goes without its position part.
bool PositionLevel::is_jammed(const linalg::Rows& rows, int row, Jam from) const {
  const auto columns = rows.columns(row);
  return is_relaxed_ && std::any_of(columns.begin(), columns.end(),
                                    [&](int velocity) { return jammed_[static_cast<std::size_t>(velocity)] >= from; });
}

/// The islands of which the last solve had no answer, or none on the cone that is asked for, go without the position
/// part of their contacts, and where that is not enough without that of their joints. False when they do already.
bool PositionLevel::relax(int velocities) {
  const auto size = static_cast<std::size_t>(velocities);
  const bool was_relaxed = is_relaxed_;
  if (!is_relaxed_) jammed_.assign(size, Jam::none);
  is_relaxed_ = true;
  const Jam most = work_.joints().size() > 0 ? Jam::joints : Jam::contacts;
  bool any = false, is_new = false;
  const auto raise = [&](Jam& jam) {
    is_new |= jam < most;
    jam = jam == Jam::none ? Jam::contacts : most;
  };
  for (int i = 0; i < velocities; ++i) {
    if (!work_.solver().is_unsolved(i) && !work_.solver().is_on_facets(i)) continue;
    any = true;
    raise(jammed_[static_cast<std::size_t>(i)]);
  }
  // Solved, and not certified: it is not known where.
  is_known_ = any && (is_known_ || !was_relaxed);
  if (!any) std::for_each(jammed_.begin(), jammed_.end(), raise);
  return is_new;
}

/// Poses the problem linearised at v_hat_.
void PositionLevel::pose(const State& state, double h) {
  const PhaseScope scope(Phase::assembly);
  const double share = options_.linear ? share_of(options_.geometry) : 1.0;
  system_.advance(state.q, v_hat_, share * h, q_hat_);
  const double margin = 1e-6 + 2.0 * h * std::max(state.v.lpNorm<Eigen::Infinity>(), v_hat_.lpNorm<Eigen::Infinity>());
  work_.look(state.t + share * h, q_hat_, margin);
  has_drives_ = !options_.linear && work_.update_drives(state.t + h, q_hat_, v_hat_);
  const GapSet* geometry = &work_.gaps();
  if (!options_.linear && options_.geometry == GeometryAt::average) {
    system_.advance(state.q, v_hat_, 0.5 * h, q_hat_);
    system_.find_gaps(state.t + 0.5 * h, q_hat_, 2.0 * margin, normals_);
    geometry = &normals_;
  }
  work_.begin_constraints();
  const JointSet& joints = work_.joints();
  for (int i = 0; i < joints.size(); ++i) {
    const bool rate_alone = joints.is_pfaffian(i) || is_jammed(joints.nu, i, Jam::joints);
    const double position_part = joints.Theta[i] / h - share * joints.nu.dot(i, v_hat_);
    work_.add_joint(i, rate_alone ? -joints.velocity[i] : position_part - (1.0 - share) * joints.velocity[i]);
  }
  work_.add_drives();
  const GapSet& gaps = work_.gaps();
  for (int j = 0; j < gaps.size(); ++j) {
    const ContactPoint& contact = gaps.contacts[j];
    const int row = geometry == &gaps ? j : geometry->find(contact.id);
    if (row < 0 || !is_active(contact.id, contact.Phi)) continue;
    double b_n = contact.Phi / h - share * geometry->n.dot(row, v_hat_) + (1.0 - share) * gaps.normal_speed[j];
    if (const auto held = held_.find(contact.id)) b_n -= *held / h;
    if (is_jammed(geometry->n, row)) b_n = std::max(b_n, gaps.normal_speed[j]);
    if (contact.pfaffian) b_n = gaps.normal_speed[j];
    work_.add_contact(*geometry, row, b_n);
  }
  has_earlier_ = false;
  if (!earlier_.empty()) pose_earlier(h);
  if (!leaving_.empty()) pose_leaving(h);
  if (!grazing_.empty()) pose_grazing(state, h, margin);
}

/// Contacts that pushed in an earlier iteration and are not seen in this one.
void PositionLevel::pose_earlier(double h) {
  const GapSet& rows = earlier_.rows();
  for (int i = 0; i < rows.size(); ++i) {
    if (!earlier_.is_wanted(i, work_.gaps(), v_hat_, h, options_.contact_tolerance)) continue;
    const double b_n = earlier_.b_n(i);
    has_earlier_ = true;
    work_.add_contact(rows, i, is_jammed(rows.n, i) ? std::max(b_n, rows.normal_speed[i]) : b_n, earlier_bit);
  }
}

/// Contacts at q of the pairs that the step leaves.
void PositionLevel::pose_leaving(double h) {
  for (int j = 0; j < leaving_gaps_.size(); ++j) {
    double b_n = leaving_gaps_.contacts[j].Phi / h + leaving_gaps_.normal_speed[j];
    if (is_jammed(leaving_gaps_.n, j)) b_n = std::max(b_n, leaving_gaps_.normal_speed[j]);
    work_.add_contact(leaving_gaps_, j, b_n, leaving_bit);
  }
}

/// Pairs that meet and part within the step, where they are nearest on the way of v_hat_.
void PositionLevel::pose_grazing(const State& state, double h, double margin) {
  grazing_.look(state.t, state.q, v_hat_, h);
  for (const GrazingContacts::Pair& pair : grazing_.pairs())
    for (int j = 0; j < pair.gaps.size(); ++j) {
      if (pair.gaps.contacts[j].Phi > margin) continue;
      double b_n = pair.gaps.contacts[j].Phi / pair.place - pair.gaps.n.dot(j, v_hat_);
      if (is_jammed(pair.gaps.n, j)) b_n = std::max(b_n, pair.gaps.normal_speed[j]);
      work_.add_contact(pair.gaps, j, b_n, grazing_bit);
    }
}

/// Looks on the way to q+ for pairs that meet and part again. True when there are new ones that the next problem poses:
/// those that touch at q there, and others where they are nearest, unless they are few and may divide the step. meets_:
/// some divide it.
bool PositionLevel::find_leaving(const State& state, double h, int few) {
  pushing_.clear();
  lasting_.clear();
  const StepProblem& problem = work_.problem();
  for (int j = 0; j < problem.size(); ++j)
    if (work_.solution().c_n[j] > 0.0 && (problem.contacts[j].id & (leaving_bit | grazing_bit)) == 0)
      pushing_.push_back(contact_of_row(problem.contacts[j].id));
  std::sort(pushing_.begin(), pushing_.end());
  pushing_.erase(std::unique(pushing_.begin(), pushing_.end()), pushing_.end());
  std::copy_if(pushing_.begin(), pushing_.end(), std::back_inserter(lasting_),
               [&](std::uint64_t id) { return contains(active_, id); });
  const std::size_t known = leaving_.size();
  const Vector& v = work_.solution().v;
  const double touch = options_.contact_tolerance;
  meets_ = passing_.find_new(state.t, state.q, v, h, lasting_, touch, shallow * touch, leaving_);
  bool is_new = leaving_.size() > known;
  if (is_new) system_.find_pair_gaps(state.t, state.q, leaving_, options_.contact_tolerance, leaving_gaps_);
  if (!meets_) return is_new;
  if (!options_.linear && !lets_go_ && static_cast<int>(passing_.met().size()) > few) {
    std::size_t added = 0;
    const std::size_t before = grazing_.pairs().size();
    for (const Passing::Met& met : passing_.met()) added += grazing_.add(met.pair, met.overlap) ? 1 : 0;
    grazing_.look(state.t, state.q, v, h);
    const bool is_all = added == passing_.met().size();  // the others have rows, and meet all the same
    meets_ = grazing_.drop_deep() || !is_all;
    is_new |= grazing_.pairs().size() > before;
  }
  if (meets_) passing_.locate(state.t, state.q, v);
  return is_new;
}

/// Where there is no problem left to pose leaving pairs in, they are pairs that pass like all others.
void PositionLevel::find_passing(const State& state, double h) {
  meets_ = passing_.find(state.t, state.q, work_.solution().v, h, lasting_, shallow * options_.contact_tolerance);
}

/// Adds to added_ what penetrates at q and was not in the problem (1996, section 4). True when there was any.
bool PositionLevel::find_missed(double t, const Vector& q, double tolerance) {
  system_.find_gaps(t, q, check_margin, check_);
  bool any = false;
  for (const ContactPoint& contact : check_.contacts) {
    if (contact.Phi >= -tolerance || contains(added_, contact.id)) continue;
    const auto& posed = work_.problem().contacts;
    if (std::any_of(posed.begin(), posed.end(), [&](const auto& other) { return other.id == contact.id; })) continue;
    insert(added_, contact.id);
    any = true;
  }
  return any;
}

/// What has pushed in one iteration stays in the problem: it may open where the next one looks, and would be missed.
void PositionLevel::keep_pushing() {
  const StepProblem& problem = work_.problem();
  for (int j = 0; j < problem.size(); ++j) {
    const std::uint64_t id = problem.contacts[j].id;
    if (work_.solution().c_n[j] > 0.0 && (id & earlier_bit) == 0 && !contains(active_, id)) insert(added_, id);
  }
}

/// Gap at q+ of a contact that pushes, m. One whose features do not meet any more is as far off as the nearest contact
/// between the same two shapes, and where there is none, by the margin of check_ or more; they met where the geometry
/// was evaluated, `moved` from q+.
double PositionLevel::gap_left(std::uint64_t id, double moved, bool is_hard) const {
  if (const int at = check_.find(id); at >= 0) {
    const double Phi = check_.contacts[at].Phi;
    return held_.is_well(id, Phi) ? 0.0 : std::abs(Phi);
  }
  double left = check_margin;
  for (const ContactPoint& contact : check_.contacts)
    if (contact.id >> feature_bits == id >> feature_bits) left = std::min(left, std::abs(contact.Phi));
  // Not nothing: the geometry is that of another place. Where solves are hard, no more than what the row, which holds,
  // may be off for its curvature.
  if (!is_hard) return std::max(left, std::min(moved, gone_features));
  const int seen = work_.gaps().find(id);
  return seen < 0 ? left : std::max(left, 0.5 * work_.gaps().contacts[seen].curvature * moved * moved);
}

/// How far q+ is from the nonlinear conditions: Phi >= 0, Phi = 0 where there is an impulse, Theta = 0. Uses check_ and
/// check_joints_. What goes without its position part is looked at only where all is asked for.
double PositionLevel::position_error(double moved, bool is_hard, bool all) const {
  double error = 0.0;
  const StepProblem& problem = work_.problem();
  const auto is_left_out = [&](const linalg::Rows& rows, int row, Jam from = Jam::contacts) {
    return !all && is_jammed(rows, row, from);
  };
  for (int j = 0; j < problem.size(); ++j)
    if (work_.solution().c_n[j] > 0.0 && (problem.contacts[j].id & (leaving_bit | grazing_bit)) == 0 &&
        !is_left_out(problem.n, j))
      error = std::max(error, gap_left(contact_of_row(problem.contacts[j].id), moved, is_hard));
  for (int j = 0; j < check_.size(); ++j) {
    const ContactPoint& contact = check_.contacts[j];
    if (contact.Phi < 0.0 && !is_left_out(check_.n, j) && !held_.is_well(contact.id, contact.Phi))
      error = std::max(error, -contact.Phi);
  }
  for (int i = 0; i < check_joints_.size(); ++i)
    if (!is_left_out(check_joints_.nu, i, Jam::joints)) error = std::max(error, std::abs(check_joints_.Theta[i]));
  // What is off between the ends is not handed on to the next step.
  if (!grazing_.empty()) {
    const double off = grazing_.error(problem, work_.solution(),
                                      [&](const GapSet& gaps, int row) { return is_left_out(gaps.n, row); });
    if (off > options_.contact_tolerance) error = std::max(error, off);
  }
  return error;
}

/// Whether two shapes or a joint that go without their position part are further off at q+ than at q. Uses check_ and
/// check_joints_.
bool PositionLevel::sinks(const State& state) {
  system_.find_gaps(state.t, state.q, 0.0, start_);
  system_.find_joints(state.t, state.q, start_joints_);
  const auto start_depth = [&](std::uint64_t id) {
    double depth = 0.0;
    for (const ContactPoint& contact : start_.contacts)
      if (contact.id >> feature_bits == id >> feature_bits) depth = std::max(depth, -contact.Phi);
    return depth;
  };
  for (int j = 0; j < check_.size(); ++j) {
    const ContactPoint& contact = check_.contacts[j];
    const double depth = -contact.Phi - options_.contact_tolerance;
    if (depth > 0.0 && is_jammed(check_.n, j) && depth > start_depth(contact.id)) return true;
  }
  for (int i = 0; i < check_joints_.size(); ++i) {
    const double more = std::abs(check_joints_.Theta[i]) - std::abs(start_joints_.Theta[i]);
    if (is_jammed(check_joints_.nu, i, Jam::joints) && more > options_.contact_tolerance) return true;
  }
  return false;
}

PositionLevel::Outcome PositionLevel::step(State& state, double h, bool must, StepReport& report) {
  const bool was_deep = held_.begin(state);
  const Outcome outcome = try_step(state, h, must, was_deep, report);
  if (!must || grazing_.empty() || (outcome != Outcome::unconverged && outcome != Outcome::failed)) return outcome;
  // What grazes has no rows in which the step converges: it is let go, and told.
  lets_go_ = true;
  const Outcome second = try_step(state, h, must, was_deep, report);
  lets_go_ = false;
  return second;
}

PositionLevel::Outcome PositionLevel::try_step(State& state, double h, bool must, bool was_deep, StepReport& report) {
  system_.advance(state.q, state.v, h, q_hat_);
  system_.advance(state.q, state.v, 0.5 * h, q_force_);
  work_.linearise(state.t, q_hat_, q_force_, state.v, h, 0.5);  // M at q + h v, k at q + h v/2: 1996, (25)
  if (options_.linear)
    v_hat_ = state.v;
  else
    predictor_.predict(state.v, h, v_hat_);
  added_.clear();
  leaving_.clear();
  grazing_.clear();
  earlier_.clear();
  is_relaxed_ = false;
  const double nowhere = std::numeric_limits<double>::infinity();
  const double coarse = std::max(1.0, options_.cone.tolerance / fine_tolerance);
  const double enough = std::min(closed * coarse, options_.contact_tolerance);
  bool converged = options_.linear, drives_hold = true;
  const int few = must ? 0 : std::max(most_located - report.located, 0);
  double last_moved = nowhere, moved_before = nowhere, error = nowhere, least_error = nowhere, idle_error = nowhere;
  int chases = 0, idle = 0, whole = 0;
  bool is_chase = false, has_ended = false;
  // Facets had the only answer; they may turn, and what they find is taken.
  bool had_facets = false, takes_facets = options_.linear || !options_.cone.asks_round();
  // Some island takes long; answers may be rough until the last ones.
  bool is_hard = false, is_fine = options_.linear, is_roughly_enough = false, grazes = false;
  int fine = 0;
  int calm = 0, calm_needed = calm_after, retries = was_relaxed_ ? most_retries - 1 : 0;  // a jam lasts
  // What is known of iterates of another problem, or of one without an answer, says nothing.
  const auto begin_anew = [&] {
    converged = options_.linear;
    last_moved = moved_before = error = least_error = idle_error = nowhere;
    calm = chases = idle = 0;
    earlier_.clear();
  };
  for (int iteration = 0; iteration < options_.most_iterations; ++iteration) {
    const int left = options_.most_iterations - 1 - iteration;
    pose(state, h);
    // Without an answer on the true cone the step goes on without its position part, and only then with facets.
    const bool is_last = left == 0 || (takes_facets && !options_.linear);
    const bool asks_always = is_last || (options_.linear && is_relaxed_);
    const StepWork::Effort effort{.turns = takes_facets || is_last, .always = asks_always};
    const double apart = iteration == 0 ? 1.0 : last_moved / (h * v_hat_.lpNorm<Eigen::Infinity>());
    const double sought = is_fine || is_relaxed_ || is_last ? 0.0 : std::min(roughest, rough_share * apart);
    const bool solved = work_.solve(report, effort, sought);
    is_hard |= work_.solver().was_hard();
    const bool is_rough = solved && work_.solver().is_rough();
    // What is hard is worth no more than it can be had for.
    const bool is_good = work_.certificate().certified(options_.cone.tolerance) || is_rough ||
                         (work_.solver().was_hard() && work_.certificate().is_loose());
    const bool is_enough = is_good || (is_relaxed_ && takes_facets);
    if (!solved || !is_enough) {
      // b < 0 left the guaranteed class. Forces without bounds, as those of a jam in which nothing gives way, balance
      // nothing that could be certified.
      if (left == 0 && least_error < nowhere) {
        converged = false;
        error = nowhere;
        break;
      }
      const bool may_go_on = left > 0 && report.forces_are_finite;
      const bool is_eased = may_go_on && relax(system_.velocities());
      if (may_go_on && (is_eased || !takes_facets)) {
        takes_facets |= !is_eased;
        begin_anew();
        continue;
      }
      if (!must) return Outcome::unconverged;
      if (!solved || !work_.certificate().is_loose()) return Outcome::failed;
    }
    // On the true cone there may be none because position parts wedge something; gaps may end as they should all the
    // same.
    if (work_.certificate().polyhedral && !takes_facets && left > 0) {
      if (is_relaxed_) {
        is_relaxed_ = !had_facets;  // they had an answer with position parts
        takes_facets = true;
      } else {
        had_facets = relax(system_.velocities());
        takes_facets = !had_facets;
      }
      begin_anew();
      continue;
    }
    keep_pushing();
    const Vector& v_new = work_.solution().v;
    system_.advance(state.q, v_new, h, q_new_);
    const bool missed = find_missed(state.t + h, q_new_, options_.linear ? options_.contact_tolerance : enough);
    if (options_.linear) {
      if (missed) continue;
      has_ended = true;
      if (!find_leaving(state, h, few)) break;
      if (left == 0) {
        find_passing(state, h);
        break;
      }
      continue;
    }
    system_.find_joints(state.t + h, q_new_, check_joints_);
    if (is_relaxed_ && retries < most_retries && left >= 2) {
      // Without its position part a step is at first only a better place to evaluate the geometry at.
      ++retries;
      is_relaxed_ = false;
      v_hat_ = v_new;
      begin_anew();
      continue;
    }
    way_ = h * (v_new - v_hat_);
    const double moved = way_.lpNorm<Eigen::Infinity>();
    const double size = h * v_new.lpNorm<Eigen::Infinity>();
    if (!grazing_.empty()) grazing_.look(state.t, state.q, v_new, h);
    error = position_error(moved, is_hard);
    if (error <= least_error) {
      least_error = error;
      best_hat_ = v_hat_;
    }
    // Two sets of contacts, or two answers, that chase each other may stop short of rounding.
    drives_hold = !has_drives_ || moved <= drive_way * (1.0 + size);
    const bool is_near = error <= options_.contact_tolerance && drives_hold;
    converged = is_near && !is_rough;
    // What springs that are taken implicitly do is known by the way alone.
    const double near = has_drives_               ? exact_way
                        : iteration >= late_after ? late_way
                                                  : std::min(settled_way * coarse, late_way);
    const bool has_settled = held_.is_near(way_, near * (1.0 + size));
    const bool is_stuck = (is_chase || is_hard) && idle >= stuck_after;
    const bool is_content = is_near && (is_stuck || iteration >= content_after) && !has_drives_;
    bool is_answer = !missed && ((error <= enough && has_settled) || is_content);
    if (is_hard) {
      const double roughly = rough + hard_share * size;
      fine += !is_rough && (is_fine || is_near);
      is_fine |= is_near || (error <= roughly && idle > 0);
      is_roughly_enough = drives_hold && fine >= most_fine && error <= roughly;
      is_answer |= is_near || is_roughly_enough;
    }
    // Facets keep what is lost without the position part.
    if (is_answer && !is_rough && is_relaxed_ && had_facets && !takes_facets && left > 0 &&
        !(position_error(moved, is_hard, true) <= options_.contact_tolerance)) {
      takes_facets = true;
      is_relaxed_ = false;
      begin_anew();
      continue;
    }
    if (is_answer && !is_rough) {
      has_ended = true;
      if (!find_leaving(state, h, few)) break;
      // A step that is rough anyway is not begun anew for what grazes a body that it touches.
      grazes = is_roughly_enough && !is_near;
      if (grazes) break;
      if (left == 0) {
        find_passing(state, h);
        break;
      }
      begin_anew();
      v_hat_ = v_new;
      has_ended = false;
      continue;
    }
    idle = error < 0.5 * idle_error ? 0 : idle + 1;
    idle_error = idle == 0 ? error : idle_error;
    if (!must && idle >= most_idle && !has_drives_) break;
    chases = moved > 0.5 * moved_before ? chases + 1 : 0;
    is_chase = is_chase || iteration >= damp_after || (chases >= chased && (is_hard || !missed));
    if ((is_chase || idle > 0) && options_.geometry != GeometryAt::average)
      earlier_.note(work_.problem(), work_.solution(), work_.gaps(), check_, v_hat_);
    moved_before = last_moved;
    if (is_chase && calm >= calm_needed && moved >= last_moved) calm_needed *= calmer;
    calm = moved < last_moved ? calm + 1 : 0;
    last_moved = moved;
    // With the contacts of both answers there may be one that has them all.
    if (!is_chase || calm >= calm_needed || (has_earlier_ && whole++ < most_whole))
      v_hat_ = v_new;
    else
      v_hat_ = 0.5 * (v_hat_ + v_new);
  }
  if (!converged && !must && !is_roughly_enough) return Outcome::unconverged;
  if (!converged && !is_roughly_enough && least_error < error) {
    v_hat_ = best_hat_;
    pose(state, h);
    if (!work_.solve(report)) return Outcome::failed;
    has_ended = false;
    system_.advance(state.q, work_.solution().v, h, q_new_);
    find_missed(state.t + h, q_new_, enough);
    system_.find_joints(state.t + h, q_new_, check_joints_);
    const double size = h * work_.solution().v.lpNorm<Eigen::Infinity>();
    way_ = h * (work_.solution().v - v_hat_);
    const double moved = way_.lpNorm<Eigen::Infinity>();
    if (!grazing_.empty()) grazing_.look(state.t, state.q, work_.solution().v, h);
    error = position_error(moved, is_hard);
    drives_hold = !has_drives_ || moved <= drive_way * (1.0 + size);
    converged = error <= options_.contact_tolerance && drives_hold;
  }
  if (is_relaxed_ && !must && !options_.linear && sinks(state)) return Outcome::unconverged;
  if (!converged && !is_roughly_enough && error > rough && !grazing_.empty()) return Outcome::unconverged;
  if (!has_ended && find_leaving(state, h, few)) find_passing(state, h);
  if (meets_) {
    if (!must) return Outcome::passed;
    report.grazes = true;
  }
  report.grazes |= grazes;
  // What went without its position parts and ends where they ask for has lost nothing; what begins where it was put
  // has.
  const bool is_whole = is_relaxed_ && converged && !options_.linear &&
                        position_error(way_.lpNorm<Eigen::Infinity>(), is_hard, true) <= options_.contact_tolerance;
  report.relaxed |= was_deep || (is_relaxed_ && !is_whole);
  was_relaxed_ = is_relaxed_;
  const bool is_roughly = is_roughly_enough || (drives_hold && error <= rough);
  report.rough |= !converged && is_roughly;
  report.converged &= converged || is_roughly;
  work_.record(report);
  work_.note_closed(h, report);
  jammed_velocities_.clear();
  if (is_relaxed_ && is_known_)
    for (const Jam jam : jammed_) jammed_velocities_.push_back(jam == Jam::none ? 0 : 1);
  held_.note(q_new_, check_, work_.problem(), work_.solution(), h, jammed_velocities_);
  predictor_.note(state.v, work_.solution().v, h, pushing_.empty());
  state.q = q_new_;
  state.v = state.v_alpha = work_.solution().v;
  state.t += h;
  std::swap(active_, pushing_);
  return Outcome::taken;
}

}  // namespace stiction
