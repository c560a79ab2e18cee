#include "stiction/cone/body_gradient.h"

#include <algorithm>
#include <cmath>

#include "stiction/cone/body_admm.h"
#include "stiction/cone/cone_projection.h"

namespace stiction::cone {

namespace {

using Unit = BodyProblem::Unit;
using Group = BodyProblem::Group;
using Kind = BodyProblem::Kind;

double size_of(const double* x, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; ++i) sum += x[i] * x[i];
  return std::sqrt(sum);
}

}  // namespace

bool BodyGradient::can_solve(const BodyProblem& problem) {
  return problem.coupled.empty() && BodyAdmm::can_solve(problem);
}

/// Lifted speeds at z_.
void BodyGradient::find_gradient(const BodySpace& space) {
  space.find_speeds(z_.data(), w_z_.data(), u_.data());
  for (const Unit& unit : space.problem().units) {
    if (unit.kind != Kind::contact || !unit.has_normal || unit.groups == 0) continue;
    const Group& group = space.problem().groups[unit.first_group];
    u_[unit.first_row] += group.mu * size_of(u_.data() + unit.first_row + group.first, group.size);
  }
}

/// next_ = the projection of z_ - share rho u_.
void BodyGradient::step(const BodySpace& space, double share) {
  const BodyProblem& p = space.problem();
  for (const Unit& unit : p.units) {
    double x[BodyProblem::most_rows];
    const int row = unit.first_row;
    for (int i = 0; i < unit.rows; ++i) x[i] = z_[row + i] - share * space.rho(row + i) * u_[row + i];
    if (unit.kind == Kind::bounded) {
      x[0] = std::clamp(x[0], p.least[row], p.most[row]);
    } else if (unit.kind == Kind::contact && unit.groups == 0) {
      x[0] = std::max(0.0, x[0]);
    } else if (unit.kind == Kind::contact) {
      const Group& group = p.groups[unit.first_group];
      if (unit.has_normal) {
        double cone[3] = {x[0], x[1], group.size > 1 ? x[2] : 0.0};
        project_on_cone(group.mu, cone);
        std::copy_n(cone, unit.rows, x);
      } else if (const double size = size_of(x, group.size); size > group.hf) {
        for (int i = 0; i < group.size; ++i) x[i] *= group.hf / size;
      }
    }
    std::copy_n(x, unit.rows, next_.data() + row);
  }
}

bool BodyGradient::solve(BodySpace& space, double tolerance, int most_iterations, BodyState& state) {
  iterations_ = 0;
  if (state.error <= tolerance) return true;
  const BodyProblem& p = space.problem();
  z_ = last_ = state.r;
  w_z_ = w_last_ = state.w;
  next_.resize(z_.size());
  w_next_.resize(w_z_.size());
  u_.resize(z_.size());
  const auto width = static_cast<std::size_t>(p.width);
  double share = options.first_step, momentum = 1.0;
  for (int looks = 0; iterations_ < most_iterations;) {
    ++iterations_;
    find_gradient(space);
    for (int halving = 0; halving < 20; ++halving) {
      step(space, share);
      space.find_velocities(next_.data(), w_next_.data());
      // Energy of the change of velocities against that of the change of impulses: the step is short enough.
      double bound = 0.0, energy = 0.0;
      for (std::size_t i = 0; i < z_.size(); ++i) {
        const double change = next_[i] - z_[i];
        bound += change * change / (share * space.rho(static_cast<int>(i)));
      }
      for (std::size_t node = 0; node < static_cast<std::size_t>(p.nodes); ++node)
        for (std::size_t i = 0; i < width; ++i) {
          double sum = 0.0;
          for (std::size_t j = 0; j < width; ++j)
            sum += p.M[(node * width + i) * width + j] * (w_next_[node * width + j] - w_z_[node * width + j]);
          energy += sum * (w_next_[node * width + i] - w_z_[node * width + i]);
        }
      if (energy <= 1.0001 * bound || share < 1e-6) break;
      share *= options.shrink;
    }
    double turned = 0.0;
    for (std::size_t i = 0; i < z_.size(); ++i)
      turned += (z_[i] - next_[i]) * (next_[i] - last_[i]) / space.rho(static_cast<int>(i));
    const double grown = 0.5 * (1.0 + std::sqrt(1.0 + 4.0 * momentum * momentum));
    const double on = turned > 0.0 ? 0.0 : (momentum - 1.0) / grown;
    momentum = turned > 0.0 ? 1.0 : grown;
    for (std::size_t i = 0; i < z_.size(); ++i) z_[i] = next_[i] + on * (next_[i] - last_[i]);
    for (std::size_t i = 0; i < w_z_.size(); ++i) w_z_[i] = w_next_[i] + on * (w_next_[i] - w_last_[i]);
    std::swap(last_, next_);
    std::swap(w_last_, w_next_);
    share *= options.grow;
    if (iterations_ % options.check_every != 0) continue;
    trial_.r = last_;
    trial_.find(space);
    ++looks;
    if (trial_.error < 0.99 * state.error) looks = 0;
    if (trial_.error < state.error) state = trial_;
    if (state.error <= tolerance) return true;
    if (iterations_ >= options.contented_after && state.error <= options.few_digits) return false;
    if (looks >= options.patience || !std::isfinite(trial_.error)) return false;
  }
  return false;
}

}  // namespace stiction::cone
