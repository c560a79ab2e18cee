#pragma once

#include <utility>
#include <vector>

#include "stiction/linalg/matrix.h"
#include "stiction/model/body_structure.h"

namespace stiction {

/// M or M~ in blocks: one on the diagonal for each body, full whatever of it is zero, and for stiff springs and dampers
/// two between two bodies. A body of more than 600 velocities, a user's own system, has an empty block: its M is read
/// as the sparse matrix that it is. Storage is kept.
class BodyMasses {
 public:
  using Block = Eigen::Map<const linalg::DenseMatrix>;

  void reset(const BodyStructure& structure);
  /// The entries of a matrix. Bodies that it couples though no spring is between them are coupled from then on.
  void take(const BodyStructure& structure, const linalg::SparseMatrix& M);

  [[nodiscard]] int size() const { return static_cast<int>(sizes_.size()); }
  [[nodiscard]] Block block(int body) const { return view(values_, offsets_[body], sizes_[body], sizes_[body]); }

  /// Pairs of bodies with blocks between them, the smaller first; sorted.
  [[nodiscard]] const std::vector<std::pair<int, int>>& coupled() const { return coupled_; }
  /// Of the pair i: rows of the first body and columns of the second, and the other way round.
  [[nodiscard]] Block upper(int i) const;
  [[nodiscard]] Block lower(int i) const;

 private:
  static Block view(const std::vector<double>& values, std::size_t at, int rows, int columns) {
    return {values.data() + at, rows, columns};
  }
  void lay_out();
  bool fill(const BodyStructure& structure, const linalg::SparseMatrix& M);
  /// The place of an entry between two bodies, or nullptr where they are not coupled.
  double* place(const BodyStructure& structure, int row, int column_body, int column);

  std::vector<int> sizes_;
  std::vector<std::size_t> offsets_, coupling_offsets_;
  std::vector<double> values_, couplings_;
  std::vector<std::pair<int, int>> coupled_;
};

}  // namespace stiction
