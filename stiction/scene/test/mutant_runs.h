#pragma once

#include <chrono>

#include "stiction/scene/test/scene_files.h"
#include "stiction/scene/test/scene_mutator.h"
#include "stiction/scene/test/scene_runs.h"

/// Mutated scene files read and run for a few steps: each must end in a clear error or a certified run.
namespace stiction::scene::test {

struct Mutant {
  enum class End { refused, certified, relaxed, failed };
  End end = End::refused;
  std::string scene = {};    ///< Which it was made of.
  std::string text = {};     ///< The mutated file.
  std::string message = {};  ///< The error of a refused or failed one.
  double seconds = 0.0;
};

/// Reads its text and runs at most `steps` steps of what the file asks for.
inline void run_mutant(Mutant& mutant, long steps) {
  const auto start = std::chrono::steady_clock::now();
  Result<Scene> read = parse_scene(mutant.text, "mutant.json");
  if (!read.ok()) {
    mutant.message = read.error();
  } else {
    const SimulationOptions& options = read.value().settings.simulation;
    const double end = std::min(options.end, static_cast<double>(steps) * options.h);
    Simulator simulator(read.value().model, options);
    const Result<long> run = simulator.run_until(end);
    const RunCertificate& certificate = simulator.certificate();
    if (!run.ok()) {
      mutant.end = Mutant::End::failed;
      mutant.message = run.error();
    } else if (certificate.uncertified_steps > 0) {
      mutant.end = Mutant::End::failed;
      mutant.message = "ended well with steps that are not certified";
    } else {
      mutant.end = certificate.relaxed_steps > 0 ? Mutant::End::relaxed : Mutant::End::certified;
    }
  }
  mutant.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Mutants of every scene of the project, `count` in all or a few more; every other one has other numbers only.
inline std::vector<Mutant> make_mutants(std::uint64_t seed, int count) {
  std::vector<Mutant> mutants;
  SceneMutator mutator(seed);
  const std::vector<SceneFile> files = scene_files();
  const int each = (count + static_cast<int>(files.size()) - 1) / static_cast<int>(files.size());
  for (const SceneFile& file : files)
    for (int i = 0; i < each; ++i)
      mutants.push_back(
          {.scene = file.path, .text = i % 2 == 0 ? mutator.mutate(file.text) : mutator.mutate_numbers(file.text)});
  return mutants;
}

}  // namespace stiction::scene::test
