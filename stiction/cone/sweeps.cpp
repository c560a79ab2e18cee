#include "stiction/cone/sweeps.h"

#include <algorithm>
#include <limits>

#include "stiction/cone/local_solve.h"

namespace stiction::cone {

namespace {

template <int width>
void sweep_all(const ScaledProblem& problem, Vector& s) {
  for (int c = 0; c < problem.contacts(); ++c) {
    const Index first = 3 * static_cast<Index>(c);
    double b[3] = {problem.q()[first], problem.q()[first + 1], problem.q()[first + 2]};
    for (auto block = problem.begin(c); block != problem.end(c); ++block) {
      if (block.column() == c) continue;
      const double* x = s.data() + 3 * static_cast<Index>(block.column());
      const double* a = block.a;
      for (int i = 0; i < width; ++i) {
        double term = a[width * i] * x[0] + a[width * i + 1] * x[1];
        if constexpr (width == 3) term += a[width * i + 2] * x[2];
        b[i] += term;
      }
    }
    if constexpr (width == 3)
      solve_contact(problem.diagonal(c).a, b, problem.mu(c), s.data() + first);
    else
      solve_plane_contact(problem.diagonal(c).a, b, problem.mu(c), s.data() + first);
  }
}

}  // namespace

void Sweeps::sweep(const ScaledProblem& problem, Vector& s) {
  if (problem.width() == 3)
    sweep_all<3>(problem, s);
  else
    sweep_all<2>(problem, s);
}

int Sweeps::improve(const ScaledProblem& problem, double target, Vector& s) {
  x_ = s;
  anderson_.restart();
  problem.velocity(s, u_);
  double best = problem.residual(s, u_), milestone = best;
  if (best <= target) return 0;
  int idle = 0;
  for (int i = 1; i <= options_.most; ++i) {
    g_ = x_;
    sweep(problem, g_);
    if (i % options_.check_every == 0 || i == options_.most) {
      problem.velocity(g_, u_);
      const double residual = problem.residual(g_, u_);
      if (residual < best) {
        best = residual;
        s = g_;
      }
      if (best <= target) return i;
      idle = best < 0.9 * milestone ? 0 : idle + 1;
      if (idle == 0) milestone = best;
      if (options_.patience > 0 && idle >= options_.patience) return i;
    }
    if (options_.window > 0 && i > options_.plain)
      anderson_.advance(x_, g_);
    else
      x_ = g_;
    if (!x_.allFinite()) {
      x_ = s;
      anderson_.restart();
    }
  }
  return options_.most;
}

}  // namespace stiction::cone
