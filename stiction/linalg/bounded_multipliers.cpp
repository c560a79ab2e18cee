#include "stiction/linalg/bounded_multipliers.h"

#include <algorithm>
#include <cmath>

namespace stiction::linalg {

namespace {

// Of the largest multiplier: less is nothing.
constexpr double sharp = 1e-12;

}  // namespace

/// The least x of the free rows that together with the others gives the same forces.
void BoundedMultipliers::find_least(const Rows& rows, int velocities, double dependent, const Vector& x) {
  free_.clear();
  for (int i = 0; i < rows.size(); ++i)
    if (is_bound_[i] == 0) free_.push_back(i);
  force_.setZero(velocities);
  DenseMatrix& G = qr_.begin(velocities, static_cast<Index>(free_.size()));
  G.setZero();
  for (std::size_t k = 0; k < free_.size(); ++k) {
    const auto columns = rows.columns(free_[k]);
    const auto values = rows.values(free_[k]);
    for (std::size_t p = 0; p < columns.size(); ++p) G(columns[p], static_cast<Index>(k)) += values[p];
    rows.add_to(free_[k], x[free_[k]], force_);
  }
  qr_.factorise(dependent);
  qr_.to_range(force_, z_);
  qr_.solve_minimum_norm(z_, least_);
}

/// Towards it as far as the bounds let; true when that is all the way. Otherwise the bound that was met is kept.
bool BoundedMultipliers::move(const std::vector<double>& lower, const std::vector<double>& upper, Vector& x) {
  double share = 1.0;
  int met = -1;
  for (std::size_t k = 0; k < free_.size(); ++k) {
    const int i = free_[k];
    const double change = least_[static_cast<Index>(k)] - x[i];
    const double bound = change > 0.0 ? upper[i] : lower[i];
    if (!std::isfinite(bound) || change == 0.0) continue;
    const double room = std::max((bound - x[i]) / change, 0.0);
    if (room >= share) continue;
    share = room;
    met = i;
  }
  for (std::size_t k = 0; k < free_.size(); ++k) x[free_[k]] += share * (least_[static_cast<Index>(k)] - x[free_[k]]);
  if (met < 0) return true;
  is_bound_[met] = 1;
  x[met] = std::abs(x[met] - lower[met]) < std::abs(x[met] - upper[met]) ? lower[met] : upper[met];
  return false;
}

/// Lets go of the bound that keeps x longest; true when there is one.
bool BoundedMultipliers::release(const Rows& rows, const std::vector<double>& lower, Vector& x) {
  // x = G'y on the free rows; the same on a bound row is what it would like to be.
  qr_.solve_transposed(least_, z_);
  y_.setZero(force_.size());
  qr_.add_from_range(z_, 1.0, y_);
  double largest = sharp * (1e-300 + x.lpNorm<Eigen::Infinity>());
  int held = -1;
  for (int i = 0; i < rows.size(); ++i) {
    if (is_bound_[i] == 0) continue;
    const double wants = (rows.dot(i, y_) - x[i]) * (x[i] == lower[i] ? 1.0 : -1.0);
    if (!(wants > largest)) continue;
    largest = wants;
    held = i;
  }
  if (held >= 0) is_bound_[held] = 0;
  return held >= 0;
}

void BoundedMultipliers::share(const Rows& rows, int velocities, const std::vector<double>& lower,
                               const std::vector<double>& upper, double dependent, Vector& x) {
  is_bound_.assign(static_cast<std::size_t>(rows.size()), 0);
  // Each turn either meets a bound or makes x shorter; rounding could make it go on for ever.
  const int most = 4 * rows.size() + 10;
  for (int turn = 0; turn < most; ++turn) {
    find_least(rows, velocities, dependent, x);
    if (move(lower, upper, x) && !release(rows, lower, x)) return;
  }
}

}  // namespace stiction::linalg
