#include "stiction/cone/proximal_point.h"

#include <algorithm>

namespace stiction::cone {

ProximalPoint::ProximalPoint(const Options& options) : options_(options), newton_({.most = 30, .rho = options.rho}) {}

int ProximalPoint::improve(const ScaledProblem& problem, double target, Vector& s) {
  problem.velocity(s, u_);
  double best = problem.residual(s, u_), softness = options_.softness;
  centre_ = s;
  int iterations = 0;
  for (int i = 0; i < options_.most && iterations < options_.most_iterations && best > target; ++i) {
    trial_ = centre_;
    // Inner answers need no more digits than the outer loop has.
    const bool arrived =
        newton_.solve_softly(problem, softness, centre_, std::clamp(1e-3 * best, 1e-14, 1e-6), trial_, iterations);
    if (!arrived) {
      softness *= 10.0;
      if (softness > 1.0) break;
      continue;
    }
    softness = std::max(1e-10, softness * 0.3);
    centre_ = trial_;
    problem.velocity(centre_, u_);
    const double residual = problem.residual(centre_, u_);
    if (residual < best) {
      best = residual;
      s = centre_;
    }
  }
  return iterations;
}

}  // namespace stiction::cone
