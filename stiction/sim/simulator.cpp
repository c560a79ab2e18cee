#include "stiction/sim/simulator.h"

#include <cmath>
#include <utility>

namespace stiction {

Simulator::Simulator(Model model, SimulationOptions options)
    : options_(std::move(options)), system_(std::move(model)), stepper_(system_, options_.scheme) {
  state_.q = system_.initial_positions();
  state_.v = state_.v_alpha = system_.initial_velocities();
  energy_.start(kinetic_energy() + potential_energy());
}

void Simulator::set_state(const State& state) {
  state_ = state;
  stepper_.forget();
  energy_.start(kinetic_energy() + potential_energy());
}

bool Simulator::step(double h) {
  const bool solved = stepper_.step(state_, h, report_);
  certificate_.add(state_.t, report_, options_.scheme.cone.tolerance);
  if (!solved) return false;
  energy_.add(kinetic_energy() + potential_energy());
  events_.insert(events_.end(), report_.events.begin(), report_.events.end());
  return report_.certificate.certified(options_.scheme.cone.tolerance) || options_.keep_going;
}

Result<long> Simulator::run_until(double t) {
  return run_until(t, [] { return true; });
}

Result<long> Simulator::run_until(double t, const std::function<bool()>& go_on) {
  if (const std::optional<Error> error = check(options_.scheme)) return *error;
  const double start = state_.t, h = options_.h;
  // Times are start + k h, not sums of h: a long run ends where it should.
  const long steps = std::lround(std::ceil((t - start) / h - 1e-9));
  for (long k = 1; k <= steps; ++k) {
    const double target = k == steps ? t : start + static_cast<double>(k) * h;
    if (!step(target - state_.t)) return Error{why()};
    state_.t = target;
    if (!go_on()) return k;
  }
  return std::max(steps, 0L);
}

std::string Simulator::why() const {
  const StepCertificate& step = report_.certificate;
  std::string text = "step at t = " + std::to_string(state_.t) + " s ";
  if (!report_.forces_are_finite) {
    const std::string name = system_.find_bad_force(state_.t, state_.q, state_.v);
    return text + "has forces that are not finite" + (name.empty() ? "" : ": force '" + name + "'") +
           "; look for a division by zero or a root of a negative number in its formula";
  }
  if (report_.has_friction)
    return text + "was refused: `lotstedt` knows no friction in contacts, but " +
           system_.contact_name(step.worst_contact) + " has some; set its mu to 0, or choose another scheme";
  if (!report_.solved) {
    text += "could not be solved";
  } else {
    text += "is not certified: residual " + std::to_string(step.residual) + ", momentum defect " +
            std::to_string(step.momentum_defect) + ", joint residual " + std::to_string(step.equality_residual) +
            ", energy defect " + std::to_string(step.energy_defect);
  }
  if (step.has_worst) text += "; worst contact: " + system_.contact_name(step.worst_contact);
  return text + "; try a smaller h, or another scheme";
}

}  // namespace stiction
