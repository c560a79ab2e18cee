#pragma once

#include <string>
#include <vector>

#include "stiction/base/result.h"
#include "stiction/cone/problem.h"

namespace stiction::apps {

/// A matrix as FCLIB stores it: m rows, n columns, and by `nz`
///
///     nz >= 0   triplets: nz entries, p their columns, i their rows (as CSparse has it, whose matrices Siconos
///     writes), nz = -1   by columns: p[j] where column j begins, i the rows, nz = -2   by rows: p[j] where row j
///     begins, i the columns.
///
/// The comment of FCLIB's header has p and i of triplets the other way round; its own functions and the files of its
/// collection follow CSparse.
struct FclibMatrix {
  int m = 0, n = 0, nz = 0;
  std::vector<int> p = {}, i = {};
  std::vector<double> x = {};
};

/// Entries at one place add up. An error, with what was found and what was expected, where indices leave the matrix, p
/// does not rise from 0 to the number of entries, or lists are too short. Room beyond the entries (`nzmax`) may be
/// there; by columns and by rows only if it holds zeros, since a p that ends early would lose entries otherwise.
[[nodiscard]] Result<cone::SparseMatrix> to_sparse(const FclibMatrix& matrix);

}  // namespace stiction::apps
