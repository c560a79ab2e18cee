#include "stiction/lcp/problem.h"

#include <cmath>

namespace stiction::lcp {

bool Problem::is_standard() const {
  for (Index i = 0; i < size(); ++i)
    if (lower_bound(i) != 0.0 || upper_bound(i) != infinity) return false;
  return true;
}

namespace {

std::string find_matrix_defect(const Matrix& M, Index n) {
  if (M.rows() != n || M.cols() != n)
    return "M is " + std::to_string(M.rows()) + " by " + std::to_string(M.cols()) + " but q has " + std::to_string(n) +
           " entries; M must be " + std::to_string(n) + " by " + std::to_string(n);
  std::string defect;
  for (Index j = 0; j < n && defect.empty(); ++j)
    M.for_each_in_column(j, [&](Index i, double value) {
      if (!std::isfinite(value) && defect.empty())
        defect = "M[" + std::to_string(i) + "][" + std::to_string(j) + "] is not a finite number";
    });
  return defect;
}

std::string find_bound_defect(const Problem& problem) {
  const Index n = problem.size();
  if (problem.lower.size() != 0 && problem.lower.size() != n)
    return "lower has " + std::to_string(problem.lower.size()) + " entries, q has " + std::to_string(n);
  if (problem.upper.size() != 0 && problem.upper.size() != n)
    return "upper has " + std::to_string(problem.upper.size()) + " entries, q has " + std::to_string(n);
  for (Index i = 0; i < n; ++i) {
    const double low = problem.lower_bound(i);
    const double high = problem.upper_bound(i);
    if (!(low <= high) || low == infinity || high == -infinity)
      return "the bounds of variable " + std::to_string(i) +
             " leave it no finite value; lower <= upper is needed, with "
             "a number between them";
  }
  return {};
}

}  // namespace

std::string find_defect(const Problem& problem) {
  const Index n = problem.size();
  if (std::string defect = find_matrix_defect(problem.M, n); !defect.empty()) return defect;
  for (Index i = 0; i < n; ++i)
    if (!std::isfinite(problem.q[i])) return "q[" + std::to_string(i) + "] is not a finite number";
  return find_bound_defect(problem);
}

}  // namespace stiction::lcp
