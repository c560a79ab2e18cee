#include "stiction/cone/body_sweeps.h"

#include <algorithm>
#include <cmath>

#include "stiction/cone/local_solve.h"

namespace stiction::cone {

namespace {

using Unit = BodyProblem::Unit;
using Group = BodyProblem::Group;

/// Rows of a joint or drive one after the other: u has their speeds, r their impulses.
void solve_rows(const BodySpace& space, const Unit& unit, const double* a, double* u, double* r) {
  const BodyProblem& p = space.problem();
  for (int i = 0; i < unit.rows; ++i) {
    const int row = unit.first_row + i;
    double next = r[i] - u[i] / a[i * unit.rows + i];
    if (unit.kind == BodyProblem::Kind::bounded) next = std::clamp(next, p.least[row], p.most[row]);
    const double change = next - r[i];
    if (!std::isfinite(change)) continue;
    r[i] = next;
    for (int k = 0; k < unit.rows; ++k) u[k] += a[k * unit.rows + i] * change;
  }
}

/// Normal and groups in turn, each against the others: exact for one, near enough for several.
void solve_groups(const BodySpace& space, const Unit& unit, const double* a, int passes, double* u, double* r) {
  const BodyProblem& p = space.problem();
  const auto move = [&](int row, double change) {
    r[row] += change;
    for (int k = 0; k < unit.rows; ++k) u[k] += a[k * unit.rows + row] * change;
  };
  for (int pass = 0; pass < passes; ++pass) {
    if (unit.has_normal) move(0, std::max(0.0, r[0] - u[0] / a[0]) - r[0]);
    for (int g = 0; g < unit.groups; ++g) {
      const Group& group = p.groups[unit.first_group + g];
      double trace = 0.0;
      for (int i = 0; i < group.size; ++i) trace += a[(group.first + i) * unit.rows + group.first + i];
      if (!(trace > 0.0)) continue;
      const double radius = group.mu * (unit.has_normal ? r[0] : 0.0) + group.hf, rho = 1.0 / trace;
      double z[BodyProblem::most_group], size = 0.0;
      for (int i = 0; i < group.size; ++i) {
        z[i] = r[group.first + i] - rho * u[group.first + i];
        size += z[i] * z[i];
      }
      size = std::sqrt(size);
      const double share = size > radius ? radius / size : 1.0;
      for (int i = 0; i < group.size; ++i) move(group.first + i, share * z[i] - r[group.first + i]);
    }
  }
}

bool is_plain(const BodyProblem& p, const Unit& unit) {
  if (unit.kind != BodyProblem::Kind::contact || unit.rows != 3 || unit.groups != 1) return false;
  const Group& group = p.groups[unit.first_group];
  return unit.has_normal && group.size == 2 && group.hf == 0.0;
}

}  // namespace

template <int W>
void BodySweeps::sweep(const BodySpace& space, double* r, double* w) const {
  const BodyProblem& p = space.problem();
  for (std::size_t index = 0; index < p.units.size(); ++index) {
    const Unit& unit = p.units[index];
    const double* a = space.mobility(static_cast<int>(index));
    double u[BodyProblem::most_rows], next[BodyProblem::most_rows];
    double* now = r + unit.first_row;
    space.unit_speeds(unit, w, u);
    for (int i = 0; i < unit.rows; ++i) {
      u[i] += p.b[unit.first_row + i] + p.compliance[unit.first_row + i] * now[i];
      next[i] = now[i];
    }
    bool is_solved = false;
    if (is_plain(p, unit)) {
      double q[3];
      for (int i = 0; i < 3; ++i) q[i] = u[i] - a[3 * i] * now[0] - a[3 * i + 1] * now[1] - a[3 * i + 2] * now[2];
      is_solved = solve_contact(a, q, p.groups[unit.first_group].mu, next);
      if (!is_solved) std::copy_n(now, 3, next);
    }
    if (!is_solved && unit.kind == BodyProblem::Kind::contact)
      solve_groups(space, unit, a, options.most_local, u, next);
    else if (!is_solved)
      solve_rows(space, unit, a, u, next);
    double change[BodyProblem::most_rows];
    bool moves = false;
    for (int i = 0; i < unit.rows; ++i) {
      change[i] = next[i] - now[i];
      moves |= change[i] != 0.0;
      now[i] = next[i];
    }
    if (!moves) continue;
    const double* R = space.response(unit);
    for (int t = 0; t < unit.touches; ++t) {
      double* x = w + static_cast<std::ptrdiff_t>(p.touched[unit.first_touch + t]) * W;
      for (int i = 0; i < unit.rows; ++i, R += W)
        for (int j = 0; j < W; ++j) x[j] += R[j] * change[i];
    }
  }
}

void BodySweeps::sweep(const BodySpace& space, double* r, double* w) const {
  if (space.problem().width == 3)
    sweep<3>(space, r, w);
  else
    sweep<6>(space, r, w);
}

void BodySweeps::smooth(BodySpace& space, int sweeps, BodyState& state) {
  at_ = state;
  for (int i = 0; i < sweeps; ++i) sweep(space, at_.r.data(), at_.w.data());
  at_.find(space);
  if (at_.error < state.error) state = at_;
}

bool BodySweeps::solve(BodySpace& space, double tolerance, int most_sweeps, BodyState& state) {
  sweeps_ = 0;
  if (state.error <= tolerance) return true;
  at_ = state;
  along_r_.assign(at_.r.size(), 0.0);
  along_w_.assign(at_.w.size(), 0.0);
  double last_square = 0.0, mark = state.error;
  for (int looks = 0; sweeps_ < most_sweeps;) {
    last_r_ = at_.r;
    last_w_ = at_.w;
    sweep(space, at_.r.data(), at_.w.data());
    ++sweeps_;
    if (sweeps_ % options.check_every == 0) {
      at_.find(space);
      if (at_.error < state.error) state = at_;
      if (state.error <= tolerance) return true;
      if (state.error <= options.least_gain * mark) {
        mark = state.error;
        looks = 0;
      } else if (++looks >= options.patience) {
        return false;
      }
    }
    double square = 0.0;
    for (std::size_t i = 0; i < at_.r.size(); ++i) {
      const double change = at_.r[i] - last_r_[i], rho = space.rho(static_cast<int>(i));
      if (rho > 0.0) square += change * change / rho;
    }
    const double beta = last_square > 0.0 ? square / last_square : 2.0;
    last_square = square;
    if (!(beta <= 1.0)) {
      for (std::size_t i = 0; i < at_.r.size(); ++i) along_r_[i] = at_.r[i] - last_r_[i];
      for (std::size_t i = 0; i < at_.w.size(); ++i) along_w_[i] = at_.w[i] - last_w_[i];
      continue;
    }
    for (std::size_t i = 0; i < at_.r.size(); ++i) {
      const double gone = along_r_[i];
      along_r_[i] = beta * gone + (at_.r[i] - last_r_[i]);
      at_.r[i] += beta * gone;
    }
    for (std::size_t i = 0; i < at_.w.size(); ++i) {
      const double gone = along_w_[i];
      along_w_[i] = beta * gone + (at_.w[i] - last_w_[i]);
      at_.w[i] += beta * gone;
    }
  }
  return false;
}

}  // namespace stiction::cone
