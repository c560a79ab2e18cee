#include "apps/log.h"

#include <fmt/core.h>

#include <array>
#include <cstdio>
#include <mutex>

#include "stiction/base/text.h"

namespace stiction::apps {

namespace {

constexpr std::array<std::string_view, 4> level_names{"error", "warning", "info", "debug"};

struct Terminal {
  std::mutex mutex;
  LogLevel level = LogLevel::warning;
  bool has_progress = false;

  void clear_progress() {
    if (has_progress) fmt::print(stderr, "\r\x1b[K");
    has_progress = false;
  }
};

Terminal& terminal() {
  static Terminal the_terminal;
  return the_terminal;
}

}  // namespace

std::optional<LogLevel> parse_log_level(std::string_view name) {
  for (std::size_t i = 0; i < level_names.size(); ++i)
    if (level_names[i] == name) return static_cast<LogLevel>(i);
  return std::nullopt;
}

void set_log_level(LogLevel level) {
  const std::scoped_lock lock(terminal().mutex);
  terminal().level = level;
}

void log(LogLevel level, std::string_view message) {
  const std::scoped_lock lock(terminal().mutex);
  if (level > terminal().level) return;
  terminal().clear_progress();
  fmt::print(stderr, "{}: {}\n", level_names[static_cast<std::size_t>(level)], one_line(message, 2000));
}

void show_progress(const std::string& text) {
  const std::scoped_lock lock(terminal().mutex);
  terminal().clear_progress();
  if (text.empty()) return;
  fmt::print(stderr, "{}", one_line(text, 100));
  std::fflush(stderr);
  terminal().has_progress = true;
}

}  // namespace stiction::apps
