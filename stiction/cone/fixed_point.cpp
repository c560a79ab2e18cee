#include "stiction/cone/fixed_point.h"

#include <cmath>

namespace stiction::cone {

namespace {

void find_sliding(const Vector& u, Vector& g) {
  g.resize(u.size() / 3);
  for (Index c = 0; c < g.size(); ++c) g[c] = std::hypot(u[3 * c + 1], u[3 * c + 2]);
}

}  // namespace

FixedPoint::FixedPoint(const Options& options)
    : options_(options), anderson_(options.window), newton_({.most = 20, .patience = 7}) {}

void FixedPoint::keep(const ScaledProblem& problem, const Vector& found, Vector& s) {
  problem.velocity(found, u_);
  const double residual = problem.residual(found, u_);
  if (!(residual < best_)) return;
  best_ = residual;
  s = found;
}

int FixedPoint::improve(const ScaledProblem& problem, double target, Vector& s) {
  problem.velocity(s, u_);
  best_ = problem.residual(s, u_);
  if (best_ <= target) return 0;
  find_sliding(u_, g_);
  if (!options_.from_start) g_.setZero();
  anderson_.restart();
  int iterations = 0;
  for (int i = 0; i < options_.most; ++i) {
    iterations += programme_.solve_held(problem, g_, options_.accuracy, s_);
    if (!s_.allFinite()) return iterations;
    keep(problem, s_, s);
    find_sliding(u_, next_);
    iterations += newton_.improve(problem, target, s_);
    keep(problem, s_, s);
    if (best_ <= target) return iterations;
    next_ = (1.0 - options_.damping) * g_ + options_.damping * next_;
    // From far away the acceleration stalls.
    constexpr int plain = 3;
    if (options_.window > 0 && i >= plain)
      anderson_.advance(g_, next_);
    else
      g_ = next_;
    g_ = g_.cwiseMax(0.0);
  }
  return iterations;
}

}  // namespace stiction::cone
