#include "stiction/lcp/lemke_path.h"

#include <algorithm>
#include <cmath>

#include "stiction/base/random.h"

namespace stiction::lcp {

namespace {

double largest_of(const std::vector<double>& v) {
  double largest = 0.0;
  for (const double value : v) largest = std::max(largest, std::abs(value));
  return largest;
}

}  // namespace

/// Sets the right-hand side, the order vector and the cover vector. The last two are B times a positive vector on the
/// complementary positions, so that they are positive seen from the basis that the path starts from, whichever it is.
void LemkePath::start(const Settings& settings) {
  Random random(settings.seed);
  rhs_ = form_->q();
  if (settings.perturbation > 0.0) {
    const double size = settings.perturbation * std::max(largest_of(rhs_), 1e-300);
    for (int i = 0; i < n_; ++i)
      if (!form_->is_free(i)) rhs_[i] += size * random.uniform();
  }
  order_rhs_.assign(static_cast<std::size_t>(n_), 0.0);
  cover_.assign(static_cast<std::size_t>(n_), 0.0);
  for (int p = 0; p < n_; ++p) {
    if (basis_.is_free(p)) continue;
    basis_.add_column(basis_.at(p), random.uniform(1.0, 2.0), order_rhs_);
    basis_.add_column(basis_.at(p), settings.random_cover ? random.uniform(1.0, 2.0) : 1.0, cover_);
  }
  basis_.set_cover(cover_);
}

/// Values of the basic variables from fresh or updated factors.
bool LemkePath::refresh() {
  x_ = rhs_;
  basis_.solve(x_);
  order_ = order_rhs_;
  basis_.solve(order_);
  const double x_largest = largest_of(x_);
  magnitude_ = std::max(largest_of(rhs_), x_largest);
  return std::isfinite(x_largest);
}

bool LemkePath::is_feasible(double tolerance) const {
  for (int p = 0; p < n_; ++p)
    if (!basis_.is_free(p) && x_[p] < -tolerance) return false;
  return true;
}

/// z0 enters where x is lowest; ties by the order vector. column_ holds B^-1 times the column of z0, minus the cover.
int LemkePath::first_leaving() const {
  int best = -1;
  double best_ratio = 0.0, best_order = 0.0;
  for (int p = 0; p < n_; ++p) {
    if (basis_.is_free(p) || column_[p] >= 0.0) continue;
    const double ratio = x_[p] / -column_[p], order = order_[p] / -column_[p];
    if (best < 0 || ratio < best_ratio || (ratio == best_ratio && order < best_order)) {
      best = p;
      best_ratio = ratio;
      best_order = order;
    }
  }
  return best;
}

/// The position that leaves, or -1 on a ray.
int LemkePath::ratio_test(const Settings& settings) const {
  double largest = 0.0;
  for (int p = 0; p < n_; ++p)
    if (!basis_.is_free(p)) largest = std::max(largest, std::abs(column_[p]));
  const double smallest_pivot = settings.pivot * largest;
  const double tie = settings.tie * magnitude_;
  // How far the entering variable can go when every basic variable may fall to -tie (Harris 1973).
  double reach = infinity;
  for (int p = 0; p < n_; ++p)
    if (column_[p] > smallest_pivot && !basis_.is_free(p))
      reach = std::min(reach, (std::max(x_[p], 0.0) + tie) / column_[p]);
  if (reach == infinity) return -1;

  double tied_largest = 0.0;
  for (int p = 0; p < n_; ++p) {
    if (!(column_[p] > smallest_pivot) || basis_.is_free(p) || std::max(x_[p], 0.0) > reach * column_[p]) continue;
    if (basis_.at(p) == basis_.cover()) return p;
    tied_largest = std::max(tied_largest, column_[p]);
  }
  int best = -1;
  double best_order = infinity;
  constexpr double unstable = 1e-6;  // of the largest tied pivot: not worth the lexicographic order
  for (int p = 0; p < n_; ++p) {
    if (!(column_[p] > smallest_pivot) || basis_.is_free(p) || std::max(x_[p], 0.0) > reach * column_[p]) continue;
    if (column_[p] < unstable * tied_largest) continue;
    if (const double order = order_[p] / column_[p]; best < 0 || order < best_order) {
      best_order = order;
      best = p;
    }
  }
  return best;
}

void LemkePath::pivot(int position, int entering) {
  const double step = x_[position] / column_[position];
  const double order_step = order_[position] / column_[position];
  for (int p = 0; p < n_; ++p) {
    x_[p] -= step * column_[p];
    order_[p] -= order_step * column_[p];
  }
  x_[position] = step;
  order_[position] = order_step;
  basis_.replace(position, entering, column_);
  ++pivots_;
}

void LemkePath::read_basis() {
  basic_.assign(static_cast<std::size_t>(n_), false);
  for (int p = 0; p < n_; ++p)
    if (const int variable = basis_.at(p); !basis_.is_slack(variable) && variable != basis_.cover())
      basic_[variable - n_] = true;
}

void LemkePath::read_ray(int entering) {
  values_.assign(static_cast<std::size_t>(n_), 0.0);
  for (int p = 0; p < n_; ++p)
    if (const int variable = basis_.at(p); !basis_.is_slack(variable) && variable != basis_.cover())
      values_[variable - n_] = form_->is_free(variable - n_) ? -column_[p] : std::max(-column_[p], 0.0);
  if (!basis_.is_slack(entering)) values_[entering - n_] = 1.0;
}

bool LemkePath::evaluate(const StandardForm& form, const std::vector<bool>& basic) {
  form_ = &form;
  n_ = form.size();
  basis_.reset(form, basic);
  if (!basis_.factorise(true)) return false;
  x_ = form.q();
  basis_.solve(x_);
  for (int step = 0; step < 2; ++step) {
    basis_.residual(form.q(), x_, correction_);
    basis_.solve(correction_);
    for (int p = 0; p < n_; ++p) x_[p] += correction_[p];
  }
  values_.assign(static_cast<std::size_t>(n_), 0.0);
  for (int p = 0; p < n_; ++p) {
    const int variable = basis_.at(p);
    if (basis_.is_slack(variable)) continue;
    values_[variable - n_] = form.is_free(variable - n_) ? x_[p] : std::max(x_[p], 0.0);
  }
  for (const auto& [column, row] : basis_.repaired()) values_[column] = 0.0;
  if (&basic != &basic_) basic_ = basic;
  return true;
}

LemkePath::End LemkePath::stop(End end) {
  read_basis();
  return end;
}

LemkePath::End LemkePath::run(const StandardForm& form, const std::vector<bool>& basic, const Settings& settings) {
  form_ = &form;
  n_ = form.size();
  pivots_ = 0;
  basis_.reset(form, basic);
  if (!basis_.factorise(true)) return End::singular;
  start(settings);
  if (!refresh()) return End::singular;

  const int limit = 200 + static_cast<int>(settings.pivots_per_row * n_);
  if (!is_feasible(0.0)) {
    column_.assign(static_cast<std::size_t>(n_), 0.0);
    basis_.add_column(basis_.cover(), 1.0, column_);
    basis_.solve(column_);
    int leaving = first_leaving();
    int entering = basis_.cover();
    while (leaving >= 0) {
      const int left = basis_.at(leaving);
      pivot(leaving, entering);
      if (left == basis_.cover()) break;
      if (pivots_ > limit) return stop(End::limit);
      if (basis_.is_worn() && (!basis_.factorise(false) || !refresh())) return stop(End::singular);
      entering = basis_.complement(left);
      column_.assign(static_cast<std::size_t>(n_), 0.0);
      basis_.add_column(entering, 1.0, column_);
      basis_.solve(column_);
      leaving = ratio_test(settings);
      if (leaving < 0) {
        read_ray(entering);
        return stop(End::ray);
      }
    }
  }
  read_basis();
  return evaluate(form, basic_) ? End::solution : End::singular;
}

}  // namespace stiction::lcp
