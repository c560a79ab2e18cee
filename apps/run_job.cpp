#include "apps/run_job.h"

#include <fmt/core.h>
#include <algorithm>
#include <chrono>
#include <new>
#include <utility>

#include "apps/log.h"

namespace stiction::apps {

namespace {

/// Whether something should bounce by what the scene says, and does not by the scheme.
bool ignores_restitution(const Simulator& simulator) {
  if (simulator.options().scheme.scheme != Scheme::stewart_trinkle) return false;
  const Model& model = simulator.model();
  const auto bounces = [](const auto& gap) { return gap.restitution > 0.0; };
  if (std::any_of(model.joint_gaps().begin(), model.joint_gaps().end(), bounces)) return true;
  const auto& shapes = model.shapes();
  for (const BodyShape& a : shapes)
    if (model.surface(a.material, a.material).restitution > 0.0) return true;
  return false;
}

/// Records and pages are sent to others, whom the folders of this machine do not concern.
RunSummary without_folder(RunSummary summary) {
  std::string folder = std::exchange(summary.folder, "");
  while (folder.ends_with('/')) folder.pop_back();
  if (folder.empty()) return summary;
  folder += '/';
  std::string& error = summary.error;
  for (auto at = error.find(folder); at != std::string::npos; at = error.find(folder)) {
    const auto end = error.find_first_not_of('/', at + folder.size());
    error.erase(at, end == std::string::npos ? end : end - at);
  }
  return summary;
}

}  // namespace

RunJob::RunJob(const Scene& scene, long every) : every_(every), simulator_(scene.model, scene.settings.simulation) {
  heading_.scene = scene.name;
  heading_.scheme = to_string(scene.settings.simulation.scheme.scheme);
  heading_.solver = scene.settings.solver;
  heading_.h = scene.settings.simulation.h;
  heading_.end = scene.settings.simulation.end;
  take_snapshot();
}

std::optional<Error> RunJob::record_to(const std::filesystem::path& folder, const RunHeading& heading,
                                       double flush_seconds) {
  Result<RunWriter> record = RunWriter::create(folder / "run.h5", heading, simulator_, flush_seconds);
  if (!record) return Error{record.error()};
  record_.emplace(std::move(record).value());
  return std::nullopt;
}

std::optional<Error> RunJob::add_tables(const std::filesystem::path& folder) {
  Result<RunRecord> tables = RunRecord::create(folder);
  if (!tables) return Error{tables.error()};
  tables_.emplace(std::move(tables).value());
  return std::nullopt;
}

std::optional<Error> RunJob::bound_forces(const std::filesystem::path& folder) {
  Result<ForceBoundsTable> table = ForceBoundsTable::create(folder, simulator_.options().scheme.cone.turn);
  if (!table) return Error{table.error()};
  bounds_.emplace(std::move(table).value());
  return std::nullopt;
}

void RunJob::run(const std::atomic<bool>& stop) {
  log(LogLevel::info, fmt::format("{}: {:.9g} s in steps of {:.6g} s by {}; {}", heading_.scene, heading_.end,
                                  heading_.h, heading_.scheme, simulator_.model().outline().text()));
  try {
    record_start();
    record_end(simulator_.run_until(heading_.end, [&] { return record_step() && !stop; }));
  } catch (const std::bad_alloc&) {
    const std::scoped_lock lock(mutex_);
    add_failure("not enough memory for the step");
  }
}

void RunJob::record_start() {
  const std::scoped_lock lock(mutex_);
  if (!is_finished_) add_frame();
}

void RunJob::add_frame() {
  if (record_) record_->add_frame(simulator_);
  if (tables_) tables_->add_state(simulator_);
  recorded_time_ = simulator_.time();
}

void RunJob::dump_failed() {
  const long uncertified = simulator_.certificate().uncertified_steps, step = simulator_.certificate().steps;
  const bool is_failed = uncertified > uncertified_;
  uncertified_ = uncertified;
  const bool is_asked = asked_steps_.erase(step) > 0;
  std::optional<Error> error;
  if (is_failed && failed_)
    error = failed_->write(simulator_);
  else if (is_asked)
    error = asked_->write(simulator_, FailedSteps::Why::asked);
  if (error) add_failure(error->message);
}

bool RunJob::record_step() {
  const std::scoped_lock lock(mutex_);
  if (is_finished_) return false;
  dump_failed();
  const bool is_due = simulator_.certificate().steps % every_ == 0;
  const auto start = std::chrono::steady_clock::now();
  if (const auto error = record_last_step(is_due)) add_failure(error->message);
  record_seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (is_due && bounds_) bounds_->add(simulator_);
  take_snapshot();
  return failure_.empty();
}

std::optional<Error> RunJob::record_last_step(bool is_due) {
  if (record_) record_->add_step(simulator_);
  if (tables_) tables_->add_step(simulator_, is_due);
  if (is_due) add_frame();
  if (record_) record_->end_step();
  if (record_ && record_->error()) return record_->error();
  return tables_ ? tables_->error() : std::nullopt;
}

void RunJob::record_end(const Result<long>& outcome) {
  const std::scoped_lock lock(mutex_);
  if (is_finished_) return;
  if (!outcome) {
    if (record_) record_->add_step(simulator_);
    if (tables_) tables_->add_step(simulator_, true);
    add_failure(outcome.error());
    dump_failed();
  }
  if (simulator_.time() != recorded_time_) add_frame();
  if (bounds_ && bounds_->last_time() != simulator_.time()) bounds_->add(simulator_);
  take_snapshot();
}

void RunJob::take_snapshot() {
  last_.state = simulator_.state();
  last_.certificate = simulator_.certificate();
  last_.energy = simulator_.energy();
  last_.counts = simulator_.counts();
  const std::vector<Event>& events = simulator_.events();
  last_.events.insert(last_.events.end(), events.begin() + static_cast<std::ptrdiff_t>(last_.events.size()),
                      events.end());
}

void RunJob::add_failure(const std::string& why) {
  if (failure_.empty()) failure_ = why;
}

RunPosition RunJob::position() const {
  const std::scoped_lock lock(mutex_);
  return {last_.state.t, heading_.end, last_.certificate.steps, last_.certificate.max_residual};
}

RunSummary RunJob::finish(RunEnd why) {
  const std::scoped_lock lock(mutex_);
  is_finished_ = true;
  if (const auto error = record_ ? record_->flush() : std::nullopt) add_failure(error->message);
  if (const auto error = tables_ ? tables_->finish() : std::nullopt) add_failure(error->message);
  if (const auto error = bounds_ ? bounds_->finish() : std::nullopt) add_failure(error->message);

  RunSummary summary = heading_;
  const bool is_done = last_.state.t >= heading_.end;
  summary.ended = !failure_.empty() ? RunEnd::failed : is_done ? RunEnd::done : why;
  summary.error = failure_;
  summary.time = last_.state.t;
  summary.certificate = last_.certificate;
  summary.energy = last_.energy;
  summary.counts = last_.counts;
  summary.record_seconds = record_seconds_;
  if (bounds_) summary.force_bounds = bounds_->last();
  summary.ignores_restitution = ignores_restitution(simulator_);
  summary.worst_contact = find_contact_name(last_.certificate.max_residual > 0.0, last_.certificate.worst_contact);
  summary.deepest_contact =
      find_contact_name(last_.certificate.max_penetration > 0.0, last_.certificate.deepest_contact);
  for (std::size_t i = 0; i < summary.grade_places.size(); ++i) {
    const GradeTally& tally = last_.certificate.grades[i];
    const bool is_there = tally.steps > 0 && tally.contact != 0;
    summary.grade_places[i] = tally.joint >= 0 ? "joint " + simulator_.system().joint_name(tally.joint)
                                               : find_contact_name(is_there, tally.contact);
  }
  const Multibody& system = simulator_.system();
  for (const Event& event : last_.events)
    summary.events.push_back({event.time, event.kind, system.contact_name(event.contact)});
  for (const BodyId id : movable_bodies(system.model()))
    summary.bodies.push_back({system.model().body(id).name, find_body_state(system, last_.state, id)});
  return summary;
}

std::optional<Error> RunJob::close_record(const RunSummary& summary) {
  const std::scoped_lock lock(mutex_);
  if (!record_) return std::nullopt;
  const bool is_told = record_->error().has_value();
  const bool is_certified = summary.certificate.uncertified_steps == 0;
  const bool is_doubtful = summary.ended == RunEnd::done && !is_certified;
  const auto error = record_->finish(is_doubtful ? "not_certified" : std::string(to_string(summary.ended)),
                                     to_json(without_folder(summary)));
  return is_told ? std::nullopt : error;
}

std::string RunJob::find_contact_name(bool is_there, std::uint64_t id) const {
  // A step that broke down has a residual without a contact.
  const Model& model = simulator_.model();
  const bool has_contacts = !model.shapes().empty() || !model.user_gaps().empty() || !model.joint_gaps().empty();
  return is_there && has_contacts ? simulator_.system().contact_name(id) : "";
}

}  // namespace stiction::apps
