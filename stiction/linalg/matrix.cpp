#include "stiction/linalg/matrix.h"

namespace stiction::linalg {

void Matrix::multiply_add(const Vector& x, double factor, Vector& y) const {
  for (Index j = 0; j < cols(); ++j) {
    const double scaled = factor * x[j];
    if (scaled == 0.0) continue;
    for_each_in_column(j, [&](Index i, double value) { y[i] += value * scaled; });
  }
}

void Matrix::multiply_transposed_add(const Vector& x, double factor, Vector& y) const {
  for (Index j = 0; j < cols(); ++j) {
    double sum = 0.0;
    for_each_in_column(j, [&](Index i, double value) { sum += value * x[i]; });
    y[j] += factor * sum;
  }
}

}  // namespace stiction::linalg
