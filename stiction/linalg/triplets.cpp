#include "stiction/linalg/triplets.h"

namespace stiction::linalg {

void Triplets::fill(int rows, int columns, SparseMatrix& matrix) {
  const std::size_t count = entries_.size();
  const auto sort_by = [&](int size, auto key, const std::vector<int>* from, std::vector<int>& to) {
    starts_.assign(static_cast<std::size_t>(size) + 1, 0);
    for (const Entry& entry : entries_) ++starts_[key(entry) + 1];
    for (int k = 0; k < size; ++k) starts_[k + 1] += starts_[k];
    to.resize(count);
    for (std::size_t p = 0; p < count; ++p) {
      const int e = from ? (*from)[p] : static_cast<int>(p);
      to[starts_[key(entries_[e])]++] = e;
    }
  };
  // Two stable counting sorts: by row, then by column.
  sort_by(rows, [](const Entry& entry) { return entry.row; }, nullptr, by_row_);
  sort_by(columns, [](const Entry& entry) { return entry.column; }, &by_row_, order_);

  matrix.resize(rows, columns);
  matrix.resizeNonZeros(static_cast<Index>(count));
  int* outer = matrix.outerIndexPtr();
  int* inner = matrix.innerIndexPtr();
  double* values = matrix.valuePtr();
  int filled = 0, column = 0;
  outer[0] = 0;
  for (std::size_t p = 0; p < count; ++p) {
    const Entry& entry = entries_[order_[p]];
    while (column < entry.column) outer[++column] = filled;
    if (filled > outer[column] && inner[filled - 1] == entry.row) {
      values[filled - 1] += entry.value;
    } else {
      inner[filled] = entry.row;
      values[filled++] = entry.value;
    }
  }
  while (column < columns) outer[++column] = filled;
  matrix.resizeNonZeros(filled);
}

}  // namespace stiction::linalg
