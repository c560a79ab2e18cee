#include "stiction/cone/block_system.h"

namespace stiction::cone {

void BlockSystem::begin(int size, std::size_t entries) {
  // Dense elimination runs at several times the speed of sparse, which fills in: below a few dozen unknowns and from a
  // tenth of all entries on it is the cheaper one.
  constexpr int small = 60;
  const auto all = static_cast<double>(size) * size;
  form_ = size <= small ? Form::small : static_cast<double>(entries) > 0.1 * all ? Form::dense : Form::sparse;
  size_ = size;
  entries_.clear();
  if (form_ == Form::small) small_lu_.begin(size);
  if (form_ == Form::dense) matrix_.setZero(size, size);
}

void BlockSystem::factorise() {
  if (form_ == Form::small)
    small_lu_.factorise();
  else if (form_ == Form::dense)
    dense_lu_.compute(matrix_);
  else
    factorise_sparse();
}

void BlockSystem::factorise_sparse() {
  starts_.assign(static_cast<std::size_t>(size_) + 1, 0);
  for (const Entry& entry : entries_) ++starts_[entry.column + 1];
  for (int j = 0; j < size_; ++j) starts_[j + 1] += starts_[j];
  order_.resize(entries_.size());
  for (int e = 0; e < static_cast<int>(entries_.size()); ++e) order_[starts_[entries_[e].column]++] = e;
  sums_.assign(static_cast<std::size_t>(size_), 0.0);
  sparse_lu_.begin(size_);
  for (int j = 0, p = 0; j < size_; ++j) {
    rows_.clear();
    for (; p < starts_[j]; ++p) {  // starts_ has moved on to the ends
      const Entry& entry = entries_[order_[p]];
      if (sums_[entry.row] == 0.0) rows_.push_back(entry.row);
      sums_[entry.row] += entry.value;
    }
    for (const int row : rows_) {
      if (sums_[row] != 0.0) sparse_lu_.add_entry(row, sums_[row]);
      sums_[row] = 0.0;
    }
    sparse_lu_.end_column();
  }
  sparse_lu_.factorise();
}

int BlockSystem::determinant_sign() const {
  if (form_ == Form::small) return small_lu_.determinant_sign();
  if (form_ == Form::sparse) return sparse_lu_.determinant_sign();
  int sign = static_cast<int>(dense_lu_.permutationP().determinant());
  for (int i = 0; i < size_; ++i) {
    const double pivot = dense_lu_.matrixLU()(i, i);
    if (!(pivot > 0.0)) sign = pivot < 0.0 ? -sign : 0;
  }
  return sign;
}

bool BlockSystem::solve(linalg::Vector& b) {
  if (form_ == Form::small) return small_lu_.solve(b);
  if (form_ == Form::dense) {
    b = dense_lu_.solve(b).eval();
  } else {
    rhs_.assign(b.data(), b.data() + b.size());
    sparse_lu_.solve(rhs_);
    for (int i = 0; i < size_; ++i) b[i] = rhs_[i];
  }
  return b.allFinite();
}

}  // namespace stiction::cone
