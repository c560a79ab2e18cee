// The full-size checks of the contact problems with the true cone: the stored problems of others, and every generated
// family with 5 to 200 contacts. Prints one section of Markdown; exit code 1 when a problem is not solved to 1e-8 by
// both residuals, one without an answer is not refuted, or the stored ones take longer than 20 s.
//
// usage: accept_cone [--seeds N]   N problems of each family, size and mass ratio (3)

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "problems/generator/cone_problem.h"
#include "problems/generator/families.h"
#include "stiction/cone/cascade.h"
#include "stiction/cone/problem_file.h"

namespace {

using namespace stiction;

struct Tally {
  int problems = 0, solved = 0;
  double seconds = 0.0, slowest = 0.0, worst = 0.0, worst_contact = 0.0;
  std::string slowest_name = "-";

  void add(const cone::Problem& problem, cone::Cascade& cascade) {
    cone::Solution solution;
    const auto start = std::chrono::steady_clock::now();
    cascade.solve(problem, solution);
    const double time = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    ++problems;
    seconds += time;
    // Judged by the certificate here, whatever the status says.
    const cone::Certificate certificate = certify(problem, solution.r);
    solved += certificate.certified();
    worst = std::max(worst, certificate.residual);
    worst_contact = std::max(worst_contact, certificate.contact_residual);
    if (!certificate.certified())
      std::fprintf(stderr, "%s: not solved, residual %.1e, of contact %ld %.1e\n", problem.name.c_str(),
                   certificate.residual, static_cast<long>(certificate.worst), certificate.contact_residual);
    if (time <= slowest) return;
    slowest = time;
    slowest_name = problem.name;
  }
  void print(const std::string& name) const {
    std::printf("| %s | %d/%d | %.2f | %.1f | %s | %.1e | %.1e |\n", name.c_str(), solved, problems, seconds,
                1e3 * slowest, slowest_name.c_str(), worst, worst_contact);
    std::fflush(stdout);
  }
  [[nodiscard]] bool whole() const { return solved == problems; }
};

constexpr const char* head =
    "| problems | solved | total s | slowest ms | which | worst residual | worst contact_residual "
    "|\n|---|---|---|---|---|---|---|\n";

bool check_stored(cone::Cascade& cascade) {
  const char* data = std::getenv("STICTION_DATA");
  const std::filesystem::path folder = std::filesystem::path(data ? data : "../shared/data") / "contact_problems";
  std::printf("### Contact problems from other people's simulations\n\n");
  if (!std::filesystem::exists(folder)) {
    std::printf("**Not shown**: there is no `contact_problems` in the test data (STICTION_DATA).\n\n");
    return true;
  }
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".fcp") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  Tally all;
  std::printf(head);
  for (const auto& file : files) {
    const auto problem = cone::read_problem(file);
    if (!problem) {
      std::fprintf(stderr, "%s\n", problem.error().c_str());
      return false;
    }
    all.add(problem.value(), cascade);
    // The ones that other solvers find hard are named.
    const std::string& name = problem.value().name;
    for (const char* hard : {"Box_Stacks", "Confeti-ex13-Fc3D", "fc2d_granularflowonwall_02020"})
      if (name.starts_with(hard)) {
        Tally one;
        one.add(problem.value(), cascade);
        one.print(name);
      }
  }
  all.print("all");
  std::printf("\nGoal: all solved, under 20 s in all.\n\n");
  return all.whole() && all.seconds < 20.0;
}

bool check_generated(cone::Cascade& cascade, int seeds) {
  std::printf("### Generated contact problems, 5 to 200 contacts, mass ratios 1 and 1000\n\n%s", head);
  bool whole = true;
  for (const families::Family& family : families::solvable_families()) {
    Tally tally;
    for (const int contacts : {5, 20, 50, 100, 200})
      for (const double ratio : {1.0, 1000.0})
        for (int seed = 1; seed <= seeds; ++seed)
          tally.add(families::to_cone(family.make({contacts, ratio, static_cast<std::uint64_t>(seed)})), cascade);
    tally.print(std::string(family.name));
    whole &= tally.whole();
  }
  std::printf("\n");
  return whole;
}

/// Bodies between walls that are closer than they are wide.
bool check_refuted(cone::Cascade& cascade, int seeds) {
  std::printf("### Problems without an answer, 5 to 50 contacts, mass ratios 1 and 1000\n\n");
  std::printf("| problems | refuted | smallest tolerance refuted |\n|---|---|---|\n");
  bool whole = true;
  for (const families::Family& family : families::infeasible_families()) {
    int problems = 0, refuted = 0;
    double smallest = std::numeric_limits<double>::infinity();
    for (const int contacts : {5, 20, 50})
      for (const double ratio : {1.0, 1000.0})
        for (int seed = 1; seed <= seeds; ++seed) {
          const cone::Problem problem =
              families::to_cone(family.make({contacts, ratio, static_cast<std::uint64_t>(seed)}));
          cone::Solution solution;
          cascade.solve(problem, solution);
          const cone::InfeasibilityProof proof = certify_infeasible(problem, solution.proof);
          ++problems;
          refuted += proof.refutes() ? 1 : 0;
          smallest = std::min(smallest, proof.least_tolerance);
          if (!proof.refutes()) std::fprintf(stderr, "%s: not refuted\n", problem.name.c_str());
        }
    std::printf("| %s | %d/%d | %.1e |\n", std::string(family.name).c_str(), refuted, problems, smallest);
    whole &= refuted == problems;
  }
  std::printf("\n");
  return whole;
}

}  // namespace

int main(int argc, char** argv) {
  int seeds = 3;
  if (argc == 3 && std::string_view(argv[1]) == "--seeds") seeds = std::atoi(argv[2]);
  if ((argc != 1 && argc != 3) || seeds < 1) {
    std::fprintf(stderr, "usage: %s [--seeds N]\n", argv[0]);
    return 2;
  }
  std::printf("## The true cone\n\n");
  cone::Cascade cascade;
  const bool stored = check_stored(cascade), generated = check_generated(cascade, seeds),
             refuted = check_refuted(cascade, seeds);
  return stored && generated && refuted ? 0 : 1;
}
