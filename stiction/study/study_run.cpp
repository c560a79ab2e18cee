#include "stiction/study/study_run.h"

#include <cmath>
#include <ctime>
#include <new>

namespace stiction {

namespace {

double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// In turn up and down, so that a nudge is no motion of the whole.
void nudge_start(Simulator& simulator, double nudge) {
  State state = simulator.state();
  for (Eigen::Index i = 0; i < state.v.size(); ++i) state.v[i] += i % 2 == 0 ? nudge : -nudge;
  state.v_alpha = state.v;
  simulator.set_state(state);
}

std::vector<double> find_joint_errors(const Simulator& simulator) {
  JointSet rows;
  simulator.system().find_joints(simulator.time(), simulator.state().q, rows);
  const std::size_t joints = simulator.model().joints().size() + simulator.model().user_constraints().size();
  std::vector<double> errors(joints, 0.0);
  for (int i = 0; i < rows.size(); ++i) {
    double& worst = errors[static_cast<std::size_t>(rows.joint[i])];
    if (std::abs(rows.Theta[i]) > std::abs(worst)) worst = rows.Theta[i];
  }
  return errors;
}

}  // namespace

StudyRun run_for_study(const Scene& scene, double h, double nudge, const std::atomic<bool>& stop,
                       std::atomic<long>& steps) {
  const double start = processor_seconds();
  StudyRun run;
  run.h = h;
  try {
    SimulationOptions options = scene.settings.simulation;
    options.h = h;
    Simulator simulator(scene.model, options);
    if (nudge != 0.0) nudge_start(simulator, nudge);
    run.energy_start = simulator.kinetic_energy() + simulator.potential_energy();
    const auto outcome = simulator.run_until(options.end, [&] {
      ++steps;
      return !stop;
    });
    if (!outcome) run.error = outcome.error();
    run.is_done = outcome.ok() && simulator.time() >= options.end;
    for (const BodyId id : movable_bodies(simulator.model()))
      run.bodies.push_back(find_body_state(simulator.system(), simulator.state(), id));
    run.joint_errors = find_joint_errors(simulator);
    run.energy_end = simulator.kinetic_energy() + simulator.potential_energy();
    run.certificate = simulator.certificate();
    for (const Event& event : simulator.events())
      run.events.push_back({event.time, event.kind, simulator.system().contact_name(event.contact)});
  } catch (const std::bad_alloc&) {
    run.is_done = false;
    run.error = "not enough memory for the run";
  }
  run.seconds = processor_seconds() - start;
  return run;
}

std::vector<std::string> joint_names(const Scene& scene) {
  std::vector<std::string> names;
  for (const Joint& joint : scene.model.joints()) names.push_back(joint.name);
  const Multibody system(scene.model);
  for (std::size_t i = 0; i < scene.model.user_constraints().size(); ++i)
    names.push_back(system.joint_name(static_cast<int>(names.size())));
  return names;
}

}  // namespace stiction
