#include "stiction/cone/alart_curnier.h"

#include <algorithm>
#include <cmath>

namespace stiction::cone {

void AlartCurnier::find_velocity(const ScaledProblem& problem, const Vector& s, Vector& u) const {
  problem.velocity(s, u);
  if (softness_ > 0.0) u += softness_ * (s - centre_);
}

double AlartCurnier::evaluate(const ScaledProblem& problem, const Vector& s, const Vector& u, Vector& F) const {
  F.resize(s.size());
  for (int c = 0; c < problem.contacts(); ++c) {
    const Index i = 3 * static_cast<Index>(c);
    const double rho = options_.rho, y_n = std::max(0.0, s[i] - rho * u[i]);
    const double y1 = s[i + 1] - rho * u[i + 1], y2 = s[i + 2] - rho * u[i + 2], y = std::sqrt(y1 * y1 + y2 * y2);
    const double radius = problem.mu(c) * y_n, share = y > radius ? radius / y : 1.0;
    F[i] = s[i] - y_n;
    F[i + 1] = s[i + 1] - share * y1;
    F[i + 2] = s[i + 2] - share * y2;
  }
  return F.norm();
}

/// The state of each contact at (s_, u_) and what F does from there.
void AlartCurnier::find_laws(const ScaledProblem& problem) {
  const double rho = options_.rho;
  states_.resize(static_cast<std::size_t>(problem.contacts()));
  laws_.resize(static_cast<std::size_t>(problem.contacts()));
  for (int c = 0; c < problem.contacts(); ++c) {
    const Index i = 3 * static_cast<Index>(c);
    Law& law = laws_[c];
    law = {};
    const double y_n = s_[i] - rho * u_[i];
    states_[c] = State::open;
    if (!(y_n > 0.0)) continue;
    law.B[0] = rho;
    const double y1 = s_[i + 1] - rho * u_[i + 1], y2 = s_[i + 2] - rho * u_[i + 2], y = std::sqrt(y1 * y1 + y2 * y2);
    const double mu = problem.mu(c), radius = mu * y_n;
    if (y <= radius) {
      states_[c] = State::sticking;
      law.B[4] = law.B[8] = rho;
      continue;
    }
    states_[c] = State::sliding;
    const double e[2] = {y1 / y, y2 / y}, share = radius / y;
    for (int a = 0; a < 2; ++a) {
      law.A[3 * (a + 1)] = -mu * e[a];
      law.B[3 * (a + 1)] = rho * mu * e[a];
      for (int b = 0; b < 2; ++b) {
        const double across = share * ((a == b ? 1.0 : 0.0) - e[a] * e[b]);
        law.A[3 * (a + 1) + b + 1] = (a == b ? 1.0 : 0.0) - across;
        law.B[3 * (a + 1) + b + 1] = rho * across;
      }
    }
  }
}

/// (A + B (W + eps I)) ds = -F + B W s over the contacts that are not open, whose ds is -s.
void AlartCurnier::fill_system(const ScaledProblem& problem, double shift) {
  const auto width = [&](int c) {
    const Index i = 3 * static_cast<Index>(c);
    return problem.is_own(i + 2) ? 3 : problem.is_own(i + 1) ? 2 : 1;
  };
  int size = 0;
  std::size_t entries = 0;
  place_.assign(static_cast<std::size_t>(problem.contacts()), -1);
  for (int c = 0; c < problem.contacts(); ++c) {
    if (states_[c] == State::open) continue;
    place_[c] = size;
    size += width(c);
  }
  for (int c = 0; c < problem.contacts(); ++c)
    if (place_[c] >= 0) entries += 9 * static_cast<std::size_t>(problem.end(c) - problem.begin(c));
  system_.begin(size, entries);
  rhs_.resize(size);
  for (int c = 0; c < problem.contacts(); ++c) {
    if (place_[c] < 0) continue;
    const Index i = 3 * static_cast<Index>(c);
    const Law& law = laws_[c];
    const int rows = width(c);
    double moved[3] = {0.0, 0.0, 0.0};
    for (auto block = problem.begin(c); block != problem.end(c); ++block) {
      const int other = block.column();
      double full[9];
      block.expand(full);
      if (place_[other] < 0) {
        const double* x = s_.data() + 3 * static_cast<Index>(other);
        for (int k = 0; k < 3; ++k) moved[k] -= full[3 * k] * x[0] + full[3 * k + 1] * x[1] + full[3 * k + 2] * x[2];
        continue;
      }
      double product[9];
      for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b)
          product[3 * a + b] = law.B[3 * a] * full[b] + law.B[3 * a + 1] * full[3 + b] + law.B[3 * a + 2] * full[6 + b];
      if (other == c)
        for (int k = 0; k < 9; ++k) product[k] += law.A[k] + shift * law.B[k];
      system_.add_block(place_[c], place_[other], rows, width(other), product);
    }
    for (int a = 0; a < rows; ++a) {
      double value = -F_[i + a];
      for (int k = 0; k < rows; ++k) value -= law.B[3 * a + k] * moved[k];
      rhs_[place_[c] + a] = value;
    }
  }
}

template <int width>
void AlartCurnier::fill_blocks(const ScaledProblem& problem, double shift) {
  std::size_t place = 0;
  for (int c = 0; c < problem.contacts(); ++c) {
    const Law& law = laws_[c];
    const bool open = states_[c] == State::open;
    if (open) step_.segment<3>(3 * static_cast<Index>(c)) = -s_.segment<3>(3 * static_cast<Index>(c));
    for (auto block = problem.begin(c); block != problem.end(c); ++block, ++place) {
      double* const to = blocks_.block(place);
      for (int a = 0; a < width && !open; ++a)
        for (int b = 0; b < width; ++b)
          for (int k = 0; k < width; ++k) to[width * a + b] += law.B[3 * a + k] * block.a[width * k + b];
      if (block.column() != c) continue;
      for (int a = 0; a < width; ++a)
        for (int b = 0; b < width; ++b)
          to[width * a + b] += open ? (a == b ? 1.0 : 0.0) : law.A[3 * a + b] + shift * law.B[3 * a + b];
    }
  }
}

bool AlartCurnier::find_direction_by_blocks(const ScaledProblem& problem, double shift) {
  constexpr int few_contacts = 12;  // dense elimination of the closed contacts is cheaper
  if (problem.contacts() <= few_contacts || !blocks_.analyse(problem)) return false;
  blocks_.begin();
  step_ = -F_;
  if (problem.width() == 3)
    fill_blocks<3>(problem, shift);
  else
    fill_blocks<2>(problem, shift);
  return blocks_.factorise() && blocks_.solve(step_);
}

bool AlartCurnier::find_direction(const ScaledProblem& problem, double shift) {
  find_laws(problem);
  if (find_direction_by_blocks(problem, shift)) return true;
  fill_system(problem, shift);
  if (rhs_.size() > 0) {
    system_.factorise();
    if (!system_.solve(rhs_)) return false;
  }
  step_ = -s_;
  for (int c = 0; c < problem.contacts(); ++c) {
    if (place_[c] < 0) continue;
    const Index i = 3 * static_cast<Index>(c);
    for (int k = 0; k < 3; ++k)
      if (problem.is_own(i + k)) step_[i + k] = rhs_[place_[c] + k];
  }
  return true;
}

bool AlartCurnier::stalls(int iteration, double norm) {
  constexpr double progress = 0.7;
  const int often = options_.patience;
  if (often == 0) return false;
  if (iteration == 0) milestone_ = norm;
  if (iteration % often != often - 1) return false;
  if (norm > progress * milestone_) return true;
  milestone_ = norm;
  return false;
}

/// Halves the step until |F| falls; where it does not, the whole step counts a few times. Leaves the point in (s_, u_,
/// F_) and returns |F|, or a negative number where it gives up.
double AlartCurnier::search_line(const ScaledProblem& problem, double norm, bool may_climb) {
  constexpr int most_halvings = 12;
  double share = 1.0, first = 0.0;
  for (int halving = 0; halving <= most_halvings; ++halving, share *= 0.5) {
    trial_ = s_ + share * step_;
    find_velocity(problem, trial_, trial_u_);
    const double found = evaluate(problem, trial_, trial_u_, trial_F_);
    if (found <= (1.0 - 1e-4 * share) * norm) {
      s_.swap(trial_);
      u_.swap(trial_u_);
      F_.swap(trial_F_);
      uphill_ = 0;
      return found;
    }
    if (halving == 0) {
      full_.swap(trial_);
      full_u_.swap(trial_u_);
      full_F_.swap(trial_F_);
      first = found;
    }
  }
  if (!may_climb || !std::isfinite(first)) return -1.0;
  ++uphill_;
  s_.swap(full_);
  u_.swap(full_u_);
  F_.swap(full_F_);
  return first;
}

bool AlartCurnier::solve_softly(const ScaledProblem& problem, double softness, const Vector& centre, double target,
                                Vector& s, int& iterations) {
  const double root = std::sqrt(static_cast<double>(std::max<Index>(1, s.size())));
  softness_ = softness;
  centre_ = centre;
  s_ = s;
  uphill_ = 0;
  find_velocity(problem, s_, u_);
  double norm = evaluate(problem, s_, u_, F_);
  // One step at least: the centre itself may be near enough, and the outer loop would stay there.
  for (int i = 0; i < options_.most && (i == 0 || norm > target * root); ++i, ++iterations) {
    if (!find_direction(problem, softness)) return false;
    norm = search_line(problem, norm, uphill_ < options_.most_uphill);
    if (norm < 0.0) break;
  }
  s = s_;
  return norm >= 0.0 && norm <= target * root;
}

int AlartCurnier::improve(const ScaledProblem& problem, double target, Vector& s) {
  problem.velocity(s, trial_u_);
  return improve_from(problem, target, trial_u_, problem.residual(s, trial_u_), s);
}

int AlartCurnier::improve_from(const ScaledProblem& problem, double target, const Vector& u, double residual,
                               Vector& s) {
  const double root = std::sqrt(static_cast<double>(std::max<Index>(1, s.size())));
  s_ = s;
  u_ = u;
  uphill_ = 0;
  softness_ = 0.0;
  double norm = evaluate(problem, s_, u_, F_);
  double& best = left_;
  best = residual;
  for (int i = 0; i < options_.most; ++i) {
    if (best <= target) return i;
    if (!find_direction(problem, options_.shift * std::min(1.0, norm / root))) return i;
    norm = search_line(problem, norm, uphill_ < options_.most_uphill);
    if (norm < 0.0) return i + 1;
    const double found = problem.residual(s_, u_);
    if (found < best) {
      best = found;
      s = s_;
    }
    if (best > target && stalls(i, norm)) return i + 1;
  }
  return options_.most;
}

}  // namespace stiction::cone
