#include "apps/run_command.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <memory>
#include <new>
#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>
#include <utility>

#include "apps/log.h"
#include "apps/page_file.h"
#include "apps/page_server.h"
#include "apps/run_folder.h"
#include "apps/run_job.h"
#include "apps/run_progress.h"
#include "apps/run_report.h"
#include "apps/served_runs.h"
#include "apps/watched_job.h"
#include "stiction/base/file.h"
#include "stiction/record/model_json.h"
#include "stiction/record/run_reader.h"

namespace stiction::apps {

namespace {

constexpr int bad_input = 2;
constexpr const char* runs_folder = "runs";

std::optional<std::string> find_mistake(const RunOptions& options) {
  constexpr int largest_port = 65535;
  if (options.port < 0 || options.port > largest_port)
    return fmt::format("--port {}: expected a number from 1 to {}", options.port, largest_port);
  if (options.every < 1) return fmt::format("--every {}: expected a number of steps from 1", options.every);
  constexpr double longest_flush = 1e6;
  if (!(options.flush_seconds >= 0.0 && options.flush_seconds <= longest_flush))
    return fmt::format("--flush {}: expected a number of seconds from 0", options.flush_seconds);
  if (options.max_wall_seconds && !(*options.max_wall_seconds > 0.0))
    return fmt::format("--max-wall {}: expected a number of seconds above 0", *options.max_wall_seconds);
  return std::nullopt;
}

/// The options that stand for a value of the scene file, as what read_scene takes. --set comes last and wins.
std::vector<std::string> list_overrides(const RunOptions& options) {
  const std::array<std::pair<const char*, const std::optional<std::string>*>, 5> settings{{{"h", &options.h},
                                                                                           {"end", &options.end},
                                                                                           {"scheme", &options.scheme},
                                                                                           {"solver", &options.solver},
                                                                                           {"cone", &options.cone}}};
  std::vector<std::string> overrides;
  for (const auto& [key, value] : settings)
    if (*value) overrides.push_back(fmt::format("/simulation/{}={}", key, **value));
  overrides.insert(overrides.end(), options.set.begin(), options.set.end());
  return overrides;
}

void log_lines(const std::string& text) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) log(LogLevel::error, line);
}

/// False where standard output does not take it (a full disk, say).
bool print(const std::string& text) {
  std::fputs(text.c_str(), stdout);
  return std::fflush(stdout) == 0 && std::ferror(stdout) == 0;
}

int refuse(const std::string& mistake, const RunOptions& options) {
  log_lines(mistake);
  if (options.json && !print(refusal_to_json(options.scene, mistake)))
    log(LogLevel::error, "standard output cannot be written");
  return bad_input;
}

/// What the run can be repeated from: the file, or what the overrides made of it.
const std::string& repeatable_text(const Scene& scene, const std::vector<std::string>& overrides) {
  return overrides.empty() ? scene.text : scene.document;
}

/// What the record says of the run before it begins.
RunHeading heading_of(const Scene& scene, const std::vector<std::string>& overrides, const RunOptions& options) {
  const SimulationOptions& settings = scene.settings.simulation;
  const nlohmann::ordered_json asked{{"scheme", to_string(settings.scheme.scheme)},
                                     {"solver", scene.settings.solver},
                                     {"h", settings.h},
                                     {"end", settings.end},
                                     {"tolerance", settings.scheme.cone.tolerance},
                                     {"every", options.every},
                                     {"keep_going", options.keep_going},
                                     {"overrides", overrides}};
  return {.name = scene.name,
          .scene = repeatable_text(scene, overrides),
          .settings = asked.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace),
          .version = STICTION_VERSION};
}

/// Runs the job to its end, whatever that is, and closes the record.
RunSummary run_job(const std::shared_ptr<RunJob>& job, const RunOptions& options, JobOutcome& outcome) {
  const bool has_progress = !options.quiet && !options.json;
  RunProgress progress(::isatty(STDERR_FILENO) == 1);
  const auto start = std::chrono::steady_clock::now();
  outcome = run_watched([job](const std::atomic<bool>& stop) { job->run(stop); },
                        [&](double seconds) {
                          if (has_progress) progress.show(job->position(), seconds);
                        },
                        options.max_wall_seconds);
  show_progress("");
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  RunSummary summary = job->finish(outcome.end == JobEnd::out_of_time ? RunEnd::max_wall : RunEnd::interrupted);
  summary.wall_seconds = seconds;
  return summary;
}

Result<PageServer> serve(const std::filesystem::path& folder, int port) {
  const auto runs = std::make_shared<ServedRuns>(std::vector<std::string>{(folder / "run.h5").string()}, true);
  return PageServer::start(port, [runs](std::uint64_t from) { return runs->data(from); });
}

/// A page that asks every second shall see the end of the run.
void let_page_catch_up(const PageServer& server) {
  constexpr double asks_within = 3.0;
  constexpr auto wait = std::chrono::milliseconds(2500);
  if (server.idle_seconds() < asks_within) std::this_thread::sleep_for(wait);
}

/// Plots and the page, from the record as others would read it. A line for the user; nothing where it failed.
std::optional<std::string> draw(const std::filesystem::path& folder) {
  const auto tell = [](const std::string& words) { return fmt::format("  to look at             {}\n", words); };
  const std::uint64_t numbers = count_recorded_numbers(folder / "run.h5");
  if (numbers > RunReadLimits{}.numbers)
    return tell(fmt::format("no page: {} numbers are too many for one; `--every` keeps fewer frames", numbers));
  try {
    const Result<RecordedRun> run = read_run(folder / "run.h5");
    const Result<std::string> line =
        run ? write_pictures(folder, run.value()) : Result<std::string>(Error{run.error()});
    if (line) return tell(line.value());
    log(LogLevel::error, line.error());
  } catch (const std::bad_alloc&) {
    log(LogLevel::error, "not enough memory for plots and page; the record is whole");
  }
  return std::nullopt;
}

/// A run folder that is taken back, with what this program has put there, unless the run begins.
class NewFolder {
 public:
  NewFolder(const std::optional<std::string>& out, const std::string& name)
      : was_there_(out && is_there(*out)), path_(make_run_folder(out, runs_folder, name)) {}
  ~NewFolder() {
    if (is_kept_ || !path_) return;
    std::error_code code;
    for (const char* file :
         {"scene.json", "shapes.json", "run.h5", "run.h5.part", "states.csv.part", "energy.csv.part",
          "contacts.csv.part", "events.csv.part", "certificate.csv.part", "joints.csv.part", "force_bounds.csv.part"})
      std::filesystem::remove(path_.value() / file, code);
    if (!was_there_) std::filesystem::remove(path_.value(), code);
  }
  NewFolder(const NewFolder&) = delete;
  NewFolder& operator=(const NewFolder&) = delete;

  [[nodiscard]] const Result<std::filesystem::path>& path() const { return path_; }
  void keep() { is_kept_ = true; }

 private:
  /// False where the system cannot tell (a name that is too long, say): make_run_folder has the words for it.
  static bool is_there(const std::string& path) {
    std::error_code code;
    return std::filesystem::exists(path, code);
  }

  bool was_there_, is_kept_ = false;
  Result<std::filesystem::path> path_;
};

/// Tells the user. False where something could not be written.
bool report(RunSummary& summary, const std::filesystem::path& folder, const RunOptions& options) {
  bool is_written = true;
  std::string page_line;
  if (options.pages) {
    const auto line = draw(folder);
    is_written = line.has_value();
    page_line = line.value_or("");
  }
  if (const auto error = write_file(folder / "summary.json", to_json(summary))) {
    log(LogLevel::error, error->message);
    is_written = false;
  }
  if (!summary.error.empty()) log(LogLevel::error, summary.error);
  if (summary.ended == RunEnd::interrupted || summary.ended == RunEnd::max_wall)
    log(LogLevel::error, fmt::format("{} at t = {:.9g} s of {:.9g} s; what was done is in {}",
                                     summary.ended == RunEnd::interrupted ? "interrupted" : "out of wall time",
                                     summary.time, summary.end, summary.folder));
  const std::string text = options.json ? to_json(summary) : options.quiet ? "" : to_words(summary) + page_line;
  if (print(text)) return is_written;
  log(LogLevel::error, "standard output cannot be written");
  return false;
}

}  // namespace

int run_scene(const RunOptions& options) {
  if (const auto mistake = find_mistake(options)) return refuse(*mistake, options);
  const std::vector<std::string> overrides = list_overrides(options);
  Result<Scene> read = read_scene(options.scene, overrides);
  if (!read) return refuse(read.error(), options);
  Scene scene = std::move(read).value();
  scene.settings.simulation.keep_going = options.keep_going;

  catch_signals();
  NewFolder new_folder(options.out, scene.name);
  const Result<std::filesystem::path>& folder = new_folder.path();
  if (!folder) return refuse(folder.error(), options);
  if (const auto error = write_file(folder.value() / "scene.json", repeatable_text(scene, overrides)))
    return refuse(error->message, options);
  if (const auto error = write_file(folder.value() / "shapes.json", model_to_json(scene.model)))
    return refuse(error->message, options);
  // Shared with the job's thread, which may outlive this function.
  const auto job = std::make_shared<RunJob>(scene, options.every);
  if (const auto error = job->record_to(folder.value(), heading_of(scene, overrides, options), options.flush_seconds))
    return refuse(error->message, options);
  if (options.csv)
    if (const auto error = job->add_tables(folder.value())) return refuse(error->message, options);
  if (options.force_bounds)
    if (const auto error = job->bound_forces(folder.value())) return refuse(error->message, options);
  if (options.dump_failed) job->dump_failed_to(*options.dump_failed);
  const std::filesystem::path dump = options.dump_failed.value_or((folder.value() / "problems").string());
  if (!options.dump_steps.empty()) job->dump_steps_to(dump, options.dump_steps);
  std::optional<PageServer> server;
  if (options.live) {
    Result<PageServer> started = serve(folder.value(), options.port);
    if (!started) return refuse(started.error(), options);
    server.emplace(std::move(started).value());
    if (!options.quiet) log(LogLevel::warning, fmt::format("to look at while it runs: {}", server->address()));
  }
  new_folder.keep();
  JobOutcome outcome;
  RunSummary summary = run_job(job, options, outcome);
  for (const long step : job->steps_not_dumped())
    log(LogLevel::warning, fmt::format("--dump-step {}: the run did not come to it", step));
  summary.overrides = overrides;
  summary.is_strict = options.strict;
  summary.folder = folder.value().string();
  const auto not_closed = job->close_record(summary);
  if (not_closed) log(LogLevel::error, not_closed->message);
  if (server) let_page_catch_up(*server);
  const bool is_told = !not_closed && report(summary, folder.value(), options);
  const int code = is_told ? exit_code(summary) : 1;
  if (outcome.is_still_running) leave_process(code);
  return code;
}

}  // namespace stiction::apps
