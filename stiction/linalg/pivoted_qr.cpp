#include "stiction/linalg/pivoted_qr.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace stiction::linalg {

DenseMatrix& PivotedQr::begin(Index rows, Index cols) {
  A_.resize(rows, cols);
  return A_;
}

Index PivotedQr::factorise(double tolerance) {
  const Index n = A_.rows(), m = A_.cols(), most = std::min(n, m);
  Q_.resize(n, most);
  R_.setZero(most, m);
  length_.resize(m);
  for (Index j = 0; j < m; ++j) length_[j] = A_.col(j).norm();
  order_.resize(static_cast<std::size_t>(m));
  std::iota(order_.begin(), order_.end(), Index{0});
  for (rank_ = 0; rank_ < most; ++rank_) {
    const Index k = rank_;
    Index best = -1;
    double most_left = tolerance;
    for (Index p = k; p < m; ++p) {
      const Index j = order_[p];
      const double left = length_[j] > 0.0 ? A_.col(j).norm() / length_[j] : 0.0;
      if (left > most_left) {
        most_left = left;
        best = p;
      }
    }
    if (best < 0) break;
    std::swap(order_[k], order_[best]);
    const Index j = order_[k];
    for (Index i = 0; i < k; ++i) {
      const double rest = Q_.col(i).dot(A_.col(j));
      A_.col(j) -= rest * Q_.col(i);
      R_(i, j) += rest;
    }
    R_(k, j) = A_.col(j).norm();
    Q_.col(k) = A_.col(j) / R_(k, j);
    for (Index p = k + 1; p < m; ++p) {
      const Index other = order_[p];
      R_(k, other) = Q_.col(k).dot(A_.col(other));
      A_.col(other) -= R_(k, other) * Q_.col(k);
    }
  }
  return rank_;
}

void PivotedQr::to_range(const Vector& x, Vector& z) const {
  z.resize(rank_);
  for (Index k = 0; k < rank_; ++k) z[k] = Q_.col(k).dot(x);
}

void PivotedQr::add_from_range(const Vector& z, double factor, Vector& x) const {
  for (Index k = 0; k < rank_; ++k) x += (factor * z[k]) * Q_.col(k);
}

void PivotedQr::solve_transposed(const Vector& b, Vector& z) const {
  z.resize(rank_);
  for (Index k = 0; k < rank_; ++k) {
    double sum = b[order_[k]];
    for (Index i = 0; i < k; ++i) sum -= R_(i, order_[k]) * z[i];
    z[k] = sum / R_(k, order_[k]);
  }
}

void PivotedQr::solve_minimum_norm(const Vector& z, Vector& x) {
  const Index m = A_.cols();
  x.setZero(m);
  if (rank_ == m) {
    for (Index k = rank_ - 1; k >= 0; --k) {
      double sum = z[k];
      for (Index p = k + 1; p < rank_; ++p) sum -= R_(k, order_[p]) * x[order_[p]];
      x[order_[k]] = sum / R_(k, order_[k]);
    }
    return;
  }
  // R x = z with x in the range of R': R' = V S, S'(V'x) = z, x = V V'x.
  V_.resize(m, rank_);
  S_.setZero(rank_, rank_);
  work_.resize(rank_);
  for (Index k = 0; k < rank_; ++k) {
    V_.col(k) = R_.row(k).transpose();
    for (int pass = 0; pass < 2; ++pass) {
      for (Index i = 0; i < k; ++i) {
        const double rest = V_.col(i).dot(V_.col(k));
        V_.col(k) -= rest * V_.col(i);
        S_(i, k) += rest;
      }
    }
    S_(k, k) = V_.col(k).norm();
    V_.col(k) /= S_(k, k);
  }
  for (Index k = 0; k < rank_; ++k) {
    double sum = z[k];
    for (Index i = 0; i < k; ++i) sum -= S_(i, k) * work_[i];
    work_[k] = sum / S_(k, k);
    x += work_[k] * V_.col(k);
  }
}

}  // namespace stiction::linalg
