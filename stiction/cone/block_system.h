#pragma once

#include <Eigen/LU>
#include <vector>

#include "stiction/cone/small_lu.h"
#include "stiction/linalg/matrix.h"
#include "stiction/linalg/sparse_lu.h"

namespace stiction::cone {

/// A square linear system filled entry by entry or block by block, factorised dense or sparse, whichever is cheaper.
/// Storage is kept.
class BlockSystem {
 public:
  /// `entries` is about how many will be added.
  void begin(int size, std::size_t entries);
  /// Entries at one place add up.
  void add(int row, int column, double value) {
    if (form_ == Form::small)
      small_lu_.row(row)[column] += value;
    else if (form_ == Form::dense)
      matrix_(row, column) += value;
    else if (value != 0.0)
      entries_.push_back({row, column, value});
  }
  /// The leading rows and columns of a block of three by three, row after row, at this place.
  void add_block(int row, int column, int rows, int columns, const double block[9]) {
    if (form_ == Form::small) {
      for (int a = 0; a < rows; ++a) {
        double* const to = small_lu_.row(row + a) + column;
        for (int b = 0; b < columns; ++b) to[b] += block[3 * a + b];
      }
      return;
    }
    for (int a = 0; a < rows; ++a)
      for (int b = 0; b < columns; ++b) add(row + a, column + b, block[3 * a + b]);
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

  enum class Form : char { small, dense, sparse };
  Form form_ = Form::small;
  int size_ = 0;
  SmallLu small_lu_;
  linalg::DenseMatrix matrix_;
  Eigen::PartialPivLU<linalg::DenseMatrix> dense_lu_;
  linalg::SparseLu sparse_lu_;
  std::vector<Entry> entries_;
  std::vector<int> starts_, order_, rows_;
  std::vector<double> sums_, rhs_;
};

}  // namespace stiction::cone
