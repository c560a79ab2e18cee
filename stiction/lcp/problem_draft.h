#pragma once

#include <Eigen/SparseCore>
#include <optional>
#include <string>
#include <vector>

#include "stiction/lcp/problem_file.h"

namespace stiction::lcp {

/// A stored problem while the reader collects it: its parts come in any order, so sizes are compared at the end.
struct ProblemDraft {
  std::string name, source, must;
  Status expect = Status::solved;
  bool has_M = false, has_q = false, is_sparse = false;
  std::vector<double> dense;  ///< By rows.
  Index dense_rows = 0, dense_columns = 0;
  std::optional<Index> sparse_rows, sparse_columns;
  std::vector<Eigen::Triplet<double>> triplets;
  std::vector<double> q, lower, upper;
  bool has_lower = false, has_upper = false;
  std::vector<Index> free;
  std::optional<std::vector<Vector>> basic_solutions;
};

/// What is wrong, and where as a JSON pointer relative to the problem.
struct DraftDefect {
  std::string at, message;
};

/// Turns the draft into `stored`, or says why it cannot be one. Memory for n unknowns is taken only after q was seen to
/// have n entries.
[[nodiscard]] std::optional<DraftDefect> finish(ProblemDraft&& draft, StoredProblem& stored);

}  // namespace stiction::lcp
