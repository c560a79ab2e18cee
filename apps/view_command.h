#pragma once

#include <optional>
#include <string>
#include <vector>

namespace stiction::apps {

struct ViewOptions {
  std::vector<std::string> runs;  ///< One, or two to compare: run folders or files run.h5.
  std::optional<int> port;        ///< Serve there.
  bool open = true;               ///< In the browser, where there is a display.
  bool quiet = false;
};

/// `stiction view`: opens the page of a run, or serves it until Ctrl-C. Returns the exit code.
[[nodiscard]] int run_view(const ViewOptions& options);

/// Whether a browser was asked to show this; there must be a display.
bool open_in_browser(const std::string& address);

}  // namespace stiction::apps
