#include "stiction/cone/body_admm.h"

#include <algorithm>
#include <cmath>

#include "stiction/cone/cone_projection.h"

namespace stiction::cone {

namespace {

using Unit = BodyProblem::Unit;
using Group = BodyProblem::Group;

double tangential(const double* x, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; ++i) sum += x[i] * x[i];
  return std::sqrt(sum);
}

}  // namespace

bool BodyAdmm::can_solve(const BodyProblem& problem) {
  return std::all_of(problem.units.begin(), problem.units.end(), [&](const Unit& unit) {
    if (unit.kind != BodyProblem::Kind::contact || unit.groups == 0) return true;
    if (unit.groups > 1) return false;
    const Group& group = problem.groups[unit.first_group];
    return !unit.has_normal || (group.hf == 0.0 && group.size <= 2);
  });
}

bool BodyAdmm::factorise(const BodySpace& space, BodyMatrix& matrix) {
  const BodyProblem& p = space.problem();
  penalty_.resize(static_cast<std::size_t>(p.rows()));
  root_.resize(penalty_.size());
  matrix.begin();
  for (std::size_t i = 0; i < p.units.size(); ++i) {
    const Unit& unit = p.units[i];
    double D[BodyProblem::most_rows * BodyProblem::most_rows] = {};
    const double relative = unit.kind == BodyProblem::Kind::joint ? options.joint_penalty : options.penalty;
    for (int k = 0; k < unit.rows; ++k) {
      const int row = unit.first_row + k;
      penalty_[row] = relative / space.rho(row);
      root_[row] = std::sqrt(space.rho(row));
      D[k * unit.rows + k] = 1.0 / (penalty_[row] + p.compliance[row]);
    }
    matrix.add(static_cast<int>(i), D);
  }
  return matrix.factorise();
}

void BodyAdmm::begin(const BodySpace& space, const BodyState& state) {
  const BodyProblem& p = space.problem();
  const auto rows = static_cast<std::size_t>(p.rows());
  for (auto* list : {&v_, &z_, &gamma_, &c_, &free_}) list->resize(rows);
  std::fill(z_.begin(), z_.end(), 0.0);
  space.find_speeds(z_.data(), space.w0(), free_.data());
  for (const Unit& unit : p.units) {
    double u[BodyProblem::most_rows];
    for (int i = 0; i < unit.rows; ++i)
      u[i] = unit.kind == BodyProblem::Kind::joint ? 0.0 : state.u[unit.first_row + i];
    if (unit.kind == BodyProblem::Kind::contact && unit.has_normal && unit.groups == 1) {
      const Group& group = p.groups[unit.first_group];
      u[0] += group.mu * tangential(u + group.first, group.size);
    }
    for (int i = 0; i < unit.rows; ++i) {
      const int row = unit.first_row + i;
      v_[row] = state.r[row] - u[i] / penalty_[row];
    }
  }
}

/// z = the projection of v, and its multiplier.
void BodyAdmm::project(const BodyProblem& p) {
  z_ = v_;
  for (const Unit& unit : p.units) {
    double* z = z_.data() + unit.first_row;
    if (unit.kind == BodyProblem::Kind::joint) continue;
    if (unit.kind == BodyProblem::Kind::bounded) {
      z[0] = std::clamp(z[0], p.least[unit.first_row], p.most[unit.first_row]);
      continue;
    }
    if (unit.groups == 0) {
      z[0] = std::max(0.0, z[0]);
      continue;
    }
    const Group& group = p.groups[unit.first_group];
    if (unit.has_normal) {
      double x[3] = {z[0], z[1], group.size > 1 ? z[2] : 0.0};
      project_on_cone(group.mu, x);
      std::copy_n(x, unit.rows, z);
      continue;
    }
    const double size = tangential(z, group.size);
    if (size > group.hf)
      for (int i = 0; i < group.size; ++i) z[i] *= group.hf / size;
  }
  for (std::size_t i = 0; i < v_.size(); ++i) gamma_[i] = penalty_[i] * (z_[i] - v_[i]);
}

/// The impulses that balance the bodies, and from them the next v in next_.
void BodyAdmm::advance(const BodySpace& space, const BodyMatrix& matrix) {
  const BodyProblem& p = space.problem();
  for (const Unit& unit : p.units) {
    const int first = unit.first_row;
    for (int i = first; i < first + unit.rows; ++i) c_[i] = gamma_[i] + penalty_[i] * z_[i] - free_[i];
    if (unit.kind == BodyProblem::Kind::contact && unit.has_normal && unit.groups == 1) {
      const Group& group = p.groups[unit.first_group];
      c_[first] -= group.mu * tangential(gamma_.data() + first + group.first, group.size);
    }
    for (int i = first; i < first + unit.rows; ++i) c_[i] /= penalty_[i] + p.compliance[i];
  }
  y_.assign(static_cast<std::size_t>(p.velocities()), 0.0);
  space.add_impulses(c_.data(), y_.data());
  matrix.solve(y_.data());
  for (const Unit& unit : p.units) {
    double u[BodyProblem::most_rows];
    space.unit_speeds(unit, y_.data(), u);
    for (int k = 0; k < unit.rows; ++k) {
      const int i = unit.first_row + k;
      next_[i] = (c_[i] - u[k] / (penalty_[i] + p.compliance[i]) - gamma_[i] / penalty_[i]) / root_[i];
    }
  }
}

bool BodyAdmm::solve(BodySpace& space, BodyMatrix& matrix, double tolerance, int most_iterations, BodyState& state) {
  iterations_ = 0;
  if (state.error <= tolerance) return true;
  if (!factorise(space, matrix)) return false;
  begin(space, state);
  const auto rows = static_cast<Eigen::Index>(v_.size());
  x_.resize(rows);
  next_.resize(rows);
  for (Eigen::Index i = 0; i < rows; ++i) x_[i] = v_[i] / root_[i];
  anderson_.restart();
  for (; iterations_ < most_iterations; ++iterations_) {
    for (Eigen::Index i = 0; i < rows; ++i) v_[i] = x_[i] * root_[i];
    project(space.problem());
    if (iterations_ % options.check_every == 0) {
      trial_.r = z_;
      trial_.find(space);
      if (trial_.error < state.error) state = trial_;
      if (state.error <= tolerance) return true;
      if (!std::isfinite(trial_.error)) return false;
    }
    advance(space, matrix);
    anderson_.advance(x_, next_);
  }
  return false;
}

}  // namespace stiction::cone
