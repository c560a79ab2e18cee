// The full-size check of contact problems as mechanics poses them, on their factors: every generated family with 200 to
// 2,000 contacts. Prints one section of Markdown; exit code 1 when a problem is not solved to 1e-8 by both residuals. A
// family whose problems take too long is not tried at larger sizes, and counts as not solved there.
//
// usage: accept_families [--seeds N]   N problems of each family, size and mass ratio (2)

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "bench/cpu_seconds.h"
#include "problems/generator/cone_problem.h"
#include "problems/generator/families.h"
#include "stiction/cone/factor_solver.h"

namespace {

using namespace stiction;

constexpr std::array<int, 4> sizes = {200, 500, 1000, 2000};
constexpr double most_growth = 1.5;  // exponent of the time, from the smallest size to the largest
constexpr double patience = 2.0;     // s: after a problem that took longer, larger ones of its family are left out,
constexpr double give_up = 20.0;     // s: and after this all others of it

/// All problems of a family.
struct Tally {
  int problems = 0, solved = 0;
  std::size_t last_size = 0;
  std::array<int, sizes.size()> tried = {};
  std::array<double, sizes.size()> seconds = {};  ///< Of those that were tried.
  double slowest = 0.0, worst = 0.0, worst_contact = 0.0;
  std::string slowest_name = "-";

  void add(const families::Family& family, const families::Request& request, std::size_t size) {
    ++problems;
    if (slowest > give_up || (size > last_size && slowest > patience)) return;
    last_size = size;
    ++tried[size];
    const cone::FactorForm form = families::to_factor_form(family.make(request));
    cone::FactorSolver solver;
    cone::Solution solution;
    const double start = bench::cpu_seconds();
    std::string defect = solver.prepare(form);
    if (defect.empty()) solver.solve(solution);
    const double time = bench::cpu_seconds() - start;
    seconds[size] += time;
    if (time > slowest) {
      slowest = time;
      slowest_name = form.name;
    }
    // Judged here, whatever the status says.
    cone::FactorJudge judge;
    if (defect.empty()) defect = judge.prepare(form);
    if (!defect.empty()) {
      std::fprintf(stderr, "%s: %s\n", form.name.c_str(), defect.c_str());
      return;
    }
    const cone::Certificate certificate = judge.certify(solution.r);
    solved += certificate.certified();
    worst = std::max(worst, certificate.residual);
    worst_contact = std::max(worst_contact, certificate.contact_residual);
    if (!certificate.certified())
      std::fprintf(stderr, "%s: not solved, residual %.1e, of contact %ld %.1e\n", form.name.c_str(),
                   certificate.residual, static_cast<long>(certificate.worst), certificate.contact_residual);
  }
  /// a of time ~ contacts^a, up to the largest size that was tried.
  [[nodiscard]] double growth() const {
    std::size_t last = sizes.size() - 1;
    while (last > 1 && tried[last] == 0) --last;
    return std::log(mean(last) / std::max(1e-6, mean(0))) / std::log(static_cast<double>(sizes[last]) / sizes.front());
  }
  [[nodiscard]] double mean(std::size_t size) const { return tried[size] > 0 ? seconds[size] / tried[size] : 0.0; }
  void print(std::string_view name) const {
    std::printf("| %.*s | %d/%d |", static_cast<int>(name.size()), name.data(), solved, problems);
    for (std::size_t size = 0; size < sizes.size(); ++size) {
      if (tried[size] > 0)
        std::printf(" %.3f |", mean(size));
      else
        std::printf(" not tried |");
    }
    std::printf(" %.2f%s | %.2f | %s | %.1e | %.1e |\n", growth(), growth() > most_growth ? " (more)" : "", slowest,
                slowest_name.c_str(), worst, worst_contact);
    std::fflush(stdout);
  }
};

}  // namespace

int main(int argc, char** argv) {
  int seeds = 2;
  if (argc == 3 && std::string_view(argv[1]) == "--seeds") seeds = std::atoi(argv[2]);
  if ((argc != 1 && argc != 3) || seeds < 1) {
    std::fprintf(stderr, "usage: %s [--seeds N]\n", argv[0]);
    return 2;
  }
  std::printf("## Families of contact problems, on their factors\n\n");
  std::printf(
      "%d problems of each size and of the mass ratios 1 and 1000; mean processor time of a size, from nothing. The "
      "goal "
      "is a growth of at most contacts^%.1f. After a problem of more than %g s larger ones of its family are not "
      "tried, and after one of more than %g s no others.\n\n",
      seeds, most_growth, patience, give_up);
  std::printf("| family | solved |");
  for (const int size : sizes) std::printf(" s at %d |", size);
  std::printf(
      " growth | slowest s | which | worst residual | in a contact |\n|---|---|---|---|---|---|---|---|---|---|---|\n");
  bool whole = true;
  for (const families::Family& family : families::solvable_families()) {
    Tally tally;
    for (std::size_t size = 0; size < sizes.size(); ++size)
      for (const double ratio : {1.0, 1000.0})
        for (int seed = 1; seed <= seeds; ++seed)
          tally.add(family, {sizes[size], ratio, static_cast<std::uint64_t>(seed)}, size);
    tally.print(family.name);
    whole &= tally.solved == tally.problems;
  }
  std::printf("\n");
  return whole ? 0 : 1;
}
