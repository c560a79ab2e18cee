#include "stiction/contact/limit_surface.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace stiction {

namespace {

constexpr double quarter = 0.5 * std::numbers::pi;
// rad: the power of friction is right to the square of it.
constexpr double aligned = 1e-8;
// m/s or rad/s: slower is at rest.
constexpr double resting = 1e-12;

}  // namespace

void LimitSurfaces::add(const StepProblem& problem, int first, int second) {
  const auto block = [&](int at) {
    const StepProblem::Contact& contact = problem.contacts[at];
    return Block{at, contact.mu, contact.mu2, contact.hf};
  };
  pairs_.push_back({block(first), block(second)});
}

void LimitSurfaces::Block::set(StepProblem& problem, double share) const {
  StepProblem::Contact& contact = problem.contacts[at];
  contact.mu = share * mu;
  contact.mu2 = share * mu2;
  contact.hf = share * hf;
}

void LimitSurfaces::Block::measure(const StepProblem& problem, const StepSolution& solution, double& used,
                                   double& power) const {
  const double ratio = mu > 0.0 ? mu2 / mu : 1.0;
  const double radius = mu * solution.c_n[problem.normal_of(at)] + hf;
  const double impulse = std::hypot(solution.c_t1[at], ratio > 0.0 ? solution.c_t2[at] / ratio : 0.0);
  const double u1 = problem.speed(problem.t1, at, solution.v) + problem.b_t1[at];
  const double u2 = ratio * (problem.speed(problem.t2, at, solution.v) + problem.b_t2[at]);
  const double speed = std::hypot(u1, u2);
  used = radius > 0.0 ? impulse / radius : 0.0;
  power = speed > resting ? radius * speed : 0.0;
}

/// The angle that the sliding found asks for; where nothing slides, that of the impulses where they are too large
/// together, and the one there is otherwise.
double LimitSurfaces::wanted(const Pair& pair, const StepProblem& problem, const StepSolution& solution) {
  double used1 = 0.0, used2 = 0.0, power1 = 0.0, power2 = 0.0;
  pair.first.measure(problem, solution, used1, power1);
  pair.second.measure(problem, solution, used2, power2);
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

void LimitSurfaces::begin(StepProblem& problem) {
  for (Pair& pair : pairs_) {
    pair.first.set(problem, 1.0);
    pair.second.set(problem, 1.0);
    pair.angle = -1.0;
    pair.low = 0.0;
    pair.high = pair.low_off = quarter;
    pair.high_off = -quarter;
    pair.side = 0;
  }
}

bool LimitSurfaces::adjust(StepProblem& problem, const StepSolution& solution) {
  off_ = 0.0;
  bool is_right = true;
  for (Pair& pair : pairs_) {
    const double angle = wanted(pair, problem, solution);
    if (angle == pair.angle) continue;
    if (pair.angle < 0.0) {
      pair.angle = angle;
    } else {
      const double off = angle - pair.angle;
      off_ = std::max(off_, std::abs(off));
      if (std::abs(off) <= aligned) continue;
      pair.angle = next(pair, off);
    }
    is_right = false;
    pair.first.set(problem, std::cos(pair.angle));
    pair.second.set(problem, std::sin(pair.angle));
  }
  return is_right;
}

bool LimitSurfaces::hold(const StepProblem& problem, const StepSolution& solution) const {
  return std::all_of(pairs_.begin(), pairs_.end(), [&](const Pair& pair) {
    double used1 = 0.0, used2 = 0.0, power = 0.0;
    pair.first.measure(problem, solution, used1, power);
    pair.second.measure(problem, solution, used2, power);
    return std::hypot(used1, used2) <= 1.0 + aligned;
  });
}

}  // namespace stiction
