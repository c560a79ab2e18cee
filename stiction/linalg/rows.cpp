#include "stiction/linalg/rows.h"

namespace stiction::linalg {

int Rows::append(const Rows& other, int row) {
  for (int p = other.starts_[row]; p < other.starts_[row + 1]; ++p) push(other.columns_[p], other.values_[p]);
  return end_row();
}

double Rows::dot(int row, const Vector& v) const {
  double sum = 0.0;
  for (int p = starts_[row]; p < starts_[row + 1]; ++p) sum += values_[p] * v[columns_[p]];
  return sum;
}

double Rows::mobility(int row, const SparseMatrix& M) const {
  double sum = 0.0;
  for (int p = starts_[row]; p < starts_[row + 1]; ++p)
    sum += values_[p] * values_[p] / M.coeff(columns_[p], columns_[p]);
  return sum;
}

void Rows::add_to(int row, double factor, Vector& v) const {
  for (int p = starts_[row]; p < starts_[row + 1]; ++p) v[columns_[p]] += factor * values_[p];
}

}  // namespace stiction::linalg
