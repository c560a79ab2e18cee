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

/// The last step's impulses, at this step's velocities.
void IslandSolver::start_from_memory(StepSolution& solution) const {
  for (const int i : task_.velocities) solution.v[i] = task_.problem->v[i];
  for (const int j : task_.contacts) {
    const ContactMemory::Entry* entry = task_.memory->find(task_.problem->contacts[j].id);
    solution.c_n[j] = entry ? entry->c_n : 0.0;
    solution.c_t1[j] = entry ? entry->c_t1 : 0.0;
    solution.c_t2[j] = entry ? entry->c_t2 : 0.0;
  }
}

/// Turns facets as Newton's method on the true cone says, from the answer in `start`; assembles the problem and
/// suggests its basis. False, and nothing changed, when the method does not converge.
bool IslandSolver::suggest_newton(const StepSolution& start, StepSolution& solution) {
  if (!newton_.solve(*task_.problem, *task_.islands, task_.island, start)) return false;
  suggest_found(solution);
  assemble(solution);
  return true;
}

/// The facets and the basis of what Newton's method found.
void IslandSolver::suggest_found(StepSolution& solution) {
  place_unknowns(solution);
  start_basis();
  for (std::size_t i = 0; i < task_.joints.size(); ++i)
    answer_.basis[task_.velocities.size() + i] = newton_.row_places()[i];
  for (std::size_t c = 0; c < task_.contacts.size(); ++c) {
    const int j = task_.contacts[c];
    const StepProblem::Contact& contact = task_.problem->contacts[j];
    const ConeNewton::Contact& found = newton_.contacts()[c];
    const double c_n = newton_.contacts()[local(task_.problem->normal_of(j))].c_n;
    suggest_contact(offset_[c], found, contact.mu * c_n + contact.hf, solution.facets[j]);
  }
}

/// An answer of the true cone by Newton's method: from the last step's impulses, or from the island's cone problem.
bool IslandSolver::solve_round(StepSolution& solution) {
  const auto newton_finds = [&](bool is_balanced) {
    return newton_.solve(*task_.problem, *task_.islands, task_.island, solution, is_balanced);
  };
  const bool has_many = task_.contacts.size() >= ConeStart::worth_it;
  start_from_memory(solution);
  // From nothing Newton's method rarely arrives where there are many contacts.
  bool found = (!has_many || remembers_most()) && newton_finds(false);
  if (!found) {
    start_from_memory(solution);
    found = cone_start_.find(*task_.problem, *task_.islands, task_.island, solution) && newton_finds(true);
  }
  task_.asked = !found;
  if (!found) return false;
  suggest_found(solution);
  newton_.write(*task_.problem, solution);
  ++counts_.round;
  return true;
}

/// Whether half of the contacts or more were there in the last step.
bool IslandSolver::remembers_most() const {
  const auto known = std::count_if(task_.contacts.begin(), task_.contacts.end(),
                                   [&](int j) { return task_.memory->find(task_.problem->contacts[j].id) != nullptr; });
  return 2 * static_cast<std::size_t>(known) >= task_.contacts.size();
}

/// As suggest_newton, from an answer of the island's cone problem, itself from the last step's impulses.
bool IslandSolver::suggest_from_cone(StepSolution& solution) {
  if (task_.contacts.size() < ConeStart::worth_it) return false;
  start_from_memory(solution);
  return cone_start_.find(*task_.problem, *task_.islands, task_.island, solution) && suggest_newton(solution, solution);
}

/// As suggest_newton, from the answer with so many facets: the more of them, the nearer it is to the true cone's. False
/// too when that problem would be too large to be worth it.
bool IslandSolver::suggest_from_many_facets(int count, StepSolution& solution) {
  constexpr int worth_it = 3000;  // unknowns: a second or so
  if (count * static_cast<int>(task_.contacts.size()) > worth_it) return false;
  many_ = solution;
  many_.beta_start.assign(1, 0);
  for (Facets& facets : many_.facets) {
    if (facets.count > 2) facets.count = count;
    many_.beta_start.push_back(many_.beta_start.back() + facets.count);
  }
  many_.beta.assign(static_cast<std::size_t>(many_.beta_start.back()), 0.0);
  assemble(many_);
  answer_.basis.clear();
  if (!run(lemke_)) return false;
  read_answer(many_);
  return suggest_newton(many_, solution);
}

/// The basis of one contact's answer, and facets for which it is one: the first along friction on the rim of the disc.
/// A contact without friction still needs lambda to hold against its sliding, with the facet that opposes that most.
void IslandSolver::suggest_contact(int first, const ConeNewton::Contact& found, double radius, Facets& facets) {
  const auto make_basic = [&](int unknown) { answer_.basis[first + unknown] = Place::basic; };
  if (found.closed && facets.has_normal) make_basic(0);
  if (facets.count == 0) return;
  const int lead = facets.first();
  const bool round = facets.count > 2;
  const double facet = 2.0 * std::numbers::pi / facets.count;
  // Facets from the first one counterclockwise to the direction, in [0, count).
  const auto place_of = [&](double along1, double along2) {
    const double place = round ? (std::atan2(along2, along1) - facets.turn) / facet : (along1 >= 0.0 ? 0.0 : 1.0);
    return place - facets.count * std::floor(place / facets.count);
  };
  if (found.state == ConeNewton::State::sticking) {
    double place = place_of(found.s1, found.s2);
    const double from_middle = (place - std::floor(place) - 0.5) * facet;
    const double reach = std::hypot(found.s1, found.s2) * std::cos(from_middle);
    if (round && reach > radius * std::cos(0.5 * facet)) {
      facets.turn = std::atan2(found.s2, found.s1);
      place = 0.0;
    }
    const int before = static_cast<int>(place) % facets.count;
    make_basic(lead + before);
    if (round) make_basic(lead + (before + 1) % facets.count);
    return;
  }
  int along = 0;
  if (found.state == ConeNewton::State::sliding && round)
    facets.turn = std::atan2(found.s2, found.s1);
  else if (found.state == ConeNewton::State::sliding)
    along = found.s1 >= 0.0 ? 0 : 1;
  else
    along = static_cast<int>(std::lround(place_of(-found.u1, -found.u2))) % facets.count;
  make_basic(lead + along);
  make_basic(lead + facets.count);
}

}  // namespace stiction
