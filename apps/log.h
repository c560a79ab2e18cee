#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace stiction::apps {

/// What goes to standard error. Errors always do.
enum class LogLevel { error, warning, info, debug };

/// None where `name` is not the name of a level.
[[nodiscard]] std::optional<LogLevel> parse_log_level(std::string_view name);

void set_log_level(LogLevel level);

/// One line. Safe to call from any thread.
void log(LogLevel level, std::string_view message);

/// Replaces the progress line at the bottom of the terminal; an empty text removes it.
void show_progress(const std::string& text);

}  // namespace stiction::apps
