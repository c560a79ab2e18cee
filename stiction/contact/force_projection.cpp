#include "stiction/contact/force_projection.h"

#include <algorithm>
#include <cmath>

#include "stiction/base/phase_times.h"

namespace stiction {

namespace {

// Of Newton's method: from a new start, and from the last y.
constexpr int most_iterations = 80, most_resumed = 12;
// Of the largest impulse: what is aimed at, and what will do, since momentum is promised to 1e-10.
constexpr double tight = 1e-15, enough = 2e-12;
// Added to a matrix of unit diagonal at most.
constexpr double soft = 1e-13;
// The same for each part of momentum that is missing: where contacts are open nothing else bounds a step, and this
// makes it as long as a thousand times what the forces are.
constexpr double damping = 1e-3;
// Of the largest impulse: what steps with the last factors must arrive at to do without new ones, and from where on
// Newton's method starts from the last y.
constexpr double arrived = 1e-13, near = 1e-2;
// What a step with factors at hand must leave of the residual at most to be one that converges.
constexpr double refines = 0.01;

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
/// alone, along which nothing moves, are left out. False where the units at hand, in which factors may be, will do.
bool ForceProjection::find_scale(const ForceSet& set) {
  constexpr double rounding = 1e-12;
  lengths_.assign(set.load.size(), 0.0);
  for (int c = 0; c < set.size(); ++c) {
    const auto rows = set.columns.columns(c);
    const auto values = set.columns.values(c);
    for (std::size_t p = 0; p < rows.size(); ++p) lengths_[rows[p]] += values[p] * values[p];
  }
  double largest = 0.0;
  for (std::size_t i = 0; i < lengths_.size(); ++i) largest = std::max(largest, lengths_[i] / set.mass[i]);
  bool will_do = scale_.size() == lengths_.size();
  for (std::size_t i = 0; i < lengths_.size(); ++i) {
    const bool is_there = lengths_[i] / set.mass[i] > rounding * rounding * largest;
    lengths_[i] = is_there ? 1.0 / std::sqrt(lengths_[i]) : 0.0;
    will_do = will_do && lengths_[i] <= 2.0 * scale_[i] && scale_[i] <= 2.0 * lengths_[i];
  }
  return !will_do;
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
      const double beyond = pushed_[k] - block.hf;
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

/// x of one contact.
void ForceProjection::evaluate_group(const ForceSet& set, const ForceSet::Group& group) {
  for (int k = group.friction_begin; k < group.friction_end; ++k) {
    const double* const z = z_.data() + set.frictions[k].first;
    pushed_[k] = set.frictions[k].directions == 1 ? std::abs(z[0]) : std::sqrt(z[0] * z[0] + z[1] * z[1]);
  }
  const double c = find_normal(set, group);
  if (group.normal >= 0) x_[group.normal] = c;
  for (int k = group.friction_begin; k < group.friction_end; ++k) {
    const ForceSet::Friction& block = set.frictions[k];
    const double radius = block.mu * c + block.hf, share = pushed_[k] > radius ? radius / pushed_[k] : 1.0;
    for (int i = 0; i < block.directions; ++i) x_[block.first + i] = share * z_[block.first + i];
  }
}

/// How x of one contact moves with z.
void ForceProjection::add_terms(const ForceSet& set, const ForceSet::Group& group) {
  const double c = group.normal >= 0 ? x_[group.normal] : 0.0;
  double grows = group.weight;
  for (int k = group.friction_begin; k < group.friction_end; ++k) {
    const ForceSet::Friction& block = set.frictions[k];
    const double length = pushed_[k], radius = block.mu * c + block.hf;
    if (length <= radius) {
      for (int i = 0; i < block.directions; ++i) {
        system_.add_part(block.first + i, 1.0);
        system_.end_term(1.0);
      }
    } else if (block.directions == 2) {  // along the rim
      system_.add_part(block.first, -z_[block.first + 1] / length);
      system_.add_part(block.first + 1, z_[block.first] / length);
      system_.end_term(radius / length);
    }
  }
  if (!(c > 0.0)) return;
  system_.add_part(group.normal, 1.0);
  for (int k = group.friction_begin; k < group.friction_end; ++k) {
    const ForceSet::Friction& block = set.frictions[k];
    if (pushed_[k] <= block.mu * c + block.hf) continue;
    grows += block.mu * block.mu;
    for (int i = 0; i < block.directions; ++i)
      system_.add_part(block.first + i, block.mu * z_[block.first + i] / pushed_[k]);
  }
  system_.end_term(1.0 / grows);
}

double ForceProjection::evaluate(const ForceSet& set, const std::vector<double>& target, const std::vector<double>& y) {
  value_ = 0.0;
  residual_.resize(set.load.size());
  for (std::size_t i = 0; i < residual_.size(); ++i) {
    residual_[i] = set.load[i];
    value_ += scale_[i] * set.load[i] * y[i];
    scaled_[i] = scale_[i] * y[i];
  }
  for (int c = 0; c < set.size(); ++c) {
    const auto rows = set.columns.columns(c);
    const auto values = set.columns.values(c);
    double z = target[c];
    for (std::size_t p = 0; p < rows.size(); ++p) z += values[p] * scaled_[rows[p]];
    z_[c] = z;
  }
  for (const ForceSet::Bounded& row : set.bounded)
    x_[row.component] = std::clamp(z_[row.component], row.lower, row.upper);
  for (const ForceSet::Group& group : set.groups) evaluate_group(set, group);
  for (int c = 0; c < set.size(); ++c) {
    const auto rows = set.columns.columns(c);
    const auto values = set.columns.values(c);
    for (std::size_t p = 0; p < rows.size(); ++p) residual_[rows[p]] -= values[p] * x_[c];
    value_ -= x_[c] * (z_[c] - 0.5 * weights_[c] * x_[c]);
  }
  for (std::size_t i = 0; i < residual_.size(); ++i) residual_[i] *= scale_[i];
  return norm(residual_);
}

/// The step for the residual by what was added up.
bool ForceProjection::factorise() {
  ++iterations_;
  count_factorisation();
  has_factors_ = system_.factorise();
  if (!has_factors_) return false;
  step_ = residual_;
  system_.solve(step_);
  has_factors_ = std::all_of(step_.begin(), step_.end(), [](double s) { return std::isfinite(s); });
  return has_factors_;
}

/// (sum weight u u' + softness I) step = residual.
bool ForceProjection::find_step(const ForceSet& set, double softness) {
  system_.begin(softness);
  int bundle = 0;
  for (const ForceSet::Group& group : set.groups) {
    add_terms(set, group);
    system_.end_bundle(set, scale_, bundle++);
  }
  for (const ForceSet::Bounded& row : set.bounded) {
    if (const double z = z_[row.component]; z > row.lower && z < row.upper) {
      system_.add_part(row.component, 1.0);
      system_.end_term(1.0);
    }
    system_.end_bundle(set, scale_, bundle++);
  }
  return factorise();
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

void ForceProjection::take(const ForceSet& set) {
  iterations_ = 0;
  weights_.assign(static_cast<std::size_t>(set.size()), 1.0);
  for (const ForceSet::Group& group : set.groups)
    if (group.normal >= 0) weights_[group.normal] = group.weight;
  x_.resize(weights_.size());
  z_.resize(weights_.size());
  pushed_.resize(set.frictions.size());
  const bool is_new = system_.analyse(set);
  if (find_scale(set) || is_new) {
    scale_.swap(lengths_);
    has_factors_ = false;
  }
  scaled_.resize(scale_.size());
  load_ = 0.0;
  for (std::size_t i = 0; i < scale_.size(); ++i) load_ = std::max(load_, std::abs(scale_[i] * set.load[i]));
}

/// y as if nothing were bounded: the answer where that is so.
bool ForceProjection::start(const ForceSet& set, const std::vector<double>& target) {
  y_.assign(set.load.size(), 0.0);
  residual_ = set.load;
  for (int c = 0; c < set.size(); ++c) {
    const auto rows = set.columns.columns(c);
    const auto values = set.columns.values(c);
    for (std::size_t p = 0; p < rows.size(); ++p) residual_[rows[p]] -= values[p] * target[c] / weights_[c];
  }
  for (std::size_t i = 0; i < residual_.size(); ++i) residual_[i] *= scale_[i];
  system_.begin(soft);
  for (std::size_t bundle = 0; bundle < set.bundles.size(); ++bundle) {
    for (int c = set.bundles[bundle].first; c < set.bundles[bundle].end; ++c) {
      system_.add_part(c, 1.0);
      system_.end_term(1.0 / weights_[c]);
    }
    system_.end_bundle(set, scale_, static_cast<int>(bundle));
  }
  if (!factorise()) return false;
  y_.swap(step_);
  return true;
}

/// One more step with the factors at hand, taken where it does what a refinement does.
bool ForceProjection::refine(const ForceSet& set, const std::vector<double>& target) {
  if (!has_factors_) return false;
  const double before = length_;
  step_ = residual_;
  system_.solve(step_);
  tried_ = y_;
  for (std::size_t i = 0; i < y_.size(); ++i) tried_[i] += step_[i];
  length_ = evaluate(set, target, tried_);
  const bool converges = length_ < refines * before;
  // At the end rounding is what is left, and any gain is one.
  if (converges || (length_ < before && before <= enough * size(0.0)))
    y_.swap(tried_);
  else
    length_ = evaluate(set, target, y_);
  return converges;
}

double ForceProjection::size(double scale) const {
  return std::max({load_, scale, norm(x_)});
}

/// From y_, where length_ and the rest are known.
bool ForceProjection::newton(const ForceSet& set, const std::vector<double>& target, double scale, int most) {
  double harder = 1.0;
  for (int turn = 1; turn < most; ++turn) {
    if (length_ > tight * size(scale)) refine(set, target);
    if (length_ <= tight * size(scale)) return true;
    const bool will_do = length_ <= enough * size(scale);
    const double before = length_;
    const double softness = std::max(soft, harder * damping * length_ / size(scale));
    if (find_step(set, softness) && move(set, target)) {
      if (will_do && length_ > 0.5 * before) break;
      harder = std::max(1.0, 0.1 * harder);
      continue;
    }
    if (will_do || harder > 1e6) break;
    harder *= 100.0;
  }
  // What was not found is no start for the next call.
  return has_factors_ = has_factors_ && length_ <= enough * size(scale);
}

bool ForceProjection::solve(const ForceSet& set, const std::vector<double>& target, double scale) {
  take(set);
  start(set, target);
  length_ = evaluate(set, target, y_);
  return newton(set, target, scale, most_iterations);
}

bool ForceProjection::resume(const ForceSet& set, const std::vector<double>& target) {
  take(set);
  if (has_factors_) {
    length_ = evaluate(set, target, y_);
    while (length_ > tight * size(0.0) && length_ <= near * size(0.0) && refine(set, target)) {
    }
    if (length_ <= arrived * size(0.0)) return true;
    if (length_ <= near * size(0.0) && newton(set, target, 0.0, most_resumed)) return true;
  }
  start(set, target);
  length_ = evaluate(set, target, y_);
  return newton(set, target, 0.0, most_iterations);
}

}  // namespace stiction
