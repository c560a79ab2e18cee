#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

#include "stiction/linalg/matrix.h"

namespace stiction::cone {

/// Internal. Numbers from 0 that are joined to sets, each known by its smallest.
class DisjointSets {
 public:
  DisjointSets() = default;
  explicit DisjointSets(linalg::Index count) : parent_(static_cast<std::size_t>(count)) {
    std::iota(parent_.begin(), parent_.end(), linalg::Index{0});
  }

  [[nodiscard]] linalg::Index root(linalg::Index i) {
    while (at(i) != i) i = at(i) = at(at(i));
    return i;
  }
  void join(linalg::Index i, linalg::Index j) {
    const linalg::Index a = root(i), b = root(j);
    at(std::max(a, b)) = std::min(a, b);
  }

 private:
  linalg::Index& at(linalg::Index i) { return parent_[static_cast<std::size_t>(i)]; }

  std::vector<linalg::Index> parent_;
};

/// What the entries of a square matrix join.
[[nodiscard]] inline DisjointSets join_entries(const linalg::SparseMatrix& A) {
  DisjointSets sets(A.rows());
  for (linalg::Index j = 0; j < A.cols(); ++j)
    for (linalg::SparseMatrix::InnerIterator it(A, j); it; ++it)
      if (it.value() != 0.0) sets.join(it.row(), j);
  return sets;
}

}  // namespace stiction::cone
