#include "bench/step/run_stiction.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <utility>

#include "bench/cpu_seconds.h"
#include "bench/step/own_process.h"
#include "bench/step/scene_model.h"
#include "stiction/base/sha256.h"
#include "stiction/scene/scene.h"

namespace stiction::bench {
namespace {

std::string hash_of(const Vector& q) {
  const auto size = static_cast<std::size_t>(q.size()) * sizeof(double);
  return sha256({reinterpret_cast<const char*>(q.data()), size}).substr(0, 8);
}

void take_certificate(Simulator& simulator, OwnRun& out) {
  const RunCertificate& certificate = simulator.certificate();
  out.counts = simulator.counts();
  out.residual = certificate.max_residual;
  out.contact_residual = certificate.max_contact_residual;
  out.momentum = certificate.max_momentum_defect;
  out.penetration = certificate.max_penetration;
  out.drift = certificate.max_joint_error;
  out.grades = grades(certificate);
}

/// Tells what is known after each step.
void run(Simulator& simulator, const Limits& limits, const Tell& tell) {
  OwnRun out;
  const auto start = std::chrono::steady_clock::now();
  const auto wall = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(); };
  for (int k = 1; k <= limits.steps && !is_interrupted(); ++k) {
    if (k > 2 && wall() > limits.seconds) break;
    const double before = cpu_seconds(), solved_before = out.phases.seconds(Phase::solve);
    bool went_on = false;
    {
      const PhaseMeter meter(out.phases);
      went_on = simulator.step();
    }
    out.times.ms.push_back(1e3 * (cpu_seconds() - before));
    out.solves.ms.push_back(1e3 * (out.phases.seconds(Phase::solve) - solved_before));
    out.contacts += (simulator.report().posed_contacts - out.contacts) / k;
    if (!went_on) out.failure = simulator.why();
    if (std::has_single_bit(static_cast<unsigned>(k)))
      out.hash = std::to_string(k) + ":" + hash_of(simulator.state().q);
    take_certificate(simulator, out);
    tell(out);
    if (!went_on) break;
  }
}

}  // namespace

std::string grades(const RunCertificate& certificate) {
  std::string text;
  for (int i = 0; i < grade_count; ++i) {
    const auto grade = static_cast<Grade>(i);
    if (certificate.count(grade) == 0) continue;
    text += (text.empty() ? "" : ", ") + std::to_string(certificate.count(grade)) + " ";
    text += to_string(grade);
  }
  return text;
}

OwnRun run_stiction(const StepScene& scene, const Limits& limits) {
  return run_apart(limits, [&](const Tell& tell) {
    Result<Model> model = make_model(scene);
    if (!model.ok()) return tell({.failure = model.error()});
    SimulationOptions options;
    options.h = scene.h;
    options.scheme.cone.tolerance = scene.tolerance;
    options.keep_going = true;
    Simulator simulator(std::move(model).value(), options);
    run(simulator, limits, tell);
  });
}

OwnRun run_file(const std::filesystem::path& file, const Limits& limits) {
  return run_apart(limits, [&](const Tell& tell) {
    Result<Scene> read = read_scene(file);
    if (!read.ok()) return tell({.failure = read.error()});
    Scene scene = std::move(read).value();
    SimulationOptions options = scene.settings.simulation;
    options.keep_going = true;
    const double steps = std::ceil(options.end / options.h - 1e-9);
    Simulator simulator(std::move(scene.model), options);
    run(simulator, {static_cast<int>(std::min<double>(steps, limits.steps)), limits.seconds, limits.patience}, tell);
  });
}

}  // namespace stiction::bench
