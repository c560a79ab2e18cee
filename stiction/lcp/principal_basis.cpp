#include "stiction/lcp/principal_basis.h"

#include <algorithm>
#include <cmath>

namespace stiction::lcp {

void PrincipalBasis::load(const Problem& problem, double pivot_tolerance) {
  const Index n = problem.size();
  scaled_.load(problem);
  lu_.reserve(n, n);
  basic_.reserve(static_cast<std::size_t>(n));
  places.resize(static_cast<std::size_t>(n));
  for (Vector* vector : {&z_, &w_, &right_side_, &values_}) vector->resize(n);
  pivot_tolerance_ = pivot_tolerance;
  evaluated_ = 0;
}

void PrincipalBasis::start_cold() {
  for (Index i = 0; i < scaled_.size(); ++i)
    places[i] = scaled_.has_lower(i) ? Place::lower : scaled_.has_upper(i) ? Place::upper : Place::basic;
  if (evaluate()) return;
  for (Index i = 0; i < scaled_.size(); ++i)  // the free block is singular: free variables wait at zero
    if (scaled_.is_free(i)) places[i] = Place::lower;
  evaluate();
}

bool PrincipalBasis::start_warm(const std::vector<Place>& suggested) {
  if (suggested.size() != places.size()) return false;
  for (Index i = 0; i < scaled_.size(); ++i) {
    const Place place = suggested[i];
    if (scaled_.is_fixed(i))
      places[i] = Place::lower;
    else if (scaled_.is_free(i) || (place == Place::lower && !scaled_.has_lower(i)) ||
             (place == Place::upper && !scaled_.has_upper(i)))
      places[i] = Place::basic;
    else
      places[i] = place;
  }
  return evaluate();
}

bool PrincipalBasis::evaluate(Index k, double value) {
  ++evaluated_;
  basic_.clear();
  for (Index i = 0; i < scaled_.size(); ++i) {
    z_[i] = is_basic(i) ? 0.0 : scaled_.resting_value(i, places[i]);
    if (is_basic(i)) basic_.push_back(i);
  }
  const bool offset_w = k >= 0 && is_basic(k);
  if (k >= 0 && !offset_w) z_[k] = value;
  const auto size = static_cast<Index>(basic_.size());
  auto block = lu_.begin(size, size);
  for (Index c = 0; c < size; ++c)
    for (Index r = 0; r < size; ++r) block(r, c) = scaled_.M(basic_[r], basic_[c]);
  lu_.factorise(pivot_tolerance_);
  if (!lu_.full_column_rank()) return false;
  for (int pass = 0; pass < 2; ++pass) {
    scaled_.residual(z_, w_);
    for (Index r = 0; r < size; ++r) right_side_[r] = (offset_w && basic_[r] == k ? value : 0.0) - w_[basic_[r]];
    lu_.solve(right_side_.head(size), values_.head(size));
    for (Index c = 0; c < size; ++c) z_[basic_[c]] += values_[c];
  }
  scaled_.residual(z_, w_);
  return true;
}

bool PrincipalBasis::drop_dependent() {
  for (auto c = static_cast<std::size_t>(lu_.rank()); c < basic_.size(); ++c) {
    const Index i = basic_[lu_.column_order()[c]];
    if (scaled_.is_free(i)) return false;
    places[i] = scaled_.has_lower(i) ? Place::lower : Place::upper;
  }
  return true;
}

double PrincipalBasis::wrongness(Index i) const {
  if (scaled_.is_fixed(i)) return 0.0;
  if (is_basic(i)) return std::clamp(z_[i], scaled_.lower[i], scaled_.upper[i]) - z_[i];
  if (scaled_.is_free(i)) return -w_[i];
  return places[i] == Place::lower ? std::max(-w_[i], 0.0) : std::min(-w_[i], 0.0);
}

PrincipalBasis::Wrong PrincipalBasis::find_wrong(Index first, double tolerance) const {
  const double slack = tolerance * scaled_.magnitude(z_);
  for (Index i = first; i < scaled_.size(); ++i)
    if (const double wrong = wrongness(i); std::abs(wrong) > slack) return {i, wrong > 0.0 ? 1.0 : -1.0};
  return {};
}

PrincipalBasis::Wrong PrincipalBasis::find_worst(double tolerance) const {
  Wrong worst;
  double largest = tolerance * scaled_.magnitude(z_);
  for (Index i = 0; i < scaled_.size(); ++i)
    if (const double wrong = wrongness(i); std::abs(wrong) > largest) {
      largest = std::abs(wrong);
      worst = {i, wrong > 0.0 ? 1.0 : -1.0};
    }
  return worst;
}

Place PrincipalBasis::mended_place(const Wrong& wrong) const {
  if (!is_basic(wrong.index)) return Place::basic;
  return wrong.direction > 0.0 ? Place::lower : Place::upper;
}

void PrincipalBasis::tableau_row(Index k, Vector& row) {
  const auto size = static_cast<Index>(basic_.size());
  const bool basic = is_basic(k);
  for (Index c = 0; c < size; ++c) right_side_[c] = basic ? (basic_[c] == k ? 1.0 : 0.0) : scaled_.M(k, basic_[c]);
  lu_.solve_transposed(right_side_.head(size), values_.head(size));
  for (Index j = 0; j < scaled_.size(); ++j) {
    row[j] = basic ? 0.0 : scaled_.M(k, j);
    for (Index r = 0; r < size; ++r) row[j] -= values_[r] * scaled_.M(basic_[r], j);
  }
  for (Index r = 0; r < size; ++r) row[basic_[r]] = values_[r];
}

void PrincipalBasis::tableau_column(Index k, Vector& dz, Vector& dw) {
  const auto size = static_cast<Index>(basic_.size());
  const bool basic = is_basic(k);
  for (Index r = 0; r < size; ++r) right_side_[r] = basic ? (basic_[r] == k ? 1.0 : 0.0) : -scaled_.M(basic_[r], k);
  lu_.solve(right_side_.head(size), values_.head(size));
  dz.setZero();
  if (!basic) dz[k] = 1.0;
  for (Index c = 0; c < size; ++c) dz[basic_[c]] = values_[c];
  dw.setZero();
  for (Index j = 0; j < scaled_.size(); ++j)
    if (dz[j] != 0.0) dw += dz[j] * scaled_.M.col(j);
  for (Index r = 0; r < size; ++r) dw[basic_[r]] = 0.0;
  if (basic) dw[k] = 1.0;
}

}  // namespace stiction::lcp
