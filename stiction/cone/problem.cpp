#include "stiction/cone/problem.h"

#include <cmath>

namespace stiction::cone {

namespace {

std::string find_bad_coefficient(const Vector& mu, const char* name) {
  for (Index i = 0; i < mu.size(); ++i)
    if (!(mu[i] >= 0.0) || !std::isfinite(mu[i]))
      return std::string(name) + " of contact " + std::to_string(i) + " is " + std::to_string(mu[i]) +
             ", expected a finite number, zero or more";
  return {};
}

bool all_finite(const double* values, Index count) {
  double nothing[4] = {};  // what is no finite number does not go away when taken from itself
  Index i = 0;
  for (; i + 4 <= count; i += 4)
    for (int k = 0; k < 4; ++k) nothing[k] += values[i + k] - values[i + k];
  for (; i < count; ++i) nothing[0] += values[i] - values[i];
  return nothing[0] + nothing[1] + nothing[2] + nothing[3] == 0.0;
}

bool all_finite(const Matrix& W) {
  if (W.is_dense()) return all_finite(W.dense().data(), W.dense().size());
  return all_finite(W.sparse().valuePtr(), W.sparse().nonZeros());
}

/// Nothing moves where tr W_ii is zero, whatever r is.
std::string find_immovable(const Problem& problem) {
  for (Index c = 0; c < problem.contacts(); ++c) {
    double trace = 0.0;
    for (Index i = c * problem.dimension; i < (c + 1) * problem.dimension; ++i) trace += problem.W.coefficient(i, i);
    if (!(trace > 0.0))
      return "contact " + std::to_string(c) +
             " is between bodies that do not move: the diagonal of W has no positive sum there; leave the contact out";
  }
  return {};
}

}  // namespace

std::string find_defect(const Problem& problem) {
  if (problem.dimension != 2 && problem.dimension != 3)
    return "the dimension is " + std::to_string(problem.dimension) + ", expected 2 or 3";
  const Index n = problem.dimension * problem.contacts();
  if (problem.q.size() != n)
    return "q has " + std::to_string(problem.q.size()) + " numbers, expected " + std::to_string(n);
  if (problem.W.rows() != n || problem.W.cols() != n)
    return "W is " + std::to_string(problem.W.rows()) + " by " + std::to_string(problem.W.cols()) + ", expected " +
           std::to_string(n) + " by " + std::to_string(n);
  if (problem.mu2.size() != 0 && (problem.mu2.size() != problem.mu.size() || problem.dimension != 3))
    return "mu2 has " + std::to_string(problem.mu2.size()) + " numbers, expected none or in space one a contact";
  if (!problem.borne.empty() && static_cast<Index>(problem.borne.size()) != problem.contacts())
    return "borne has " + std::to_string(problem.borne.size()) + " marks, expected none or one a contact";
  if (problem.free.size() != 0 && (problem.free.size() != n || !problem.free.allFinite()))
    return "the free speeds are not " + std::to_string(n) + " finite numbers";
  for (const auto& [mu, name] : {std::pair{&problem.mu, "mu"}, std::pair{&problem.mu2, "mu2"}})
    if (std::string defect = find_bad_coefficient(*mu, name); !defect.empty()) return defect;
  if (!problem.q.allFinite()) return "q has a number that is not finite";
  if (all_finite(problem.W)) return find_immovable(problem);
  for (Index j = 0; j < n; ++j) {
    bool finite = true;
    problem.W.for_each_in_column(j, [&](Index, double value) { finite &= std::isfinite(value); });
    if (!finite) return "W has a number that is not finite in column " + std::to_string(j);
  }
  return {};
}

}  // namespace stiction::cone
