#include "apps/run_progress.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdio>

#include "apps/log.h"

namespace stiction::apps {

namespace {

/// Shorter runs need no bar.
constexpr double bar_after_seconds = 2.0;
constexpr double line_interval_seconds = 10.0;
constexpr int bar_width = 16;

std::string in_words(double seconds) {
  if (seconds < 100.0) return fmt::format("{:.0f} s", seconds);
  if (seconds < 6000.0) return fmt::format("{:.0f} min", seconds / 60.0);
  return fmt::format("{:.3g} h", seconds / 3600.0);
}

}  // namespace

std::string progress_line(const RunPosition& position, double seconds) {
  const double share = position.end > 0.0 ? std::clamp(position.time / position.end, 0.0, 1.0) : 1.0;
  const auto filled = static_cast<std::size_t>(share * bar_width);
  const std::string bar = std::string(filled, '#') + std::string(bar_width - filled, '.');
  const std::string left = share > 0.0 ? in_words(seconds * (1.0 - share) / share) + " left" : "";
  return fmt::format("[{}] {:3.0f} %  t {:.4g}/{:.4g} s  {:.3g} steps/s  {}  residual {:.1e}", bar, 100.0 * share,
                     position.time, position.end, static_cast<double>(position.steps) / std::max(seconds, 1e-9), left,
                     position.max_residual);
}

void RunProgress::show(const RunPosition& position, double seconds) {
  if (is_terminal_) {
    if (seconds >= bar_after_seconds) show_progress(progress_line(position, seconds));
  } else if (seconds >= next_line_) {
    next_line_ += line_interval_seconds;
    fmt::print(stderr, "{}\n", progress_line(position, seconds));
  }
}

}  // namespace stiction::apps
