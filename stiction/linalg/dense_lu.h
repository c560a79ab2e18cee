#pragma once

#include <cstddef>
#include <vector>

namespace stiction::linalg {

/// 1 for an even permutation, -1 for an odd one. `order` is put in its order on the way.
[[nodiscard]] int sort_parity(std::vector<int>& order);

/// Dense LU with partial pivoting that survives singular matrices: a column that depends on those before it is moved to
/// the end and replaced by a unit column. Keeps its storage between calls.
class DenseLu {
 public:
  /// Starts an m by m matrix of zeros, to be filled through at().
  void resize(int m);
  double& at(int row, int column) { return entries_[column * stride_ + static_cast<std::size_t>(row)]; }
  [[nodiscard]] int size() const { return m_; }

  void factorise();

  /// After factorise: how many columns were independent, and which original row and column stands at each place. Column
  /// column_order()[k], k >= rank(), was replaced by the unit vector of row row_order()[k].
  [[nodiscard]] int rank() const { return rank_; }
  [[nodiscard]] const std::vector<int>& row_order() const { return row_order_; }
  [[nodiscard]] const std::vector<int>& column_order() const { return column_order_; }

  /// 1, -1, or 0 for a singular matrix.
  [[nodiscard]] int determinant_sign() const;

  /// Solves in place: b is indexed by rows on entry, the solution by columns on return.
  void solve(std::vector<double>& b);

 private:
  [[nodiscard]] double* column(int j) { return &entries_[j * stride_]; }
  /// Factorises columns [first, end) in place; returns how far it got before a dependent column.
  int factorise_panel(int first, int end);
  /// Applies the pivots [first, done) to columns [from, to).
  void update(int first, int done, int from, int to);

  int m_ = 0, rank_ = 0;
  std::size_t stride_ = 0;
  std::vector<double> entries_, solution_;
  std::vector<int> row_order_, column_order_;
};

}  // namespace stiction::linalg
