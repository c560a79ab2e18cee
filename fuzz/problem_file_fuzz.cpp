// Feeds the reader of stored problems with anything. What it reads must survive the writer to the last bit, and what
// Lemke's method claims of it must be true.

#include <bit>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "stiction/lcp/certificate.h"
#include "stiction/lcp/enumeration.h"
#include "stiction/lcp/lemke.h"
#include "stiction/lcp/problem_file.h"

namespace {

using stiction::lcp::StoredProblem;
using stiction::lcp::Vector;

/// Longer inputs find no further kind of mistake, and are slow.
constexpr std::size_t longest_input = 1 << 14;
constexpr stiction::lcp::Index largest_solved = 12, largest_judged = 5;

/// Small, so that the fuzzer meets them.
constexpr stiction::lcp::ReadLimits limits{
    .file_bytes = longest_input, .token_bytes = 512, .depth = 8, .problems = 8, .dense_size = 24, .sparse_size = 48};

void require(bool condition, const char* promise) {
  if (condition) return;
  std::fprintf(stderr, "broken promise: %s\n", promise);
  std::abort();
}

bool same_bits(const Vector& a, const Vector& b) {
  if (a.size() != b.size()) return false;
  for (stiction::lcp::Index i = 0; i < a.size(); ++i)
    if (std::bit_cast<std::uint64_t>(a[i]) != std::bit_cast<std::uint64_t>(b[i])) return false;
  return true;
}

bool same(const StoredProblem& a, const StoredProblem& b) {
  const auto& p = a.problem;
  const auto& r = b.problem;
  return p.name == r.name && p.M.is_dense() == r.M.is_dense() && p.M.sparse().nonZeros() == r.M.sparse().nonZeros() &&
         same_bits(Vector(p.M.to_dense().reshaped()), Vector(r.M.to_dense().reshaped())) && same_bits(p.q, r.q) &&
         same_bits(p.lower, r.lower) && same_bits(p.upper, r.upper) && a.expect == b.expect && a.source == b.source &&
         a.must == b.must && a.basic_solutions == b.basic_solutions;
}

void check_writer(const std::vector<StoredProblem>& problems) {
  const auto text = stiction::lcp::to_json(problems);
  require(text.ok(), "what was read can be written");
  const auto back = stiction::lcp::parse_problems(text.value(), "written");
  require(back.ok(), "what was written can be read");
  require(back.value().size() == problems.size(), "as many problems come back");
  for (std::size_t i = 0; i < problems.size(); ++i)
    require(same(problems[i], back.value()[i]), "the same problem comes back");
}

void check_solver(const StoredProblem& stored) {
  stiction::lcp::Lemke lemke;
  stiction::lcp::Solution solution;
  lemke.solve(stored.problem, solution);
  require(solution.status != stiction::lcp::Status::invalid, "what was read is well formed");
  if (stored.problem.size() > largest_judged) return;
  stiction::lcp::Enumeration judge;
  if (solution.status == stiction::lcp::Status::infeasible)
    require(!judge.has_solution(stored.problem), "what is infeasible has no solution");
  const stiction::lcp::InfeasibilityProof proof =
      certify_infeasible(stored.problem, Vector::Ones(stored.problem.size()));
  if (solution.status == stiction::lcp::Status::solved) require(!proof.valid, "what is solved cannot be refuted");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > longest_input) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto problems = stiction::lcp::parse_problems(text, "input", limits);
  if (!problems.ok()) {
    require(problems.error().starts_with("input:"), "an error starts with the file");
    require(problems.error().find('\n') == std::string::npos, "an error is one line");
    require(problems.error().size() < 1000, "an error is short");
    return 0;
  }
  require(!problems.value().empty(), "a file holds a problem");
  check_writer(problems.value());
  for (const StoredProblem& stored : problems.value())
    if (stored.problem.size() <= largest_solved) check_solver(stored);
  return 0;
}
