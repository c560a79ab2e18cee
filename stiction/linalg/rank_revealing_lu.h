#pragma once

#include <vector>

#include "stiction/linalg/matrix.h"

namespace stiction::linalg {

/// Dense LU with complete pivoting, P A Q = L U, of a matrix with any number of rows and columns. Slower than DenseLu
/// by the search for pivots, but its rank can be believed, and rectangular and transposed systems can be solved. Keeps
/// its storage: nothing is allocated while the sizes stay within those seen or reserved.
class RankRevealingLu {
 public:
  using Block = Eigen::Block<DenseMatrix>;

  void reserve(Index rows, Index cols);
  /// Starts a new matrix; fill all of what is returned, then factorise.
  Block begin(Index rows, Index cols);
  /// A pivot below `tolerance` times the largest entry of A is taken for zero. Returns the rank.
  Index factorise(double tolerance);

  [[nodiscard]] Index rank() const { return rank_; }
  [[nodiscard]] bool full_column_rank() const { return rank_ == cols_; }
  /// Which column of A stands at each place; the first rank() of them are independent.
  [[nodiscard]] const std::vector<Index>& column_order() const { return column_order_; }

  /// x with A x = b when b is in the range of A; the unknowns of dependent columns are zero. Returns what the
  /// elimination leaves of b in the rows past the rank: the largest of them, zero up to rounding exactly when A x = b
  /// has a solution.
  double solve(const Eigen::Ref<const Vector>& b, Eigen::Ref<Vector> x);
  /// x with A' x = b. A must be square and of full rank.
  void solve_transposed(const Eigen::Ref<const Vector>& b, Eigen::Ref<Vector> x);

 private:
  DenseMatrix storage_;
  Vector column_largest_, work_;
  Index rows_ = 0, cols_ = 0, rank_ = 0;
  std::vector<Index> row_order_, column_order_;
};

}  // namespace stiction::linalg
