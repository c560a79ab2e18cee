#include "stiction/contact/force_set.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace stiction {

namespace {

// Of the largest speed: slower is at rest. What sticks may creep by this much in a certified answer, and what creeps
// has no direction (StepCertificate).
constexpr double at_rest = 1e-9;
// Of the largest normal impulse: less has no direction that could be trusted.
constexpr double negligible = 1e-12;

}  // namespace

void ForceSet::clear() {
  groups.clear();
  frictions.clear();
  slidings.clear();
  bounded.clear();
  bundles.clear();
  nodes.clear();
  columns.clear();
  found.clear();
  load.clear();
  mass.clear();
  closed = 0;
}

void ForceSet::end_bundle(int first) {
  Bundle bundle{first, size(), static_cast<int>(nodes.size())};
  for (int c = first; c < size(); ++c) {
    int begin = -width;  // of the node of the last entry
    for (const int number : columns.columns(c)) {
      if (number >= begin && number < begin + width) continue;
      const int node = number / width;
      begin = node * width;
      if (std::find(nodes.begin() + bundle.node_begin, nodes.end(), node) == nodes.end()) nodes.push_back(node);
    }
  }
  bundle.node_end = static_cast<int>(nodes.size());
  bundles.push_back(bundle);
}

void ForceSet::make_recession() {
  for (Friction& block : frictions) block.hf = 0.0;
  for (Bounded& row : bounded) {
    if (std::isfinite(row.lower)) row.lower = 0.0;
    if (std::isfinite(row.upper)) row.upper = 0.0;
  }
  std::fill(load.begin(), load.end(), 0.0);
}

double speed_of(const StepProblem& problem, const StepSolution& solution) {
  double speed = 0.0;
  for (int i = 0; i < problem.velocities(); ++i) {
    const double forced = std::abs(problem.k[i] / problem.M.coeff(i, i));
    speed = std::max({speed, std::abs(problem.v[i]), std::abs(solution.v[i]), forced});
  }
  return speed;
}

/// Numbers the velocities of an island by bodies, or by chunks of them.
void ForceSetFinder::number(const StepProblem& problem, std::span<const int> velocities, ForceSet& set) {
  const std::vector<int>& starts = problem.blocks.structure.starts;
  set.width = problem.has_blocks() && problem.blocks.structure.planar ? 3 : 6;
  number_.resize(static_cast<std::size_t>(problem.velocities()));
  int nodes = 0, begin = 0, end = 0;  // velocities of the node at hand
  for (const int velocity : velocities) {
    if (velocity >= end) {
      int body_begin = 0, body_end = problem.velocities();
      if (problem.has_blocks()) {
        const auto next = std::upper_bound(starts.begin(), starts.end(), velocity);
        body_begin = *(next - 1);
        body_end = *next;
      }
      begin = body_begin + (velocity - body_begin) / set.width * set.width;
      end = std::min(body_end, begin + set.width);
      ++nodes;
      set.load.resize(static_cast<std::size_t>(nodes * set.width), 0.0);
      set.mass.resize(set.load.size(), 1.0);
    }
    number_[velocity] = (nodes - 1) * set.width + velocity - begin;
    set.mass[number_[velocity]] = problem.M.coeff(velocity, velocity);
  }
  column_.resize(set.load.size());
  is_there_.assign(set.load.size(), 0);
}

void ForceSetFinder::add_to_column(const linalg::Rows& rows, int row, double factor) {
  const auto columns = rows.columns(row);
  const auto values = rows.values(row);
  for (std::size_t p = 0; p < columns.size(); ++p) {
    const int number = number_[columns[p]];
    if (is_there_[number] == 0) {
      is_there_[number] = 1;
      column_[number] = 0.0;
      touched_.push_back(number);
    }
    column_[number] += factor * values[p];
  }
}

void ForceSetFinder::end_column(double found, ForceSet& set) {
  for (const int number : touched_) {
    set.columns.push(number, column_[number]);
    set.load[number] += column_[number] * found;
    is_there_[number] = 0;
  }
  set.columns.end_row();
  set.found.push_back(found);
  touched_.clear();
}

/// A column of one row.
void ForceSetFinder::add_column(const linalg::Rows& rows, int row, double factor, double found, ForceSet& set) {
  const auto columns = rows.columns(row);
  const auto values = rows.values(row);
  for (std::size_t p = 0; p < columns.size(); ++p) {
    const int number = number_[columns[p]];
    set.columns.push(number, factor * values[p]);
    set.load[number] += factor * values[p] * found;
  }
  set.columns.end_row();
  set.found.push_back(found);
}

/// Joints, and drives that hold. What gives way has its impulse by its speed.
void ForceSetFinder::add_rows(const StepProblem& problem, const Islands& islands, int island,
                              const StepSolution& solution, ForceSet& set) {
  for (const int i : islands.joints(island)) {
    const StepProblem::RowLaw law = problem.row_law(i);
    if (law.compliance > 0.0) continue;
    if (!law.is_joint() && std::abs(problem.row_speed(i, solution.v, solution.c_nu[i])) > resting_) continue;
    set.bounded.push_back({i, set.size(), law.lower, law.upper});
    add_column(problem.nu, i, 1.0, solution.c_nu[i], set);
    set.end_bundle(set.size() - 1);
  }
}

/// The friction of a block that slides goes along with the normal impulse, whose column is under construction.
void ForceSetFinder::add_sliding(const StepProblem& problem, int j, double u1, double u2, const StepSolution& solution,
                                 ForceSet& set) {
  const StepProblem::Contact& contact = problem.contacts[j];
  const double ratio = contact.ratio(), radius = problem.radius(j, solution.c_n);
  ForceSet::Group& group = set.groups.back();
  ForceSet::Sliding block{j, group.normal};
  if (radius > negligible * largest_) {
    block.t1 = solution.c_t1[j] / radius;
    block.t2 = solution.c_t2[j] / radius;
  } else if (turns_ && contact.tangents == 2) {
    const double slip = std::hypot(u1, u2);
    block.facet = 0;
    block.t1 = -u1 / slip;
    block.t2 = -ratio * u2 / slip;
  } else {
    double least = 0.0;
    const Facets& facets = solution.facets[j];
    for (int i = 0; i < facets.count; ++i) {
      double d1 = 0.0, d2 = 0.0;
      facets.direction(i, ratio, d1, d2);
      const double along = d1 * u1 + (ratio > 0.0 ? d2 / ratio * u2 : 0.0);
      if (along >= least) continue;
      least = along;
      block.facet = i;
      block.t1 = d1;
      block.t2 = d2;
    }
  }
  const double length = std::hypot(block.t1, ratio > 0.0 ? block.t2 / ratio : 0.0);
  group.weight += contact.mu * contact.mu * length * length;
  group.slope += contact.mu * contact.hf * length * length;
  add_to_column(problem.t1, j, contact.mu * block.t1);
  add_to_column(problem.t2, j, contact.mu * block.t2);
  set.slidings.push_back(block);
}

/// Facets that do not turn leave at least the circle inside them.
double ForceSetFinder::share_of_disc(const Facets& facets) const {
  return turns_ || facets.count <= 2 ? 1.0 : std::cos(std::numbers::pi / facets.count);
}

void ForceSetFinder::add_sticking(const StepProblem& problem, int j, const StepSolution& solution, ForceSet& set) {
  const StepProblem::Contact& contact = problem.contacts[j];
  const double ratio = contact.ratio(), share = share_of_disc(solution.facets[j]);
  const int directions = contact.tangents == 2 && ratio > 0.0 ? 2 : 1;
  set.frictions.push_back({j, set.size(), directions, share * contact.mu, share * contact.hf});
  add_column(problem.t1, j, 1.0, solution.c_t1[j], set);
  if (directions == 2) add_column(problem.t2, j, ratio, solution.c_t2[j] / ratio, set);
}

ForceSetFinder::Slip ForceSetFinder::slip_of(const StepProblem& problem, int j, const StepSolution& solution) const {
  if (problem.contacts[j].tangents == 0) return {};
  const double u1 = problem.speed(problem.t1, j, solution.v) + problem.b_t1[j];
  const double u2 = problem.contacts[j].ratio() * (problem.speed(problem.t2, j, solution.v) + problem.b_t2[j]);
  return {u1, u2, std::sqrt(u1 * u1 + u2 * u2) > resting_};
}

/// A contact and the blocks that it bears. `blocks` begins with the contact itself.
void ForceSetFinder::add_group(const StepProblem& problem, std::span<const int> blocks, const StepSolution& solution,
                               ForceSet& set) {
  const int carrier = blocks.front(), first = set.size();
  const double c_n = solution.c_n[carrier];
  const bool is_closed =
      problem.has_normal(carrier) &&
      (c_n > negligible * largest_ || problem.speed(problem.n, carrier, solution.v) + problem.b_n[carrier] <= resting_);
  set.groups.push_back({carrier, is_closed ? first : -1});
  set.closed += is_closed;
  slips_.clear();
  bool any_slides = false;
  for (const int j : blocks) {
    const bool has_radius = problem.contacts[j].hf > 0.0 || (is_closed && problem.contacts[j].mu > 0.0);
    slips_.push_back(has_radius ? slip_of(problem, j, solution) : Slip{});
    any_slides = any_slides || (problem.contacts[j].mu > 0.0 && slips_.back().slides);
  }
  if (is_closed && !any_slides) add_column(problem.n, carrier, 1.0, c_n, set);
  if (is_closed && any_slides) {
    add_to_column(problem.n, carrier, 1.0);
    for (std::size_t i = 0; i < blocks.size(); ++i)
      if (problem.contacts[blocks[i]].mu > 0.0 && slips_[i].slides)
        add_sliding(problem, blocks[i], slips_[i].u1, slips_[i].u2, solution, set);
    end_column(c_n, set);
  }
  set.groups.back().friction_begin = static_cast<int>(set.frictions.size());
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const StepProblem::Contact& contact = problem.contacts[blocks[i]];
    const bool has_radius = contact.hf > 0.0 || (is_closed && contact.mu > 0.0);
    if (contact.tangents > 0 && has_radius && !slips_[i].slides) add_sticking(problem, blocks[i], solution, set);
  }
  set.groups.back().friction_end = static_cast<int>(set.frictions.size());
  set.end_bundle(first);
}

void ForceSetFinder::find(const StepProblem& problem, const Islands& islands, int island, const StepSolution& solution,
                          double speed, ForceSet& set) {
  set.clear();
  number(problem, islands.velocities(island), set);
  resting_ = at_rest * speed;
  const auto contacts = islands.contacts(island);
  largest_ = 0.0;
  for (const int j : contacts) largest_ = std::max(largest_, solution.c_n[j]);
  order_.assign(contacts.begin(), contacts.end());
  std::sort(order_.begin(), order_.end(),
            [&](int a, int b) { return std::pair(problem.normal_of(a), a) < std::pair(problem.normal_of(b), b); });
  for (std::size_t first = 0, next = 0; first < order_.size(); first = next) {
    while (next < order_.size() && problem.normal_of(order_[next]) == problem.normal_of(order_[first])) ++next;
    add_group(problem, std::span(order_).subspan(first, next - first), solution, set);
  }
  add_rows(problem, islands, island, solution, set);
}

/// Friction s in round coordinates as impulses of facets.
void ForceSetFinder::write_sticking(const ForceSet::Friction& block, const std::vector<double>& x, double ratio,
                                    StepSolution& solution) const {
  const int j = block.contact;
  const double s1 = x[block.first], s2 = block.directions == 2 ? x[block.first + 1] : 0.0;
  solution.c_t1[j] = s1;
  solution.c_t2[j] = ratio * s2;
  Facets& facets = solution.facets[j];
  if (facets.round) return;  // lambda, the speed of sliding, stays
  solution.lambda[j] = 0.0;
  double* beta = solution.beta.data() + solution.beta_start[j];
  std::fill_n(beta, facets.count, 0.0);
  if (facets.count == 2) {
    beta[s1 < 0.0 ? 1 : 0] = std::abs(s1);
    return;
  }
  if (turns_) {
    facets.turn = std::atan2(s2, s1);
    beta[0] = std::hypot(s1, s2);
    return;
  }
  // Between two facets of angle w from each other: s = beta_i (cos 0, sin 0) + beta_i+1 (cos w, sin w).
  const double w = 2.0 * std::numbers::pi / facets.count;
  double angle = std::remainder(std::atan2(s2, s1) - facets.turn, 2.0 * std::numbers::pi);
  if (angle < 0.0) angle += 2.0 * std::numbers::pi;
  const int i = static_cast<int>(angle / w) % facets.count;
  const double rest = angle - w * i, length = std::hypot(s1, s2);
  beta[i] = std::max(0.0, length * std::sin(w - rest) / std::sin(w));
  beta[(i + 1) % facets.count] = std::max(0.0, length * std::sin(rest) / std::sin(w));
}

void ForceSetFinder::write_sliding(const StepProblem& problem, const ForceSet::Sliding& block,
                                   StepSolution& solution) const {
  const int j = block.contact;
  const double radius = problem.radius(j, solution.c_n);
  Facets& facets = solution.facets[j];
  double* beta = solution.beta.data() + solution.beta_start[j];
  solution.c_t1[j] = radius * block.t1;
  solution.c_t2[j] = radius * block.t2;
  if (facets.round) return;
  if (block.facet < 0) {
    double total = 0.0;
    for (int i = 0; i < facets.count; ++i) total += beta[i];
    for (int i = 0; i < facets.count; ++i) beta[i] *= radius / total;
    return;
  }
  const double ratio = problem.contacts[j].ratio();
  if (turns_ && facets.count > 2) facets.turn = std::atan2(ratio > 0.0 ? block.t2 / ratio : 0.0, block.t1);
  std::fill_n(beta, facets.count, 0.0);
  beta[block.facet] = radius;
  const double slip1 = problem.speed(problem.t1, j, solution.v) + problem.b_t1[j];
  const double slip2 = problem.speed(problem.t2, j, solution.v) + problem.b_t2[j];
  solution.lambda[j] = -(block.t1 * slip1 + block.t2 * slip2);
}

void ForceSetFinder::write(const StepProblem& problem, const ForceSet& set, const std::vector<double>& x,
                           StepSolution& solution) const {
  for (const ForceSet::Bounded& row : set.bounded) solution.c_nu[row.row] = x[row.component];
  for (const ForceSet::Group& group : set.groups)
    if (group.normal >= 0) solution.c_n[group.contact] = x[group.normal];
  for (const ForceSet::Sliding& block : set.slidings) write_sliding(problem, block, solution);
  for (const ForceSet::Friction& block : set.frictions)
    write_sticking(block, x, problem.contacts[block.contact].ratio(), solution);
}

}  // namespace stiction
