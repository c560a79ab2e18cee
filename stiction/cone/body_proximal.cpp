#include "stiction/cone/body_proximal.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "stiction/base/phase_times.h"

namespace stiction::cone {

namespace {

using Unit = BodyProblem::Unit;
using Group = BodyProblem::Group;
using Kind = BodyProblem::Kind;

double length(const double* x, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; ++i) sum += x[i] * x[i];
  return std::sqrt(sum);
}

/// u + compliance r + softness / rho (r - centre) = 0 row by row, r within its bounds.
void respond_row(double u, double compliance, double soft, double centre, double low, double high, double& r,
                 double& d) {
  const double stiff = 1.0 / (compliance + soft), free = stiff * (soft * centre - u);
  r = std::clamp(free, low, high);
  d = r == free ? stiff : 0.0;
}

/// r of a contact at the speeds u, and D = -dr/du, row after row.
void respond_contact(const BodySpace& space, const Unit& unit, double softness, const double* centre, const double* u,
                     double* r, double* D) {
  const BodyProblem& p = space.problem();
  const int rows = unit.rows;
  std::fill_n(D, rows * rows, 0.0);
  double normal = 0.0, steep = 0.0;
  if (unit.has_normal) {
    const double stiff = space.rho(unit.first_row) / softness;
    normal = std::max(0.0, centre[0] - stiff * u[0]);
    steep = normal > 0.0 ? stiff : 0.0;
    r[0] = normal;
    D[0] = steep;
  }
  for (int g = 0; g < unit.groups; ++g) {
    const Group& group = p.groups[unit.first_group + g];
    const int n = group.size, first = group.first;
    const double stiff = space.rho(unit.first_row + first) / softness, radius = group.mu * normal + group.hf;
    double z[BodyProblem::most_group];
    for (int i = 0; i < n; ++i) z[i] = centre[first + i] - stiff * u[first + i];
    const double size = length(z, n);
    const bool slides = size > radius;
    const double share = slides ? radius / size : 1.0;
    for (int i = 0; i < n; ++i) {
      const int row = first + i;
      r[row] = share * z[i];
      D[row * rows + row] = share * stiff;
      if (!slides) continue;
      for (int j = 0; j < n; ++j) D[row * rows + first + j] -= share * stiff * (z[i] / size) * (z[j] / size);
      if (steep > 0.0) D[row * rows] = group.mu * steep * (z[i] / size);
    }
  }
}

}  // namespace

/// r_ and D_ at the velocities w, and how far they are from those that r_ gives.
void BodyProximal::evaluate(BodySpace& space, double softness, const std::vector<double>& w, bool with_blocks) {
  const BodyProblem& p = space.problem();
  const double joint = std::min(softness, options.joint_softness);
  double none[BodyProblem::most_rows * BodyProblem::most_rows];
  for (std::size_t i = 0; i < p.units.size(); ++i) {
    const Unit& unit = p.units[i];
    const int row = unit.first_row;
    double u[BodyProblem::most_rows];
    space.unit_speeds(unit, w.data(), u);
    for (int k = 0; k < unit.rows; ++k) u[k] += p.b[row + k];
    double* const D = with_blocks ? D_.data() + D_at_[i] : none;
    double* const r = r_.data() + row;
    if (unit.kind == Kind::contact) {
      respond_contact(space, unit, softness, centre_.data() + row, u, r, D);
      continue;
    }
    std::fill_n(D, unit.rows * unit.rows, 0.0);
    constexpr double infinity = std::numeric_limits<double>::infinity();
    for (int k = 0; k < unit.rows; ++k) {
      const bool bounded = unit.kind == Kind::bounded;
      respond_row(u[k], p.compliance[row + k], (bounded ? softness : joint) / space.rho(row + k), centre_[row + k],
                  bounded ? p.least[row + k] : -infinity, bounded ? p.most[row + k] : infinity, r[k],
                  D[k * unit.rows + k]);
    }
  }
  space.find_velocities(r_.data(), w_of_r_.data());
  for (std::size_t i = 0; i < w.size(); ++i) w_of_r_[i] = w[i] - w_of_r_[i];
  double sum = 0.0;
  worst_ = 0.0;
  for (const Unit& unit : p.units) {
    double* const gap = gap_.data() + unit.first_row;
    space.unit_speeds(unit, w_of_r_.data(), gap);
    const double size = length(gap, unit.rows);
    sum += space.rho(unit.first_row) * size * size;
    worst_ = std::max(worst_, size / unit.speed);
  }
  merit_ = std::sqrt(sum);
}

/// dw_ from what evaluate() left.
bool BodyProximal::find_direction(BodySpace& space, BodyMatrix& matrix) {
  const BodyProblem& p = space.problem();
  std::fill(dw_.begin(), dw_.end(), 0.0);
  matrix.begin();
  for (std::size_t i = 0; i < p.units.size(); ++i) {
    const Unit& unit = p.units[i];
    const double* const D = D_.data() + D_at_[i];
    const double* const gap = gap_.data() + unit.first_row;
    double pull[BodyProblem::most_rows];
    bool any = false;
    for (int a = 0; a < unit.rows; ++a) {
      pull[a] = 0.0;
      for (int b = 0; b < unit.rows; ++b) pull[a] += D[a * unit.rows + b] * gap[b];
      any |= D[a * unit.rows + a] != 0.0 || D[a * unit.rows] != 0.0;
    }
    if (!any) continue;
    matrix.add(static_cast<int>(i), D);
    space.add_unit_impulse(unit, pull, dw_.data());
  }
  if (!matrix.factorise()) return false;
  matrix.solve(dw_.data());
  for (std::size_t i = 0; i < dw_.size(); ++i) dw_[i] -= w_of_r_[i];
  return std::all_of(dw_.begin(), dw_.end(), [](double x) { return std::isfinite(x); });
}

/// Newton's method about the centre, from w_. True when the bodies balance to `sought`.
bool BodyProximal::find_step(BodySpace& space, BodyMatrix& matrix, double softness, double sought, int most,
                             int& inner) {
  for (inner = 0;; ++inner) {
    evaluate(space, softness, w_, true);
    // One system at least: else a centre that did not move would count as reached.
    if (inner > 0 && worst_ <= sought) return true;
    if (inner == most || !(merit_ < std::numeric_limits<double>::infinity())) return false;
    ++iterations_;
    count_iteration();
    if (!find_direction(space, matrix)) return false;
    const double before = merit_;
    double share = 1.0, best = 0.0, least = std::numeric_limits<double>::infinity();
    for (int halving = 0; halving < options.most_halvings; ++halving, share *= 0.5) {
      for (std::size_t i = 0; i < w_.size(); ++i) trial_w_[i] = w_[i] + share * dw_[i];
      evaluate(space, softness, trial_w_, false);
      if (merit_ < least) {
        least = merit_;
        best = share;
      }
      if (merit_ < (1.0 - 1e-2 * share) * before) break;
    }
    for (std::size_t i = 0; i < w_.size(); ++i) w_[i] += best * dw_[i];
  }
}

/// To r_ and beyond, as far as the last centres lead; back to r_ where it has turned.
void BodyProximal::move_centre(const BodySpace& space) {
  double turned = 0.0;
  for (std::size_t i = 0; i < r_.size(); ++i)
    turned += (centre_[i] - r_[i]) * (r_[i] - last_[i]) / space.rho(static_cast<int>(i));
  if (turned > 0.0) momentum_ = 1.0;
  const double grown = 0.5 * (1.0 + std::sqrt(1.0 + 4.0 * momentum_ * momentum_));
  const double on = std::min(options.most_momentum, (momentum_ - 1.0) / grown);
  momentum_ = grown;
  for (std::size_t i = 0; i < r_.size(); ++i) centre_[i] = r_[i] + on * (r_[i] - last_[i]);
  last_ = r_;
}

bool BodyProximal::solve(BodySpace& space, BodyMatrix& matrix, double tolerance, double accepted, Budget budget,
                         BodyState& state) {
  iterations_ = 0;
  if (state.error <= tolerance) return true;
  const BodyProblem& p = space.problem();
  centre_ = last_ = state.r;
  momentum_ = 1.0;
  good_ = state.w;
  for (auto* list : {&w_, &trial_w_, &w_of_r_, &dw_}) list->resize(state.w.size());
  for (auto* list : {&r_, &gap_}) list->resize(state.r.size());
  D_at_.clear();
  std::size_t size = 0;
  for (const Unit& unit : p.units) {
    D_at_.push_back(size);
    size += static_cast<std::size_t>(unit.rows * unit.rows);
  }
  D_.resize(size);
  double softness = options.softness, error = state.error;
  bool is_accepted = false;
  double mark = state.error;  // when it last fell by half,
  int marked = 0;             // and when that was
  while (iterations_ < budget.most && iterations_ - marked <= budget.idle) {
    w_ = good_;
    int inner = 0;
    const double sought = std::max(options.inner * tolerance, options.loose * std::min(1.0, error));
    const int most = std::min(options.most_inner, budget.most - iterations_);
    const bool found = find_step(space, matrix, softness, sought, most, inner);
    if (!found && softness < options.most_softness) {
      softness = std::min(options.most_softness, softness * options.retreat);
      centre_ = last_;
      momentum_ = 1.0;
      continue;
    }
    trial_.r = r_;
    trial_.find(space);
    error = trial_.error;
    if (!std::isfinite(error)) return false;
    if (error < state.error) state = trial_;
    if (state.error <= 0.5 * mark) {
      mark = state.error;
      marked = iterations_;
    }
    if (state.error <= tolerance) return true;
    if (state.error <= accepted && !is_accepted) {
      is_accepted = true;
      budget.most = std::min(budget.most, iterations_ + options.polish);
    }
    move_centre(space);
    good_ = w_;
    if (inner <= options.few) softness = std::max(options.least_softness, softness * options.harden);
    if (inner > options.many) softness = std::min(options.most_softness, softness * options.soften);
  }
  return false;
}

}  // namespace stiction::cone
