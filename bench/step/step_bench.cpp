// The step beside MuJoCo, ODE and Bullet on the same scenes in one run, on one core. Prints one section of Markdown on
// standard output, its progress on standard error. Ctrl-C ends it with what was measured. `--help` lists the options.

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "bench/step/options.h"
#include "bench/step/peers.h"
#include "bench/step/run_stiction.h"
#include "bench/step/scene_model.h"
#include "bench/step/tables.h"

namespace {

using namespace stiction;
using namespace stiction::bench;
using Peers = std::vector<std::unique_ptr<Peer>>;

std::string short_number(double value) {
  char text[16];
  std::snprintf(text, sizeof text, "%g", value);
  return text;
}

void tell(const Row& row) {
  std::fprintf(stderr, "%s mu %s seed %s: %zu steps, %.3g ms a step, %s", row.scene.c_str(), row.mu.c_str(),
               row.seed.c_str(), row.own.times.ms.size(), row.own.times.median(), row.own.grades.c_str());
  for (const PeerRun& peer : row.peers) std::fprintf(stderr, "; %.3g", peer.times.median());
  std::fprintf(stderr, "\n");
}

Row run_scene(const SceneKind& kind, const SceneKey& key, const StepBenchOptions& options, const Peers& peers) {
  const StepScene scene = *make_scene(kind.name, key);
  Row row{kind.name, kind.has_contacts ? short_number(key.mu) : "", std::to_string(key.seed), scene.bodies.size()};
  row.own = run_stiction(scene, options.limits);
  // The same steps, so that all are timed in the same part of the motion.
  const Limits theirs{std::max(2, static_cast<int>(row.own.times.ms.size())), std::max(2.0, options.limits.seconds)};
  const auto model = make_model(scene);
  for (const auto& peer : peers)
    if (model.ok() && !is_interrupted()) row.peers.push_back(peer->run(scene, model.value(), theirs));
  return row;
}

/// A full name means that scene alone, a part of one all scenes with it.
bool is_wanted(const std::string& name, const std::string& only) {
  return make_scene(only, {}).has_value() ? name == only : name.find(only) != std::string::npos;
}

/// A scene that is given up within its first step is not tried again with another seed or mu.
void run_kind(const SceneKind& kind, const StepBenchOptions& options, const Peers& peers, std::vector<Row>& rows) {
  for (const std::uint64_t seed : options.seeds) {
    for (const double mu : options.mu) {
      if (is_interrupted()) return;
      rows.push_back(run_scene(kind, {seed, mu}, options, peers));
      tell(rows.back());
      if (rows.back().own.times.ms.empty()) return;
      if (!kind.has_contacts) break;
    }
  }
}

std::vector<Row> run_scenes(const StepBenchOptions& options, const Peers& peers) {
  std::vector<Row> rows;
  for (const SceneKind& kind : scene_kinds())
    if (is_wanted(kind.name, options.only)) run_kind(kind, options, peers, rows);
  return rows;
}

std::vector<Row> run_files(const StepBenchOptions& options) {
  std::vector<Row> rows;
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator("scenes/papers"))
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  for (const auto& file : files) {
    Row row{.scene = file.stem().string()};
    if (is_interrupted() || !is_wanted(row.scene, options.only)) continue;
    row.own = run_file(file, options.limits);
    tell(row);
    rows.push_back(std::move(row));
  }
  return rows;
}

void print_preface(const StepBenchOptions& options, const Peers& peers) {
  std::printf("## The step\n\n");
  std::printf(
      "Processor time of a step on one core, h = 5 ms (chains 1 ms), by `stewart_trinkle` as it is by default, going "
      "on after steps that do not certify. Seed %llu is stored; ",
      static_cast<unsigned long long>(stored_seed));
  if (options.seeds.size() > 1)
    std::printf("%llu was drawn for this run (`--seed %llu` repeats it). ",
                static_cast<unsigned long long>(options.seeds[1]), static_cast<unsigned long long>(options.seeds[1]));
  std::printf(
      "A scene has %g s of the wall or %d steps, whichever ends first, and two steps at least, but is given up after "
      "%g s of processor time, and not tried again if that was its first step; the others take the same steps. "
      "`bench/step/README.md` says how to read the tables.\n\n",
      options.limits.seconds, options.limits.steps, options.limits.patience);
  for (const auto& peer : peers) std::printf("- %s.\n", peer->settings().c_str());
  if (peers.size() < 3) std::printf("- Engines that were not found are left out.\n");
  std::printf("\n");
}

}  // namespace

int main(int argc, char** argv) {
  const auto options = read_options(argc, argv);
  if (!options) return 2;
  watch_for_interrupts();
  Peers peers;
  if (options->has_peers) {
    peers.push_back(find_mujoco());
    peers.push_back(find_ode());
    peers.push_back(find_bullet());
    std::erase(peers, nullptr);
  }
  const std::vector<Row> rows = run_scenes(*options, peers);
  std::vector<Row> files;
  if (options->has_files) files = run_files(*options);
  print_preface(*options, peers);
  if (is_interrupted()) std::printf("**Interrupted**: what follows is a part.\n\n");
  std::printf("### Time\n\n");
  print_times(rows, peers);
  std::printf("\n### Where our time goes, ms a step, and work a step\n\n");
  print_split(rows);
  std::printf("\n### What the answers are worth\n\n");
  print_worth(rows, peers);
  if (!files.empty()) {
    std::printf("\n### The papers' scenes, with their own settings\n\n");
    print_times(files, {});
    std::printf("\n");
    print_split(files);
    std::printf("\n");
    print_worth(files, {});
  }
  std::printf("\n");
  print_failures(rows);
  print_failures(files);
  return 0;
}
