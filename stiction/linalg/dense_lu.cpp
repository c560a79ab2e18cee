#include "stiction/linalg/dense_lu.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace stiction::linalg {

namespace {

// The matrices come equilibrated. A pivot below this is rounding: its column depends on those before it.
constexpr double singular = 1e-12;
// Columns factorised together, so that the trailing update streams through memory once for all of them.
constexpr int panel = 4;

}  // namespace

void DenseLu::resize(int m) {
  m_ = m;
  stride_ = static_cast<std::size_t>(m);
  entries_.assign(stride_ * stride_, 0.0);
  row_order_.resize(stride_);
  column_order_.resize(stride_);
  std::iota(row_order_.begin(), row_order_.end(), 0);
  std::iota(column_order_.begin(), column_order_.end(), 0);
}

int DenseLu::factorise_panel(int first, int end) {
  for (int k = first; k < end; ++k) {
    double* pivot_column = column(k);
    int best = k;
    for (int i = k + 1; i < m_; ++i)
      if (std::abs(pivot_column[i]) > std::abs(pivot_column[best])) best = i;
    if (std::abs(pivot_column[best]) < singular) return k;
    if (best != k) {
      for (int j = 0; j < m_; ++j) std::swap(at(k, j), at(best, j));
      std::swap(row_order_[k], row_order_[best]);
    }
    const double inverse = 1.0 / pivot_column[k];
    for (int i = k + 1; i < m_; ++i) pivot_column[i] *= inverse;
    for (int j = k + 1; j < end; ++j) {
      double* target = column(j);
      const double factor = target[k];
      if (factor == 0.0) continue;
      for (int i = k + 1; i < m_; ++i) target[i] -= factor * pivot_column[i];
    }
  }
  return end;
}

void DenseLu::update(int first, int done, int from, int to) {
  const int count = done - first;
  for (int j = from; j < to; ++j) {
    double* target = column(j);
    for (int p = first + 1; p < done; ++p)
      for (int s = first; s < p; ++s) target[p] -= at(p, s) * target[s];
    if (count == panel) {
      const double *a = column(first), *b = column(first + 1), *c = column(first + 2), *d = column(first + 3);
      const double fa = target[first], fb = target[first + 1], fc = target[first + 2], fd = target[first + 3];
      for (int i = done; i < m_; ++i) target[i] -= (fa * a[i] + fb * b[i]) + (fc * c[i] + fd * d[i]);
    } else {
      for (int p = first; p < done; ++p) {
        const double* source = column(p);
        const double factor = target[p];
        for (int i = done; i < m_; ++i) target[i] -= factor * source[i];
      }
    }
  }
}

void DenseLu::factorise() {
  int good = m_;  // columns from here on are dependent on those before
  for (int k = 0; k < good;) {
    const int end = std::min(k + panel, good);
    const int done = factorise_panel(k, end);
    update(k, done, end, good);
    if (done < end) {
      --good;
      std::swap_ranges(column(done), column(done) + m_, column(good));
      std::swap(column_order_[done], column_order_[good]);
    }
    k = done;
  }
  rank_ = good;
  for (int j = good; j < m_; ++j) {
    std::fill_n(column(j), m_, 0.0);
    at(j, j) = 1.0;
  }
}

int sort_parity(std::vector<int>& order) {
  int parity = 1;
  for (int i = 0; i < static_cast<int>(order.size()); ++i)
    while (order[i] != i) {
      std::swap(order[i], order[order[i]]);
      parity = -parity;
    }
  return parity;
}

int DenseLu::determinant_sign() const {
  if (rank_ < m_) return 0;
  std::vector<int> rows = row_order_, columns = column_order_;
  int sign = sort_parity(rows) * sort_parity(columns);
  for (int k = 0; k < m_; ++k)
    if (entries_[k * stride_ + static_cast<std::size_t>(k)] < 0.0) sign = -sign;
  return sign;
}

void DenseLu::solve(std::vector<double>& b) {
  solution_.resize(stride_);
  for (int k = 0; k < m_; ++k) solution_[k] = b[row_order_[k]];
  for (int k = 0; k < rank_; ++k) {
    const double value = solution_[k];
    if (value == 0.0) continue;
    const double* lower = column(k);
    for (int i = k + 1; i < m_; ++i) solution_[i] -= value * lower[i];
  }
  for (int k = m_ - 1; k >= 0; --k) {
    const double* upper = column(k);
    const double value = solution_[k] /= upper[k];
    if (value == 0.0) continue;
    for (int i = 0; i < k; ++i) solution_[i] -= value * upper[i];
  }
  for (int k = 0; k < m_; ++k) b[column_order_[k]] = solution_[k];
}

}  // namespace stiction::linalg
