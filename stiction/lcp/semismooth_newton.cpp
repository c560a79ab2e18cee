#include "stiction/lcp/semismooth_newton.h"

#include <algorithm>
#include <cmath>

#include "stiction/linalg/equilibrate.h"

namespace stiction::lcp {

namespace {

struct Phi {
  double value, by_a, by_b;
};

Phi fischer(double a, double b) {
  const double root = std::hypot(a, b);
  // At the kink any element of the generalised Jacobian will do; this one treats both arguments alike.
  if (root == 0.0) return {0.0, 1.0 - std::sqrt(0.5), 1.0 - std::sqrt(0.5)};
  // a + b - root without cancellation where both are positive.
  const double value = a + b > 0.0 ? 2.0 * a * b / (a + b + root) : a + b - root;
  return {value, 1.0 - a / root, 1.0 - b / root};
}

}  // namespace

void SemismoothNewton::load(const Problem& problem) {
  const Index n = problem.size();
  linalg::equilibrate(problem.M, row_scale_, column_scale_);
  starts_.assign(1, 0);
  rows_.clear();
  values_.clear();
  for (Vector* vector : {&q_, &lower_, &upper_, &z_, &w_, &phi_, &by_z_, &by_w_, &direction_, &gradient_, &image_,
                         &trial_, &trial_w_, &best_z_})
    vector->resize(n);
  scale_ = 0.0;
  for (Index j = 0; j < n; ++j) {
    problem.M.for_each_in_column(j, [&](Index i, double value) {
      rows_.push_back(i);
      values_.push_back(value * row_scale_[i] * column_scale_[j]);
    });
    starts_.push_back(static_cast<Index>(rows_.size()));
    q_[j] = problem.q[j] * row_scale_[j];
    lower_[j] = problem.lower_bound(j) / column_scale_[j];
    upper_[j] = problem.upper_bound(j) / column_scale_[j];
    scale_ = std::max({scale_, std::abs(q_[j]), std::abs(std::clamp(0.0, lower_[j], upper_[j]))});
  }
  if (scale_ == 0.0) scale_ = 1.0;
  right_side_.resize(static_cast<std::size_t>(n));
  merits_.reserve(static_cast<std::size_t>(std::max(options_.memory, 1)));
  best_residual_ = infinity;
  iterations_ = 0;
}

void SemismoothNewton::start_at(const Vector& suggested) {
  const bool usable = suggested.size() == z_.size() && suggested.allFinite();
  for (Index i = 0; i < z_.size(); ++i)
    z_[i] = std::clamp(usable ? suggested[i] / column_scale_[i] : 0.0, lower_[i], upper_[i]);
}

void SemismoothNewton::start_at_random(Random& random) {
  for (Index i = 0; i < z_.size(); ++i) {
    const double anchor = lower_[i] > -infinity ? lower_[i] : upper_[i] < infinity ? upper_[i] - 2.0 * scale_ : -scale_;
    z_[i] = std::clamp(anchor + 2.0 * scale_ * random.uniform(), lower_[i], upper_[i]);
  }
}

void SemismoothNewton::multiply(const Vector& z, Vector& w) const {
  w.setZero();
  for (Index j = 0; j < z.size(); ++j)
    for (Index p = starts_[j]; p < starts_[j + 1]; ++p) w[rows_[p]] += values_[p] * z[j];
}

double SemismoothNewton::residual(const Vector& z, const Vector& w) const {
  double largest = 0.0;
  for (Index i = 0; i < z.size(); ++i)
    largest = std::max(largest, std::abs(std::clamp(w[i], z[i] - upper_[i], z[i] - lower_[i])));
  return largest / scale_;
}

SemismoothNewton::Element SemismoothNewton::fischer_burmeister(Index i, double z, double w) const {
  const bool has_lower = lower_[i] > -infinity, has_upper = upper_[i] < infinity;
  if (lower_[i] == upper_[i]) return {z - lower_[i], 1.0, 0.0};
  if (!has_lower && !has_upper) return {w, 0.0, 1.0};
  if (!has_upper) {
    const Phi phi = fischer(z - lower_[i], w);
    return {phi.value, phi.by_a, phi.by_b};
  }
  const Phi inner = fischer(upper_[i] - z, -w);
  if (!has_lower) return {-inner.value, inner.by_a, inner.by_b};
  const Phi outer = fischer(z - lower_[i], -inner.value);
  return {outer.value, outer.by_a + outer.by_b * inner.by_a, outer.by_b * inner.by_b};
}

SemismoothNewton::Element SemismoothNewton::min_function(Index i, double z, double w) const {
  if (lower_[i] == upper_[i] || z - w <= lower_[i]) return {z - lower_[i], 1.0, 0.0};
  if (z - w >= upper_[i]) return {z - upper_[i], 1.0, 0.0};
  return {w, 0.0, 1.0};
}

void SemismoothNewton::linearise(Function function) {
  for (Index i = 0; i < z_.size(); ++i) {
    const Element element =
        function == Function::min ? min_function(i, z_[i], w_[i]) : fischer_burmeister(i, z_[i], w_[i]);
    phi_[i] = element.value;
    by_z_[i] = element.by_z;
    by_w_[i] = element.by_w;
  }
}

double SemismoothNewton::merit(const Vector& z, const Vector& w) const {
  double sum = 0.0;
  for (Index i = 0; i < z.size(); ++i) {
    const double value = fischer_burmeister(i, z[i], w[i]).value;
    sum += value * value;
  }
  return 0.5 * sum;
}

/// Solves (D_a + D_b (M + epsilon I)) d = -Phi for the direction; false when it is singular and Phi not in its range.
bool SemismoothNewton::solve_newton(double epsilon) {
  const auto n = static_cast<int>(z_.size());
  lu_.begin(n);
  for (Index j = 0; j < n; ++j) {
    double diagonal = by_z_[j] + epsilon * by_w_[j];
    for (Index p = starts_[j]; p < starts_[j + 1]; ++p) {
      const Index i = rows_[p];
      const double value = by_w_[i] * values_[p];
      if (i == j)
        diagonal += value;
      else if (value != 0.0)
        lu_.add_entry(static_cast<int>(i), value);
    }
    if (diagonal != 0.0) lu_.add_entry(static_cast<int>(j), diagonal);
    lu_.end_column();
  }
  lu_.factorise();
  for (Index i = 0; i < n; ++i) right_side_[i] = -phi_[i];
  lu_.solve(right_side_);
  for (const auto& replaced : lu_.deficiency()) right_side_[replaced.column] = 0.0;
  for (Index j = 0; j < n; ++j) direction_[j] = right_side_[j];
  if (!direction_.allFinite()) return false;
  if (lu_.deficiency().empty()) return true;
  // Inexact Newton steps with a forcing term below one converge as well (Dembo, Eisenstat and Steihaug 1982).
  multiply(direction_, image_);
  double left = 0.0;
  for (Index i = 0; i < n; ++i) {
    const double diagonal = by_z_[i] + epsilon * by_w_[i];
    left = std::max(left, std::abs(diagonal * direction_[i] + by_w_[i] * image_[i] + phi_[i]));
  }
  return left <= 0.1 * phi_.cwiseAbs().maxCoeff();
}

/// Sets the direction, its image M d and its slope on the merit; false at a stationary point.
bool SemismoothNewton::find_direction() {
  linearise(Function::fischer_burmeister);
  for (Index j = 0; j < z_.size(); ++j) {
    gradient_[j] = by_z_[j] * phi_[j];
    for (Index p = starts_[j]; p < starts_[j + 1]; ++p) gradient_[j] += values_[p] * by_w_[rows_[p]] * phi_[rows_[p]];
  }
  const auto descends = [&] {
    slope_ = gradient_.dot(direction_);
    return slope_ <= -1e-8 * gradient_.norm() * direction_.norm();
  };
  bool found = false;
  if (options_.function == Function::min) {
    linearise(Function::min);
    found = solve_newton(0.0) && descends();
    if (!found) linearise(Function::fischer_burmeister);
  }
  for (const double epsilon : {0.0, 1e-6, 1e-3, 1e-1}) found = found || (solve_newton(epsilon) && descends());
  if (!found) {
    direction_ = -gradient_;
    if (!descends()) return false;
  }
  multiply(direction_, image_);
  return slope_ < 0.0;
}

bool SemismoothNewton::search_line() {
  constexpr double armijo = 1e-4;
  const double reference = *std::max_element(merits_.begin(), merits_.end());
  double t = 1.0;
  for (int halving = 0; halving < 40; ++halving, t *= 0.5) {
    trial_ = z_ + t * direction_;
    trial_w_ = w_ + t * image_;
    const double value = merit(trial_, trial_w_);
    if (!(value <= reference + armijo * t * slope_)) continue;
    z_.swap(trial_);
    if (merits_.size() < static_cast<std::size_t>(std::max(options_.memory, 1)))
      merits_.push_back(value);
    else
      merits_[static_cast<std::size_t>(steps_) % merits_.size()] = value;
    return true;
  }
  return false;
}

void SemismoothNewton::keep_best() {
  const double value = residual(z_, w_);
  if (!(value < best_residual_)) return;
  best_residual_ = value;
  best_z_ = z_;
}

/// A full step of the min function from the best point: guesses the active set and solves on it. Kept if better.
void SemismoothNewton::polish() {
  if (best_residual_ == infinity) return;
  trial_ = z_;
  z_ = best_z_;
  for (int pass = 0; pass < 2; ++pass) {
    multiply(z_, w_);
    w_ += q_;
    linearise(Function::min);
    if (!solve_newton(0.0)) break;
    for (Index i = 0; i < z_.size(); ++i) z_[i] = std::clamp(z_[i] + direction_[i], lower_[i], upper_[i]);
    multiply(z_, w_);
    w_ += q_;
    keep_best();
  }
  z_ = trial_;
}

/// Newton steps until the residual is small; false when it stalls or diverges.
bool SemismoothNewton::iterate() {
  merits_.clear();
  const double goal = options_.stop_at * tolerance;
  for (steps_ = 0; steps_ <= options_.max_iterations; ++steps_) {
    multiply(z_, w_);
    w_ += q_;
    if (!w_.allFinite() || (z_.size() > 0 && z_.cwiseAbs().maxCoeff() > options_.divergence * scale_)) return false;
    keep_best();
    if (steps_ % 10 == 9) {
      polish();
      multiply(z_, w_);
      w_ += q_;
    }
    if (best_residual_ <= goal || steps_ == options_.max_iterations) break;
    if (merits_.empty()) merits_.push_back(merit(z_, w_));
    ++iterations_;
    if (!find_direction() || !search_line()) break;
  }
  polish();
  return best_residual_ <= tolerance;
}

void SemismoothNewton::run(const Problem& problem, Solution& solution) {
  load(problem);
  start_at(solution.z);
  Random random(1);
  bool found = iterate();
  bool limited = steps_ >= options_.max_iterations;
  for (int start = 1; start < options_.starts && !found; ++start) {
    start_at_random(random);
    found = iterate();
    limited = limited || steps_ >= options_.max_iterations;
  }

  // Far out along a ray everything is small beside z. What is not small beside q is no solution: back to the start.
  const double largest_z = problem.size() > 0 ? best_z_.cwiseAbs().maxCoeff() : 0.0;
  if (!found && best_residual_ * scale_ <= 10.0 * tolerance * largest_z) {
    limited = false;
    for (Index i = 0; i < problem.size(); ++i) best_z_[i] = std::clamp(0.0, lower_[i], upper_[i]);
  }

  solution.iterations = iterations_;
  multiply(best_z_, w_);
  w_ += q_;
  solution.z.resize(problem.size());
  solution.basis.resize(static_cast<std::size_t>(problem.size()));
  for (Index i = 0; i < problem.size(); ++i) {
    const double moved = best_z_[i] - w_[i];
    solution.basis[i] = moved <= lower_[i] ? Place::lower : moved >= upper_[i] ? Place::upper : Place::basic;
    solution.z[i] = std::clamp(best_z_[i] * column_scale_[i], problem.lower_bound(i), problem.upper_bound(i));
  }
  solution.status = found ? Status::solved : limited ? Status::iteration_limit : Status::ray;
}

}  // namespace stiction::lcp
