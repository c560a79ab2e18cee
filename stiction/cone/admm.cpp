#include "stiction/cone/admm.h"

#include <algorithm>
#include <cmath>

#include "stiction/cone/cone_projection.h"

namespace stiction::cone {

void Admm::factorise(const ScaledProblem& problem, double rho) {
  const int width = problem.width();
  system_.begin(static_cast<int>(problem.size()), 9 * problem.blocks());
  for (int c = 0; c < problem.contacts(); ++c) {
    for (auto block = problem.begin(c); block != problem.end(c); ++block)
      for (int a = 0; a < width; ++a)
        for (int b = 0; b < width; ++b) system_.add(3 * c + a, 3 * block.column() + b, block.a[width * a + b]);
    for (int a = width; a < 3; ++a) system_.add(3 * c + a, 3 * c + a, 1.0);
    for (int a = 0; a < 3; ++a) system_.add(3 * c + a, 3 * c + a, rho);
  }
  system_.factorise();
}

int Admm::improve(const ScaledProblem& problem, double target, Vector& s) {
  constexpr int check_every = 10, balance_every = 50;
  constexpr double balance = 10.0;
  problem.velocity(s, u_);
  double best = problem.residual(s, u_), rho = options_.rho;
  if (best <= target) return 0;
  factorise(problem, rho);
  z_ = s;
  // The multiplier of s = z is the corrected velocity: dual = (u + g n) / rho.
  dual_ = u_ / rho;
  for (int i = 1; i <= options_.most; ++i) {
    s_ = rho * (z_ + dual_) - problem.q();
    for (int c = 0; c < problem.contacts(); ++c) {
      const Index at = 3 * static_cast<Index>(c);
      s_[at] -= problem.mu(c) * rho * std::hypot(dual_[at + 1], dual_[at + 2]);
    }
    if (!system_.solve(s_)) return i;
    last_z_ = z_;
    s_ = options_.relaxation * s_ + (1.0 - options_.relaxation) * last_z_;
    z_ = s_ - dual_;
    for (int c = 0; c < problem.contacts(); ++c) project_on_cone(problem.mu(c), z_.data() + 3 * static_cast<Index>(c));
    dual_ += z_ - s_;
    if (i % check_every == 0) {
      problem.velocity(z_, u_);
      const double residual = problem.residual(z_, u_);
      if (residual < best) {
        best = residual;
        s = z_;
      }
      if (best <= target) return i;
    }
    if (i % balance_every != 0) continue;
    const double primal = (s_ - z_).norm(), dual = rho * (z_ - last_z_).norm();
    const double factor = primal > balance * dual ? 2.0 : dual > balance * primal ? 0.5 : 1.0;
    if (factor == 1.0) continue;
    rho *= factor;
    dual_ /= factor;
    factorise(problem, rho);
  }
  return options_.most;
}

}  // namespace stiction::cone
