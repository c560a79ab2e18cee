#include "stiction/linalg/rank_revealing_lu.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "stiction/base/assert.h"

namespace stiction::linalg {

void RankRevealingLu::reserve(Index rows, Index cols) {
  if (storage_.rows() < rows || storage_.cols() < cols)
    storage_.resize(std::max(rows, storage_.rows()), std::max(cols, storage_.cols()));
  if (work_.size() < std::max(rows, cols)) work_.resize(std::max(rows, cols));
  if (column_largest_.size() < cols) column_largest_.resize(cols);
  row_order_.reserve(static_cast<std::size_t>(rows));
  column_order_.reserve(static_cast<std::size_t>(cols));
}

RankRevealingLu::Block RankRevealingLu::begin(Index rows, Index cols) {
  reserve(rows, cols);
  rows_ = rows;
  cols_ = cols;
  rank_ = 0;
  row_order_.resize(static_cast<std::size_t>(rows));
  column_order_.resize(static_cast<std::size_t>(cols));
  std::iota(row_order_.begin(), row_order_.end(), Index{0});
  std::iota(column_order_.begin(), column_order_.end(), Index{0});
  return {storage_, 0, 0, rows, cols};
}

Index RankRevealingLu::factorise(double tolerance) {
  auto A = storage_.topLeftCorner(rows_, cols_);
  rank_ = 0;
  if (rows_ == 0 || cols_ == 0) return rank_;
  for (Index j = 0; j < cols_; ++j) column_largest_[j] = A.col(j).cwiseAbs().maxCoeff();
  const double negligible = tolerance * column_largest_.head(cols_).maxCoeff();

  for (Index k = 0; k < std::min(rows_, cols_); ++k) {
    Index column = 0, row = 0;
    const double pivot_size = column_largest_.segment(k, cols_ - k).maxCoeff(&column);
    if (!(pivot_size > negligible)) break;
    column += k;
    A.col(column).tail(rows_ - k).cwiseAbs().maxCoeff(&row);
    row += k;
    if (column != k) {
      A.col(k).swap(A.col(column));
      std::swap(column_largest_[k], column_largest_[column]);
      std::swap(column_order_[k], column_order_[column]);
    }
    if (row != k) {
      A.row(k).swap(A.row(row));
      std::swap(row_order_[k], row_order_[row]);
    }
    ++rank_;
    const Index left = rows_ - k - 1;
    if (left == 0) break;
    A.col(k).tail(left) /= A(k, k);
    for (Index j = k + 1; j < cols_; ++j) {
      auto target = A.col(j).tail(left);
      if (A(k, j) != 0.0) target -= A(k, j) * A.col(k).tail(left);
      column_largest_[j] = target.cwiseAbs().maxCoeff();
    }
  }
  return rank_;
}

double RankRevealingLu::solve(const Eigen::Ref<const Vector>& b, Eigen::Ref<Vector> x) {
  const auto A = storage_.topLeftCorner(rows_, cols_);
  for (Index i = 0; i < rows_; ++i) work_[i] = b[row_order_[i]];
  for (Index k = 0; k < rank_; ++k) {
    const Index left = rows_ - k - 1;
    if (work_[k] != 0.0) work_.segment(k + 1, left) -= work_[k] * A.col(k).tail(left);
  }
  const double remainder = rows_ > rank_ ? work_.segment(rank_, rows_ - rank_).cwiseAbs().maxCoeff() : 0.0;
  x.setZero();
  for (Index k = rank_; k-- > 0;) {
    const double value = work_[k] / A(k, k);
    x[column_order_[k]] = value;
    if (value != 0.0) work_.head(k) -= value * A.col(k).head(k);
  }
  return remainder;
}

void RankRevealingLu::solve_transposed(const Eigen::Ref<const Vector>& b, Eigen::Ref<Vector> x) {
  STICTION_ASSERT(rows_ == cols_ && rank_ == cols_, "a transposed solve needs a square matrix of full rank");
  const auto A = storage_.topLeftCorner(rows_, cols_);
  for (Index k = 0; k < cols_; ++k) work_[k] = (b[column_order_[k]] - A.col(k).head(k).dot(work_.head(k))) / A(k, k);
  for (Index k = cols_; k-- > 0;) {
    const Index left = rows_ - k - 1;
    work_[k] -= A.col(k).tail(left).dot(work_.segment(k + 1, left));
  }
  for (Index k = 0; k < rows_; ++k) x[row_order_[k]] = work_[k];
}

}  // namespace stiction::linalg
