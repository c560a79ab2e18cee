#pragma once

#include <initializer_list>

#include "stiction/lcp/problem.h"

/// Matrices and vectors written out in tests.
namespace stiction::lcp::test {

/// A square matrix by rows.
inline DenseMatrix matrix(Index n, std::initializer_list<double> entries) {
  DenseMatrix M(n, n);
  Index k = 0;
  for (const double entry : entries) {
    M(k / n, k % n) = entry;
    ++k;
  }
  return M;
}

inline Vector vector(std::initializer_list<double> entries) {
  Vector v(static_cast<Index>(entries.size()));
  Index k = 0;
  for (const double entry : entries) v[k++] = entry;
  return v;
}

}  // namespace stiction::lcp::test
