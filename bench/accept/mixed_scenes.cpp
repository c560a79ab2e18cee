// The full-size check of the true cone in steps that follow each other: 100,000 of them, in mixed random scenes. Prints
// one section of Markdown; exit code 1 when a promise is broken.
//
// usage: accept_mixed_scenes [--count PERCENT]
//   --count PERCENT  this part of the 100,000 steps (100)

#include "stiction/sim/test/mixed_scenes.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <mutex>
#include <string_view>

#include "bench/check_options.h"
#include "bench/on_all_cores.h"

namespace {

using stiction::test::MixedTally;

constexpr int steps_of_a_scene = 200;

void print_tally(const MixedTally& tally, double seconds, bool good) {
  const double steps = static_cast<double>(std::max(1L, tally.steps));
  std::printf(
      "| scenes | with joints | steps | mean of contacts | with a change of state | W of deficient rank | mass ratio "
      "to | "
      "not certified | not a number | worst residual | in a contact | worst defect | deepest, m | verdict |\n"
      "|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n"
      "| %ld | %ld | %ld | %.1f | %.0f %% | %.0f %% | %.0f | %ld | %ld | %.1e | %.1e | %.1e | %.1e | %s |\n\n",
      tally.scenes, tally.with_joints, tally.steps, static_cast<double>(tally.contacts) / steps,
      100.0 * tally.share(tally.changing), 100.0 * tally.share(tally.rank_deficient), tally.heaviest, tally.uncertified,
      tally.not_finite, tally.worst_residual, tally.worst_contact_residual, tally.worst_defect, tally.deepest,
      good ? "ok" : "**failed**");
  std::printf("| grade |");
  for (const std::string_view name : stiction::grade_names)
    std::printf(" %.*s |", static_cast<int>(name.size()), name.data());
  std::printf("\n|---|---|---|---|---|---|---|---|---|\n| steps |");
  for (const long count : tally.grades) std::printf(" %ld |", count);
  std::printf("\n\n| contacts in a step |");
  for (std::size_t i = 0; i + 1 < tally.histogram.size(); ++i) std::printf(" %zu to %zu |", 10 * i, 10 * i + 9);
  std::printf(" %zu and more |\n|---|", 10 * (tally.histogram.size() - 1));
  for (std::size_t i = 0; i < tally.histogram.size(); ++i) std::printf("---|");
  std::printf("\n| steps |");
  for (const long count : tally.histogram) std::printf(" %ld |", count);
  const auto milliseconds = [&](stiction::Phase phase) { return 1e3 * tally.times.seconds(phase) / steps; };
  std::printf(
      "\n\n%.0f s in all. A step takes %.2f ms in the mean (broad phase %.2f, narrow phase %.2f, assembly %.2f, solve "
      "%.2f, certify %.2f, record %.2f), the slowest %.2f s (seed %llu). %ld islands were solved, %ld of them on the "
      "true cone on their bodies; %.1f factorisations and %.1f iterations a step, and %ld pivots of Lemke's method in "
      "all.\n\n",
      seconds, 1e3 * tally.times.seconds() / steps, milliseconds(stiction::Phase::broad),
      milliseconds(stiction::Phase::narrow), milliseconds(stiction::Phase::assembly),
      milliseconds(stiction::Phase::solve), milliseconds(stiction::Phase::certify),
      milliseconds(stiction::Phase::record), tally.slowest, static_cast<unsigned long long>(tally.slowest_seed),
      tally.counts.problems, tally.counts.round, static_cast<double>(tally.times.factorisations) / steps,
      static_cast<double>(tally.times.iterations) / steps, tally.counts.pivots);
  for (const std::string& failure : tally.failures) std::printf("- %s\n", failure.c_str());
}

/// A scene is its seed, whichever thread runs it.
template <class Clock>
MixedTally run_scenes(long scenes, const Clock& seconds) {
  MixedTally all;
  std::mutex lock;
  double told = 0.0;
  on_all_cores(scenes, [&](long scene) {
    MixedTally tally;
    const auto scheme = stiction::preset(stiction::Scheme::stewart_trinkle);
    stiction::test::run_mixed_scene(static_cast<std::uint64_t>(scene) + 1, steps_of_a_scene, scheme, tally);
    const std::scoped_lock hold(lock);
    all.add(tally);
    if (seconds() - told < 5.0) return;
    told = seconds();
    std::fprintf(stderr, "%ld of %ld scenes, %ld steps not certified, %.0f s\n", all.scenes, scenes, all.uncertified,
                 told);
  });
  std::sort(all.failures.begin(), all.failures.end());
  return all;
}

}  // namespace

int main(int argc, char** argv) {
  const std::optional<CheckOptions> options = read_check_options(argc, argv);
  if (!options) return 2;
  const double percent = options->percent;
  const long scenes = std::max(2L, static_cast<long>(std::ceil(1000.0 * percent / steps_of_a_scene)));
  const auto start = std::chrono::steady_clock::now();
  const auto seconds = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(); };
  const MixedTally tally = run_scenes(scenes, seconds);
  const bool is_mixed = tally.contacts >= 20 * tally.steps && tally.share(tally.changing) >= 0.3 &&
                        tally.share(tally.rank_deficient) >= 0.3 && tally.heaviest >= 1e3;
  const bool good = is_mixed && tally.uncertified == 0 && tally.not_finite == 0;
  std::printf(
      "## Mixed scenes on the true cone\n\nBoxes, balls, capsules, cylinders and hulls of 0.01 to 100 kg, mu to "
      "1.5, thrown into a bin; h = 5 ms, `stewart_trinkle`, circular cone.\n\n");
  print_tally(tally, seconds(), good);
  return good ? 0 : 1;
}
