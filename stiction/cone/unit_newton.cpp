#include "stiction/cone/unit_newton.h"

#include <algorithm>
#include <cmath>

namespace stiction::cone {

namespace {

double length(const double* x, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; ++i) sum += x[i] * x[i];
  return std::sqrt(sum);
}

/// A joint's row, or a bounded one between its bounds: u + du + softness / rho dr = 0, with compliance in u.
void hold_row(double u, double compliance, double rho, double softness, double& d, double& c) {
  d = 1.0 / (compliance + softness / rho);
  c = u * d;
}

}  // namespace

UnitState state_of(const BodySpace& space, const BodyProblem::Unit& unit, const double* r, const double* u) {
  const BodyProblem& p = space.problem();
  const int first = unit.first_row;
  UnitState state;
  if (unit.kind == BodyProblem::Kind::joint) return state;
  const double z_n = r[0] - space.rho(first) * u[0];
  if (unit.kind == BodyProblem::Kind::bounded) {
    state.bound = z_n <= p.least[first] ? UnitState::low : z_n >= p.most[first] ? UnitState::high : UnitState::between;
    return state;
  }
  state.is_closed = unit.has_normal && z_n > 0.0;
  for (int g = 0; g < unit.groups; ++g) {
    const BodyProblem::Group& group = p.groups[unit.first_group + g];
    const double rho = space.rho(first + group.first), radius = group.mu * (state.is_closed ? z_n : 0.0) + group.hf;
    double z[BodyProblem::most_group];
    for (int i = 0; i < group.size; ++i) z[i] = r[group.first + i] - rho * u[group.first + i];
    if (length(z, group.size) <= radius && radius > 0.0) state.sticking |= static_cast<std::uint8_t>(1U << g);
  }
  return state;
}

void linearise(const BodySpace& space, const BodyProblem::Unit& unit, const UnitState& state, const double* r,
               const double* u, const Softness& softness, double* D, double* c) {
  const BodyProblem& p = space.problem();
  const int rows = unit.rows, first = unit.first_row;
  std::fill_n(D, rows * rows, 0.0);
  if (unit.kind == BodyProblem::Kind::joint) {
    for (int i = 0; i < rows; ++i)
      hold_row(u[i], p.compliance[first + i], space.rho(first + i), softness.joint, D[i * rows + i], c[i]);
    return;
  }
  if (unit.kind == BodyProblem::Kind::bounded) {
    if (state.bound == UnitState::between)
      hold_row(u[0], p.compliance[first], space.rho(first), softness.joint, D[0], c[0]);
    else
      c[0] = r[0] - (state.bound == UnitState::low ? p.least[first] : p.most[first]);
    return;
  }
  const double e = softness.contact;
  double z_n = 0.0, steep = 0.0;
  if (unit.has_normal) {
    const double rho = space.rho(first);
    if (state.is_closed) {
      z_n = std::max(0.0, r[0] - rho * u[0]);
      steep = rho / e;
      D[0] = steep;
      c[0] = steep * u[0];
    } else {
      c[0] = r[0];
    }
  }
  for (int g = 0; g < unit.groups; ++g) {
    const BodyProblem::Group& group = p.groups[unit.first_group + g];
    const double rho = space.rho(first + group.first), radius = group.mu * z_n + group.hf;
    if ((state.sticking >> g & 1U) != 0) {
      for (int i = 0; i < group.size; ++i) {
        const int row = group.first + i;
        D[row * rows + row] = rho / e;
        c[row] = rho / e * u[row];
      }
      continue;
    }
    // Slides along d = z / |z|: r + dr = (mu (z_n + dz_n) + hf) d + radius / |z| (I - dd') (dr - rho du).
    double z[BodyProblem::most_group];
    for (int i = 0; i < group.size; ++i) z[i] = r[group.first + i] - rho * u[group.first + i];
    const double size = length(z, group.size);
    const double q = size > 0.0 ? std::min(1.0, radius / size) : 0.0, across = 1.0 / (1.0 - q * (1.0 - e));
    double off[BodyProblem::most_group], along = 0.0;
    for (int i = 0; i < group.size; ++i) {
      z[i] = size > 0.0 ? z[i] / size : 0.0;
      off[i] = r[group.first + i] - radius * z[i];
      along += off[i] * z[i];
    }
    const double pull = steep > 0.0 ? group.mu * (1.0 - e) * c[0] : 0.0;
    for (int i = 0; i < group.size; ++i) {
      const int row = group.first + i;
      c[row] = across * (off[i] - along * z[i]) + (along + pull) * z[i];
      for (int j = 0; j < group.size; ++j)
        D[row * rows + group.first + j] = rho * q * across * ((i == j ? 1.0 : 0.0) - z[i] * z[j]);
      if (steep > 0.0) D[row * rows] = group.mu * z[i] * steep;
    }
  }
}

}  // namespace stiction::cone
