#include "stiction/lcp/problem_draft.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace stiction::lcp {

namespace {

using Defect = std::optional<DraftDefect>;
using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

std::string by(Index rows, Index columns) {
  return std::to_string(rows) + " by " + std::to_string(columns);
}

Vector to_vector(const std::vector<double>& numbers) {
  return Eigen::Map<const Vector>(numbers.data(), static_cast<Index>(numbers.size()));
}

std::string entries(std::size_t count) {
  return std::to_string(count) + (count == 1 ? " entry" : " entries");
}

Defect check_sizes(const ProblemDraft& draft) {
  if (!draft.has_M) return DraftDefect{"", "missing \"M\" (an array of rows)"};
  if (!draft.has_q) return DraftDefect{"", "missing \"q\" (an array of numbers)"};
  if (draft.is_sparse && (!draft.sparse_rows || !draft.sparse_columns))
    return DraftDefect{"/M", draft.sparse_rows ? "missing \"cols\"" : "missing \"rows\""};
  const Index rows = draft.is_sparse ? *draft.sparse_rows : draft.dense_rows;
  const Index columns = draft.is_sparse ? *draft.sparse_columns : draft.dense_columns;
  if (rows != columns) return DraftDefect{"/M", "is " + by(rows, columns) + ", expected a square matrix"};
  if (draft.q.empty()) return DraftDefect{"/q", "is empty, expected at least one number"};
  const auto n = static_cast<std::size_t>(rows);
  const auto wrong_size = [&](const char* at, std::size_t size) {
    return DraftDefect{at,
                       "has " + entries(size) + ", expected " + std::to_string(n) + " since M is " + by(rows, columns)};
  };
  if (draft.q.size() != n) return wrong_size("/q", draft.q.size());
  if (draft.has_lower && draft.lower.size() != n) return wrong_size("/lower", draft.lower.size());
  if (draft.has_upper && draft.upper.size() != n) return wrong_size("/upper", draft.upper.size());
  if (draft.basic_solutions)
    for (std::size_t k = 0; k < draft.basic_solutions->size(); ++k)
      if (const auto size = static_cast<std::size_t>((*draft.basic_solutions)[k].size()); size != n)
        return wrong_size(("/basic_solutions/" + std::to_string(k)).c_str(), size);
  return std::nullopt;
}

Defect check_triplets(const std::vector<Eigen::Triplet<double>>& triplets, Index n) {
  for (std::size_t k = 0; k < triplets.size(); ++k)
    if (triplets[k].row() >= n || triplets[k].col() >= n)
      return DraftDefect{"/M/triplets/" + std::to_string(k),
                         "row " + std::to_string(triplets[k].row()) + ", column " + std::to_string(triplets[k].col()) +
                             " is outside M, expected 0 to " + std::to_string(n - 1)};
  return std::nullopt;
}

DraftDefect name_repeated_triplet(const std::vector<Eigen::Triplet<double>>& triplets) {
  std::vector<std::pair<int, int>> places;
  places.reserve(triplets.size());
  for (const auto& triplet : triplets) places.emplace_back(triplet.row(), triplet.col());
  std::sort(places.begin(), places.end());
  const auto repeated = std::adjacent_find(places.begin(), places.end());
  return {"/M/triplets", "row " + std::to_string(repeated->first) + ", column " + std::to_string(repeated->second) +
                             " is given twice, expected each entry once"};
}

Defect make_matrix(ProblemDraft& draft, Matrix& M) {
  const auto n = static_cast<Index>(draft.q.size());
  if (!draft.is_sparse) {
    M = DenseMatrix(Eigen::Map<const RowMajor>(draft.dense.data(), n, n));
    return std::nullopt;
  }
  if (Defect defect = check_triplets(draft.triplets, n)) return defect;
  SparseMatrix sparse(n, n);
  sparse.setFromTriplets(draft.triplets.begin(), draft.triplets.end());
  if (sparse.nonZeros() != static_cast<Index>(draft.triplets.size())) return name_repeated_triplet(draft.triplets);
  M = std::move(sparse);
  return std::nullopt;
}

Defect make_bounds(const ProblemDraft& draft, Problem& problem) {
  if (draft.has_lower) problem.lower = to_vector(draft.lower);
  if (draft.has_upper) problem.upper = to_vector(draft.upper);
  if (draft.free.empty()) return std::nullopt;

  const auto n = static_cast<Index>(draft.q.size());
  if (!draft.has_lower) problem.lower = Vector::Zero(n);
  if (!draft.has_upper) problem.upper = Vector::Constant(n, infinity);
  for (std::size_t k = 0; k < draft.free.size(); ++k) {
    const Index i = draft.free[k];
    const std::string at = "/free/" + std::to_string(k);
    if (i >= n)
      return DraftDefect{at, "is " + std::to_string(i) + ", expected an index from 0 to " + std::to_string(n - 1)};
    if ((draft.has_lower && problem.lower[i] != -infinity) || (draft.has_upper && problem.upper[i] != infinity))
      return DraftDefect{at, "variable " + std::to_string(i) + " cannot be free, \"lower\" or \"upper\" bounds it; " +
                                 "write null there, or leave it out here"};
    problem.lower[i] = -infinity;
  }
  return std::nullopt;
}

}  // namespace

std::optional<DraftDefect> finish(ProblemDraft&& draft, StoredProblem& stored) {
  if (Defect defect = check_sizes(draft)) return defect;
  Problem& problem = stored.problem;
  if (Defect defect = make_matrix(draft, problem.M)) return defect;
  if (Defect defect = make_bounds(draft, problem)) return defect;
  problem.q = to_vector(draft.q);
  if (std::string defect = find_defect(problem); !defect.empty()) return DraftDefect{"", std::move(defect)};
  problem.name = std::move(draft.name);
  stored.expect = draft.expect;
  stored.source = std::move(draft.source);
  stored.must = std::move(draft.must);
  stored.basic_solutions = std::move(draft.basic_solutions);
  return std::nullopt;
}

}  // namespace stiction::lcp
