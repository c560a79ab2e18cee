#pragma once

#include <vector>

#include "stiction/linalg/dense_lu.h"

namespace stiction::linalg {

/// LU factors of a square sparse matrix with rows and columns permuted for sparsity and stability.
///
/// Column singletons are peeled off first; the rest is eliminated by Markowitz's rule with threshold pivoting (relative
/// to the pivot row), and finished by a dense factorisation with partial pivoting once it has filled in. A
/// singular matrix is not an error: dependent columns are replaced by unit columns and reported in `deficiency()`.
/// Storage is kept between calls: the same work a second time allocates nothing.
class SparseLu {
 public:
  /// Starts a new n by n matrix; its columns follow in order: add_entry for each nonzero, then end_column.
  void begin(int n);
  void add_entry(int row, double value) {
    input_rows_.push_back(row);
    input_values_.push_back(value);
  }
  void end_column() { input_starts_.push_back(static_cast<int>(input_rows_.size())); }

  /// Factorises. `threshold` in (0, 1]: a pivot is at least this fraction of the largest entry of its row.
  void factorise(double threshold = 0.1);

  /// Solves B x = b in place: b is indexed by rows on entry, x by columns on return.
  void solve(std::vector<double>& b);

  /// 1, -1, or 0 for a singular matrix.
  [[nodiscard]] int determinant_sign() const;

  struct Replaced {
    int column;  ///< This column was dependent on others
    int row;     ///< and now is the unit vector of this row.
  };
  [[nodiscard]] const std::vector<Replaced>& deficiency() const { return deficiency_; }
  [[nodiscard]] int size() const { return n_; }
  /// Stored entries of the factors: the cost of one solve.
  [[nodiscard]] std::size_t fill() const;
  /// Multiplications of the last factorisation, the dense ones at a quarter (they run that much faster).
  [[nodiscard]] double work() const { return work_; }

 private:
  /// A list of entries in a pool, which moves to the pool's end when it outgrows its room.
  struct List {
    int start = 0, length = 0, room = 0;
  };
  struct Pivot {
    int row, column;
    double value;
    int lower_start, upper_start;  ///< Where its multipliers and its row of U begin.
  };
  /// Doubly linked lists of rows (or columns) by their number of active entries.
  struct Buckets {
    std::vector<int> head, next, previous, count;
    void reset(int n);
    void insert(int item, int entries);
    void remove(int item);
  };

  void load();
  void peel_singletons();
  bool choose_pivot(int& row, int& column, double threshold);
  void eliminate(int row, int column);
  void take_out_row(int row, int pivot_column);
  void factorise_dense();
  void push_row_entry(int row, int column, double value);
  void push_column_entry(int column, int row);
  void erase_from_column(int column, int row);
  [[nodiscard]] double row_largest(int row) const;

  int n_ = 0;
  std::vector<int> input_starts_, input_rows_;
  std::vector<double> input_values_;

  std::vector<List> rows_, columns_;  // the active submatrix: values by rows, pattern by columns
  std::vector<int> row_columns_, column_rows_;
  std::vector<double> row_values_;
  Buckets row_buckets_, column_buckets_;
  int active_ = 0;
  long active_entries_ = 0;
  double work_ = 0.0;

  std::vector<Pivot> pivots_;
  std::vector<int> lower_rows_, upper_columns_;
  std::vector<double> lower_values_, upper_values_;

  DenseLu dense_;
  std::vector<int> dense_rows_, dense_columns_, dense_of_column_;

  std::vector<Replaced> deficiency_;
  std::vector<double> spread_, result_;
  std::vector<int> mark_, scratch_;
  int stamp_ = 0;
};

}  // namespace stiction::linalg
