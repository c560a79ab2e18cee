#include "apps/study_report.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "stiction/record/csv_file.h"

namespace stiction::apps {

namespace {

using nlohmann::ordered_json;

/// Of larger scenes the ends and the joints' errors are not listed one by one.
constexpr std::size_t most_named = 50;

ordered_json to_list(const Vec3& x) {
  return {x.x(), x.y(), x.z()};
}

ordered_json to_object(const BodyState& body) {
  const Quat& o = body.pose.orientation;
  return {{"position", to_list(body.pose.position)},
          {"orientation", {o.w(), o.x(), o.y(), o.z()}},
          {"velocity", to_list(body.velocity)},
          {"angular_velocity", to_list(body.angular_velocity)}};
}

/// Names to values, where there are as many of both and not too many.
template <class Values, class Convert>
void add_named(ordered_json& object, const char* key, const std::vector<std::string>& names, const Values& values,
               const Convert& convert) {
  if (names.empty() || names.size() > most_named || names.size() != values.size()) return;
  auto named = ordered_json::object();
  for (std::size_t i = 0; i < names.size(); ++i) named[names[i]] = convert(values[i]);
  object[key] = std::move(named);
}

ordered_json to_value(const std::optional<double>& value) {
  return value ? ordered_json(*value) : ordered_json();
}

ordered_json to_object(const StudyRun& run, const StudyTable& table) {
  ordered_json object{{"steps", run.certificate.steps},
                      {"uncertified_steps", run.certificate.uncertified_steps},
                      {"max_residual", run.certificate.max_residual},
                      {"max_penetration", run.certificate.max_penetration},
                      {"max_joint_error", run.certificate.max_joint_error},
                      {"energy", {{"initial", run.energy_start}, {"final", run.energy_end}}}};
  add_named(object, "joint_errors", table.joints, run.joint_errors, [](double error) { return error; });
  add_named(object, "bodies", table.bodies, run.bodies, [](const BodyState& body) { return to_object(body); });
  auto events = ordered_json::array();
  for (const NamedEvent& event : run.events)
    events.push_back({{"time", event.time}, {"kind", to_string(event.kind)}, {"contact", event.contact}});
  object["events"] = std::move(events);
  object["seconds"] = run.seconds;
  if (!run.error.empty()) object["error"] = run.error;
  return object;
}

ordered_json to_object(const StudyTable& table, std::size_t i) {
  const StudyRow& row = table.rows[i];
  ordered_json object{{"h", row.run.h},
                      {"position_error", to_value(row.position_error)},
                      {"velocity_error", to_value(row.velocity_error)},
                      {"order", to_value(table.position.orders[i])},
                      {"ratio", to_value(table.position.ratios[i])},
                      {"velocity_order", to_value(table.velocity.orders[i])},
                      {"velocity_ratio", to_value(table.velocity.ratios[i])},
                      {"energy_error", to_value(row.energy_error)},
                      {"same_events", !row.other_event}};
  if (row.other_event) object["other_event"] = *row.other_event;
  object.update(to_object(row.run, table));
  return object;
}

ordered_json to_object(const StudyReport& report, const StudyTable& table) {
  auto rows = ordered_json::array();
  for (std::size_t i = 0; i < table.rows.size(); ++i) rows.push_back(to_object(table, i));
  ordered_json object{{"scene", report.scene},
                      {"scheme", table.scheme},
                      {"reference_h", to_value(table.reference_h)},
                      {"rows", std::move(rows)},
                      {"order", to_value(table.position.order)},
                      {"velocity_order", to_value(table.velocity.order)},
                      {"asymptotic", table.is_asymptotic()},
                      {"verdict", to_string(table.position.verdict)},
                      {"reason", table.reason},
                      {"estimate",
                       {{"h", table.estimate.h},
                        {"position_error", to_value(table.estimate.position_error)},
                        {"velocity_error", to_value(table.estimate.velocity_error)},
                        {"measured", table.estimate.is_measured}}},
                      {"sensitivity", to_value(table.sensitivity)},
                      {"end", report.end},
                      {"exact", !table.reference_h}};
  if (table.reference) object["reference"] = to_object(*table.reference, table);
  return object;
}

}  // namespace

int exit_code(const StudyReport& report) {
  return std::all_of(report.tables.begin(), report.tables.end(),
                     [](const StudyTable& table) { return table.is_done(); })
             ? 0
             : 1;
}

std::string to_json(const StudyReport& report) {
  ordered_json answer = to_object(report, report.tables.front());
  answer["ended"] = exit_code(report) == 0 ? "done" : "failed";
  answer["wall_seconds"] = report.wall_seconds;
  answer["folder"] = report.folder;
  answer["overrides"] = report.overrides;
  if (report.has_list) {
    auto studies = ordered_json::array();
    for (const StudyTable& table : report.tables) studies.push_back(to_object(report, table));
    answer["studies"] = std::move(studies);
  }
  return answer.dump(1, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

std::optional<Error> write_csv(const StudyReport& report, const std::string& path) {
  constexpr std::array<std::string_view, 12> columns{"scheme",          "h",
                                                     "position_error",  "position_ratio",
                                                     "position_order",  "velocity_error",
                                                     "velocity_order",  "energy_error",
                                                     "max_joint_error", "max_penetration",
                                                     "events",          "same_events"};
  Result<CsvFile> created = CsvFile::create(path, columns);
  if (!created) return Error{created.error()};
  CsvFile csv = std::move(created).value();
  const auto add = [&](const std::optional<double>& value) { value ? csv.add(*value) : csv.add(std::string_view()); };
  for (const StudyTable& table : report.tables) {
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
      const StudyRow& row = table.rows[i];
      csv.add(table.scheme).add(row.run.h);
      for (const auto& value : {row.position_error, table.position.ratios[i], table.position.orders[i],
                                row.velocity_error, table.velocity.orders[i], row.energy_error})
        add(value);
      csv.add(row.run.certificate.max_joint_error).add(row.run.certificate.max_penetration);
      csv.add(static_cast<long>(row.run.events.size())).add(std::string_view(row.other_event ? "no" : "yes"));
      csv.end_row();
    }
  }
  return csv.finish();
}

}  // namespace stiction::apps
