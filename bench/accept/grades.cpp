// What the steps of every scene of the project are worth, by scheme: the shares by grade, whatever they are, with how
// far the worst step of each is off. Prints one section of Markdown; exit code 1 where a scene's own scheme fails.
//
// usage: accept_grades [--count PERCENT]
//   --count PERCENT  this part of each run (100)

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "bench/check_options.h"
#include "bench/on_all_cores.h"
#include "stiction/scene/scene.h"
#include "stiction/sim/simulator.h"

namespace {

using namespace stiction;

constexpr std::array<std::string_view, 6> schemes{"own",         "stewart_trinkle", "anitescu_potra",
                                                  "trapezoidal", "implicit_euler",  "moreau_midpoint"};

struct Tally {
  long scenes = 0, refused = 0, ended = 0;  ///< Refused: the scheme cannot take the scene. Ended: by a failed step.
  std::array<GradeTally, grade_count> grades{};

  void add(const RunCertificate& run) {
    for (std::size_t i = 0; i < grades.size(); ++i) {
      grades[i].steps += run.grades[i].steps;
      grades[i].off = std::max(grades[i].off, run.grades[i].off);
    }
  }
};

struct Task {
  std::string file, scheme;
  std::size_t row = 0;
};

void run(const Task& task, double share, std::mutex& lock, Tally& tally) {
  std::vector<std::string> overrides;
  if (task.scheme != "own") overrides.push_back("/simulation/scheme=\"" + task.scheme + "\"");
  const Result<Scene> scene = read_scene(task.file, overrides);
  if (!scene.ok()) {
    const std::scoped_lock hold(lock);
    ++tally.refused;
    return;
  }
  const SimulationOptions& options = scene.value().settings.simulation;
  Simulator simulator(scene.value().model, options);
  const bool came_to_its_end = simulator.run_until(share * options.end).ok();
  const std::scoped_lock hold(lock);
  ++tally.scenes;
  tally.ended += !came_to_its_end;
  tally.add(simulator.certificate());
}

void print(std::string_view name, const Tally& tally) {
  std::printf("| `%.*s` | %ld | %ld | %ld |", static_cast<int>(name.size()), name.data(), tally.scenes, tally.refused,
              tally.ended);
  long steps = 0;
  for (const GradeTally& grade : tally.grades) steps += grade.steps;
  std::printf(" %ld |", steps);
  for (std::size_t i = 0; i < tally.grades.size(); ++i) {
    const GradeTally& grade = tally.grades[i];
    if (grade.steps == 0)
      std::printf(" 0 |");
    else if (i == 0)
      std::printf(" %.2f %% |", 100.0 * static_cast<double>(grade.steps) / static_cast<double>(steps));
    else
      std::printf(" %ld (%.1e) |", grade.steps, grade.off);
  }
  std::printf("\n");
}

}  // namespace

int main(int argc, char** argv) {
  const std::optional<CheckOptions> options = read_check_options(argc, argv);
  if (!options) return 2;
  const double percent = options->percent;
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator("scenes"))
    if (entry.path().extension() == ".json") files.push_back(entry.path().string());
  std::sort(files.begin(), files.end());
  std::vector<Task> tasks;
  for (std::size_t row = 0; row < schemes.size(); ++row)
    for (const std::string& file : files) tasks.push_back({file, std::string(schemes[row]), row});
  std::vector<Tally> tallies(schemes.size());
  std::mutex lock;
  long done = 0;
  on_all_cores(static_cast<long>(tasks.size()), [&](long i) {
    const Task& task = tasks[static_cast<std::size_t>(i)];
    run(task, percent / 100.0, lock, tallies[task.row]);
    const std::scoped_lock hold(lock);
    std::fprintf(stderr, "%ld of %zu: %s by %s\n", ++done, tasks.size(), task.file.c_str(), task.scheme.c_str());
  });
  std::printf(
      "## Grades\n\nEvery scene of `scenes/`, by the scheme it asks for and by others. In brackets how far the worst "
      "step of a "
      "grade is from `full`: a residual for `polyhedral`, `loose` and `failed`, m or rad at the end of the step for "
      "the "
      "others.\n\n| scheme | scenes | refused | ended by a failed step | steps |");
  for (const std::string_view name : grade_names) std::printf(" %.*s |", static_cast<int>(name.size()), name.data());
  std::printf("\n|---|---|---|---|---|");
  for (int i = 0; i < grade_count; ++i) std::printf("---|");
  std::printf("\n");
  for (std::size_t row = 0; row < schemes.size(); ++row) print(schemes[row], tallies[row]);
  const auto count = [&](Grade grade) { return tallies[0].grades[static_cast<std::size_t>(grade)].steps; };
  const bool good = tallies[0].ended == 0 && count(Grade::loose) == 0 && count(Grade::failed) == 0;
  std::printf("\nThe scenes' own schemes: %s.\n\n", good ? "ok" : "**failed**");
  return good ? 0 : 1;
}
