#pragma once

#include <Eigen/LU>
#include <vector>

#include "stiction/linalg/matrix.h"
#include "stiction/linalg/sparse_lu.h"

namespace stiction::cone {

/// A square linear system filled entry by entry, factorised dense or sparse, whichever is cheaper. Storage is kept.
class BlockSystem {
 public:
  /// `entries` is about how many will be added.
  void begin(int size, std::size_t entries);
  /// Entries at one place add up.
  void add(int row, int column, double value) {
    if (dense_)
      matrix_(row, column) += value;
    else if (value != 0.0)
      entries_.push_back({row, column, value});
  }
  void factorise();
  /// Of the factorised matrix: 1 or -1, or 0 where it is singular.
  [[nodiscard]] int determinant_sign() const;
  /// In place. False when that gives no numbers.
  bool solve(linalg::Vector& b);

 private:
  struct Entry {
    int row, column;
    double value;
  };
  void factorise_sparse();

  bool dense_ = true;
  int size_ = 0;
  linalg::DenseMatrix matrix_;
  Eigen::PartialPivLU<linalg::DenseMatrix> dense_lu_;
  linalg::SparseLu sparse_lu_;
  std::vector<Entry> entries_;
  std::vector<int> starts_, order_, rows_;
  std::vector<double> sums_, rhs_;
};

}  // namespace stiction::cone
