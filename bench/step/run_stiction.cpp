#include "bench/step/run_stiction.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <utility>

#include "bench/cpu_seconds.h"
#include "bench/step/scene_model.h"
#include "stiction/base/sha256.h"
#include "stiction/scene/scene.h"

namespace stiction::bench {
namespace {

std::string hash_of(const Vector& q) {
  const auto size = static_cast<std::size_t>(q.size()) * sizeof(double);
  return sha256({reinterpret_cast<const char*>(q.data()), size}).substr(0, 8);
}

OwnRun run(Simulator& simulator, const Limits& limits) {
  OwnRun out;
  double contacts = 0.0;
  const auto start = std::chrono::steady_clock::now();
  const auto wall = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(); };
  for (int k = 1; k <= limits.steps && !is_interrupted(); ++k) {
    if (k > 2 && wall() > limits.seconds) break;
    const double before = cpu_seconds();
    bool went_on = false;
    {
      const PhaseMeter meter(out.phases);
      went_on = simulator.step();
    }
    out.times.ms.push_back(1e3 * (cpu_seconds() - before));
    contacts += simulator.report().posed_contacts;
    if (!went_on) {
      out.failure = simulator.why();
      break;
    }
    if (std::has_single_bit(static_cast<unsigned>(k)))
      out.hash = std::to_string(k) + ":" + hash_of(simulator.state().q);
  }
  out.counts = simulator.counts();
  out.certificate = simulator.certificate();
  out.contacts = contacts / static_cast<double>(std::max<std::size_t>(1, out.times.ms.size()));
  return out;
}

}  // namespace

OwnRun run_stiction(const StepScene& scene, const Limits& limits) {
  Result<Model> model = make_model(scene);
  if (!model.ok()) return {.failure = model.error()};
  SimulationOptions options;
  options.h = scene.h;
  options.keep_going = true;
  Simulator simulator(std::move(model).value(), options);
  return run(simulator, limits);
}

OwnRun run_file(const std::filesystem::path& file, const Limits& limits) {
  Result<Scene> read = read_scene(file);
  if (!read.ok()) return {.failure = read.error()};
  Scene scene = std::move(read).value();
  SimulationOptions options = scene.settings.simulation;
  options.keep_going = true;
  const double steps = std::ceil(options.end / options.h - 1e-9);
  Simulator simulator(std::move(scene.model), options);
  return run(simulator, {static_cast<int>(std::min<double>(steps, limits.steps)), limits.seconds});
}

}  // namespace stiction::bench
