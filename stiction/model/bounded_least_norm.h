#pragma once

#include "stiction/linalg/matrix.h"

namespace stiction {

/// The x of least length with A x = A start and lower <= x <= upper, by an active set from `start`, which is within
/// these. A column of A of which less than `dependent` of its length is left depends on the others.
[[nodiscard]] linalg::Vector bounded_least_norm(const linalg::DenseMatrix& A, const linalg::Vector& start,
                                                const linalg::Vector& lower, const linalg::Vector& upper,
                                                double dependent);

}  // namespace stiction
