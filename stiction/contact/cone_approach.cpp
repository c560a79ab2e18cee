// From a point near an answer of the true cone to one that holds to rounding: the part of ConeNewton that takes small
// steps.
#include <algorithm>
#include <cmath>

#include "stiction/contact/cone_newton.h"

namespace stiction {

namespace {

constexpr int most_passes = 60, most_steps = 15;
// Compliance with which it begins, and its bounds, in units of what a unit impulse moves.
constexpr double first_compliance = 1e-5, least_compliance = 1e-12, most_compliance = 1e-1;
// A pass ends at this share of the error that it began with.
constexpr double pass_share = 1e-2;
constexpr double rounding = 1e-14, most_rounding = 1e-10;
// Where no pass gets further, what the certificate asks for is enough: half of its limits, which for joints, drives and
// energy are 1e-10 whatever tolerance the contacts have.
constexpr double half = 0.5, exact = 5e-11;

}  // namespace

/// Adds what a little compliance does: w_n + compliance (c_n - center)/rho, likewise for sliding.
void ConeNewton::soften(std::vector<Contact>& contacts) const {
  for (std::size_t c = 0; c < contacts.size(); ++c) {
    const Scale& scale = scales_[c];
    const Contact& center = center_.contacts[c];
    Contact& contact = contacts[c];
    if (scale.rho_n > 0.0) contact.w_n += proximal_ * (contact.c_n - center.c_n) / scale.rho_n;
    if (!(scale.rho_t > 0.0)) continue;
    contact.u1 += proximal_ * (contact.s1 - center.s1) / scale.rho_t;
    contact.u2 += proximal_ * (contact.s2 - center.s2) / scale.rho_t;
  }
}

/// Error of the laws at the present point, with or without the compliance.
double ConeNewton::measure(const StepProblem& problem, bool soft) {
  is_soft_ = soft;
  find_slip(problem, v_, contacts_);
  return find_states(problem, contacts_);
}

/// What the impulses do along what should not move, or should oppose them: by this the energy's balance is off. At a
/// bound a drive may move; what its impulse is beyond the bound does the rest.
double ConeNewton::wasted_energy(const StepProblem& problem) const {
  double sum = 0.0;
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    const StepProblem::RowLaw law = problem.row_law(joints_[i]);
    double beyond = row_impulses_[i];
    if (row_places_[i] == lcp::Place::lower) beyond -= law.lower;
    if (row_places_[i] == lcp::Place::upper) beyond -= law.upper;
    sum += beyond * problem.row_speed(joints_[i], v_, row_impulses_[i]);
  }
  for (std::size_t c = 0; c < contacts_.size(); ++c) {
    const Contact& contact = contacts_[c];
    sum += contact.c_n * contact.w_n;
    if (!(scales_[c].rho_t > 0.0)) continue;
    const StepProblem::Contact& law = problem.contacts[list_[c]];
    const double radius = law.mu * contacts_[scales_[c].carrier].c_n + law.hf;
    sum += contact.s1 * contact.u1 + contact.s2 * contact.u2 + radius * std::hypot(contact.u1, contact.u2);
  }
  return std::abs(sum);
}

/// Whether the certificate will be content with the point measured: its joints and drives, its contacts, its energy.
/// The certificate's measure of speed has what the normal impulses would cause.
bool ConeNewton::is_enough(const StepProblem& problem, double speed) {
  double energy = 0.0;
  for (const int i : velocities_) {
    const double mass = problem.M.coeff(i, i);
    energy = std::max({energy, mass * problem.v[i] * problem.v[i], problem.k[i] * problem.k[i] / mass});
  }
  for (std::size_t c = 0; c < contacts_.size(); ++c)
    if (scales_[c].rho_n > 0.0) speed = std::max(speed, contacts_[c].c_n / scales_[c].rho_n);
  return find_row_places(problem) <= exact * speed &&
         find_contact_states(problem, contacts_) <= half * tolerance_ * speed &&
         wasted_energy(problem) <= exact * energy;
}

/// Newton's method on the softened laws, in whole steps: each finds out which contacts are closed, stick and slide, and
/// half of a step finds out nothing. True when they hold well enough.
bool ConeNewton::solve_soft(const StepProblem& problem, const Islands& islands, double enough) {
  measure(problem, true);
  for (int iteration = 0; iteration < most_steps; ++iteration) {
    if (!step(problem, islands)) return false;
    if (find_states(problem, contacts_) <= enough) return true;
  }
  return false;
}

/// The proximal point method. Contacts that say nearly the same twice leave impulses to be decided by differences that
/// are hardly more than rounding; a Newton step then goes anywhere. Softened about the last point, the laws have one
/// answer nearby, and the less soft they are the further it may be from there.
bool ConeNewton::approach(const StepProblem& problem, const Islands& islands, const StepSolution& start, double speed) {
  load(problem, start);
  double compliance = first_compliance, error = measure(problem, false), best = error;
  keep(best_);
  for (int pass = 0; pass < most_passes && best > rounding * speed && compliance <= most_compliance; ++pass) {
    keep(center_);
    proximal_ = compliance;
    const bool solved = solve_soft(problem, islands, std::max(pass_share * error, 0.1 * rounding * speed));
    const double last = error;
    error = measure(problem, false);
    if (error < best) {
      best = error;
      keep(best_);
    }
    if (solved) {
      if (best <= most_rounding * speed && error > 0.5 * last) break;
      if (error > 0.5 * last && is_enough(problem, speed)) return true;
      if (error > 0.1 * last) compliance = std::max(0.2 * compliance, least_compliance);
      continue;
    }
    compliance *= 5.0;
    return_to(center_);
    error = last;
  }
  return_to(best_);
  measure(problem, false);
  return best <= most_rounding * speed || is_enough(problem, speed);
}

}  // namespace stiction
