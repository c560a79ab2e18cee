#include "stiction/contact/cone_newton.h"

#include <algorithm>
#include <cmath>

#include "stiction/base/phase_times.h"

namespace stiction {

namespace {

constexpr int most_iterations = 30;
// Iterations after which the compliance below is raised: what has not settled by then swings along impulses that
// nothing but it decides.
constexpr int patience = 8;
// Halvings of a step that makes things worse; then it is taken as it is, since states that change may have to get worse
// before they get better.
constexpr int most_halvings = 4;
// Errors below this part of the largest speed are rounding; those that stop falling are, up to the second.
constexpr double rounding = 1e-14, most_rounding = 1e-10;
// A start that is better than this is the answer.
constexpr double start_rounding = 1e-12;
// Rows that hold are given a little compliance about the last impulse: redundant ones (a box on four corners that
// stick) would make the system singular. Impulses that settle are not changed by it.
constexpr double least_proximal = 1e-9, most_proximal = 1e-5;

/// Zero for a row along which nothing moves.
double mass_along(const StepProblem& problem, const linalg::Rows& rows, int row) {
  const double mobility = rows.mobility(row, problem.M);
  return mobility > 0.0 ? 1.0 / mobility : 0.0;
}

}  // namespace

void ConeNewton::load(const StepProblem& problem, const StepSolution& start) {
  v_.resize(problem.velocities());
  for (const int i : velocities_) v_[i] = start.v[i];
  root_.clear();
  for (const int i : velocities_) root_.push_back(1.0 / std::sqrt(problem.M.coeff(i, i)));
  joint_root_.clear();
  row_impulses_.clear();
  for (const int i : joints_) {
    joint_root_.push_back(std::sqrt(mass_along(problem, problem.nu, i)));
    row_impulses_.push_back(start.c_nu[i]);
  }
  row_places_.assign(joints_.size(), lcp::Place::basic);
  contacts_.assign(list_.size(), {});
  scales_.assign(list_.size(), {});
  for (std::size_t c = 0; c < list_.size(); ++c) {
    const int j = list_[c];
    const StepProblem::Contact& contact = problem.contacts[j];
    Scale& scale = scales_[c];
    scale.ratio = contact.ratio();
    scale.carrier =
        static_cast<int>(std::lower_bound(list_.begin(), list_.end(), problem.normal_of(j)) - list_.begin());
    scale.rho_n = mass_along(problem, problem.n, j);
    const bool rubs = contact.tangents > 0 && (contact.mu > 0.0 || contact.hf > 0.0) && scale.ratio > 0.0;
    if (rubs) {
      scale.rho_t = mass_along(problem, problem.t1, j);
      const double second = mass_along(problem, problem.t2, j) / (scale.ratio * scale.ratio);
      if (contact.tangents == 2 && second > 0.0) scale.rho_t = std::min(scale.rho_t, second);
    }
    contacts_[c].c_n = start.c_n[j];
    if (scale.rho_t > 0.0) {
      contacts_[c].s1 = start.c_t1[j];
      contacts_[c].s2 = start.c_t2[j] / scale.ratio;
    }
  }
}

void ConeNewton::find_slip(const StepProblem& problem, const Vector& v, std::vector<Contact>& contacts) const {
  for (std::size_t c = 0; c < list_.size(); ++c) {
    const int j = list_[c];
    contacts[c].w_n = problem.speed(problem.n, j, v) + problem.b_n[j];
    if (!(scales_[c].rho_t > 0.0)) continue;
    contacts[c].u1 = problem.speed(problem.t1, j, v) + problem.b_t1[j];
    contacts[c].u2 = scales_[c].ratio * (problem.speed(problem.t2, j, v) + problem.b_t2[j]);
  }
  if (is_soft_) soften(contacts);
}

/// Which law each contact is under at this point; returns the largest error, in units of speed.
double ConeNewton::find_states(const StepProblem& problem, std::vector<Contact>& contacts) {
  const double rows = find_row_places(problem);
  return std::max(rows, find_contact_states(problem, contacts));
}

double ConeNewton::find_contact_states(const StepProblem& problem, std::vector<Contact>& contacts) const {
  double error = 0.0;
  for (std::size_t c = 0; c < list_.size(); ++c) {
    Contact& contact = contacts[c];
    const Scale& scale = scales_[c];
    const StepProblem::Contact& law = problem.contacts[list_[c]];
    contact.state = State::free;
    if (law.normal < 0) {
      if (!(scale.rho_n > 0.0)) continue;
      contact.closed = contact.c_n - scale.rho_n * contact.w_n > 0.0;
      error = std::max(error, contact.closed ? std::abs(contact.w_n) : std::abs(contact.c_n) / scale.rho_n);
    }
    const Contact& carrier = contacts[scale.carrier];
    if (!(scale.rho_t > 0.0) || !(carrier.closed || law.hf > 0.0)) continue;
    const double radius = law.mu * std::max(carrier.c_n, 0.0) + law.hf;
    const double y1 = contact.s1 - scale.rho_t * contact.u1, y2 = contact.s2 - scale.rho_t * contact.u2;
    const double y = std::hypot(y1, y2);
    contact.state = y > radius ? State::sliding : State::sticking;
    const double share = y > radius ? radius / y : 1.0;
    error = std::max(error, std::hypot(contact.s1 - share * y1, contact.s2 - share * y2) / scale.rho_t);
  }
  return error;
}

/// c = projection of c - rho w on [lower, upper] for the rows that have bounds; the others hold but for the compliance.
double ConeNewton::find_row_places(const StepProblem& problem) {
  double error = 0.0;
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    const StepProblem::RowLaw law = problem.row_law(joints_[i]);
    const double rho = joint_root_[i] * joint_root_[i], c = row_impulses_[i];
    if (!(rho > 0.0)) continue;
    const double slip = problem.row_speed(joints_[i], v_, c);
    if (law.is_joint()) {
      error = std::max(error, std::abs(slip));
      continue;
    }
    const double moved = c - rho * slip;
    row_places_[i] = moved <= law.lower   ? lcp::Place::lower
                     : moved >= law.upper ? lcp::Place::upper
                                          : lcp::Place::basic;
    error = std::max(error, std::abs(c - std::clamp(moved, law.lower, law.upper)) / rho);
  }
  return error;
}

void ConeNewton::add_row(const StepProblem& problem, const Islands& islands, const linalg::Rows& rows, int row,
                         int equation, double factor) {
  const auto columns = rows.columns(row);
  const auto values = rows.values(row);
  for (std::size_t p = 0; p < columns.size(); ++p) {
    const int local = islands.local(columns[p]);
    add(equation, local, factor * problem.alpha * values[p] * root_[local]);
  }
  if (problem.alpha != 1.0) rhs_[equation] -= factor * (1.0 - problem.alpha) * rows.dot(row, problem.v);
}

void ConeNewton::add_column(const Islands& islands, const linalg::Rows& rows, int row, int unknown, double factor) {
  const auto columns = rows.columns(row);
  const auto values = rows.values(row);
  for (std::size_t p = 0; p < columns.size(); ++p) {
    const int local = islands.local(columns[p]);
    add(local, unknown, -factor * values[p] * root_[local]);
  }
}

/// The laws of one contact, linearised, in units where masses are one. Sliding along e = y/|y|, y = s - rho u, with p
/// across it and share = radius/|y| < 1:   e's = mu c_n + hf,   (1 - share) p's + share rho p'u = 0.
void ConeNewton::pose_contact(const StepProblem& problem, const Islands& islands, int c) {
  const int j = list_[c];
  const Contact& contact = contacts_[c];
  const Scale& scale = scales_[c];
  const StepProblem::Contact& law = problem.contacts[j];
  const double root_n = std::sqrt(scale.rho_n), root_t = std::sqrt(scale.rho_t);
  if (scale.normal >= 0) {
    add_column(islands, problem.n, j, scale.normal, root_n);
    rhs_[scale.normal] -= root_n * problem.b_n[j];
    add_row(problem, islands, problem.n, j, scale.normal, root_n);
    hold(scale.normal, (is_soft_ ? center_.contacts[c].c_n : contact.c_n) / root_n, proximal_);
  }
  if (scale.friction < 0) return;
  const int first = scale.friction;
  const bool planar = law.tangents == 1;
  add_column(islands, problem.t1, j, first, root_t);
  if (!planar) add_column(islands, problem.t2, j, first + 1, root_t * scale.ratio);
  const auto add_slip = [&](int equation, double along1, double along2) {
    add_row(problem, islands, problem.t1, j, equation, along1 * root_t);
    rhs_[equation] -= along1 * root_t * problem.b_t1[j];
    if (planar) return;
    add_row(problem, islands, problem.t2, j, equation, along2 * root_t * scale.ratio);
    rhs_[equation] -= along2 * root_t * scale.ratio * problem.b_t2[j];
  };
  const Contact& held = is_soft_ ? center_.contacts[c] : contact;
  if (contact.state == State::sticking) {
    add_slip(first, 1.0, 0.0);
    hold(first, held.s1 / root_t, proximal_);
    if (planar) return;
    add_slip(first + 1, 0.0, 1.0);
    hold(first + 1, held.s2 / root_t, proximal_);
    return;
  }
  const double y1 = contact.s1 - scale.rho_t * contact.u1, y2 = contact.s2 - scale.rho_t * contact.u2;
  const double y = std::hypot(y1, y2), e1 = y1 / y, e2 = y2 / y;
  const Scale& carrier = scales_[scale.carrier];
  const double share = (law.mu * std::max(contacts_[scale.carrier].c_n, 0.0) + law.hf) / y;
  add(first, first, e1);
  if (carrier.normal >= 0) add(first, carrier.normal, -law.mu * std::sqrt(carrier.rho_n) / root_t);
  rhs_[first] += law.hf / root_t;
  if (planar) return;
  add(first, first + 1, e2);
  add(first + 1, first, -(1.0 - share) * e2);
  add(first + 1, first + 1, (1.0 - share) * e1);
  add_slip(first + 1, -share * e2, share * e1);
  if (!is_soft_) return;
  add(first + 1, first, -share * e2 * proximal_);
  add(first + 1, first + 1, share * e1 * proximal_);
  rhs_[first + 1] += share * proximal_ * (e1 * held.s2 - e2 * held.s1) / root_t;
}

/// A joint, a drive between its bounds, or one at a bound, whose impulse is known. Every row keeps its unknown.
void ConeNewton::pose_row(const StepProblem& problem, const Islands& islands, int i) {
  const int j = joints_[i], at = static_cast<int>(velocities_.size()) + i;
  const StepProblem::RowLaw law = problem.row_law(j);
  add_column(islands, problem.nu, j, at, joint_root_[i]);
  if (row_places_[i] != lcp::Place::basic) {
    add(at, at, 1.0);
    rhs_[at] = (row_places_[i] == lcp::Place::lower ? law.lower : law.upper) / joint_root_[i];
    return;
  }
  add(at, at, law.compliance * joint_root_[i] * joint_root_[i]);
  rhs_[at] -= joint_root_[i] * problem.b_nu[j];
  add_row(problem, islands, problem.nu, j, at, joint_root_[i]);
  if (joint_root_[i] > 0.0) hold(at, row_impulses_[i] / joint_root_[i], is_soft_ ? least_proximal : proximal_);
}

/// compliance * (unknown - last) on the left of a row.
void ConeNewton::hold(int row, double last, double compliance) {
  add(row, row, compliance);
  rhs_[row] += compliance * last;
}

void ConeNewton::pose(const StepProblem& problem, const Islands& islands) {
  const int nv = static_cast<int>(velocities_.size()), nj = static_cast<int>(joints_.size());
  int size = nv + nj;
  for (std::size_t c = 0; c < list_.size(); ++c) {
    scales_[c].normal = contacts_[c].closed ? size++ : -1;
    scales_[c].friction = contacts_[c].state != State::free ? size : -1;
    if (scales_[c].friction >= 0) size += problem.contacts[list_[c]].tangents;
  }
  rhs_.assign(static_cast<std::size_t>(size), 0.0);
  entries_.clear();
  for (int i = 0; i < nv; ++i) {
    const int global = velocities_[i];
    for (SparseMatrix::InnerIterator it(problem.M, global); it; ++it) {
      const int row = islands.local(static_cast<int>(it.row()));
      add(row, i, root_[row] * it.value() * root_[i]);
      rhs_[row] += root_[row] * it.value() * problem.v[global];
    }
    rhs_[i] += root_[i] * problem.k[global];
  }
  for (int i = 0; i < nj; ++i) pose_row(problem, islands, i);
  for (int c = 0; c < static_cast<int>(list_.size()); ++c) pose_contact(problem, islands, c);
}

void ConeNewton::factorise(int size) {
  starts_.assign(static_cast<std::size_t>(size) + 1, 0);
  for (const Entry& entry : entries_) ++starts_[entry.column + 1];
  for (int j = 0; j < size; ++j) starts_[j + 1] += starts_[j];
  order_.resize(entries_.size());
  for (int e = 0; e < static_cast<int>(entries_.size()); ++e) order_[starts_[entries_[e].column]++] = e;
  sums_.assign(static_cast<std::size_t>(size), 0.0);
  lu_.begin(size);
  for (int j = 0, p = 0; j < size; ++j) {
    rows_.clear();
    for (; p < starts_[j]; ++p) {  // starts_ has moved on to the ends
      const Entry& entry = entries_[order_[p]];
      if (sums_[entry.row] == 0.0) rows_.push_back(entry.row);
      sums_[entry.row] += entry.value;
    }
    for (const int row : rows_) {
      if (sums_[row] != 0.0) lu_.add_entry(row, sums_[row]);
      sums_[row] = 0.0;
    }
    lu_.end_column();
  }
  lu_.factorise();
}

/// Solves the linearised laws for new velocities and impulses. False when that gives no numbers.
bool ConeNewton::step(const StepProblem& problem, const Islands& islands) {
  count_iteration();
  pose(problem, islands);
  factorise(static_cast<int>(rhs_.size()));
  // A step of refinement: along impulses that only the compliance decides the first answer has no more than half of its
  // digits, and where a body slides and turns on redundant contacts its velocity depends on them.
  residual_ = rhs_;
  lu_.solve(rhs_);
  for (const Entry& entry : entries_) residual_[entry.row] -= entry.value * rhs_[entry.column];
  lu_.solve(residual_);
  for (std::size_t i = 0; i < rhs_.size(); ++i) rhs_[i] += residual_[i];
  for (const double value : rhs_)
    if (!std::isfinite(value)) return false;
  for (std::size_t i = 0; i < velocities_.size(); ++i) v_[velocities_[i]] = root_[i] * rhs_[i];
  for (std::size_t i = 0; i < joints_.size(); ++i) row_impulses_[i] = joint_root_[i] * rhs_[velocities_.size() + i];
  for (std::size_t c = 0; c < list_.size(); ++c) {
    Contact& contact = contacts_[c];
    const Scale& scale = scales_[c];
    contact.c_n = scale.normal >= 0 ? std::sqrt(scale.rho_n) * rhs_[scale.normal] : 0.0;
    contact.s1 = contact.s2 = 0.0;
    if (scale.friction < 0) continue;
    contact.s1 = std::sqrt(scale.rho_t) * rhs_[scale.friction];
    if (problem.contacts[list_[c]].tangents == 2) contact.s2 = std::sqrt(scale.rho_t) * rhs_[scale.friction + 1];
  }
  find_slip(problem, v_, contacts_);
  return true;
}

/// Goes back to this share of the way from the last point.
void ConeNewton::blend(double share) {
  for (const int i : velocities_) v_[i] = before_.v[i] + share * (v_[i] - before_.v[i]);
  for (std::size_t i = 0; i < row_impulses_.size(); ++i)
    row_impulses_[i] = before_.row_impulses[i] + share * (row_impulses_[i] - before_.row_impulses[i]);
  for (std::size_t c = 0; c < contacts_.size(); ++c) {
    Contact& now = contacts_[c];
    const Contact& old = before_.contacts[c];
    const auto mix = [share](double& value, double from) { value = from + share * (value - from); };
    mix(now.c_n, old.c_n);
    mix(now.s1, old.s1);
    mix(now.s2, old.s2);
    mix(now.w_n, old.w_n);
    mix(now.u1, old.u1);
    mix(now.u2, old.u2);
  }
}

void ConeNewton::write(const StepProblem& problem, StepSolution& solution) const {
  for (const int i : velocities_) solution.v[i] = v_[i];
  for (std::size_t i = 0; i < joints_.size(); ++i) solution.c_nu[joints_[i]] = row_impulses_[i];
  for (std::size_t c = 0; c < list_.size(); ++c) {
    const int j = list_[c];
    const int tangents = problem.contacts[j].tangents;
    const Contact& found = contacts_[c];
    const double ratio = scales_[c].ratio;
    solution.facets[j].round = true;
    solution.c_n[j] = found.c_n;
    solution.c_t1[j] = found.s1;
    solution.c_t2[j] = ratio * found.s2;
    const double slip1 = tangents > 0 ? problem.speed(problem.t1, j, v_) + problem.b_t1[j] : 0.0;
    const double slip2 = tangents > 1 ? ratio * (problem.speed(problem.t2, j, v_) + problem.b_t2[j]) : 0.0;
    solution.lambda[j] = std::hypot(slip1, slip2);
    std::fill_n(solution.beta.begin() + solution.beta_start[j], solution.facets[j].count, 0.0);
  }
}

/// Small from the beginning, which is all that most steps need. Where states have not settled in a few iterations, what
/// swings are impulses that nothing but the compliance decides: it is raised, and lowered again while states stay. From
/// a start that is nearly the answer it is raised at once.
double ConeNewton::next_proximal(int iteration, int raised_at) const {
  if (iteration < raised_at) return least_proximal;
  if (iteration == raised_at) return most_proximal;
  const auto is_same = [](const Contact& a, const Contact& b) { return a.closed == b.closed && a.state == b.state; };
  const bool settles =
      std::equal(contacts_.begin(), contacts_.end(), last_states_.begin(), last_states_.end(), is_same);
  return settles ? std::max(1e-2 * proximal_, least_proximal) : std::min(10.0 * proximal_, most_proximal);
}

void ConeNewton::keep(Point& point) const {
  point.contacts = contacts_;
  point.row_impulses = row_impulses_;
  point.v.resize(v_.size());
  for (const int i : velocities_) point.v[i] = v_[i];
}

void ConeNewton::return_to(const Point& point) {
  contacts_ = point.contacts;
  row_impulses_ = point.row_impulses;
  for (const int i : velocities_) v_[i] = point.v[i];
}

bool ConeNewton::solve(const StepProblem& problem, const Islands& islands, int island, const StepSolution& start,
                       bool is_balanced) {
  velocities_ = islands.velocities(island);
  joints_ = islands.joints(island);
  list_ = islands.contacts(island);
  load(problem, start);
  find_slip(problem, v_, contacts_);
  double speed = 0.0, error = find_states(problem, contacts_);
  for (const int i : velocities_)
    speed = std::max({speed, std::abs(problem.v[i]), std::abs(problem.k[i] / problem.M.coeff(i, i))});
  if (is_balanced && error <= start_rounding * speed) return true;
  for (int iteration = 0; iteration < most_iterations; ++iteration) {
    if (iteration > 0) last_states_.swap(before_.contacts);
    keep(before_);
    proximal_ = next_proximal(iteration, is_balanced ? 0 : patience);
    if (!step(problem, islands)) return false;
    const double last = error;
    error = find_states(problem, contacts_);
    if (error <= rounding * speed) return true;
    const bool was_balanced = iteration > 0 || is_balanced;
    if (was_balanced && last <= most_rounding * speed && error >= 0.5 * last) {
      if (error > last) return_to(before_);
      return true;
    }
    // The first step is whole: it makes momentum and joints hold, as all later points then do.
    for (int halving = 0; iteration > 0 && error > last && halving < most_halvings; ++halving) {
      blend(0.5);
      error = find_states(problem, contacts_);
    }
  }
  if (error <= most_rounding * speed) return true;
  return is_balanced && approach(problem, islands, start, speed);
}

}  // namespace stiction
