#pragma once

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

/// What full-size checks are told on the command line.
struct CheckOptions {
  double percent = 100.0;  ///< Of the full size.
  std::string dump = {};   ///< A folder for what fails, where the check takes one.

  [[nodiscard]] double share() const { return percent / 100.0; }
  [[nodiscard]] int whole_percent() const { return percent < 1.0 ? 1 : static_cast<int>(percent); }
};

/// --count PERCENT and, where `takes_dump`, --dump FOLDER. Nothing, with a message, where it is anything else: the
/// check then ends with 2.
inline std::optional<CheckOptions> read_check_options(int argc, char** argv, bool takes_dump = false) {
  CheckOptions options;
  bool good = true;
  for (int i = 1; i < argc && good; i += 2) {
    const std::string_view option = argv[i];
    good = i + 1 < argc && (option == "--count" || (takes_dump && option == "--dump"));
    if (good && option == "--count") options.percent = std::atof(argv[i + 1]);
    if (good && option == "--dump") options.dump = argv[i + 1];
  }
  if (good && std::isfinite(options.percent) && options.percent > 0.0) return options;
  std::fprintf(stderr, "usage: %s [--count PERCENT]%s\n", argv[0], takes_dump ? " [--dump FOLDER]" : "");
  return std::nullopt;
}
