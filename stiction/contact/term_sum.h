#pragma once

#include <utility>
#include <vector>

#include "stiction/linalg/dense_lu.h"
#include "stiction/linalg/sparse_lu.h"

namespace stiction {

/// Linear systems with a sum of terms, softness I + sum weight u u', each u with a few nonzeros. Dense where it is
/// small, sparse otherwise. Storage is kept.
class TermSum {
 public:
  using Entries = std::vector<std::pair<int, double>>;  ///< Of u, each place once.

  void begin(int size, double softness);
  void add(double weight, const Entries& u);
  void factorise();
  /// In place.
  void solve(std::vector<double>& b);

 private:
  void factorise_sparse();

  struct Entry {
    int row, column;
    double value;
  };
  int size_ = 0;
  bool is_dense_ = true;
  linalg::DenseLu dense_;
  linalg::SparseLu sparse_;
  std::vector<Entry> entries_;
  std::vector<int> starts_, order_, rows_;
  std::vector<double> sums_;
  std::vector<char> is_there_;
};

}  // namespace stiction
