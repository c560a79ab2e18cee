#include "stiction/cone/body_space.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace stiction::cone {

namespace {

/// Gauss-Jordan without a search for pivots: the symmetric part is positive definite.
bool invert(int n, const double* m, double* inverse) {
  std::copy_n(m, n * n, inverse);
  for (int p = 0; p < n; ++p) {
    const double pivot = inverse[p * n + p];
    if (!(std::abs(pivot) > 0.0) || !std::isfinite(pivot)) return false;
    const double d = 1.0 / pivot;
    inverse[p * n + p] = 1.0;
    for (int j = 0; j < n; ++j) inverse[p * n + j] *= d;
    for (int i = 0; i < n; ++i) {
      if (i == p) continue;
      const double factor = inverse[i * n + p];
      if (factor == 0.0) continue;
      inverse[i * n + p] = 0.0;
      for (int j = 0; j < n; ++j) inverse[i * n + j] -= factor * inverse[p * n + j];
    }
  }
  return true;
}

double length(const double* x, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; ++i) sum += x[i] * x[i];
  return std::sqrt(sum);
}

template <int W>
void speeds_of(const BodyProblem& p, const BodyProblem::Unit& unit, const double* w, double* u) {
  for (int i = 0; i < unit.rows; ++i) u[i] = 0.0;
  const double* J = p.J.data() + unit.jacobian;
  for (int t = 0; t < unit.touches; ++t) {
    const double* x = w + static_cast<std::ptrdiff_t>(p.touched[unit.first_touch + t]) * W;
    for (int i = 0; i < unit.rows; ++i, J += W) {
      double sum = 0.0;
      for (int j = 0; j < W; ++j) sum += J[j] * x[j];
      u[i] += sum;
    }
  }
}

template <int W>
void impulse_of(const BodyProblem& p, const BodyProblem::Unit& unit, const double* r, double* x) {
  const double* J = p.J.data() + unit.jacobian;
  for (int t = 0; t < unit.touches; ++t) {
    double* at = x + static_cast<std::ptrdiff_t>(p.touched[unit.first_touch + t]) * W;
    for (int i = 0; i < unit.rows; ++i, J += W)
      for (int j = 0; j < W; ++j) at[j] += J[j] * r[i];
  }
}

}  // namespace

void find_speed(const BodyProblem& problem, const BodyProblem::Unit& unit, const double* w, double* u) {
  if (problem.width == 3)
    speeds_of<3>(problem, unit, w, u);
  else
    speeds_of<6>(problem, unit, w, u);
}

void add_impulse(const BodyProblem& problem, const BodyProblem::Unit& unit, const double* r, double* x) {
  if (problem.width == 3)
    impulse_of<3>(problem, unit, r, x);
  else
    impulse_of<6>(problem, unit, r, x);
}

bool BodySpace::invert_masses() {
  const BodyProblem& p = *problem_;
  const int W = p.width;
  const auto size = static_cast<std::size_t>(W * W);
  inverse_.resize(static_cast<std::size_t>(p.nodes) * size);
  for (int i = 0; i < p.nodes; ++i)
    if (!invert(W, p.M.data() + static_cast<std::size_t>(i) * size,
                inverse_.data() + static_cast<std::size_t>(i) * size))
      return false;
  if (!is_coupled()) return true;
  masses_.analyse(p.nodes, W, p.coupled);
  masses_.clear();
  for (int i = 0; i < p.nodes; ++i)
    std::copy_n(p.M.data() + static_cast<std::size_t>(i) * size, size, masses_.at(masses_.place(i, i)));
  for (std::size_t i = 0; i < p.coupled.size(); ++i) {
    const auto [first, second] = p.coupled[i];
    std::copy_n(p.upper.data() + i * size, size, masses_.at(masses_.place(first, second)));
    std::copy_n(p.lower.data() + i * size, size, masses_.at(masses_.place(second, first)));
  }
  return masses_.factorise();
}

template <int W>
void BodySpace::find_responses() {
  const BodyProblem& p = *problem_;
  response_.resize(p.J.size());
  mobility_.clear();
  mobility_at_.clear();
  for (const Unit& unit : p.units) {
    mobility_at_.push_back(mobility_.size());
    mobility_.resize(mobility_.size() + static_cast<std::size_t>(unit.rows * unit.rows), 0.0);
    double* const a = mobility_.data() + mobility_at_.back();
    const double* J = p.J.data() + unit.jacobian;
    double* R = response_.data() + unit.jacobian;
    for (int t = 0; t < unit.touches; ++t, J += unit.rows * W, R += unit.rows * W) {
      const double* inverse = inverse_.data() + static_cast<std::size_t>(p.touched[unit.first_touch + t]) * (W * W);
      for (int i = 0; i < unit.rows; ++i)
        for (int k = 0; k < W; ++k) {
          double sum = 0.0;
          for (int j = 0; j < W; ++j) sum += inverse[k * W + j] * J[i * W + j];
          R[i * W + k] = sum;
        }
      for (int i = 0; i < unit.rows; ++i)
        for (int k = 0; k < unit.rows; ++k) {
          double sum = 0.0;
          for (int j = 0; j < W; ++j) sum += J[i * W + j] * R[k * W + j];
          a[i * unit.rows + k] += sum;
        }
    }
    for (int i = 0; i < unit.rows; ++i) a[i * unit.rows + i] += p.compliance[unit.first_row + i];
  }
}

void BodySpace::find_rho() {
  const BodyProblem& p = *problem_;
  rho_.assign(static_cast<std::size_t>(p.rows()), 0.0);
  const auto over = [](double dim, double trace) { return trace > 0.0 ? dim / trace : 0.0; };
  for (std::size_t index = 0; index < p.units.size(); ++index) {
    const Unit& unit = p.units[index];
    const double* a = mobility(static_cast<int>(index));
    const auto diagonal = [&](int row) { return a[row * unit.rows + row]; };
    if (unit.kind != BodyProblem::Kind::contact) {
      for (int i = 0; i < unit.rows; ++i) rho_[unit.first_row + i] = over(1.0, diagonal(i));
      continue;
    }
    if (unit.has_normal && unit.groups == 0) rho_[unit.first_row] = over(1.0, diagonal(0));
    for (int g = 0; g < unit.groups; ++g) {
      const Group& group = p.groups[unit.first_group + g];
      double trace = 0.0;
      for (int i = 0; i < group.size; ++i) trace += diagonal(group.first + i);
      const bool with_normal = g == 0 && unit.has_normal;
      if (with_normal) trace += diagonal(0);
      const double value = over(group.size + (with_normal ? 1.0 : 0.0), trace);
      if (with_normal) rho_[unit.first_row] = value;
      for (int i = 0; i < group.size; ++i) rho_[unit.first_row + group.first + i] = value;
    }
  }
}

bool BodySpace::prepare(const BodyProblem& problem) {
  problem_ = &problem;
  if (!invert_masses()) return false;
  if (problem.width == 3)
    find_responses<3>();
  else
    find_responses<6>();
  find_rho();
  w0_ = problem.k;
  divide_by_masses(w0_.data());
  for (int i = 0; i < problem.velocities(); ++i) w0_[i] += problem.v[i];
  return true;
}

void BodySpace::add_impulses(const double* r, double* x) const {
  for (const Unit& unit : problem_->units) add_unit_impulse(unit, r + unit.first_row, x);
}

void BodySpace::divide_by_masses(double* x) const {
  if (is_coupled()) {
    masses_.solve(x);
    return;
  }
  const int W = problem_->width;
  double product[linalg::GraphLu::most_width];
  for (int node = 0; node < problem_->nodes; ++node, x += W) {
    const double* inverse = inverse_.data() + static_cast<std::ptrdiff_t>(node) * W * W;
    for (int i = 0; i < W; ++i) {
      product[i] = 0.0;
      for (int j = 0; j < W; ++j) product[i] += inverse[i * W + j] * x[j];
    }
    std::copy_n(product, W, x);
  }
}

void BodySpace::find_velocities(const double* r, double* w) {
  const int n = problem_->velocities();
  std::fill_n(w, n, 0.0);
  add_impulses(r, w);
  divide_by_masses(w);
  for (int i = 0; i < n; ++i) w[i] += w0_[i];
}

void BodySpace::find_speeds(const double* r, const double* w, double* u) const {
  const BodyProblem& p = *problem_;
  for (const Unit& unit : p.units) {
    unit_speeds(unit, w, u + unit.first_row);
    for (int i = unit.first_row; i < unit.first_row + unit.rows; ++i) u[i] += p.b[i] + p.compliance[i] * r[i];
  }
}

double BodySpace::unit_error(const Unit& unit, const double* r, const double* u) const {
  const BodyProblem& p = *problem_;
  const double* rho = rho_.data() + unit.first_row;
  double worst = 0.0;
  if (unit.kind == BodyProblem::Kind::joint) {
    for (int i = 0; i < unit.rows; ++i) worst = std::max(worst, std::abs(u[i]));
    return worst;
  }
  if (unit.kind == BodyProblem::Kind::bounded) {
    const double z = r[0] - rho[0] * u[0], low = p.least[unit.first_row], high = p.most[unit.first_row];
    if (z > low && z < high) return std::abs(u[0]);
    return std::abs(r[0] - (z <= low ? low : high)) / rho[0];
  }
  double z_n = 0.0;
  if (unit.has_normal) {
    z_n = std::max(0.0, r[0] - rho[0] * u[0]);
    worst = z_n > 0.0 ? std::abs(u[0]) : std::abs(r[0]) / rho[0];
  }
  for (int g = 0; g < unit.groups; ++g) {
    const Group& group = p.groups[unit.first_group + g];
    const double radius = group.mu * z_n + group.hf, scale = rho[group.first];
    double z[BodyProblem::most_group], moved = 0.0;
    for (int i = 0; i < group.size; ++i) z[i] = r[group.first + i] - scale * u[group.first + i];
    const double size = length(z, group.size);
    if (size <= radius) {
      worst = std::max(worst, length(u + group.first, group.size));
      continue;
    }
    for (int i = 0; i < group.size; ++i) {
      const double off = r[group.first + i] - radius / size * z[i];
      moved += off * off;
    }
    if (moved > 0.0) worst = std::max(worst, std::sqrt(moved) / scale);
  }
  return worst;
}

double BodySpace::error(const double* r, const double* u) const {
  // Comparisons would lose what is no number.
  if (!std::all_of(u, u + problem_->rows(), [](double value) { return std::isfinite(value); }))
    return std::numeric_limits<double>::infinity();
  double worst = 0.0;
  for (const Unit& unit : problem_->units) {
    const double value = unit_error(unit, r + unit.first_row, u + unit.first_row) / unit.speed;
    if (!(value <= worst)) worst = std::isfinite(value) ? value : std::numeric_limits<double>::infinity();
  }
  return worst;
}

void BodySpace::project(double* r) const {
  const BodyProblem& p = *problem_;
  for (const Unit& unit : p.units) {
    double* at = r + unit.first_row;
    if (unit.kind == BodyProblem::Kind::joint) continue;
    if (unit.kind == BodyProblem::Kind::bounded) {
      at[0] = std::clamp(at[0], p.least[unit.first_row], p.most[unit.first_row]);
      continue;
    }
    if (unit.has_normal) at[0] = std::max(0.0, at[0]);
    for (int g = 0; g < unit.groups; ++g) {
      const Group& group = p.groups[unit.first_group + g];
      const double radius = group.mu * (unit.has_normal ? at[0] : 0.0) + group.hf,
                   size = length(at + group.first, group.size);
      if (size <= radius) continue;
      for (int i = 0; i < group.size; ++i) at[group.first + i] *= radius / size;
    }
  }
}

}  // namespace stiction::cone
