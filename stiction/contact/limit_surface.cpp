#include "stiction/contact/limit_surface.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

namespace stiction {

namespace {

constexpr double quarter = 0.5 * std::numbers::pi;
// m/s or rad/s: slower is at rest.
constexpr double resting = 1e-12;

void set_share(const StepProblem::Contact& whole, double share, StepProblem::Contact& contact) {
  contact.mu = share * whole.mu;
  contact.mu2 = share * whole.mu2;
  contact.hf = share * whole.hf;
}

/// The speed of sliding: of facets that are not the true cone's the one that their friction opposes.
double sliding_speed(const StepProblem& problem, const StepSolution& solution, int j, double ratio) {
  const StepProblem::Contact& contact = problem.contacts[j];
  if (contact.tangents == 2 && !solution.facets[j].round) return solution.lambda[j];
  const double u1 = problem.speed(problem.t1, j, solution.v) + problem.b_t1[j];
  const double u2 = ratio * (problem.speed(problem.t2, j, solution.v) + problem.b_t2[j]);
  return std::hypot(u1, u2);
}

}  // namespace

void LimitSurfaces::Block::set(StepProblem& blocks, double share) const {
  set_share({.mu = mu, .mu2 = mu2, .hf = hf}, share, blocks.contacts[at]);
}

void LimitSurfaces::Block::measure(const StepProblem& blocks, const StepSolution& solution, double& used,
                                   double& power) const {
  const double ratio = mu > 0.0 ? mu2 / mu : 1.0;
  const double radius = mu * solution.c_n[blocks.normal_of(at)] + hf;
  double impulse = std::hypot(solution.c_t1[at], ratio > 0.0 ? solution.c_t2[at] / ratio : 0.0);
  if (blocks.contacts[at].tangents == 2 && !solution.facets[at].round)
    impulse = std::accumulate(solution.beta.begin() + solution.beta_start[at],
                              solution.beta.begin() + solution.beta_start[at + 1], 0.0);
  const double speed = sliding_speed(blocks, solution, at, ratio);
  used = radius > 0.0 ? impulse / radius : 0.0;
  power = speed > resting ? radius * speed : 0.0;
}

/// The angle that the sliding found asks for; where nothing slides, that of the impulses where they are too large
/// together, and the one there is otherwise.
double LimitSurfaces::wanted(const Pair& pair, const StepProblem& blocks, const StepSolution& solution) {
  double used1 = 0.0, used2 = 0.0, power1 = 0.0, power2 = 0.0;
  pair.first.measure(blocks, solution, used1, power1);
  pair.second.measure(blocks, solution, used2, power2);
  if (power1 > 0.0 || power2 > 0.0) return std::atan2(power2, power1);
  if (pair.angle < 0.0 && std::hypot(used1, used2) > 1.0) return std::atan2(used2, used1);
  return pair.angle;
}

/// Regula falsi (Illinois) between angles at which too much and too little was asked for; bisection until there are
/// both.
double LimitSurfaces::next(Pair& pair, double off) {
  if (off > 0.0) {
    if (pair.side == 1) pair.high_off *= 0.5;
    pair.low = pair.angle;
    pair.low_off = off;
    pair.side = 1;
  } else {
    if (pair.side == -1) pair.low_off *= 0.5;
    pair.high = pair.angle;
    pair.high_off = off;
    pair.side = -1;
  }
  const double found = pair.low + (pair.high - pair.low) * pair.low_off / (pair.low_off - pair.high_off);
  return found > pair.low && found < pair.high ? found : 0.5 * (pair.low + pair.high);
}

void LimitSurfaces::begin(const StepProblem& problem, StepProblem& blocks) {
  blocks = problem;
  pairs_.clear();
  const auto block = [&](int at) {
    const StepProblem::Contact& contact = problem.contacts[at];
    return Block{at, contact.mu, contact.mu2, contact.hf};
  };
  for (int j = 0; j < problem.size(); ++j) {
    blocks.contacts[j].partner = -1;
    if (problem.contacts[j].partner <= j) continue;
    Pair pair{block(j), block(problem.contacts[j].partner)};
    pair.high = pair.low_off = quarter;
    pair.high_off = -quarter;
    pairs_.push_back(pair);
  }
}

bool LimitSurfaces::adjust(const StepSolution& solution, double aligned, StepProblem& blocks) {
  bool is_right = true;
  for (Pair& pair : pairs_) {
    const double angle = wanted(pair, blocks, solution);
    if (angle == pair.angle) continue;
    if (pair.angle < 0.0) {
      pair.angle = angle;
    } else {
      const double off = angle - pair.angle;
      if (std::abs(off) <= aligned) continue;
      pair.angle = next(pair, off);
    }
    is_right = false;
    pair.first.set(blocks, std::cos(pair.angle));
    pair.second.set(blocks, std::sin(pair.angle));
  }
  return is_right;
}

void share_out(const StepProblem& problem, const StepSolution& solution, StepProblem& blocks) {
  blocks = problem;
  for (int j = 0; j < problem.size(); ++j) {
    const int partner = problem.contacts[j].partner;
    blocks.contacts[j].partner = -1;
    if (partner < 0) continue;
    const auto power = [&](int at) {
      const double speed = sliding_speed(problem, solution, at, problem.contacts[at].ratio());
      return speed > resting ? problem.radius(at, solution.c_n) * speed : 0.0;
    };
    const double own = power(j), other = power(partner);
    if (own > 0.0 || other > 0.0) set_share(problem.contacts[j], own / std::hypot(own, other), blocks.contacts[j]);
  }
}

}  // namespace stiction
