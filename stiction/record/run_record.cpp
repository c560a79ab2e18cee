#include "stiction/record/run_record.h"

#include <string_view>
#include <utility>

#include "stiction/record/body_state.h"

namespace stiction {

namespace {

struct Layout {
  std::string_view file;
  std::vector<std::string_view> columns;
};

std::array<Layout, 6> layouts() {
  return {
      {{"states.csv",
        {"time",
         "body",
         "position_x",
         "position_y",
         "position_z",
         "orientation_w",
         "orientation_x",
         "orientation_y",
         "orientation_z",
         "velocity_x",
         "velocity_y",
         "velocity_z",
         "angular_velocity_x",
         "angular_velocity_y",
         "angular_velocity_z",
         "velocity_alpha_x",
         "velocity_alpha_y",
         "velocity_alpha_z",
         "angular_velocity_alpha_x",
         "angular_velocity_alpha_y",
         "angular_velocity_alpha_z"}},
       {"energy.csv", {"time", "kinetic", "potential", "total"}},
       {"contacts.csv",
        {"time", "contact", "point_x", "point_y", "point_z", "normal_x", "normal_y", "normal_z", "gap", "c_n", "c_t1",
         "c_t2", "impulse_x", "impulse_y", "impulse_z", "slip_speed"}},
       {"events.csv", {"time", "kind", "contact", "energy_gain"}},
       {"certificate.csv",
        {"time", "solved", "certified", "relaxed", "converged", "solves", "residual", "cone_violation", "penetration",
         "joint_error", "equality_residual", "momentum_defect", "energy_defect", "grade", "contact_residual"}},
       {"joints.csv",
        {"time", "joint", "point_x", "point_y", "point_z", "force_x", "force_y", "force_z", "torque_x", "torque_y",
         "torque_z"}}}};
}

}  // namespace

Result<RunRecord> RunRecord::create(const std::filesystem::path& folder) {
  std::vector<CsvFile> tables;
  for (const Layout& layout : layouts()) {
    Result<CsvFile> table = CsvFile::create(folder / layout.file, layout.columns);
    if (!table) return Error{table.error()};
    tables.push_back(std::move(table).value());
  }
  return RunRecord(std::move(tables));
}

void RunRecord::add_state(const Simulator& simulator) {
  CsvFile& table = tables_[states];
  for (const BodyId id : movable_bodies(simulator.model())) {
    const BodyState body = find_body_state(simulator.system(), simulator.state(), id);
    const Quat& o = body.pose.orientation;
    table.add(simulator.time()).add(simulator.model().body(id).name).add(body.pose.position);
    table.add(o.w()).add(o.x()).add(o.y()).add(o.z());
    table.add(body.velocity).add(body.angular_velocity);
    table.add(body.velocity_alpha).add(body.angular_velocity_alpha);
    table.end_row();
  }
  const double kinetic = simulator.kinetic_energy(), potential = simulator.potential_energy();
  tables_[energy].add(simulator.time()).add(kinetic).add(potential).add(kinetic + potential).end_row();
}

void RunRecord::add_step(const Simulator& simulator, bool contacts_too) {
  const StepReport& report = simulator.report();
  const StepCertificate& step = report.certificate;
  const Grade grade = report.grade(simulator.options().scheme.cone.tolerance);
  CsvFile& table = tables_[certificate];
  table.add(simulator.time()).add(long{report.solved}).add(long{is_certified(grade)});
  table.add(long{report.relaxed}).add(long{report.converged}).add(long{report.solves});
  table.add(step.residual).add(step.cone_violation).add(report.penetration).add(report.joint_error);
  table.add(step.equality_residual).add(step.momentum_defect).add(step.energy_defect);
  table.add(to_string(grade)).add(step.contact_residual).end_row();
  if (!report.solved) return;

  for (const Event& event : report.events) {
    tables_[events].add(event.time).add(to_string(event.kind)).add(contact_name(simulator, event.contact));
    tables_[events].add(event.energy_gain).end_row();
  }
  if (!contacts_too) return;
  add_contacts(simulator);
  add_joints(simulator);
}

void RunRecord::add_joints(const Simulator& simulator) {
  CsvFile& table = tables_[joints];
  const std::vector<Reaction> reactions = simulator.reactions();
  for (std::size_t i = 0; i < reactions.size(); ++i) {
    table.add(simulator.time()).add(simulator.model().joints()[i].name).add(reactions[i].point);
    table.add(reactions[i].force).add(reactions[i].torque).end_row();
  }
}

void RunRecord::add_contacts(const Simulator& simulator) {
  CsvFile& table = tables_[contacts];
  for (const ContactRecord& contact : simulator.report().contacts) {
    const ContactPoint& at = contact.geometry;
    const Vec3 impulse = contact.c_n * at.normal + contact.c_t1 * at.t1 + contact.c_t2 * at.t2;
    table.add(simulator.time()).add(contact_name(simulator, at.id)).add(at.point).add(at.normal).add(at.Phi);
    table.add(contact.c_n).add(contact.c_t1).add(contact.c_t2).add(impulse).add(contact.slip).end_row();
  }
}

const std::string& RunRecord::contact_name(const Simulator& simulator, std::uint64_t id) {
  const auto [entry, is_new] = contact_names_.try_emplace(id);
  if (is_new) entry->second = simulator.system().contact_name(id);
  return entry->second;
}

std::optional<Error> RunRecord::error() const {
  for (const CsvFile& table : tables_)
    if (table.error()) return table.error();
  return std::nullopt;
}

std::optional<Error> RunRecord::finish() {
  std::optional<Error> first;
  for (CsvFile& table : tables_)
    if (auto error = table.finish(); error && !first) first = std::move(error);
  return first;
}

}  // namespace stiction
