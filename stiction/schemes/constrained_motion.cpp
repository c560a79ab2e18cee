#include "stiction/schemes/constrained_motion.h"

namespace stiction {

namespace {

// What is left of a constraint beside the others, relative to its size, below which it adds nothing to them.
constexpr double dependent = 1e-9;

}  // namespace

void ConstrainedMotion::factorise(const SparseMatrix& M, const linalg::Rows& rows) {
  mass_.setZero(M.rows(), M.cols());
  for (int j = 0; j < M.outerSize(); ++j)
    for (SparseMatrix::InnerIterator it(M, j); it; ++it) mass_(it.row(), j) = it.value();
  cholesky_.compute(mass_);
  linalg::DenseMatrix& B = qr_.begin(M.rows(), rows.size());
  B.setZero();
  for (int i = 0; i < rows.size(); ++i) {
    const auto columns = rows.columns(i);
    const auto values = rows.values(i);
    for (std::size_t p = 0; p < columns.size(); ++p) B(columns[p], i) += values[p];
  }
  if (rows.size() > 0) cholesky_.matrixL().solveInPlace(B);
  qr_.factorise(dependent);
}

void ConstrainedMotion::solve(const Vector& f, const std::vector<double>& c, Vector& x) {
  x.setZero(mass_.rows());
  b_.resize(static_cast<linalg::Index>(c.size()));
  for (std::size_t i = 0; i < c.size(); ++i) b_[static_cast<linalg::Index>(i)] = -c[i];
  qr_.solve_transposed(b_, z_);
  if (f.size() > 0) {
    x = f;
    cholesky_.matrixL().solveInPlace(x);
    qr_.to_range(x, along_);
    z_ -= along_;
  }
  qr_.add_from_range(z_, 1.0, x);
  cholesky_.matrixU().solveInPlace(x);
}

void ConstrainedMotion::find_multipliers(Vector& lambda) {
  qr_.solve_minimum_norm(z_, lambda);
}

}  // namespace stiction
