#include "bench/step/options.h"

#include <cstdio>
#include <cstdlib>
#include <random>
#include <string_view>

namespace stiction::bench {
namespace {

constexpr const char* usage = R"(usage: step_bench [options]
  --only NAME   the scene of this name, or all whose names contain it
  --mu X        this coefficient alone (0.2, 0.5 and 1)
  --seed N      of the fresh scenes (drawn, and printed); 0: the stored scenes alone
  --steps N     at most so many steps of a scene (200)
  --budget S    so many seconds a scene, looked at after each step (4)
  --patience S  a scene of ours is given up after so many seconds of processor time (20)
  --here        ours in this process, never given up: for profilers
  --no-peers    ours alone
  --no-files    without the scene files of the papers
)";

/// Small enough to be typed again.
std::uint64_t draw_seed() {
  return 2 + std::random_device()() % 999998;
}

}  // namespace

std::optional<StepBenchOptions> read_options(int argc, char** argv) {
  StepBenchOptions options;
  std::optional<std::uint64_t> fresh;
  for (int i = 1; i < argc; ++i) {
    const std::string_view name = argv[i];
    const char* value = i + 1 < argc ? argv[i + 1] : nullptr;
    if (name == "--no-peers") {
      options.has_peers = false;
    } else if (name == "--no-files") {
      options.has_files = false;
    } else if (name == "--here") {
      options.limits.patience = 0.0;
    } else if (value != nullptr && name == "--only") {
      options.only = argv[++i];
    } else if (value != nullptr && name == "--mu") {
      options.mu = {std::atof(argv[++i])};
    } else if (value != nullptr && name == "--seed") {
      fresh = std::strtoull(argv[++i], nullptr, 10);
    } else if (value != nullptr && name == "--steps") {
      options.limits.steps = std::atoi(argv[++i]);
    } else if (value != nullptr && name == "--budget") {
      options.limits.seconds = std::atof(argv[++i]);
    } else if (value != nullptr && name == "--patience") {
      options.limits.patience = std::atof(argv[++i]);
    } else {
      std::fputs(usage, stderr);
      return std::nullopt;
    }
  }
  if (!fresh) fresh = draw_seed();
  if (*fresh != 0) options.seeds.push_back(*fresh);
  return options;
}

}  // namespace stiction::bench
