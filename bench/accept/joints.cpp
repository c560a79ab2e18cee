// The full-size check of redundant joints: random mechanisms move alike with and without copies of their joints. Prints
// one section of Markdown; exit code 1 when a promise is broken.
//
// usage: accept_joints [--count PERCENT]
//   --count PERCENT  this part of the full count of random mechanisms (100)

#include <algorithm>
#include <cstdio>
#include <string>

#include "bench/check_options.h"
#include "stiction/sim/test/random_mechanism.h"

namespace {

using namespace stiction;

bool check(const char* name, const SchemeOptions& scheme, int count) {
  std::fprintf(stderr, "%s\n", name);
  Random random(1);
  int failed = 0, copies = 0;
  double apart = 0.0;
  std::string why;
  for (int i = 0; i < count; ++i) {
    const test::RedundancyTrial trial = test::try_redundancy(random, scheme);
    if (!trial.error.empty()) {
      ++failed;
      why = trial.error;
      continue;
    }
    apart = std::max(apart, trial.apart);
    copies += trial.copies;
  }
  const bool good = failed == 0 && apart <= 1e-9;
  std::printf("| %s | %d | %d | %d | %.1e | %s |\n", name, count, copies, failed, apart, good ? "ok" : "**failed**");
  if (!why.empty()) std::fprintf(stderr, "last failure: %s\n", why.c_str());
  return good;
}

}  // namespace

int main(int argc, char** argv) {
  const std::optional<CheckOptions> options = read_check_options(argc, argv);
  if (!options) return 2;
  const int percent = options->whole_percent();
  std::printf(
      "## Redundant joints\n\nRandom mechanisms, trees and loops of 1 to 20 joints, 20 steps of 2 ms with and without "
      "copies of half of the joints, moved along their axes or anywhere where that says the same. The difference is "
      "the "
      "largest of positions and velocities at the end; it must be below 1e-9.\n\n"
      "| scheme | mechanisms | copies | failed | difference | verdict |\n|---|---|---|---|---|---|\n");
  SchemeOptions stabilised = preset(Scheme::anitescu_potra);
  stabilised.stabilisation = 0.2;
  bool good = check("stewart_trinkle", preset(Scheme::stewart_trinkle), 10 * percent);
  good = check("anitescu_potra", preset(Scheme::anitescu_potra), 10 * percent) && good;
  good = check("anitescu_potra, stabilised", stabilised, 2 * percent) && good;
  good = check("lotstedt", preset(Scheme::lotstedt), percent) && good;
  stiction::test::GradeShares::print();
  return good ? 0 : 1;
}
