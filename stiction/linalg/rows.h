#pragma once

#include <span>
#include <vector>

#include "stiction/linalg/matrix.h"

namespace stiction::linalg {

/// Rows of a Jacobian, a few nonzeros each, kept one after the other. clear() keeps the storage.
class Rows {
 public:
  [[nodiscard]] int size() const { return static_cast<int>(starts_.size()) - 1; }
  void clear() {
    starts_.assign(1, 0);
    columns_.clear();
    values_.clear();
  }

  /// Adds one entry to the row under construction; zeros are left out.
  void push(int column, double value) {
    if (value == 0.0) return;
    columns_.push_back(column);
    values_.push_back(value);
  }
  /// Ends the row under construction; returns its index.
  int end_row() {
    starts_.push_back(static_cast<int>(columns_.size()));
    return size() - 1;
  }
  /// Copies a row of another list.
  int append(const Rows& other, int row);

  [[nodiscard]] std::span<const int> columns(int row) const {
    return {columns_.data() + starts_[row], static_cast<std::size_t>(starts_[row + 1] - starts_[row])};
  }
  [[nodiscard]] std::span<const double> values(int row) const {
    return {values_.data() + starts_[row], static_cast<std::size_t>(starts_[row + 1] - starts_[row])};
  }
  [[nodiscard]] bool is_zero(int row) const { return starts_[row] == starts_[row + 1]; }

  /// row . v
  [[nodiscard]] double dot(int row, const Vector& v) const;
  /// row diag(M)^-1 row': what a unit impulse along the row makes it move; zero for an empty one.
  [[nodiscard]] double mobility(int row, const SparseMatrix& M) const;
  /// v += factor * row'
  void add_to(int row, double factor, Vector& v) const;

 private:
  std::vector<int> starts_ = {0};
  std::vector<int> columns_;
  std::vector<double> values_;
};

}  // namespace stiction::linalg
