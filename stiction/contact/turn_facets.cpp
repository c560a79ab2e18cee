// Which way the facets of an island should be turned: the part of IslandSolver that knows about friction.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "stiction/contact/island_solver.h"

namespace stiction {

using lcp::Place;

namespace {

// Sliding and friction below this part of the largest speed have no direction but that of rounding.
constexpr double creeping = 1e-9;

double wrap(double angle) {
  return std::remainder(angle, 2.0 * std::numbers::pi);
}

}  // namespace

/// Largest speed of the island: before, after, and what the impulses would cause.
double IslandSolver::speed_scale(const StepSolution& solution) const {
  const StepProblem& problem = *task_.problem;
  double scale = 0.0;
  for (const int i : task_.velocities)
    scale = std::max(
        {scale, std::abs(problem.v[i]), std::abs(solution.v[i]), std::abs(problem.k[i] / problem.M.coeff(i, i))});
  for (const int i : task_.joints) scale = std::max(scale, std::abs(problem.b_nu[i]));
  for (const int j : task_.contacts) scale = std::max(scale, solution.c_n[j] * problem.n.mobility(j, problem.M));
  return scale;
}

/// By how much the friction of contact j should be turned to oppose its sliding, and the angle that it has. Zero when
/// it sticks, or creeps.
IslandSolver::Misfit IslandSolver::misfit(const StepSolution& solution, int j, double speed) const {
  const StepProblem& problem = *task_.problem;
  const StepProblem::Contact& contact = problem.contacts[j];
  const double ratio = contact.ratio();
  if (contact.tangents < 2 || !(solution.lambda[j] > 0.0) || !(ratio > 0.0)) return {};
  const double slip1 = problem.speed(problem.t1, j, solution.v) + problem.b_t1[j];
  const double slip2 = ratio * (problem.speed(problem.t2, j, solution.v) + problem.b_t2[j]);
  const double s1 = solution.c_t1[j], s2 = solution.c_t2[j] / ratio;
  const double slip = std::hypot(slip1, slip2);
  const double push = std::hypot(s1, s2) * problem.t1.mobility(j, problem.M);
  if (!(slip > creeping * speed) || !(push > creeping * speed)) return {};
  const double found = std::atan2(s2, s1), radius = problem.radius(j, solution.c_n);
  return {wrap(std::atan2(-slip2, -slip1) - found), found, push / slip,
          std::acos(std::min(1.0, std::hypot(s1, s2) / radius))};
}

double IslandSolver::worst_misalignment(const StepSolution& solution) const {
  const double speed = speed_scale(solution);
  double worst = 0.0;
  for (const int j : task_.contacts) {
    const Misfit now = misfit(solution, j, speed);
    worst = std::max({worst, std::abs(now.off), now.inside});
  }
  return worst;
}

/// Turns the facets of sliding contacts so that one opposes the sliding.
///
/// Turning friction by an angle pushes the sliding the other way, by G times the angle, G = friction impulse / (mass
/// that resists * sliding speed). For G > 1 a full turn overshoots and cycles, so a turn goes 1/(1 + G) of the way at
/// first and then by the secant of what earlier turns did: how far a contact was off, by how far it was turned.
void IslandSolver::turn_facets(StepSolution& solution) {
  const double speed = speed_scale(solution);
  for (std::size_t c = 0; c < task_.contacts.size(); ++c) {
    const int j = task_.contacts[c];
    Turning& turning = turning_[c];
    const Misfit now = misfit(solution, j, speed);
    turning.slides = now.off != 0.0 || now.inside > 0.0;
    if (!turning.slides) continue;
    double slope = 1.0 + now.gain;
    const double moved = wrap(now.found - turning.found);
    if (turning.turns > 0 && std::abs(moved) > 1e-12)
      slope = std::clamp((turning.off - now.off) / moved, 1.0, 2.0 * (1.0 + now.gain));
    turning.found = now.found;
    turning.off = now.off;
    ++turning.turns;
    solution.facets[j].turn = wrap(now.found + now.off / slope);
  }
}

/// What each contact did last time; a contact whose facets were just turned slides along its first facet.
void IslandSolver::suggest_memory(const StepSolution& solution) {
  start_basis();
  for (std::size_t c = 0; c < task_.contacts.size(); ++c) {
    const int j = task_.contacts[c], first = offset_[c];
    const Facets& facets = solution.facets[j];
    if (turning_[c].slides) {
      // Its normal impulse, if it is its own, the first facet and lambda.
      const int facet = first + facets.first();
      answer_.basis[first] = answer_.basis[facet] = answer_.basis[facet + facets.count] = Place::basic;
    } else if (const ContactMemory::Entry* entry = task_.memory->find(task_.problem->contacts[j].id);
               entry && entry->basis_size == facets.unknowns()) {
      const auto basis = task_.memory->basis(*entry);
      std::copy(basis.begin(), basis.end(), answer_.basis.begin() + first);
    }
  }
}

void IslandSolver::start_basis() {
  const std::size_t equations = task_.velocities.size() + task_.joints.size();
  answer_.basis.assign(static_cast<std::size_t>(size_), Place::lower);
  std::fill_n(answer_.basis.begin(), equations, Place::basic);
  for (std::size_t i = 0; i < task_.joints.size(); ++i)
    answer_.basis[task_.velocities.size() + i] = task_.memory->find_row_place(task_.joints[i]);
}

/// Turns facets to what was found on the true cone; assembles the problem and suggests its basis. False, and nothing
/// changed, where that has been done.
bool IslandSolver::suggest_found(StepSolution& solution) {
  if (task_.suggested) return false;
  task_.suggested = true;
  place_unknowns(solution);
  start_basis();
  for (std::size_t i = 0; i < task_.joints.size(); ++i)
    answer_.basis[task_.velocities.size() + i] = find_place(task_.joints[i]);
  for (std::size_t c = 0; c < task_.contacts.size(); ++c) {
    const int j = task_.contacts[c];
    suggest_contact(offset_[c], is_closed(j), find_friction(j), solution.facets[j]);
  }
  assemble(solution);
  return true;
}

/// By the projection of c - rho u on the bounds.
Place IslandSolver::find_place(int row) const {
  const StepProblem& problem = *task_.problem;
  const StepProblem::RowLaw law = problem.row_law(row);
  const double mobility = problem.nu.mobility(row, problem.M), c = task_.on_bodies->c_nu[row];
  if (law.is_joint() || !(mobility > 0.0)) return Place::basic;
  const double moved = c - problem.row_speed(row, task_.on_bodies->v, c) / mobility;
  return moved <= law.lower ? Place::lower : moved >= law.upper ? Place::upper : Place::basic;
}

bool IslandSolver::is_closed(int j) const {
  const StepProblem& problem = *task_.problem;
  const double mobility = problem.n.mobility(j, problem.M);
  if (!problem.has_normal(j) || !(mobility > 0.0)) return false;
  return task_.on_bodies->c_n[j] * mobility > problem.speed(problem.n, j, task_.on_bodies->v) + problem.b_n[j];
}

/// By the projection of s - rho u on the disc (Alart and Curnier 1991).
IslandSolver::Friction IslandSolver::find_friction(int j) const {
  const StepProblem& problem = *task_.problem;
  const StepProblem::Contact& contact = problem.contacts[j];
  const StepSolution& found = *task_.on_bodies;
  const double ratio = contact.ratio();
  Friction friction;
  double mobility = problem.t1.mobility(j, problem.M);
  if (contact.tangents == 2) mobility = std::max(mobility, ratio * ratio * problem.t2.mobility(j, problem.M));
  if (contact.tangents == 0 || !(mobility > 0.0)) return friction;
  friction.u1 = problem.speed(problem.t1, j, found.v) + problem.b_t1[j];
  if (contact.tangents == 2) friction.u2 = ratio * (problem.speed(problem.t2, j, found.v) + problem.b_t2[j]);
  const bool bears = contact.mu > 0.0 && is_closed(problem.normal_of(j));
  if (!bears && !(contact.hf > 0.0)) return friction;
  friction.s1 = found.c_t1[j];
  if (ratio > 0.0) friction.s2 = found.c_t2[j] / ratio;
  friction.radius = problem.radius(j, found.c_n);
  const double y1 = friction.s1 - friction.u1 / mobility, y2 = friction.s2 - friction.u2 / mobility;
  const double y = std::hypot(y1, y2);
  friction.state = y > friction.radius ? Friction::State::sliding : Friction::State::sticking;
  if (friction.state == Friction::State::sticking) return friction;
  friction.s1 = friction.radius * y1 / y;
  friction.s2 = friction.radius * y2 / y;
  return friction;
}

/// The basis of one contact's answer, and facets for which it is one: the first along friction on the rim of the disc.
/// A contact without friction still needs lambda to hold against its sliding, with the facet that opposes that most.
void IslandSolver::suggest_contact(int first, bool closed, const Friction& found, Facets& facets) {
  using State = Friction::State;
  const auto make_basic = [&](int unknown) { answer_.basis[first + unknown] = Place::basic; };
  if (closed && facets.has_normal) make_basic(0);
  if (facets.count == 0) return;
  const int lead = facets.first();
  const bool round = facets.count > 2;
  const double facet = 2.0 * std::numbers::pi / facets.count;
  // Facets from the first one counterclockwise to the direction, in [0, count).
  const auto place_of = [&](double along1, double along2) {
    const double place = round ? (std::atan2(along2, along1) - facets.turn) / facet : (along1 >= 0.0 ? 0.0 : 1.0);
    return place - facets.count * std::floor(place / facets.count);
  };
  if (found.state == State::sticking) {
    double place = place_of(found.s1, found.s2);
    const double from_middle = (place - std::floor(place) - 0.5) * facet;
    const double reach = std::hypot(found.s1, found.s2) * std::cos(from_middle);
    if (round && reach > found.radius * std::cos(0.5 * facet)) {
      facets.turn = std::atan2(found.s2, found.s1);
      place = 0.0;
    }
    const int before = static_cast<int>(place) % facets.count;
    make_basic(lead + before);
    if (round) make_basic(lead + (before + 1) % facets.count);
    return;
  }
  int along = 0;
  if (found.state == State::sliding && round)
    facets.turn = std::atan2(found.s2, found.s1);
  else if (found.state == State::sliding)
    along = found.s1 >= 0.0 ? 0 : 1;
  else
    along = static_cast<int>(std::lround(place_of(-found.u1, -found.u2))) % facets.count;
  make_basic(lead + along);
  make_basic(lead + facets.count);
}

}  // namespace stiction
