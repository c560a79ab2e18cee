#include "stiction/contact/term_sum.h"

#include <algorithm>

namespace stiction {

void TermSum::begin(int size, double softness) {
  constexpr int most_dense = 150;
  size_ = size;
  is_dense_ = size <= most_dense;
  if (is_dense_) {
    dense_.resize(size);
    for (int i = 0; i < size; ++i) dense_.at(i, i) = softness;
    return;
  }
  entries_.clear();
  for (int i = 0; i < size; ++i) entries_.push_back({i, i, softness});
}

void TermSum::add(double weight, const Entries& u) {
  for (const auto& [column, right] : u)
    for (const auto& [row, left] : u) {
      const double value = weight * left * right;
      if (is_dense_)
        dense_.at(row, column) += value;
      else
        entries_.push_back({row, column, value});
    }
}

void TermSum::factorise() {
  if (is_dense_)
    dense_.factorise();
  else
    factorise_sparse();
}

/// Entries at one place are added up, column by column.
void TermSum::factorise_sparse() {
  const auto n = static_cast<std::size_t>(size_);
  starts_.assign(n + 1, 0);
  for (const Entry& entry : entries_) ++starts_[entry.column + 1];
  for (std::size_t k = 0; k < n; ++k) starts_[k + 1] += starts_[k];
  order_.resize(entries_.size());
  for (std::size_t e = 0; e < entries_.size(); ++e) order_[starts_[entries_[e].column]++] = static_cast<int>(e);
  sums_.assign(n, 0.0);
  is_there_.assign(n, 0);
  sparse_.begin(size_);
  int at = 0;
  for (std::size_t column = 0; column < n; ++column) {
    rows_.clear();
    for (; at < starts_[column]; ++at) {
      const Entry& entry = entries_[order_[at]];
      if (is_there_[entry.row] == 0) rows_.push_back(entry.row);
      is_there_[entry.row] = 1;
      sums_[entry.row] += entry.value;
    }
    std::sort(rows_.begin(), rows_.end());
    for (const int row : rows_) {
      if (sums_[row] != 0.0) sparse_.add_entry(row, sums_[row]);
      sums_[row] = 0.0;
      is_there_[row] = 0;
    }
    sparse_.end_column();
  }
  sparse_.factorise();
}

void TermSum::solve(std::vector<double>& b) {
  if (is_dense_)
    dense_.solve(b);
  else
    sparse_.solve(b);
}

}  // namespace stiction
