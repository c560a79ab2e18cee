#include "apps/study_command.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <sstream>
#include <utility>

#include "apps/log.h"
#include "apps/run_folder.h"
#include "apps/run_report.h"
#include "apps/study_job.h"
#include "apps/study_report.h"
#include "apps/watched_job.h"
#include "stiction/base/file.h"
#include "stiction/study/step_list.h"
#include "stiction/study/study_plot.h"

namespace stiction::apps {

namespace {

constexpr int bad_input = 2;
constexpr const char* runs_folder = "runs";
/// Of the smallest step, for the reference: with order p its own error is 4^p times smaller.
constexpr double reference_share = 0.25;
constexpr int most_threads = 1024;

bool print(const std::string& text) {
  std::fputs(text.c_str(), stdout);
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return true;
  log(LogLevel::error, "standard output cannot be written");
  return false;
}

int refuse(const std::string& mistake, const StudyOptions& options) {
  std::istringstream lines(mistake);
  for (std::string line; std::getline(lines, line);) log(LogLevel::error, line);
  if (options.json) static_cast<void>(print(refusal_to_json(options.scene, mistake)));
  return bad_input;
}

std::vector<std::string> split(const std::string& list) {
  std::vector<std::string> names;
  std::istringstream text(list);
  for (std::string name; std::getline(text, name, ',');) {
    std::erase(name, ' ');
    names.push_back(name);
  }
  return names;
}

std::vector<std::string> list_overrides(const StudyOptions& options) {
  const std::array<std::pair<const char*, const std::optional<std::string>*>, 3> settings{
      {{"end", &options.end}, {"solver", &options.solver}, {"cone", &options.cone}}};
  std::vector<std::string> overrides;
  for (const auto& [key, value] : settings)
    if (*value) overrides.push_back(fmt::format("/simulation/{}={}", key, **value));
  overrides.insert(overrides.end(), options.set.begin(), options.set.end());
  return overrides;
}

/// The scene once for each scheme.
Result<std::vector<Scene>> read_scenes(const StudyOptions& options, const std::vector<std::string>& overrides) {
  std::vector<std::optional<std::string>> schemes{std::nullopt};
  if (options.schemes) {
    const std::vector<std::string> names = split(*options.schemes);
    schemes.assign(names.begin(), names.end());
    if (names.empty()) return Error{"--schemes: expected names separated by commas"};
    for (std::size_t i = 0; i < names.size(); ++i)
      if (std::find(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(i), names[i]) !=
          names.begin() + static_cast<std::ptrdiff_t>(i))
        return Error{
            fmt::format("--schemes {}: \"{}\" is there twice, expected each once", *options.schemes, names[i])};
  }
  std::vector<Scene> scenes;
  for (const auto& scheme : schemes) {
    std::vector<std::string> all = overrides;
    if (scheme) all.push_back("/simulation/scheme=" + *scheme);
    Result<Scene> scene = read_scene(options.scene, all);
    if (!scene) return Error{scene.error()};
    scenes.push_back(std::move(scene).value());
  }
  return scenes;
}

/// The reference's step; nothing for the exact motion.
Result<std::optional<double>> read_reference(const StudyOptions& options, const StudyPlan& plan) {
  const double smallest = plan.steps.back(), end = plan.scenes.front().settings.simulation.end;
  if (options.reference == "exact") {
    if (plan.scenes.front().exact.empty())
      return Error{
          fmt::format("--reference exact: {} says nothing of the exact motion; give it in \"exact\" "
                      "(docs/scene-format.md), or compare with a smaller step: --reference {:.6g}",
                      options.scene, reference_share * smallest)};
    return std::optional<double>();
  }
  if (!options.reference) return std::optional(reference_share * smallest);
  const Result<double> h = parse_step(*options.reference);
  if (!h) return Error{"--reference: " + h.error() + ", or `exact`"};
  if (h.value() >= smallest)
    return Error{fmt::format("--reference {}: expected less than the smallest step, which is {:.9g} s",
                             *options.reference, smallest)};
  if (const auto steps = count_steps(h.value(), end); !steps) return Error{"--reference: " + steps.error()};
  return std::optional(h.value());
}

Result<StudyPlan> make_plan(const StudyOptions& options, const std::vector<std::string>& overrides) {
  if (options.max_wall_seconds && !(*options.max_wall_seconds > 0.0))
    return Error{fmt::format("--max-wall {}: expected a number of seconds above 0", *options.max_wall_seconds)};
  if (options.threads < 0 || options.threads > most_threads)
    return Error{fmt::format("--threads {}: expected 0 (one a core) to {}", options.threads, most_threads)};
  const auto steps = parse_steps(options.h);
  if (!steps) return Error{"--h: " + steps.error()};
  auto scenes = read_scenes(options, overrides);
  if (!scenes) return Error{scenes.error()};
  StudyPlan plan{.scenes = std::move(scenes).value(), .steps = steps.value(), .threads = options.threads};
  for (const double h : plan.steps)
    if (const auto count = count_steps(h, plan.scenes.front().settings.simulation.end); !count)
      return Error{"--h: " + count.error()};
  const auto reference = read_reference(options, plan);
  if (!reference) return Error{reference.error()};
  plan.reference_h = reference.value();
  return plan;
}

JobOutcome run_job(const std::shared_ptr<StudyJob>& job, const StudyOptions& options) {
  constexpr double bar_after_seconds = 2.0, line_every_seconds = 10.0;
  const bool has_progress = !options.quiet && !options.json, is_terminal = ::isatty(STDERR_FILENO) == 1;
  double next_line = line_every_seconds;
  const auto show = [&](double seconds) {
    if (!has_progress) return;
    if (is_terminal && seconds >= bar_after_seconds) {
      show_progress(study_progress_line(job->position(), seconds));
    } else if (!is_terminal && seconds >= next_line) {
      next_line += line_every_seconds;
      fmt::print(stderr, "{}\n", study_progress_line(job->position(), seconds));
    }
  };
  const JobOutcome outcome =
      run_watched([job](const std::atomic<bool>& stop) { job->run(stop); }, show, options.max_wall_seconds);
  show_progress("");
  return outcome;
}

/// What could not be written; nothing when all is there. The answer itself comes last: where it is, all is.
std::optional<Error> write_results(const StudyReport& report, const std::string& scene, const std::string& title) {
  const std::filesystem::path folder = report.folder;
  if (auto error = write_file(folder / "scene.json", scene)) return error;
  if (auto error = write_csv(report, (folder / "study.csv").string())) return error;
  if (auto error = write_file(folder / "study.svg", to_svg(plot_study(title, report.tables)))) return error;
  return write_file(folder / "study.json", to_json(report));
}

/// Nothing was written: the folder, which is empty, goes too.
int give_up(JobEnd why, const StudyOptions& options, const StudyPosition& position,
            const std::filesystem::path& folder) {
  std::error_code code;
  std::filesystem::remove(folder, code);
  const bool is_interrupted = why == JobEnd::interrupted;
  const std::string message =
      fmt::format("{} with {} of {} runs done; nothing was written",
                  is_interrupted ? "interrupted" : "out of wall time", position.runs, position.all_runs);
  log(LogLevel::error, message);
  if (options.json)
    static_cast<void>(print(ending_to_json(options.scene, is_interrupted ? "interrupted" : "max_wall", message)));
  return 1;
}

}  // namespace

int run_study(const StudyOptions& options) {
  const std::vector<std::string> overrides = list_overrides(options);
  Result<StudyPlan> plan = make_plan(options, overrides);
  if (!plan) return refuse(plan.error(), options);
  const Scene& scene = plan.value().scenes.front();
  StudyReport report;
  report.scene = scene.name;
  report.end = scene.settings.simulation.end;
  report.overrides = overrides;
  report.has_list = options.schemes.has_value();
  const std::string repeatable = overrides.empty() && !report.has_list ? scene.text : scene.document;

  catch_signals();
  const auto folder = make_run_folder(options.out, runs_folder, scene.name + "-study");
  if (!folder) return refuse(folder.error(), options);
  report.folder = folder.value().string();

  log(LogLevel::info,
      fmt::format("{}: {} schemes, {} steps", report.scene, plan.value().scenes.size(), plan.value().steps.size()));
  // Shared with the job's thread, which may outlive this function.
  const auto job = std::make_shared<StudyJob>(std::move(plan).value());
  const auto start = std::chrono::steady_clock::now();
  const JobOutcome outcome = run_job(job, options);
  if (outcome.end != JobEnd::finished) {
    const int code = give_up(outcome.end, options, job->position(), folder.value());
    if (outcome.is_still_running) leave_process(code);
    return code;
  }
  report.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  report.tables = job->tables();

  int code = exit_code(report);
  if (const auto error = write_results(report, repeatable, report.scene)) {
    log(LogLevel::error, error->message);
    code = 1;
  }
  for (const StudyTable& table : report.tables)
    if (!table.is_done()) log(LogLevel::error, table.scheme + ": " + table.reason);
  const std::string text = options.json ? to_json(report) : options.quiet ? "" : to_words(report);
  return print(text) ? code : 1;
}

}  // namespace stiction::apps
