#include "stiction/cone/central_path.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace stiction::cone {

namespace {

// Below this barrier the answer's last digits are a matter of other methods, and of rounding.
constexpr double least_barrier = 1e-14;
// A walk that came so far has seen all folds; a second one would end there too.
constexpr double far_enough = 1e-6;
constexpr double shortest_step = 1e-7;
// Steps below this may turn as they like.
constexpr double short_step = 1e-4;

}  // namespace

void CentralPath::Direction::multiply(double factor) {
  for (Vector* vector : {&x, &y, &scaled_x, &scaled_y}) *vector *= factor;
  t *= factor;
}

void CentralPath::begin(const ScaledProblem& problem) {
  system_.load(problem);
  x_.setZero(system_.size());
  for (const auto& contact : system_.contacts()) x_[contact.first] = options_.start;
  y_ = x_;
  t_ = first_t_ = options_.start * options_.start;
  first_defect_.setZero(system_.size());
  find_defect(problem, x_, y_, t_);
  first_defect_ = defect_;
  defect_.setZero();
  right_.setZero(system_.size());
  left_.setZero(system_.size());
  has_anchor_ = false;
  anchor_.sign = first_sign_ = 0;
  distance_ = 0.0;
  reversals_ = 0;
  length_ = 0.5;
  polish_at_ = 1e-3;
}

void CentralPath::find_defect(const ScaledProblem& problem, const Vector& x, const Vector& y, double t) {
  system_.to_force(x, s_);
  problem.velocity(s_, u_);
  for (auto& contact : system_.contacts()) {
    if (!contact.rubs) continue;
    const Index at = contact.first;
    contact.g = std::hypot(std::hypot(y[at + 1], contact.dim == 3 ? y[at + 2] : 0.0), options_.smoothing * t);
    for (int k = 1; k < contact.dim; ++k) contact.slope[k] = y[at + k] / contact.g;
  }
  system_.find_defect(u_, y, defect_);
  defect_ -= (t / first_t_) * first_defect_;
}

double CentralPath::find_distance(double t) const {
  double worst = 0.0;
  for (const auto& contact : system_.contacts()) {
    double square[3], defect[3], off_centre = 0.0, off_law = 0.0;
    soc::multiply(contact.dim, contact.lambda, contact.lambda, square);
    contact.scaling.apply_inverse(defect_.data() + contact.first, defect);
    square[0] -= t;
    for (int k = 0; k < contact.dim; ++k) {
      off_centre += square[k] * square[k];
      off_law += defect[k] * defect[k];
    }
    worst = std::max({worst, off_centre / (t * t), off_law / t});
  }
  return std::isfinite(worst) ? std::sqrt(worst) : std::numeric_limits<double>::infinity();
}

/// right_ and left_ hold the right-hand sides.
bool CentralPath::solve_for(Direction& direction) {
  if (!system_.solve(right_, left_, direction.x, direction.y)) return false;
  direction.scaled_x.resize(system_.size());
  direction.scaled_y.resize(system_.size());
  for (const auto& contact : system_.contacts()) {
    contact.scaling.apply(direction.x.data() + contact.first, direction.scaled_x.data() + contact.first);
    contact.scaling.apply_inverse(direction.y.data() + contact.first, direction.scaled_y.data() + contact.first);
  }
  return true;
}

void CentralPath::weigh_tangent() {
  Direction& tangent = next_.tangent;
  weights_.resize(system_.contacts().size());
  double most = 1.0;
  for (std::size_t c = 0; c < weights_.size(); ++c) {
    const auto& contact = system_.contacts()[c];
    weights_[c] = (tangent.scaled_x.segment(contact.first, contact.dim).squaredNorm() +
                   tangent.scaled_y.segment(contact.first, contact.dim).squaredNorm()) /
                  t_;
    most = std::max(most, weights_[c]);
  }
  for (double& weight : weights_) weight /= most * t_;
  weight_of_t_ = 1.0 / most;
  tangent.multiply(1.0 / std::sqrt(most));
}

double CentralPath::dot(const Direction& a, const Direction& b) const {
  double sum = weight_of_t_ * a.t * b.t;
  for (std::size_t c = 0; c < weights_.size(); ++c) {
    const auto& contact = system_.contacts()[c];
    for (int k = contact.first; k < contact.first + contact.dim; ++k)
      sum += weights_[c] * (a.scaled_x[k] * b.scaled_x[k] + a.scaled_y[k] * b.scaled_y[k]);
  }
  return sum;
}

void CentralPath::remove_tangent(Direction& direction) const {
  const Direction& tangent = next_.tangent;
  const double share = dot(tangent, direction) / dot(tangent, tangent);
  direction.x -= share * tangent.x;
  direction.y -= share * tangent.y;
  direction.scaled_x -= share * tangent.scaled_x;
  direction.scaled_y -= share * tangent.scaled_y;
  direction.t -= share * tangent.t;
}

/// For a relative change 1 of t.
bool CentralPath::find_tangent() {
  const double smooth = options_.smoothing * t_;
  right_.setZero();
  left_ = -(t_ / first_t_) * first_defect_;
  for (const auto& contact : system_.contacts()) {
    right_[contact.first] = t_;
    if (contact.rubs) left_[contact.first] += smooth * smooth / contact.g;
  }
  if (!solve_for(next_.tangent)) return false;
  next_.tangent.t = 1.0;
  weigh_tangent();
  return true;
}

bool CentralPath::find_correction() {
  for (const auto& contact : system_.contacts()) {
    double square[3];
    soc::multiply(contact.dim, contact.lambda, contact.lambda, square);
    for (int k = 0; k < contact.dim; ++k) right_[contact.first + k] = (k == 0 ? t_ : 0.0) - square[k];
  }
  left_ = defect_;
  if (!solve_for(next_.correction)) return false;
  next_.correction.t = 0.0;
  remove_tangent(next_.correction);
  return true;
}

/// Half the second derivative along the tangent: of x o y, and of g.
bool CentralPath::find_curve() {
  const Direction& tangent = next_.tangent;
  const double smooth = options_.smoothing * t_;
  left_.setZero();
  for (const auto& contact : system_.contacts()) {
    const int at = contact.first;
    double product[3];
    soc::multiply(contact.dim, tangent.scaled_x.data() + at, tangent.scaled_y.data() + at, product);
    for (int k = 0; k < contact.dim; ++k) right_[at + k] = -product[k];
    if (!contact.rubs) continue;
    double square = smooth * tangent.t * smooth * tangent.t, along = smooth * smooth * tangent.t / contact.g;
    for (int k = 1; k < contact.dim; ++k) {
      square += tangent.y[at + k] * tangent.y[at + k];
      along += tangent.y[at + k] * contact.slope[k];
    }
    left_[at] = 0.5 * (square - along * along) / contact.g;
  }
  if (!solve_for(next_.curve)) return false;
  next_.curve.t = 0.0;
  remove_tangent(next_.curve);
  return true;
}

double CentralPath::find_turn() {
  Direction& last = anchor_.tangent;
  for (const auto& contact : system_.contacts()) {
    contact.scaling.apply(last.x.data() + contact.first, last.scaled_x.data() + contact.first);
    contact.scaling.apply_inverse(last.y.data() + contact.first, last.scaled_y.data() + contact.first);
  }
  const Direction& tangent = next_.tangent;
  return dot(last, tangent) / std::sqrt(dot(last, last) * dot(tangent, tangent));
}

bool CentralPath::look(const ScaledProblem& problem, const Care& care) {
  if (!system_.scale(x_, y_)) return false;
  system_.factorise(problem);
  if (!find_tangent()) return false;
  // A singular system says nothing of folds.
  const int sign = system_.determinant_sign();
  next_.sign = sign != 0 ? sign : anchor_.sign;
  if (!has_anchor_ || first_sign_ == 0) first_sign_ = next_.sign;
  if (next_.sign == first_sign_) next_.tangent.multiply(-1.0);
  if (has_anchor_) {
    double turn = find_turn();
    // Where contacts are redundant the determinant is as small as t, and rounding may have changed its sign: a way that
    // leads straight back again and again is none.
    constexpr double straight_back = -0.9;
    if (turn < straight_back && ++reversals_ > 2) {
      first_sign_ = -first_sign_;
      next_.tangent.multiply(-1.0);
      turn = -turn;
    }
    if (turn < care.turn && anchor_.length > short_step) return false;
  }
  return find_correction();
}

/// (trial_x_, trial_y_, t) becomes the point where it is inside and near enough.
bool CentralPath::take(const ScaledProblem& problem, double t, double near) {
  if (!system_.scale(trial_x_, trial_y_)) return false;
  find_defect(problem, trial_x_, trial_y_, t);
  const double distance = find_distance(t);
  if (!(distance < near)) return false;
  distance_ = distance;
  x_.swap(trial_x_);
  y_.swap(trial_y_);
  t_ = t;
  return true;
}

bool CentralPath::correct(const ScaledProblem& problem) {
  constexpr double progress = 0.6;
  const Direction& step = next_.correction;
  const double t = t_ * (1.0 + step.t);
  if (!(t > 0.1 * t_)) return false;
  trial_x_ = x_ + step.x;
  trial_y_ = y_ + step.y;
  return take(problem, t, progress * distance_);
}

bool CentralPath::leave(const ScaledProblem& problem, const Anchor& anchor, double near, double& length) {
  const double shortest = std::max(shortest_step, 1e-3 * length);
  for (; length > shortest; length *= 0.5) {
    const double square = length * length;
    const double change = anchor.correction.t + length * anchor.tangent.t + square * anchor.curve.t;
    if (!(change > -0.999)) continue;
    trial_x_ = anchor.x + anchor.correction.x + length * anchor.tangent.x + square * anchor.curve.x;
    trial_y_ = anchor.y + anchor.correction.y + length * anchor.tangent.y + square * anchor.curve.y;
    if (take(problem, anchor.t * (1.0 + change), near)) return true;
  }
  return false;
}

bool CentralPath::move_on(const ScaledProblem& problem, const Care& care) {
  if (!find_curve()) return false;
  next_.x = x_;
  next_.y = y_;
  next_.t = t_;
  next_.length = length_;
  if (!leave(problem, next_, care.near, next_.length)) return false;
  std::swap(anchor_, next_);
  has_anchor_ = true;
  reversals_ = 0;
  // A step that stayed so near could have been longer.
  length_ = distance_ < 0.3 * care.near ? 2.0 * anchor_.length : anchor_.length;
  return true;
}

void CentralPath::keep(const ScaledProblem& problem, const Vector& found, Vector& s) {
  problem.velocity(found, u_);
  const double residual = problem.residual(found, u_);
  if (!(residual < best_)) return;
  best_ = residual;
  s = found;
}

bool CentralPath::polish(const ScaledProblem& problem, double target, Vector& s) {
  if (t_ >= polish_at_) return false;
  polish_at_ = 1e-2 * t_;
  polished_ = s_;
  if (t_ > far_enough)
    newton_.improve(problem, target, polished_);
  else
    proximal_point_.improve(problem, target, polished_);
  keep(problem, polished_, s);
  return best_ <= target;
}

bool CentralPath::follow(const ScaledProblem& problem, double target, const Care& care, Vector& s, int& iterations) {
  begin(problem);
  for (int i = 0; i < options_.most; ++i) {
    ++iterations;
    bool good = look(problem, care);
    if (good && distance_ > care.on_path) {
      if (correct(problem)) continue;
      good = false;
    }
    if (!good || !move_on(problem, care)) {
      // Back to the anchor, and a shorter step from there.
      if (!has_anchor_) return false;
      length_ = 0.3 * anchor_.length;
      if (!leave(problem, anchor_, care.near, length_)) return false;
      anchor_.length = length_;
    }
    keep(problem, s_, s);
    if (best_ <= target || polish(problem, target, s)) return true;
    // Behind the start there is nothing: the path was lost.
    if (t_ > first_t_ || t_ < least_barrier) return false;
  }
  return false;
}

int CentralPath::improve(const ScaledProblem& problem, double target, Vector& s) {
  constexpr Care hasty{.on_path = 0.3, .near = 0.7, .turn = 0.7}, careful{.on_path = 0.05, .near = 0.5, .turn = 0.8};
  problem.velocity(s, u_);
  best_ = problem.residual(s, u_);
  if (best_ <= target) return 0;
  int iterations = 0;
  if (follow(problem, target, hasty, s, iterations)) return iterations;
  if (options_.twice && !(t_ < far_enough)) follow(problem, target, careful, s, iterations);
  return iterations;
}

}  // namespace stiction::cone
