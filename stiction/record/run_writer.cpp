#include "stiction/record/run_writer.h"

#include <algorithm>
#include <array>
#include <utility>

#include "stiction/base/sha256.h"
#include "stiction/record/hdf5_handle.h"
#include "stiction/record/model_json.h"

namespace stiction {

namespace {

using enum RunColumn;

constexpr int flush_share = 30;  ///< A flush is followed by so many times its length without one.

constexpr double resting = 1e-9;  ///< m/s: slower is sticking, as in the events.

std::string hdf5_version() {
  return std::to_string(H5_VERS_MAJOR) + "." + std::to_string(H5_VERS_MINOR) + "." + std::to_string(H5_VERS_RELEASE);
}

RecordHeading record_heading(const RunHeading& heading, const Simulator& simulator) {
  RecordHeading out;
  out.attributes = {{"format", "stiction run"},    {"format_version", "1"},  {"name", heading.name},
                    {"stiction", heading.version}, {"hdf5", hdf5_version()}, {"fingerprint", fingerprint_of(heading)},
                    {"status", "running"}};
  out.texts = {{"scene", heading.scene}, {"settings", heading.settings}, {"model", model_to_json(simulator.model())}};
  if (!has_own_alpha(simulator.options().scheme) && !moving_bodies(simulator.model()).empty())
    out.links = {{"frames/velocity_alpha", "frames/velocity"},
                 {"frames/angular_velocity_alpha", "frames/angular_velocity"}};
  return out;
}

/// `next` is where it is likely to stand among the closed ones, and afterwards where the one after it is.
ContactState state_of(const StepReport& report, const ContactPoint& contact, std::size_t& next) {
  const std::uint64_t id = contact.id;
  auto closed = report.closed.begin() + static_cast<std::ptrdiff_t>(std::min(next, report.closed.size()));
  if (closed == report.closed.end() || closed->id != id)
    closed = std::lower_bound(report.closed.begin(), report.closed.end(), id,
                              [](const ClosedContact& a, std::uint64_t b) { return a.id < b; });
  if (closed == report.closed.end() || closed->id != id) return ContactState::open;
  next = static_cast<std::size_t>(closed - report.closed.begin()) + 1;
  return contact.mu == 0.0 || closed->slip > resting ? ContactState::slip : ContactState::stick;
}

/// Of the surfaces that meet; zero where none do: limits, ropes, joints.
double friction_of(const Model& model, std::uint64_t contact) {
  const auto shapes = static_cast<std::uint64_t>(model.shapes().size());
  const std::uint64_t pair = (contact_of_row(contact) & ~(spin_bit | roll_bit)) >> feature_bits;
  if (pair >= shapes * shapes) return 0.0;
  const SurfacePair& surface =
      model.surface(model.shapes()[pair / shapes].material, model.shapes()[pair % shapes].material);
  return surface.mu > 0.0 ? surface.mu : surface.mu2;
}

StepSolver solver_of(const SchemeOptions& scheme, const SolveCounts& now, const SolveCounts& before) {
  if (scheme.scheme == Scheme::lotstedt) return StepSolver::active_set;
  const long problems = now.problems - before.problems;
  if (problems == 0) return StepSolver::none;
  if (problems > now.reused - before.reused) return StepSolver::lemke;
  return now.round > before.round ? StepSolver::newton : StepSolver::basis;
}

}  // namespace

std::string fingerprint_of(const RunHeading& heading) {
  return sha256("stiction " + heading.version + "\n" + heading.settings + "\n" + heading.scene);
}

Result<RunWriter> RunWriter::create(const std::filesystem::path& path, const RunHeading& heading,
                                    const Simulator& simulator, double flush_seconds) {
  const Model& model = simulator.model();
  Result<RecordFile> file = RecordFile::create(path, record_heading(heading, simulator),
                                               run_columns(model, simulator.options().scheme), run_lists(model));
  if (!file) return Error{file.error()};
  RunWriter writer(std::move(file).value(), simulator, flush_seconds);
  if (const auto error = writer.flush()) return *error;
  return writer;
}

RunWriter::RunWriter(RecordFile file, const Simulator& simulator, double flush_seconds)
    : file_(std::move(file)),
      bodies_(moving_bodies(simulator.model())),
      has_own_alpha_(has_own_alpha(simulator.options().scheme)),
      flush_interval_(std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(flush_seconds))),
      next_flush_(Clock::now() + flush_interval_) {
  put(contact_start, 0.0);
}

void RunWriter::add_frame(const Simulator& simulator) {
  put(frame_time, simulator.time());
  put(frame_step, static_cast<double>(steps_));
  const Multibody& system = simulator.system();
  const State& state = simulator.state();
  for (const BodyId id : bodies_) {
    const Pose pose = system.pose(id, state.t, state.q);
    const Quat& o = pose.orientation;
    put(position, pose.position);
    at(orientation).add(std::array{o.w(), o.x(), o.y(), o.z()});
    put(velocity, system.velocity(id, state.t, state.q, state.v));
    put(angular_velocity, system.angular_velocity(id, state.t, state.q, state.v));
    if (!has_own_alpha_) continue;
    put(velocity_alpha, system.velocity(id, state.t, state.q, state.v_alpha));
    put(angular_velocity_alpha, system.angular_velocity(id, state.t, state.q, state.v_alpha));
  }
  add_energy(simulator);
  add_contacts(simulator);
  for (const Reaction& reaction : simulator.reactions()) {
    put(joint_force, reaction.force);
    put(joint_torque, reaction.torque);
    put(joint_point, reaction.point);
  }
}

void RunWriter::add_energy(const Simulator& simulator) {
  const Model& model = simulator.model();
  const double T = simulator.kinetic_energy(), V = simulator.potential_energy();
  double V_gravity = 0.0;
  for (const Body& body : model.bodies())
    if (body.movable())
      V_gravity -= body.mass * model.gravity().dot(simulator.state().q.segment<3>(body.first_position));
  put(kinetic, T);
  put(gravity, V_gravity);
  put(springs, model.springs().empty() ? 0.0 : V - V_gravity);
  put(total, T + V);
  const EnergyLedger& ledger = simulator.energy();
  put(dissipated_contacts, ledger.dissipated.contacts);
  put(dissipated_joints, ledger.dissipated.joints);
  put(dissipated_impacts, ledger.dissipated.impacts);
  put(dissipated_rest, ledger.rest());
}

void RunWriter::add_contacts(const Simulator& simulator) {
  const StepReport& report = simulator.report();
  const bool has_step = steps_ > 0 && report.solved;
  for (const RunColumn column :
       {contact_id, contact_point, contact_normal, contact_gap, contact_impulse, contact_slip, contact_state})
    at(column).set_period(report.contacts.size());
  std::size_t next_closed = 0;
  for (std::size_t i = 0; i < report.contacts.size() && has_step; ++i) {
    const ContactRecord& contact = report.contacts[i];
    const ContactPoint& where = contact.geometry;
    // Most stand where they did in the last frame.
    if (i == frame_names_.size()) frame_names_.emplace_back(where.id, find_name(simulator, where.id));
    if (frame_names_[i].first != where.id) frame_names_[i] = {where.id, find_name(simulator, where.id)};
    put(contact_id, frame_names_[i].second);
    put(contact_point, where.point);
    put(contact_normal, where.normal);
    put(contact_gap, where.Phi);
    put(contact_impulse, Vec3(contact.c_n * where.normal + contact.c_t1 * where.t1 + contact.c_t2 * where.t2));
    put(contact_slip, contact.slip);
    put(contact_state, static_cast<double>(state_of(report, where, next_closed)));
    ++contacts_;
  }
  put(contact_start, static_cast<double>(contacts_));
}

void RunWriter::add_step(Simulator& simulator) {
  const StepReport& report = simulator.report();
  const StepCertificate& step = report.certificate;
  put(step_time, simulator.time());
  put(step_residual, step.residual);
  put(step_cone_violation, step.cone_violation);
  put(step_penetration, report.penetration);
  put(step_joint_error, report.joint_error);
  put(step_equality_residual, step.equality_residual);
  put(step_momentum_defect, step.momentum_defect);
  put(step_energy_defect, step.energy_defect);
  put(step_certified, report.certified(simulator.options().scheme.cone.tolerance) ? 1.0 : 0.0);
  put(step_solved, report.solved ? 1.0 : 0.0);
  put(step_relaxed, report.relaxed ? 1.0 : 0.0);
  put(step_converged, report.converged ? 1.0 : 0.0);
  put(step_contacts, static_cast<double>(report.contacts.size()));
  put(step_solves, report.solves);
  put(step_parts, report.parts);
  const SolveCounts& now = simulator.counts();
  put(step_problems, static_cast<double>(now.problems - counts_.problems));
  put(step_reused, static_cast<double>(now.reused - counts_.reused));
  put(step_pivots, static_cast<double>(now.pivots - counts_.pivots));
  put(step_solver, static_cast<double>(solver_of(simulator.options().scheme, now, counts_)));
  counts_ = now;
  const auto row_of = [&](bool is_there, std::uint64_t contact) {
    return is_there ? static_cast<double>(find_name(simulator, contact)) : -1.0;
  };
  put(step_worst_contact, row_of(report.solved && step.has_worst, step.worst_contact));
  put(step_deepest_contact, row_of(report.solved && report.penetration > 0.0, report.deepest_contact));
  put(step_grade, static_cast<double>(report.grade(simulator.options().scheme.cone.tolerance)));
  put(step_contact_residual, step.contact_residual);

  for (const Event& event : report.events) {
    if (!report.solved) break;
    put(event_time, event.time);
    put(event_kind, static_cast<double>(event.kind));
    put(event_contact, find_name(simulator, event.contact));
    put(event_energy_gain, event.energy_gain);
    put(event_step, static_cast<double>(steps_));
  }
  ++steps_;
}

std::uint32_t RunWriter::find_name(const Simulator& simulator, std::uint64_t contact) {
  const auto [entry, is_new] = name_of_id_.try_emplace(contact);
  if (!is_new) return entry->second;
  // The features of two shapes share one name.
  const auto [row, is_new_name] = row_of_name_.try_emplace(simulator.system().contact_name(contact));
  if (is_new_name) {
    row->second = static_cast<std::uint32_t>(file_.add_name(static_cast<std::size_t>(RunList::contacts), row->first));
    put(contact_mu, friction_of(simulator.model(), contact));
  }
  entry->second = row->second;
  return row->second;
}

void RunWriter::end_step() {
  if (error_) return;
  if (flush_interval_ == Clock::duration::zero()) {
    (void)flush();
    return;
  }
  file_.hand_over();
  error_ = file_.error();
  if (error_ || file_.is_flushing()) return;
  const auto now = Clock::now();
  if (is_flushing_) {
    is_flushing_ = false;
    next_flush_ = now + std::max<Clock::duration>(flush_interval_, flush_share * file_.flush_length());
  }
  if (now < next_flush_) return;
  file_.begin_flush();
  is_flushing_ = true;
}

std::optional<Error> RunWriter::flush() {
  if (!error_) error_ = file_.flush();
  return error_;
}

std::optional<Error> RunWriter::finish(const std::string& status, const std::string& summary) {
  RecordHeading last;
  last.attributes = {{"status", status}};
  last.texts = {{"summary", summary}};
  const std::optional<Error> failure = file_.finish(last);
  if (!error_) error_ = failure;
  return error_;
}

}  // namespace stiction
