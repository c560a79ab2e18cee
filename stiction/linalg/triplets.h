#pragma once

#include <vector>

#include "stiction/linalg/matrix.h"

namespace stiction::linalg {

/// Entries of a sparse matrix in any order, turned into a compressed matrix without allocating once the storage has
/// grown.
class Triplets {
 public:
  void clear() { entries_.clear(); }
  void add(int row, int column, double value) {
    if (value != 0.0) entries_.push_back({row, column, value});
  }
  /// Entries at the same place are added up in the order they came.
  void fill(int rows, int columns, SparseMatrix& matrix);

 private:
  struct Entry {
    int row, column;
    double value;
  };
  std::vector<Entry> entries_;
  std::vector<int> starts_, order_, by_row_;
};

}  // namespace stiction::linalg
