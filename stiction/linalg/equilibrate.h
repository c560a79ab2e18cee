#pragma once

#include "stiction/linalg/matrix.h"

namespace stiction::linalg {

/// Positive scales, powers of two (so that scaling rounds nothing), that bring the largest entry of every row and every
/// column of diag(row_scale) M diag(column_scale) to within a small factor of one (Ruiz 2001, infinity norm). A row or
/// column of zeros keeps the scale it can be given by its neighbour: one. Depends on M alone.
void equilibrate(const Matrix& M, Vector& row_scale, Vector& column_scale);

}  // namespace stiction::linalg
