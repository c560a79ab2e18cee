#include "stiction/cone/polyhedral.h"

#include <cmath>
#include <numbers>

namespace stiction::cone {

void Polyhedral::Fan::direction(int i, double d[2]) const {
  const int half = count / 2;
  const double sign = i < half ? 1.0 : -1.0;
  if (count == 2) {
    d[0] = sign;
    d[1] = 0.0;
    return;
  }
  const double angle = turn + 2.0 * std::numbers::pi * (i % half) / count;
  d[0] = sign * std::cos(angle);
  d[1] = sign * std::sin(angle);
}

void Polyhedral::place(const ScaledProblem& problem) {
  fans_.assign(static_cast<std::size_t>(problem.contacts()), {});
  int size = 0;
  for (int c = 0; c < problem.contacts(); ++c) {
    const Index i = 3 * static_cast<Index>(c);
    Fan& fan = fans_[c];
    fan.first = size;
    fan.count = problem.is_own(i + 2) ? options_.facets : problem.is_own(i + 1) ? 2 : 0;
    size += fan.count == 0 ? 1 : fan.count + 2;
  }
  lcp_.q.setZero(size);
  answer_.basis.clear();
}

/// (2.15) of 1997 with W in place of D'M^-1 D.
void Polyhedral::assemble(const ScaledProblem& problem) {
  triplets_.clear();
  const auto column_of = [](const double* full, int row, double n, const double d[2]) {
    return full[3 * row] * n + full[3 * row + 1] * d[0] + full[3 * row + 2] * d[1];
  };
  for (int c = 0; c < problem.contacts(); ++c) {
    const Index i = 3 * static_cast<Index>(c);
    const Fan& fan = fans_[c];
    lcp_.q[fan.first] = problem.q()[i];
    for (auto block = problem.begin(c); block != problem.end(c); ++block) {
      const Fan& other = fans_[block.column()];
      double full[9];
      block.expand(full);
      for (int k = -1; k < other.count; ++k) {
        double along[2] = {0.0, 0.0};
        if (k >= 0) other.direction(k, along);
        const double n = k < 0 ? 1.0 : 0.0;
        triplets_.add(fan.first, other.first + 1 + k, column_of(full, 0, n, along));
        const double t1 = column_of(full, 1, n, along), t2 = column_of(full, 2, n, along);
        for (int f = 0; f < fan.count; ++f) {
          double d[2];
          fan.direction(f, d);
          triplets_.add(fan.first + 1 + f, other.first + 1 + k, d[0] * t1 + d[1] * t2);
        }
      }
    }
    if (fan.count == 0) continue;
    const int lambda = fan.first + fan.count + 1;
    for (int f = 0; f < fan.count; ++f) {
      double d[2];
      fan.direction(f, d);
      lcp_.q[fan.first + 1 + f] = d[0] * problem.q()[i + 1] + d[1] * problem.q()[i + 2];
      triplets_.add(fan.first + 1 + f, lambda, 1.0);
      triplets_.add(lambda, fan.first + 1 + f, -1.0);
    }
    triplets_.add(lambda, fan.first, problem.mu(c));
  }
  const int size = static_cast<int>(lcp_.q.size());
  triplets_.fill(size, size, lcp_.M.edit_sparse());
}

void Polyhedral::read(const ScaledProblem& problem, Vector& s) const {
  s.setZero(problem.size());
  for (int c = 0; c < problem.contacts(); ++c) {
    const Fan& fan = fans_[c];
    const Index i = 3 * static_cast<Index>(c);
    s[i] = answer_.z[fan.first];
    for (int f = 0; f < fan.count; ++f) {
      double d[2];
      fan.direction(f, d);
      s[i + 1] += answer_.z[fan.first + 1 + f] * d[0];
      s[i + 2] += answer_.z[fan.first + 1 + f] * d[1];
    }
  }
}

bool Polyhedral::turn(const ScaledProblem& problem, const Vector& s, const Vector& u) {
  bool moved = false;
  for (int c = 0; c < problem.contacts(); ++c) {
    const Index i = 3 * static_cast<Index>(c);
    Fan& fan = fans_[c];
    if (fan.count <= 2 || !(s[i] > 0.0)) continue;
    const double slip = std::hypot(u[i + 1], u[i + 2]), friction = std::hypot(s[i + 1], s[i + 2]);
    if (!(slip > 1e-9) || !(friction > 0.5 * problem.mu(c) * s[i])) continue;
    // A full turn overshoots where friction is strong against the sliding (decision 7).
    const double found = std::atan2(s[i + 2], s[i + 1]), wanted = std::atan2(-u[i + 2], -u[i + 1]);
    const double off = std::remainder(wanted - found, 2.0 * std::numbers::pi);
    fan.turn = found + off / (1.0 + friction / slip);
    moved = true;
  }
  return moved;
}

int Polyhedral::improve(const ScaledProblem& problem, double target, Vector& s) {
  problem.velocity(s, u_);
  double best = problem.residual(s, u_);
  if (best <= target || problem.contacts() > options_.most_contacts) return 0;
  place(problem);
  int iterations = 0;
  for (int turns = 0; turns <= options_.most_turns; ++turns) {
    assemble(problem);
    lemke_.solve(lcp_, answer_);
    iterations += answer_.iterations;
    if (answer_.z.size() != lcp_.size() || !answer_.z.allFinite()) return iterations;
    read(problem, s_);
    trial_ = s_;
    iterations += newton_.improve(problem, target, trial_);
    for (const Vector* found : {&s_, &trial_}) {
      problem.velocity(*found, u_);
      const double residual = problem.residual(*found, u_);
      if (residual < best) {
        best = residual;
        s = *found;
      }
    }
    if (best <= target) return iterations;
    problem.velocity(s_, u_);
    if (!turn(problem, s_, u_)) return iterations;
  }
  return iterations;
}

}  // namespace stiction::cone
