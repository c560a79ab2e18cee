#pragma once

#include <vector>

#include "stiction/linalg/matrix.h"

namespace stiction::linalg {

/// A P = Q R of a matrix of any shape and rank r: Q has r orthonormal columns, R is r by cols. Columns are taken by
/// what is left of them relative to their own length, so that scaling a column changes nothing; by Gram and Schmidt,
/// each orthogonalised twice. Keeps its storage: nothing is allocated while the sizes stay the same.
class PivotedQr {
 public:
  /// Starts a new matrix; fill all of what is returned, then factorise.
  DenseMatrix& begin(Index rows, Index cols);
  /// A column of which less than `tolerance` of its length is left depends on the others. Returns the rank.
  Index factorise(double tolerance);

  [[nodiscard]] Index rank() const { return rank_; }
  [[nodiscard]] Index rows() const { return A_.rows(); }
  [[nodiscard]] Index cols() const { return A_.cols(); }
  /// Which column of A stands at each place; the first rank() of them are independent.
  [[nodiscard]] const std::vector<Index>& column_order() const { return order_; }
  /// Of a column of A as it came.
  [[nodiscard]] double length(Index column) const { return length_[column]; }

  /// z = Q'x
  void to_range(const Vector& x, Vector& z) const;
  /// x += factor Q z
  void add_from_range(const Vector& z, double factor, Vector& x) const;
  /// z with (A'Q z)_i = b_i for the independent columns i: the others follow when b is in the range of A'.
  void solve_transposed(const Vector& b, Vector& z) const;
  /// The x of least length with A x = Q z.
  void solve_minimum_norm(const Vector& z, Vector& x);

 private:
  DenseMatrix A_, Q_, R_;  ///< What is left of the columns; the first rank columns of Q and rows of R count.
  Vector length_;
  std::vector<Index> order_;
  Index rank_ = 0;
  DenseMatrix V_, S_;  ///< R' = V S in the order of R's rows, when the rank is not full.
  Vector work_;
};

}  // namespace stiction::linalg
