#pragma once

#include <vector>

#include "stiction/linalg/matrix.h"

namespace stiction::cone {

/// LU factors with partial pivoting of a square matrix of some dozens of unknowns, stored row after row. Below a few
/// hundred unknowns a general library spends its time elsewhere than on the numbers; zeros below a pivot cost nothing
/// here. Storage is kept, also where sizes change.
class SmallLu {
 public:
  /// All zero.
  void begin(int size);
  /// Of the matrix, before factorise().
  double* row(int i) { return &entries_[static_cast<std::size_t>(i) * size_]; }

  void factorise();
  /// Of the factorised matrix: 1 or -1, or 0 where it is singular.
  [[nodiscard]] int determinant_sign() const { return sign_; }
  /// In place. False when that gives no numbers.
  bool solve(linalg::Vector& b);

 private:
  std::size_t size_ = 0;
  int sign_ = 0;
  std::vector<double> entries_;
  std::vector<double*> rows_;  ///< In the order of the pivots.
  std::vector<int> order_;
  std::vector<double> x_;
};

}  // namespace stiction::cone
