#pragma once

#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <utility>

namespace stiction::linalg {

using Index = Eigen::Index;
using Vector = Eigen::VectorXd;
using DenseMatrix = Eigen::MatrixXd;
using SparseMatrix = Eigen::SparseMatrix<double>;

/// A square or rectangular matrix that is stored dense or sparse (by columns), read the same way in both cases.
class Matrix {
 public:
  Matrix() = default;
  Matrix(DenseMatrix dense) : dense_(std::move(dense)), is_dense_(true) {}
  /// Swapped in: Eigen 3.4 cannot move a sparse matrix.
  Matrix(SparseMatrix sparse) : is_dense_(false) {
    sparse_.swap(sparse);
    sparse_.makeCompressed();
  }

  [[nodiscard]] Index rows() const { return is_dense_ ? dense_.rows() : sparse_.rows(); }
  [[nodiscard]] Index cols() const { return is_dense_ ? dense_.cols() : sparse_.cols(); }
  [[nodiscard]] bool is_dense() const { return is_dense_; }
  [[nodiscard]] const DenseMatrix& dense() const { return dense_; }
  [[nodiscard]] const SparseMatrix& sparse() const { return sparse_; }
  /// Makes the matrix sparse and hands out its storage, to be filled in place and left compressed.
  [[nodiscard]] SparseMatrix& edit_sparse() {
    is_dense_ = false;
    return sparse_;
  }
  [[nodiscard]] DenseMatrix to_dense() const { return is_dense_ ? dense_ : DenseMatrix(sparse_); }
  [[nodiscard]] double coefficient(Index i, Index j) const { return is_dense_ ? dense_(i, j) : sparse_.coeff(i, j); }

  /// Calls f(row, value) for the stored entries of column j, by increasing row; zeros of a dense matrix are left out.
  template <class F>
  void for_each_in_column(Index j, F&& f) const {
    if (is_dense_) {
      for (Index i = 0; i < dense_.rows(); ++i)
        if (const double value = dense_(i, j); value != 0.0) f(i, value);
    } else {
      for (SparseMatrix::InnerIterator it(sparse_, j); it; ++it) f(it.row(), it.value());
    }
  }

  /// y += factor * M x.
  void multiply_add(const Vector& x, double factor, Vector& y) const;
  /// y += factor * M' x.
  void multiply_transposed_add(const Vector& x, double factor, Vector& y) const;

 private:
  DenseMatrix dense_;
  SparseMatrix sparse_;
  bool is_dense_ = true;
};

}  // namespace stiction::linalg
