#include "stiction/cone/interior_point.h"

#include <algorithm>
#include <cmath>

namespace stiction::cone {

void InteriorPoint::load(const ScaledProblem& problem) {
  system_.load(problem);
  x_.setZero(system_.size());
  for (const auto& contact : system_.contacts()) x_[contact.first] = options_.start;
  y_ = x_;
  right_.resize(system_.size());
}

/// W^ x + q^ + g e_0 - y.
void InteriorPoint::find_defect(const ScaledProblem& problem, double smoothing) {
  system_.to_force(x_, s_);
  problem.velocity(s_, u_);
  for (std::size_t c = 0; c < system_.contacts().size(); ++c) {
    auto& contact = system_.contacts()[c];
    if (!contact.rubs) continue;
    const Index at = contact.first;
    if (held_ != nullptr) {
      contact.g = (*held_)[static_cast<Index>(c)];
      continue;
    }
    contact.g = std::hypot(std::hypot(y_[at + 1], contact.dim == 3 ? y_[at + 2] : 0.0), smoothing);
    for (int k = 1; k < contact.dim; ++k) contact.slope[k] = y_[at + k] / contact.g;
  }
  system_.find_defect(u_, y_, defect_);
}

bool InteriorPoint::find_direction(double centre, bool corrects) {
  for (const auto& contact : system_.contacts()) {
    double square[3], scaled_x[3], scaled_y[3], second[3] = {0.0, 0.0, 0.0};
    soc::multiply(contact.dim, contact.lambda, contact.lambda, square);
    if (corrects) {
      contact.scaling.apply(dx_.data() + contact.first, scaled_x);
      contact.scaling.apply_inverse(dy_.data() + contact.first, scaled_y);
      soc::multiply(contact.dim, scaled_x, scaled_y, second);
    }
    for (int k = 0; k < contact.dim; ++k) right_[contact.first + k] = (k == 0 ? centre : 0.0) - square[k] - second[k];
  }
  return system_.solve(right_, defect_, dx_, dy_);
}

double InteriorPoint::longest_step() const {
  double t = 1e3;
  for (const auto& contact : system_.contacts()) {
    t = soc::longest_step(contact.dim, x_.data() + contact.first, dx_.data() + contact.first, t);
    t = soc::longest_step(contact.dim, y_.data() + contact.first, dy_.data() + contact.first, t);
  }
  return t;
}

double InteriorPoint::gap() const {
  return x_.dot(y_) / static_cast<double>(std::max<std::size_t>(1, system_.contacts().size()));
}

bool InteriorPoint::advance(const ScaledProblem& problem, double barrier) {
  if (!(barrier > 1e-18) || !system_.scale(x_, y_)) return false;
  system_.factorise(problem);
  if (!find_direction(0.0, false)) return false;
  const double reach = std::min(1.0, longest_step());
  const double centring = std::max(1e-8, std::pow(1.0 - reach, 3));
  if (!find_direction(centring * barrier, true)) return false;
  double step = longest_step();
  // A direction that hardly moves: go back to the middle first.
  if (step < 0.2) {
    if (!find_direction(0.5 * barrier, false)) return false;
    step = longest_step();
  }
  const double factor = std::clamp(1.0 - 0.1 * (1.0 - reach) - 0.005, 0.9, 0.995);
  const double length = std::min(1.0, factor * step);
  if (!(length > 1e-10)) return false;
  x_ += length * dx_;
  y_ += length * dy_;
  return true;
}

int InteriorPoint::improve(const ScaledProblem& problem, double target, Vector& s) {
  problem.velocity(s, u_);
  double best = problem.residual(s, u_);
  if (best <= target) return 0;
  held_ = nullptr;
  load(problem);
  for (int i = 0; i < options_.most; ++i) {
    const double barrier = gap();
    find_defect(problem, std::min(0.01, 0.1 * barrier));
    const double residual = problem.residual(s_, u_);
    if (residual < best) {
      best = residual;
      s = s_;
    }
    if (best <= target || !advance(problem, barrier)) return i;
  }
  return options_.most;
}

int InteriorPoint::solve_held(const ScaledProblem& problem, const Vector& g, double accuracy, Vector& s) {
  held_ = &g;
  load(problem);
  const double root = std::sqrt(static_cast<double>(std::max<Index>(1, x_.size())));
  int i = 0;
  for (; i < options_.most; ++i) {
    const double barrier = gap();
    find_defect(problem, 0.0);
    if ((barrier <= accuracy && defect_.norm() <= accuracy * root) || !advance(problem, barrier)) break;
  }
  system_.to_force(x_, s);
  held_ = nullptr;
  return i;
}

}  // namespace stiction::cone
