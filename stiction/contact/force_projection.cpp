#include "stiction/contact/force_projection.h"

#include <algorithm>
#include <cmath>

namespace stiction {

namespace {

constexpr int most_iterations = 80;
// Of the largest impulse: what is aimed at, and what will do, since momentum is promised to 1e-10.
constexpr double tight = 1e-15, enough = 2e-12;
// Added to a matrix of unit diagonal at most.
constexpr double soft = 1e-13;
// The same for each part of momentum that is missing: where contacts are open nothing else bounds a step, and this
// makes it as long as a thousand times what the forces are.
constexpr double damping = 1e-3;

double norm(const std::vector<double>& x) {
  double sum = 0.0;
  for (const double value : x) sum += value * value;
  return std::sqrt(sum);
}

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

}  // namespace

/// Equations of momentum in units in which rows of A have unit length: they are the same equations. Rows of rounding
/// alone, along which nothing moves, are left out.
void ForceProjection::scale_rows(const ForceSet& set) {
  constexpr double rounding = 1e-12;
  scale_.assign(set.load.size(), 0.0);
  for (int c = 0; c < set.size(); ++c) {
    const auto rows = set.columns.columns(c);
    const auto values = set.columns.values(c);
    for (std::size_t p = 0; p < rows.size(); ++p) scale_[rows[p]] += values[p] * values[p];
  }
  double largest = 0.0;
  for (std::size_t i = 0; i < scale_.size(); ++i) largest = std::max(largest, scale_[i] / set.mass[i]);
  for (std::size_t i = 0; i < scale_.size(); ++i) {
    const bool is_there = scale_[i] / set.mass[i] > rounding * rounding * largest;
    scale_[i] = is_there ? 1.0 / std::sqrt(scale_[i]) : 0.0;
  }
}

/// How far the friction of a block is pushed.
double ForceProjection::pushed(int first, int directions) const {
  return directions == 1 ? std::abs(z_[first]) : std::hypot(z_[first], z_[first + 1]);
}

/// The root of w c + slope - z_n - sum mu (|b| - mu c - hf)+, which grows with c and is concave: Newton's method from
/// zero passes each kink at most once.
double ForceProjection::find_normal(const ForceSet& set, const ForceSet::Group& group) const {
  if (group.normal < 0) return 0.0;
  double c = 0.0;
  for (int turn = 0; turn <= group.friction_end - group.friction_begin; ++turn) {
    double grows = group.weight, wants = z_[group.normal];
    for (int k = group.friction_begin; k < group.friction_end; ++k) {
      const ForceSet::Friction& block = set.frictions[k];
      const double beyond = pushed(block.first, block.directions) - block.hf;
      if (beyond <= block.mu * c) continue;
      grows += block.mu * block.mu;
      wants += block.mu * beyond;
    }
    const double next = std::max(wants / grows, 0.0);
    if (next <= c) break;
    c = next;
  }
  return c;
}

/// Ends the term whose parts were pushed since the last one.
void ForceProjection::add_term(double weight) {
  const int end = static_cast<int>(parts_.size());
  terms_.push_back({term_begin_, end, weight});
  term_begin_ = end;
}

/// x of one contact, and how it moves with z.
void ForceProjection::evaluate_group(const ForceSet& set, const ForceSet::Group& group) {
  const double c = find_normal(set, group);
  double grows = group.weight;
  if (group.normal >= 0) x_[group.normal] = c;
  for (int k = group.friction_begin; k < group.friction_end; ++k) {
    const ForceSet::Friction& block = set.frictions[k];
    const double length = pushed(block.first, block.directions), radius = block.mu * c + block.hf;
    for (int i = 0; i < block.directions; ++i) {
      double& s = x_[block.first + i];
      s = z_[block.first + i];
      if (length > radius) s *= radius / length;
      if (length > radius) continue;
      parts_.push_back({block.first + i, 1.0});
      add_term(1.0);
    }
    if (length <= radius || block.directions == 1) continue;
    // Along the rim.
    parts_.push_back({block.first, -z_[block.first + 1] / length});
    parts_.push_back({block.first + 1, z_[block.first] / length});
    add_term(radius / length);
  }
  if (!(c > 0.0)) return;
  parts_.push_back({group.normal, 1.0});
  for (int k = group.friction_begin; k < group.friction_end; ++k) {
    const ForceSet::Friction& block = set.frictions[k];
    const double length = pushed(block.first, block.directions);
    if (length <= block.mu * c + block.hf) continue;
    grows += block.mu * block.mu;
    for (int i = 0; i < block.directions; ++i)
      parts_.push_back({block.first + i, block.mu * z_[block.first + i] / length});
  }
  add_term(1.0 / grows);
}

double ForceProjection::evaluate(const ForceSet& set, const std::vector<double>& target, const std::vector<double>& y) {
  terms_.clear();
  parts_.clear();
  term_begin_ = 0;
  value_ = 0.0;
  residual_.resize(set.load.size());
  for (std::size_t i = 0; i < residual_.size(); ++i) {
    residual_[i] = scale_[i] * set.load[i];
    value_ += residual_[i] * y[i];
  }
  for (int c = 0; c < set.size(); ++c) {
    const auto rows = set.columns.columns(c);
    const auto values = set.columns.values(c);
    z_[c] = target[c];
    for (std::size_t p = 0; p < rows.size(); ++p) z_[c] += values[p] * scale_[rows[p]] * y[rows[p]];
  }
  for (const ForceSet::Bounded& row : set.bounded) {
    const double z = z_[row.component];
    x_[row.component] = std::clamp(z, row.lower, row.upper);
    if (!(z > row.lower && z < row.upper)) continue;
    parts_.push_back({row.component, 1.0});
    add_term(1.0);
  }
  for (const ForceSet::Group& group : set.groups) evaluate_group(set, group);
  for (int c = 0; c < set.size(); ++c) {
    const auto rows = set.columns.columns(c);
    const auto values = set.columns.values(c);
    for (std::size_t p = 0; p < rows.size(); ++p) residual_[rows[p]] -= scale_[rows[p]] * values[p] * x_[c];
    value_ -= x_[c] * (z_[c] - 0.5 * weights_[c] * x_[c]);
  }
  return norm(residual_);
}

/// (sum weight u u' + softness I) step = residual.
bool ForceProjection::find_step(const ForceSet& set, double softness) {
  system_.begin(set.velocities(), softness);
  place_.assign(set.load.size(), -1);
  for (const Term& term : terms_) {
    u_.clear();
    for (int a = term.begin; a < term.end; ++a) {
      const auto rows = set.columns.columns(parts_[a].component);
      const auto values = set.columns.values(parts_[a].component);
      for (std::size_t p = 0; p < rows.size(); ++p) {
        int& place = place_[rows[p]];
        if (place < 0) {
          place = static_cast<int>(u_.size());
          u_.emplace_back(rows[p], 0.0);
        }
        u_[place].second += parts_[a].factor * scale_[rows[p]] * values[p];
      }
    }
    for (const auto& entry : u_) place_[entry.first] = -1;
    system_.add(term.weight, u_);
  }
  system_.factorise();
  step_ = residual_;
  system_.solve(step_);
  return std::all_of(step_.begin(), step_.end(), [](double s) { return std::isfinite(s); });
}

/// Along the step as far as the dual grows.
bool ForceProjection::move(const ForceSet& set, const std::vector<double>& target) {
  const double slope = dot(residual_, step_), before = value_, length = length_;
  if (!(slope > 0.0)) return false;
  double share = 1.0;
  for (int turn = 0; turn < 30; ++turn, share *= 0.5) {
    tried_ = y_;
    for (std::size_t i = 0; i < y_.size(); ++i) tried_[i] += share * step_[i];
    length_ = evaluate(set, target, tried_);
    const bool grows = value_ >= before + 1e-4 * share * slope;
    if (!grows && !(length_ <= 0.9 * length)) continue;
    y_.swap(tried_);
    return true;
  }
  length_ = evaluate(set, target, y_);
  return false;
}

/// y as if nothing were bounded: the answer where that is so.
void ForceProjection::start(const ForceSet& set, const std::vector<double>& target) {
  weights_.assign(static_cast<std::size_t>(set.size()), 1.0);
  for (const ForceSet::Group& group : set.groups)
    if (group.normal >= 0) weights_[group.normal] = group.weight;
  scale_rows(set);
  x_.assign(static_cast<std::size_t>(set.size()), 0.0);
  z_ = x_;
  y_.assign(set.load.size(), 0.0);
  terms_.clear();
  parts_.clear();
  term_begin_ = 0;
  residual_.resize(set.load.size());
  for (std::size_t i = 0; i < residual_.size(); ++i) residual_[i] = scale_[i] * set.load[i];
  for (int c = 0; c < set.size(); ++c) {
    const auto rows = set.columns.columns(c);
    const auto values = set.columns.values(c);
    for (std::size_t p = 0; p < rows.size(); ++p)
      residual_[rows[p]] -= scale_[rows[p]] * values[p] * target[c] / weights_[c];
    parts_.push_back({c, 1.0});
    add_term(1.0 / weights_[c]);
  }
  if (find_step(set, soft)) y_ = step_;
}

/// One more step with the matrix at hand, taken where it does what a refinement does.
void ForceProjection::refine(const ForceSet& set, const std::vector<double>& target) {
  const double before = length_;
  step_ = residual_;
  system_.solve(step_);
  tried_ = y_;
  for (std::size_t i = 0; i < y_.size(); ++i) tried_[i] += step_[i];
  length_ = evaluate(set, target, tried_);
  if (length_ < 0.01 * before)
    y_.swap(tried_);
  else
    length_ = evaluate(set, target, y_);
}

bool ForceProjection::solve(const ForceSet& set, const std::vector<double>& target, double scale) {
  start(set, target);
  length_ = evaluate(set, target, y_);
  double harder = 1.0, load = 0.0;
  for (std::size_t i = 0; i < scale_.size(); ++i) load = std::max(load, std::abs(scale_[i] * set.load[i]));
  const auto size = [&] { return std::max({load, scale, norm(x_)}); };
  for (iterations_ = 1; iterations_ < most_iterations; ++iterations_) {
    if (length_ > tight * size()) refine(set, target);
    if (length_ <= tight * size()) return true;
    const bool will_do = length_ <= enough * size();
    const double before = length_;
    const double softness = std::max(soft, harder * damping * length_ / size());
    if (find_step(set, softness) && move(set, target)) {
      if (will_do && length_ > 0.5 * before) break;
      harder = std::max(1.0, 0.1 * harder);
      continue;
    }
    if (will_do || harder > 1e6) break;
    harder *= 100.0;
  }
  return length_ <= enough * size();
}

}  // namespace stiction
