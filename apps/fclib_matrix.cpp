#include "apps/fclib_matrix.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>

namespace stiction::apps {

namespace {

using cone::SparseMatrix;
using Triplets = std::vector<Eigen::Triplet<double>>;

/// Empty where every index is from 0 to below `end`.
std::string find_outside(const std::vector<int>& list, std::size_t count, const char* name, const char* what, int end) {
  for (std::size_t e = 0; e < count; ++e)
    if (list[e] < 0 || list[e] >= end)
      return fmt::format("{}[{}] is {}, expected a {} from 0 to {}", name, e, list[e], what, end - 1);
  return {};
}

/// Empty where p rises from 0 to the number of entries.
std::string find_bad_pointer(const FclibMatrix& a, std::size_t lines, const char* what) {
  if (a.p.size() != lines + 1)
    return fmt::format("p has {} numbers, expected {}, one more than {}", a.p.size(), lines + 1, what);
  if (a.i.size() != a.x.size())
    return fmt::format("i has {} numbers and x has {}, expected as many", a.i.size(), a.x.size());
  if (a.p[0] != 0) return fmt::format("p[0] is {}, expected 0", a.p[0]);
  const std::size_t room = a.x.size();
  for (std::size_t line = 0; line < lines; ++line) {
    const int from = a.p[line], to = a.p[line + 1];
    if (to < from) return fmt::format("p[{}] is {} after {}, expected no less", line + 1, to, from);
    if (static_cast<std::size_t>(to) > room)
      return fmt::format("p[{}] is {}, but i and x have {} numbers", line + 1, to, room);
  }
  const auto rest = a.x.begin() + a.p[lines];
  if (std::any_of(rest, a.x.end(), [](double value) { return value != 0.0; }))
    return fmt::format("p ends with {}, but i and x have {} numbers, which it would lose", a.p[lines], room);
  return {};
}

Result<Triplets> read_plain(const FclibMatrix& a) {
  const auto count = static_cast<std::size_t>(a.nz);
  if (a.p.size() < count || a.i.size() < count || a.x.size() < count)
    return Error{
        fmt::format("nz is {}, but p, i and x have {}, {} and {} numbers", a.nz, a.p.size(), a.i.size(), a.x.size())};
  std::string defect = find_outside(a.i, count, "i", "row", a.m);
  if (defect.empty()) defect = find_outside(a.p, count, "p", "column", a.n);
  if (!defect.empty()) return Error{defect};
  Triplets triplets;
  triplets.reserve(count);
  for (std::size_t e = 0; e < count; ++e) triplets.emplace_back(a.i[e], a.p[e], a.x[e]);
  return triplets;
}

Result<Triplets> read_compressed(const FclibMatrix& a) {
  const bool by_columns = a.nz == -1;
  const auto lines = static_cast<std::size_t>(by_columns ? a.n : a.m);
  std::string defect = find_bad_pointer(a, lines, by_columns ? "columns" : "rows");
  if (!defect.empty()) return Error{defect};
  const auto count = static_cast<std::size_t>(a.p[lines]);
  defect = find_outside(a.i, count, "i", by_columns ? "row" : "column", by_columns ? a.m : a.n);
  if (!defect.empty()) return Error{defect};
  Triplets triplets;
  triplets.reserve(count);
  for (std::size_t line = 0; line < lines; ++line)
    for (int e = a.p[line]; e < a.p[line + 1]; ++e) {
      const int along = static_cast<int>(line), across = a.i[static_cast<std::size_t>(e)];
      triplets.emplace_back(by_columns ? across : along, by_columns ? along : across, a.x[static_cast<std::size_t>(e)]);
    }
  return triplets;
}

}  // namespace

Result<SparseMatrix> to_sparse(const FclibMatrix& matrix) {
  const std::string size = fmt::format("{} by {}, nz {}: ", matrix.m, matrix.n, matrix.nz);
  if (matrix.m < 0 || matrix.n < 0 || matrix.nz < -2)
    return Error{size + "expected m and n zero or more, and nz -2, -1 or more"};
  const Result<Triplets> triplets = matrix.nz >= 0 ? read_plain(matrix) : read_compressed(matrix);
  if (!triplets) return Error{size + triplets.error()};
  SparseMatrix answer(matrix.m, matrix.n);
  answer.setFromTriplets(triplets.value().begin(), triplets.value().end());
  return answer;
}

}  // namespace stiction::apps
