#include "apps/view_command.h"

#include <fmt/core.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <thread>

#include "apps/log.h"
#include "apps/page_server.h"
#include "apps/page_template.h"
#include "apps/plot_command.h"
#include "apps/served_runs.h"
#include "apps/watched_job.h"
#include "stiction/record/run_reader.h"

namespace stiction::apps {

namespace {

namespace fs = std::filesystem;

constexpr int bad_input = 2;
constexpr int largest_port = 65535;

int refuse(const std::string& why) {
  log(LogLevel::error, why);
  return bad_input;
}

std::optional<std::string> find_mistake(const ViewOptions& options) {
  if (options.runs.empty() || options.runs.size() > 2) return "expected one run, or two to compare";
  if (options.port && (*options.port < 1 || *options.port > largest_port))
    return fmt::format("--port {}: expected a number from 1 to {}", *options.port, largest_port);
  if (page_template().empty()) return "this program was built without its page: build it where npm is installed";
  return std::nullopt;
}

/// The page that the run wrote, where it is the whole run.
std::optional<fs::path> find_page(const ViewOptions& options, const RecordedRun& run) {
  const fs::path page = fs::path(record_path(options.runs[0])).parent_path() / "replay.html";
  std::error_code code;
  const bool suits = options.runs.size() == 1 && !options.port && run.status != "running" && fs::exists(page, code);
  if (!suits) return std::nullopt;
  return fs::absolute(page, code);
}

void tell(const std::string& address, const ViewOptions& options, const char* more) {
  if (!options.quiet) fmt::print("{}{}\n", address, more);
  std::fflush(stdout);
  if (options.open && !open_in_browser(address) && !options.quiet)
    log(LogLevel::info, "no browser was opened: there is no display, or no xdg-open");
}

/// A path as an address: everything but plain letters is escaped.
std::string file_address(const fs::path& path) {
  std::string address = "file://";
  for (const char c : path.string()) {
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '/' ||
                          c == '.' || c == '-' || c == '_';
    address += is_plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return address;
}

}  // namespace

bool open_in_browser(const std::string& address) {
  if (std::getenv("DISPLAY") == nullptr && std::getenv("WAYLAND_DISPLAY") == nullptr) return false;
  std::string program = "xdg-open", word = address;
  std::array<char*, 3> arguments{program.data(), word.data(), nullptr};
  pid_t process = 0;
  if (posix_spawnp(&process, program.c_str(), nullptr, nullptr, arguments.data(), environ) != 0) return false;
  int status = 0;
  return waitpid(process, &status, 0) == process && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

int run_view(const ViewOptions& options) {
  if (const auto mistake = find_mistake(options)) return refuse(*mistake);
  std::vector<std::string> paths;
  paths.reserve(options.runs.size());
  for (const std::string& run : options.runs) paths.push_back(record_path(run));
  for (const std::string& path : paths) {
    const Result<RecordedRun> run = read_run(path);
    if (!run) return refuse(run.error());
    if (const auto page = find_page(options, run.value())) {
      tell(file_address(*page), options, "");
      return 0;
    }
  }
  const auto runs = std::make_shared<ServedRuns>(paths, false);
  const auto server =
      PageServer::start(options.port.value_or(0), [runs](std::uint64_t from) { return runs->data(from); });
  if (!server) return refuse(server.error());
  tell(server.value().address(), options, " until Ctrl-C");
  (void)run_watched(
      [](const std::atomic<bool>& stop) {
        while (!stop) std::this_thread::sleep_for(std::chrono::milliseconds(20));
      },
      [](double) {}, std::nullopt);
  return 0;
}

}  // namespace stiction::apps
