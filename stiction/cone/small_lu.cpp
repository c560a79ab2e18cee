#include "stiction/cone/small_lu.h"

#include <algorithm>
#include <cmath>

#include "stiction/base/phase_times.h"

namespace stiction::cone {

namespace {

/// Four sums, since each addition of one would wait for the one before.
double dot(const double* a, const double* x, int count) {
  double sum[4] = {};
  int j = 0;
  for (; j + 4 <= count; j += 4)
    for (int k = 0; k < 4; ++k) sum[k] += a[j + k] * x[j + k];
  for (; j < count; ++j) sum[0] += a[j] * x[j];
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

}  // namespace

void SmallLu::begin(int size) {
  size_ = static_cast<std::size_t>(size);
  entries_.assign(size_ * size_, 0.0);
}

void SmallLu::factorise() {
  count_factorisation();
  const int n = static_cast<int>(size_);
  rows_.resize(size_);
  order_.resize(size_);
  for (int i = 0; i < n; ++i) {
    rows_[i] = row(i);
    order_[i] = i;
  }
  sign_ = 1;
  for (int k = 0; k < n; ++k) {
    int best = k;
    for (int i = k + 1; i < n; ++i)
      if (std::abs(rows_[i][k]) > std::abs(rows_[best][k])) best = i;
    if (best != k) {
      std::swap(rows_[k], rows_[best]);
      std::swap(order_[k], order_[best]);
      sign_ = -sign_;
    }
    const double* const pivot = rows_[k];
    if (!(pivot[k] > 0.0)) sign_ = pivot[k] < 0.0 ? -sign_ : 0;
    const double inverse = 1.0 / pivot[k];
    for (int i = k + 1; i < n; ++i) {
      double* const target = rows_[i];
      if (target[k] == 0.0) continue;
      const double factor = target[k] *= inverse;
      for (int j = k + 1; j < n; ++j) target[j] -= factor * pivot[j];
    }
  }
}

bool SmallLu::solve(linalg::Vector& b) {
  const int n = static_cast<int>(size_);
  x_.resize(size_);
  for (int k = 0; k < n; ++k) x_[k] = b[order_[k]] - dot(rows_[k], x_.data(), k);
  for (int k = n - 1; k >= 0; --k) x_[k] = (x_[k] - dot(rows_[k] + k + 1, x_.data() + k + 1, n - k - 1)) / rows_[k][k];
  std::copy(x_.begin(), x_.end(), b.begin());
  return b.allFinite();
}

}  // namespace stiction::cone
