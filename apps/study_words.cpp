#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "apps/study_report.h"

namespace stiction::apps {

namespace {

/// More joints than this have no columns of their own.
constexpr std::size_t most_joint_columns = 4;
constexpr int bar_width = 16;

std::string cell(const std::optional<double>& value, const char* form) {
  return value ? fmt::format(fmt::runtime(form), *value) : "-";
}

std::string error_cell(const std::optional<double>& value) {
  return cell(value, "{:.2e}");
}

std::string ratio_cell(const std::optional<double>& value) {
  return value && (*value < 0.01 || *value >= 1e4) ? cell(value, "{:.0e}") : cell(value, "{:.2f}");
}

std::string heading(const StudyReport& report, const StudyTable& table) {
  const std::string against =
      table.reference_h ? fmt::format("the run with h = {:.6g} s", *table.reference_h) : "the exact motion";
  return fmt::format("{} by {}, 0 to {:.9g} s, against {}\n", report.scene, table.scheme, report.end, against);
}

std::string errors_in_words(const StudyTable& table) {
  std::string text =
      fmt::format("  {:>12} {:>10} {:>6} {:>6} {:>10} {:>6} {:>6} {:>10} {:>10} {:>7}\n", "h, s", "position", "ratio",
                  "order", "velocity", "ratio", "order", "energy, J", "joints", "events");
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const StudyRow& row = table.rows[i];
    text += fmt::format("  {:>12.6g} {:>10} {:>6} {:>6} {:>10} {:>6} {:>6} {:>10} {:>10.2e} {:>6}{}\n", row.run.h,
                        error_cell(row.position_error), ratio_cell(table.position.ratios[i]),
                        cell(table.position.orders[i], "{:.2f}"), error_cell(row.velocity_error),
                        ratio_cell(table.velocity.ratios[i]), cell(table.velocity.orders[i], "{:.2f}"),
                        error_cell(row.energy_error), row.run.certificate.max_joint_error, row.run.events.size(),
                        row.other_event ? "*" : " ");
  }
  const bool has_others = std::any_of(table.rows.begin(), table.rows.end(),
                                      [](const StudyRow& row) { return row.other_event.has_value(); });
  if (has_others) text += "  * other events than the reference\n";
  return text;
}

/// Theta at the end, joint by joint, as papers print it.
std::string joints_in_words(const StudyTable& table) {
  if (table.joints.empty() || table.joints.size() > most_joint_columns) return "";
  std::string text = fmt::format("  joints at the end:\n  {:>12}", "h, s");
  for (const std::string& joint : table.joints) text += fmt::format(" {:>12.12} {:>6}", joint, "ratio");
  text += "\n";
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const StudyRun& run = table.rows[i].run;
    if (run.joint_errors.size() != table.joints.size()) continue;
    text += fmt::format("  {:>12.6g}", run.h);
    for (std::size_t j = 0; j < table.joints.size(); ++j) {
      std::optional<double> ratio;
      if (i > 0 && table.rows[i - 1].run.joint_errors.size() == table.joints.size() && run.joint_errors[j] != 0.0)
        ratio = std::abs(table.rows[i - 1].run.joint_errors[j] / run.joint_errors[j]);
      text += fmt::format(" {:>12.2e} {:>6}", run.joint_errors[j], ratio_cell(ratio));
    }
    text += "\n";
  }
  return text;
}

std::string verdict_in_words(const StudyTable& table) {
  std::string text;
  if (table.position.order) {
    text += fmt::format("  order {:.2f} in position, settled from h = {:.6g} s on", *table.position.order,
                        table.rows[static_cast<std::size_t>(table.position.settled_from)].run.h);
    if (table.velocity.order) text += fmt::format("; {:.2f} in velocity", *table.velocity.order);
    text += "\n";
    if (!table.reason.empty()) text += "  " + table.reason + "\n";
  } else {
    text += "  NO ORDER: " + table.reason + "\n";
  }
  const StudyEstimate& estimate = table.estimate;
  if (!estimate.position_error)
    return text +
           fmt::format("  how wrong a run with the scene's own h = {:.6g} s is, these runs cannot say\n", estimate.h);
  text += fmt::format("  the scene's own h = {:.6g} s: positions wrong by {:.2e} (m, rad)", estimate.h,
                      *estimate.position_error);
  if (estimate.velocity_error) text += fmt::format(", velocities by {:.2e} (m/s, rad/s)", *estimate.velocity_error);
  return text + (estimate.is_measured ? "\n" : ", extrapolated\n");
}

}  // namespace

std::string to_words(const StudyReport& report) {
  std::string text;
  for (const StudyTable& table : report.tables)
    text += heading(report, table) + errors_in_words(table) + joints_in_words(table) + verdict_in_words(table);
  return text + fmt::format("  wall time {:.3g} s; written to {}\n", report.wall_seconds, report.folder);
}

std::string study_progress_line(const StudyPosition& position, double seconds) {
  const double all = static_cast<double>(std::max(position.all_steps, 1L));
  const double share = std::clamp(static_cast<double>(position.steps) / all, 0.0, 1.0);
  const auto filled = static_cast<std::size_t>(share * bar_width);
  const std::string bar = std::string(filled, '#') + std::string(bar_width - filled, '.');
  const std::string left = share > 0.0 ? fmt::format("{:.0f} s left", seconds * (1.0 - share) / share) : "";
  return fmt::format("[{}] {:3.0f} %  {} of {} runs  {:.3g} steps/s  {}", bar, 100.0 * share, position.runs,
                     position.all_runs, static_cast<double>(position.steps) / std::max(seconds, 1e-9), left);
}

}  // namespace stiction::apps
