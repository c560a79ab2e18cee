#include "stiction/sim/simulator.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>
#include <utility>

#include "stiction/sim/joint_breaking.h"

namespace stiction {

Simulator::Simulator(Model model, SimulationOptions options)
    : options_(std::move(options)), system_(std::move(model)), stepper_(system_, options_.scheme) {
  state_.q = system_.initial_positions();
  state_.v = state_.v_alpha = system_.initial_velocities();
  energy_.start(kinetic_energy(), potential_energy());
  for (const Joint& joint : system_.model().joints()) may_break_ = may_break_ || joint.is_breakable();
  energy_.is_closed = !system_.model().outline().can_add_energy();
}

void Simulator::set_state(const State& state) {
  state_ = state;
  stepper_.forget();
  energy_.start(kinetic_energy(), potential_energy());
}

bool Simulator::step(double h) {
  const bool solved = stepper_.step(state_, h, report_);
  certificate_.add(state_.t, report_, options_.scheme.cone.tolerance);
  if (!solved) return false;
  energy_.add(kinetic_energy(), potential_energy());
  energy_.dissipated.add(report_.dissipated);
  last_h_ = h;
  if (may_break_) {
    reactions_ = find_reactions(h);
    if (break_joints(system_, state_, reactions_, report_)) stepper_.forget();
  }
  events_.insert(events_.end(), report_.events.begin(), report_.events.end());
  return report_.grade(options_.scheme.cone.tolerance) != Grade::failed || options_.keep_going;
}

std::vector<Reaction> Simulator::reactions() const {
  if (may_break_ && !reactions_.empty()) return reactions_;
  if (!(last_h_ > 0.0)) return std::vector<Reaction>(model().joints().size());
  return find_reactions(last_h_);
}

std::vector<Reaction> Simulator::find_reactions(double h) const {
  std::vector<StepImpulses::OfGap> gaps;
  gaps.reserve(report_.contacts.size());
  for (const ContactRecord& contact : report_.contacts) gaps.push_back({contact.geometry.id, contact.c_n});
  return reactions_of(system_, state_.t, state_.q, {report_.joint_impulses, report_.holds, report_.ball_impulses, gaps},
                      h);
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
  std::ostringstream text;
  text.precision(3);
  text << "step at t = " << state_.t << " s ";
  if (!report_.forces_are_finite) {
    const std::string name = system_.find_bad_force(report_.force_time, state_.q, state_.v);
    text << "has forces that are not finite" << (name.empty() ? "" : ": force '" + name + "'")
         << "; look for a division by zero or a root of a negative number in its formula";
    return text.str();
  }
  if (report_.has_friction) {
    text << "was refused: `lotstedt` knows no friction in contacts, but " << system_.contact_name(step.worst_contact)
         << " has some; set its mu to 0, or choose another scheme";
    return text.str();
  }
  if (!report_.solved && report_.rank_changes > 0) {
    text
        << "cannot go on: joints and contacts come to a singular position, where the rank of their constraints changes "
           "and `lotstedt` does not know the way; try `stewart_trinkle`, which passes most of them";
    return text.str();
  }
  if (!report_.solved) {
    text << "could not be solved: " << report_.posed_contacts << " contacts, " << model().outline().joint_rows
         << " joint rows, masses up to " << mass_ratio()
         << " : 1; look for bodies that are pressed together by others that do not give way";
    for (const JointDrive& drive : model().joint_drives()) {
      if (drive.kind != JointDrive::Kind::motor || std::isfinite(drive.largest)) continue;
      text << ", such as joint '" << system_.joint_name(drive.joint)
           << "', whose motor has no max_force and stops for nothing";
      break;
    }
  } else if (!report_.followed) {
    text << "could not be followed: contact " << system_.contact_name(report_.deepest_contact)
         << " is passed too fast for the size of its bodies, however the step is divided";
  } else if (!report_.converged) {
    text << "did not converge, even in " << report_.parts << " parts: ";
    if (report_.joint_error > report_.penetration)
      text << "joint '" << system_.joint_name(report_.worst_joint) << "' is off by " << report_.joint_error;
    else
      text << "contact " << system_.contact_name(report_.deepest_contact) << " penetrates by " << report_.penetration
           << " m";
  } else if (!report_.implied_hold) {
    text << "is off: joint '" << system_.joint_name(report_.worst_joint)
         << "' said the same as others at the start, and is " << report_.joint_error
         << " m or rad apart now; move it so that it fits the others, or let it go";
  } else {
    text << "is not certified: residual " << step.residual << ", in the worst contact " << step.contact_residual
         << ", momentum defect " << step.momentum_defect << ", joint residual " << step.equality_residual
         << ", energy defect " << step.energy_defect;
  }
  if (step.has_worst) text << "; worst contact: " << system_.contact_name(step.worst_contact);
  text << "; try a smaller h, or another scheme";
  return text.str();
}

double Simulator::mass_ratio() const {
  double least = std::numeric_limits<double>::infinity(), most = 0.0;
  for (const Body& body : model().bodies()) {
    if (!body.movable()) continue;
    least = std::min(least, body.mass);
    most = std::max(most, body.mass);
  }
  return most > 0.0 ? most / least : 1.0;
}

}  // namespace stiction
