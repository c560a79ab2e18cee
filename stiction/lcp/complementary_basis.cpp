#include "stiction/lcp/complementary_basis.h"

#include <algorithm>
#include <cmath>

namespace stiction::lcp {

namespace {

// Entries of an update below this are rounding (the columns are equilibrated).
constexpr double negligible = 1e-16;
// Updates between factorisations: more cost more to apply and lose digits.
constexpr int most_updates = 100;
// What is left of a column after subtracting those it depends on (equilibrated) is below this.
constexpr double dependent = 1e-9;

}  // namespace

void ComplementaryBasis::reset(const StandardForm& form, const std::vector<bool>& basic) {
  form_ = &form;
  n_ = form.size();
  at_.resize(static_cast<std::size_t>(n_));
  for (int i = 0; i < n_; ++i) at_[i] = (basic[i] || form.is_free(i)) ? structural(i) : slack(i);
  unit_row_.assign(static_cast<std::size_t>(n_), -1);
  repaired_.clear();
  cover_column_.assign(static_cast<std::size_t>(n_), 0.0);
}

bool ComplementaryBasis::factorise(bool repair) {
  eta_positions_.clear();
  eta_starts_.assign(1, 0);
  eta_indices_.clear();
  eta_pivots_.clear();
  eta_values_.clear();

  // Slacks go home; the others take the positions that are left, in order.
  structurals_.clear();
  nucleus_positions_.clear();
  nucleus_of_row_.assign(static_cast<std::size_t>(n_), 0);
  for (const int variable : at_) {
    if (is_slack(variable))
      nucleus_of_row_[variable] = -1;
    else
      structurals_.push_back(variable);
  }
  for (int i = 0; i < n_; ++i) {
    if (nucleus_of_row_[i] < 0) {
      at_[i] = i;
    } else {
      nucleus_of_row_[i] = static_cast<int>(nucleus_positions_.size());
      at_[i] = structurals_[nucleus_positions_.size()];
      nucleus_positions_.push_back(i);
    }
  }

  const int k = static_cast<int>(nucleus_positions_.size());
  lu_.begin(k);
  for (int c = 0; c < k; ++c) {
    const int variable = structurals_[c];
    if (variable == cover()) {
      for (int i = 0; i < n_; ++i)
        if (nucleus_of_row_[i] >= 0 && cover_column_[i] != 0.0) lu_.add_entry(nucleus_of_row_[i], -cover_column_[i]);
    } else if (const int unit = unit_row_[variable - n_]; unit >= 0) {
      if (nucleus_of_row_[unit] >= 0) lu_.add_entry(nucleus_of_row_[unit], 1.0);
    } else {
      form_->for_each_in_column(variable - n_, [&](int i, double value) {
        if (nucleus_of_row_[i] >= 0) lu_.add_entry(nucleus_of_row_[i], -value);
      });
    }
    lu_.end_column();
  }
  lu_.factorise();
  if (lu_.deficiency().empty()) return true;
  if (!repair) return false;
  for (const auto& [column, row] : lu_.deficiency()) {
    const int variable = structurals_[column];
    if (variable == cover() || !form_->is_free(variable - n_)) return false;
    unit_row_[variable - n_] = nucleus_positions_[row];
    repaired_.push_back({variable - n_, nucleus_positions_[row]});
  }
  return true;
}

void ComplementaryBasis::add_column(int variable, double factor, std::vector<double>& v) const {
  if (is_slack(variable)) {
    v[variable] += factor;
  } else if (variable == cover()) {
    for (int i = 0; i < n_; ++i) v[i] -= factor * cover_column_[i];
  } else if (const int unit = unit_row_[variable - n_]; unit >= 0) {
    v[unit] += factor;
  } else {
    form_->for_each_in_column(variable - n_, [&](int i, double value) { v[i] -= factor * value; });
  }
}

void ComplementaryBasis::subtract_product(const std::vector<double>& x, std::vector<double>& v) const {
  for (int p = 0; p < n_; ++p)
    if (x[p] != 0.0) add_column(at_[p], -x[p], v);
}

bool ComplementaryBasis::repair_is_harmless() {
  for (const auto& [column, row] : repaired_) {
    dependent_.assign(static_cast<std::size_t>(n_), 0.0);
    form_->for_each_in_column(column, [&](int i, double value) { dependent_[i] -= value; });
    solve(dependent_);
    for (int p = 0; p < n_; ++p)
      if (is_slack(at_[p]) && std::abs(dependent_[p]) > dependent) return false;
  }
  return true;
}

void ComplementaryBasis::solve(std::vector<double>& v) {
  const std::size_t k = nucleus_positions_.size();
  nucleus_.resize(k);
  for (std::size_t c = 0; c < k; ++c) nucleus_[c] = v[nucleus_positions_[c]];
  lu_.solve(nucleus_);
  // Rows with a basic slack: w_i = v_i - (columns of the nucleus) x.
  columns_.clear();
  column_factors_.clear();
  columns_.reserve(k);  // how many are not zero changes from one solve to the next
  column_factors_.reserve(k);
  for (std::size_t c = 0; c < k; ++c) {
    const int variable = structurals_[c];
    if (variable == cover() || unit_row_[variable - n_] >= 0) {
      if (nucleus_[c] != 0.0) add_column(variable, -nucleus_[c], v);
    } else if (nucleus_[c] != 0.0) {
      columns_.push_back(variable - n_);
      column_factors_.push_back(-nucleus_[c]);  // the column of z_j is -M_j
    }
  }
  if (static_cast<int>(k) < n_) form_->subtract_columns(columns_, column_factors_, v);
  for (std::size_t c = 0; c < k; ++c) v[nucleus_positions_[c]] = nucleus_[c];

  for (std::size_t e = 0; e < eta_positions_.size(); ++e) {
    const int position = eta_positions_[e];
    if (v[position] == 0.0) continue;
    const double value = v[position] /= eta_pivots_[e];
    for (int p = eta_starts_[e]; p < eta_starts_[e + 1]; ++p) v[eta_indices_[p]] -= eta_values_[p] * value;
  }
}

void ComplementaryBasis::replace(int position, int variable, const std::vector<double>& column) {
  at_[position] = variable;
  eta_positions_.push_back(position);
  eta_pivots_.push_back(column[position]);
  for (int i = 0; i < n_; ++i) {
    if (i == position || std::abs(column[i]) <= negligible) continue;
    eta_indices_.push_back(i);
    eta_values_.push_back(column[i]);
  }
  eta_starts_.push_back(static_cast<int>(eta_indices_.size()));
}

bool ComplementaryBasis::is_worn() const {
  const double applied = 0.5 * static_cast<double>(eta_indices_.size()) * updates();
  return updates() >= most_updates || applied > lu_.work();
}

}  // namespace stiction::lcp
