#include "stiction/linalg/equilibrate.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace stiction::linalg {

namespace {

/// The power of two nearest to 1/sqrt(x), or one where x says nothing.
double inverse_root(double x) {
  if (!(x > 0.0) || !std::isfinite(x)) return 1.0;
  int exponent = 0;
  std::frexp(x, &exponent);
  return std::ldexp(1.0, -static_cast<int>(std::floor((exponent - 1) / 2.0 + 0.5)));
}

}  // namespace

void equilibrate(const Matrix& M, Vector& row_scale, Vector& column_scale) {
  // Each sweep halves the logarithm of the spread; beyond a factor of two the rounding to powers of two stops it.
  constexpr int most_sweeps = 8;
  row_scale.setOnes(M.rows());
  column_scale.setOnes(M.cols());
  thread_local std::vector<double> row_largest;  // keeps its storage when sizes alternate, which a Vector would not
  for (int sweep = 0; sweep < most_sweeps; ++sweep) {
    bool changed = false;
    row_largest.assign(static_cast<std::size_t>(M.rows()), 0.0);
    for (Index j = 0; j < M.cols(); ++j) {
      double largest = 0.0;
      M.for_each_in_column(j, [&](Index i, double value) {
        const double scaled = std::abs(value) * row_scale[i] * column_scale[j];
        largest = std::max(largest, scaled);
        row_largest[static_cast<std::size_t>(i)] = std::max(row_largest[static_cast<std::size_t>(i)], scaled);
      });
      const double factor = inverse_root(largest);
      changed |= factor != 1.0;
      column_scale[j] *= factor;
    }
    for (Index i = 0; i < M.rows(); ++i) {
      const double factor = inverse_root(row_largest[static_cast<std::size_t>(i)]);
      changed |= factor != 1.0;
      row_scale[i] *= factor;
    }
    if (!changed) break;
  }
}

}  // namespace stiction::linalg
