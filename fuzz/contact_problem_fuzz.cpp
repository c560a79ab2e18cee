// Feeds the reader of contact problems with anything. What it reads must survive the writer to the last bit, and what
// the cascade calls solved must certify.

#include <bit>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "stiction/cone/cascade.h"
#include "stiction/cone/factor_solver.h"
#include "stiction/cone/problem_file.h"

namespace {

using stiction::cone::Problem;
using stiction::cone::Vector;

/// Longer inputs find no further kind of mistake, and are slow.
constexpr std::size_t longest_input = 1 << 13;
constexpr stiction::cone::Index largest_solved = 4;
/// Small, so that the fuzzer meets them.
constexpr stiction::cone::ReadLimits limits{.file_bytes = longest_input, .contacts = 20, .entries = 400};

void require(bool condition, const char* promise) {
  if (condition) return;
  std::fprintf(stderr, "broken promise: %s\n", promise);
  std::abort();
}

bool same_bits(const Vector& a, const Vector& b) {
  if (a.size() != b.size()) return false;
  for (stiction::cone::Index i = 0; i < a.size(); ++i)
    if (std::bit_cast<std::uint64_t>(a[i]) != std::bit_cast<std::uint64_t>(b[i])) return false;
  return true;
}

void check_writer(const Problem& problem) {
  const auto text = stiction::cone::to_text(problem);
  require(text.ok(), "what was read can be written");
  const auto back = stiction::cone::parse_problem(text.value(), "input.fcp");
  require(back.ok(), "what was written can be read");
  const Problem& p = back.value();
  require(p.dimension == problem.dimension && same_bits(p.q, problem.q) && same_bits(p.mu, problem.mu) &&
              same_bits(p.mu2, problem.mu2) &&
              same_bits(Vector(p.W.to_dense().reshaped()), Vector(problem.W.to_dense().reshaped())),
          "the same problem comes back");
}

void check_factors(std::string_view text) {
  const auto form = stiction::cone::parse_factors(text, "input.fcp", limits);
  if (!form.ok()) return;
  const auto written = stiction::cone::to_text(form.value());
  require(written.ok(), "factors that were read can be written");
  const auto back = stiction::cone::parse_factors(written.value(), "input.fcp");
  require(back.ok(), "factors that were written can be read");
  const auto again = stiction::cone::to_text(back.value());
  require(again.ok() && again.value() == written.value(), "the same factors come back");
}

/// On the factors: whatever they are, it ends, and what it calls solved is a list of numbers.
void check_factor_solver(std::string_view text) {
  const auto form = stiction::cone::parse_factors(text, "input.fcp", limits);
  if (!form.ok() || form.value().contacts() + form.value().rows() > largest_solved) return;
  stiction::cone::FactorSolver solver;
  if (!solver.prepare(form.value()).empty()) return;
  stiction::cone::Solution solution;
  solver.solve(solution);
  require(solution.status != stiction::lcp::Status::invalid, "factors that were taken are well formed");
  if (solution.status == stiction::lcp::Status::solved)
    require(solution.r.size() == solver.problem().size() && solution.r.allFinite(), "what is solved has an answer");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > longest_input) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  check_factors(text);
  check_factor_solver(text);
  const auto problem = stiction::cone::parse_problem(text, "input.fcp", limits);
  if (!problem.ok()) {
    require(problem.error().starts_with("input.fcp:"), "an error starts with the file");
    require(problem.error().find('\n') == std::string::npos, "an error is one line");
    require(problem.error().size() < 1000, "an error is short");
    return 0;
  }
  // FCP1 has no joints that disagree.
  if (!problem.value().is_contradictory() && problem.value().disagreement == 0.0) check_writer(problem.value());
  if (problem.value().contacts() > largest_solved) return 0;
  stiction::cone::Cascade cascade;
  stiction::cone::Solution solution;
  cascade.solve(problem.value(), solution);
  require(solution.status != stiction::lcp::Status::invalid, "what was read is well formed");
  if (solution.status == stiction::lcp::Status::solved)
    require(certify(problem.value(), solution.r).certified(), "what is solved certifies");
  return 0;
}
