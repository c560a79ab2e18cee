#include "apps/solve_report.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

namespace stiction::apps {

namespace {

using lcp::Status;

std::string time_text(double seconds) {
  if (seconds < 1e-3) return fmt::format("{:.0f} us", seconds * 1e6);
  if (seconds < 1.0) return fmt::format("{:.2f} ms", seconds * 1e3);
  return fmt::format("{:.2f} s", seconds);
}

/// The methods that a cascade went through, each once.
std::string describe_attempts(const SolveRow& row) {
  std::string text;
  std::vector<std::string_view> seen;
  for (const cone::Attempt& attempt : row.attempts) {
    if (std::find(seen.begin(), seen.end(), attempt.method) != seen.end()) continue;
    seen.push_back(attempt.method);
    text += (text.empty() ? "" : ", ") + std::string(attempt.method);
  }
  return seen.size() > 1 ? text : "";
}

std::string notes(const SolveRow& row) {
  std::string text = row.status == Status::infeasible ? "proof checked" : "";
  if (row.bound)
    text += std::isinf(*row.bound) ? ": no answer at all, however large"
                                   : fmt::format(": no answer has |r| < {:.1e}", *row.bound);
  const auto add = [&](const std::string& note) { text += (text.empty() ? "" : "; ") + note; };
  if (!row.remark.empty()) add(row.remark);
  if (const std::string attempts = describe_attempts(row); !attempts.empty()) add(attempts);
  if (!row.is_as_expected) add(fmt::format("NOT AS EXPECTED ({})", to_string(row.expect)));
  return text;
}

/// Characters, not bytes: continuation bytes of UTF-8 take no room.
std::size_t width(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

std::string padded(const std::string& text, std::size_t room) {
  return text + std::string(room > width(text) ? room - width(text) : 0, ' ');
}

/// What is not there, or no number, is null.
nlohmann::ordered_json number_to_json(std::optional<double> number) {
  return number && std::isfinite(*number) ? nlohmann::ordered_json(*number) : nullptr;
}

std::string number_text(std::optional<double> number) {
  return number && std::isfinite(*number) ? fmt::format("{:.1e}", *number) : "-";
}

/// What `bound` cannot say: JSON has no infinity.
nlohmann::ordered_json bound_kind_to_json(std::optional<double> bound) {
  if (!bound) return nullptr;
  return std::isinf(*bound) ? "infinite" : "finite";
}

nlohmann::ordered_json attempts_to_json(const SolveRow& row) {
  auto list = nlohmann::ordered_json::array();
  for (const cone::Attempt& attempt : row.attempts)
    list.push_back({{"method", attempt.method},
                    {"iterations", attempt.iterations},
                    {"residual", number_to_json(attempt.residual)}});
  return list;
}

std::string summary(const SolveReport& report) {
  std::map<std::string, int> count;
  int surprises = 0;
  double worst = 0.0;
  for (const SolveRow& row : report.rows) {
    ++count[std::string(to_string(row.status))];
    if (!row.is_as_expected) ++surprises;
    if (row.status == Status::solved) worst = std::max({worst, row.residual, row.contact_residual.value_or(0.0)});
  }
  std::string text = fmt::format("{} done in {}", report.rows.size(), time_text(report.seconds));
  for (const auto& [status, number] : count) text += fmt::format(", {} {}", number, status);
  if (!report.rows.empty())
    text += surprises == 0 ? ", all as expected" : fmt::format(", {} NOT AS EXPECTED", surprises);
  if (count.contains("solved")) text += fmt::format("; worst residual of the solved {:.1e}", worst);
  if (!report.bad_inputs.empty())
    text += fmt::format("; {} input{} could not be read", report.bad_inputs.size(),
                        report.bad_inputs.size() == 1 ? "" : "s");
  return text + "\n";
}

std::string describe_not_done(const SolveReport& report) {
  if (report.not_done.empty()) return {};
  std::string text =
      report.end == JobEnd::interrupted ? "Interrupted. Not done:\n" : "Out of time (--max-wall). Not done:\n";
  constexpr std::size_t most = 20;
  for (std::size_t i = 0; i < std::min(report.not_done.size(), most); ++i)
    text += fmt::format("  {} {}\n", report.not_done[i].file, report.not_done[i].name);
  if (report.not_done.size() > most) text += fmt::format("  and {} more\n", report.not_done.size() - most);
  return text;
}

}  // namespace

bool is_as_expected(Status expect, Status status, bool is_judged) {
  if (is_judged) return status == expect;
  if (expect == Status::solved) return status != Status::infeasible;
  return expect != Status::infeasible || status != Status::solved;
}

int exit_code(const SolveReport& report) {
  if (!report.bad_inputs.empty()) return 2;
  const bool is_good =
      report.end == JobEnd::finished && report.not_done.empty() && report.failures.empty() &&
      std::all_of(report.rows.begin(), report.rows.end(), [](const auto& row) { return row.is_as_expected; });
  return is_good ? 0 : 1;
}

std::string to_table(const SolveReport& report) {
  std::size_t problem_room = 7;
  std::size_t solver_room = 6;
  for (const SolveRow& row : report.rows) {
    problem_room = std::max(problem_room, width(row.name));
    solver_room = std::max(solver_room, row.solver.size());
  }
  std::string text;
  if (!report.rows.empty())
    text += fmt::format("  {}    size  {}  {:15}  iterations  residual   contact       time\n",
                        padded("problem", problem_room), padded("solver", solver_room), "status");
  const std::string* file = nullptr;
  for (const SolveRow& row : report.rows) {
    if (file == nullptr || *file != row.file) text += row.file + "\n";
    file = &row.file;
    std::string line =
        fmt::format("  {}  {:6}  {}  {:15}  {:10}  {:>8}  {:>8}  {:>9}  {}", padded(row.name, problem_room), row.size,
                    padded(row.solver, solver_room), to_string(row.status), row.iterations, number_text(row.residual),
                    number_text(row.contact_residual), time_text(row.seconds), notes(row));
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text + describe_not_done(report) + summary(report);
}

std::string to_json(const SolveReport& report) {
  using nlohmann::ordered_json;
  const auto path_or_null = [](const std::optional<std::string>& path) {
    return path ? ordered_json(*path) : ordered_json(nullptr);
  };
  auto problems = ordered_json::array();
  for (const SolveRow& row : report.rows)
    problems.push_back({{"file", row.file},
                        {"name", row.name},
                        {"size", row.size},
                        {"contacts", row.contacts ? ordered_json(*row.contacts) : ordered_json(nullptr)},
                        {"solver", row.solver},
                        {"status", to_string(row.status)},
                        {"residual", number_to_json(row.residual)},
                        {"contact_residual", number_to_json(row.contact_residual)},
                        {"iterations", row.iterations},
                        {"seconds", row.seconds},
                        {"solution", path_or_null(row.solution)},
                        {"proof", path_or_null(row.proof)},
                        {"bound", number_to_json(row.bound)},
                        {"bound_kind", bound_kind_to_json(row.bound)},
                        {"expect", to_string(row.expect)},
                        {"as_expected", row.is_as_expected},
                        {"attempts", attempts_to_json(row)}});
  auto not_done = ordered_json::array();
  for (const NotDone& item : report.not_done)
    not_done.push_back(
        {{"file", item.file}, {"name", item.name.empty() ? ordered_json(nullptr) : ordered_json(item.name)}});
  auto errors = ordered_json::array();
  for (const auto& list : {report.bad_inputs, report.failures})
    for (const std::string& message : list) errors.push_back(message);
  const ordered_json answer{
      {"problems", problems}, {"errors", errors}, {"not_done", not_done}, {"tolerance", report.tolerance}};
  return answer.dump(1, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace stiction::apps
