#include "apps/solve_command.h"

#include <fmt/core.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <system_error>

#include "apps/log.h"
#include "apps/solve_job.h"
#include "apps/solve_report.h"
#include "apps/watched_job.h"
#include "stiction/base/text.h"
#include "stiction/cone/solvers.h"
#include "stiction/lcp/solvers.h"

namespace stiction::apps {

namespace {

/// Shorter runs need no progress.
constexpr double progress_after_seconds = 2.0;

std::optional<std::string> find_mistake(const SolveOptions& options) {
  const bool is_tolerance = options.tolerance > 0.0 && options.tolerance < 1.0;
  if (!is_tolerance) return fmt::format("--tolerance {}: expected a number above 0 and below 1", options.tolerance);
  if (options.max_wall_seconds && !(*options.max_wall_seconds > 0.0))
    return fmt::format("--max-wall {}: expected a number of seconds above 0", *options.max_wall_seconds);
  const bool is_known = lcp::make_solver(options.solver) != nullptr || cone::make_solver(options.solver) != nullptr;
  if (options.solver == "all" || is_known) return std::nullopt;

  std::vector<std::string_view> names{"auto", "all"};
  names.insert(names.end(), lcp::solver_names().begin(), lcp::solver_names().end());
  for (const std::string_view name : cone::solver_names())
    if (lcp::make_solver(name) == nullptr) names.push_back(name);
  std::string known;
  for (const std::string_view name : names) known += (known.empty() ? "" : ", ") + std::string(name);
  const std::string_view meant =
      closest_word(options.solver, names, std::max<std::size_t>(2, options.solver.size() / 3));
  const std::string hint = meant.empty() ? "" : fmt::format("; did you mean \"{}\"?", meant);
  return fmt::format("--solver {}: no such solver{} Known: {}", one_line(options.solver, 60), hint.empty() ? "." : hint,
                     known);
}

std::optional<std::string> make_out_folder(const SolveOptions& options) {
  if (!options.out) return std::nullopt;
  std::error_code code;
  std::filesystem::create_directories(*options.out, code);
  if (!code && std::filesystem::is_directory(*options.out, code)) return std::nullopt;
  return fmt::format("--out {}: cannot be made a folder: {}", *options.out, code ? code.message() : "a file is there");
}

/// False where standard output does not take it (a full disk, say).
bool print(const SolveReport& report, const SolveOptions& options) {
  if (options.json)
    fmt::print("{}", to_json(report));
  else if (!options.quiet)
    fmt::print("{}", to_table(report));
  return std::fflush(stdout) == 0 && std::ferror(stdout) == 0;
}

int refuse(const std::string& mistake, const SolveOptions& options) {
  log(LogLevel::error, mistake);
  SolveReport report;
  report.bad_inputs.push_back(mistake);
  report.tolerance = options.tolerance;
  if (options.json) print(report, options);
  return exit_code(report);
}

}  // namespace

int run_solve(const SolveOptions& options) {
  if (const auto mistake = find_mistake(options)) return refuse(*mistake, options);
  if (const auto mistake = make_out_folder(options)) return refuse(*mistake, options);

  // Shared with the job's thread, which may outlive this function.
  const auto job = std::make_shared<SolveJob>(options);
  const bool has_progress = !options.quiet && ::isatty(STDERR_FILENO) == 1;
  const auto start = std::chrono::steady_clock::now();
  const JobOutcome outcome = run_watched([job](const std::atomic<bool>& stop) { job->run(stop); },
                                         [&](double seconds) {
                                           if (has_progress && seconds >= progress_after_seconds)
                                             show_progress(job->progress(seconds));
                                         },
                                         options.max_wall_seconds);
  show_progress("");

  SolveReport report = job->report();
  report.end = report.not_done.empty() ? JobEnd::finished : outcome.end;
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (report.end != JobEnd::finished)
    log(LogLevel::error,
        fmt::format("{}; {} not done", report.end == JobEnd::interrupted ? "interrupted" : "out of time",
                    report.not_done.size()));
  int code = exit_code(report);
  if (!print(report, options)) {
    log(LogLevel::error, "standard output cannot be written");
    code = std::max(code, 1);
  }
  if (outcome.is_still_running) leave_process(code);
  return code;
}

}  // namespace stiction::apps
