#pragma once

#include "stiction/linalg/matrix.h"

namespace stiction::linalg {

/// Positive scales, powers of two (so that scaling rounds nothing), that bring the largest entry of every row and every
/// column of diag(row_scale) M diag(column_scale) to within a factor of two of one, for entries that spread over a
/// hundred decades or less (Ruiz 2001, infinity norm). A row or column of zeros keeps the scale one. Depends on M
/// alone.
///
/// Scales with this property are not unique: rows and columns that are coupled weakly could be scaled against the rest.
/// These are the ones that Ruiz's iteration reaches, half of the work done by rows and half by columns.
void equilibrate(const Matrix& M, Vector& row_scale, Vector& column_scale);

}  // namespace stiction::linalg
