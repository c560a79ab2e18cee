#pragma once

#include <optional>
#include <string>
#include <vector>

#include "apps/study_job.h"
#include "stiction/base/result.h"

namespace stiction::apps {

/// What a study found.
struct StudyReport {
  std::string scene;
  double end = 0.0, wall_seconds = 0.0;
  std::vector<StudyTable> tables;  ///< One a scheme, at least one.
  bool has_list = false;           ///< The schemes were asked for by --schemes.
  std::vector<std::string> overrides;
  std::string folder;
};

/// 0: every run came to its end, certified; 1: not so. Whether there is an order has no part in it.
[[nodiscard]] int exit_code(const StudyReport& report);
/// One JSON object, as DESIGN.md section 6 has it with more; its heading and rows are those of the first scheme.
[[nodiscard]] std::string to_json(const StudyReport& report);
/// The tables, and what they mean.
[[nodiscard]] std::string to_words(const StudyReport& report);
/// Tables of all schemes, row by row, into `path`.
[[nodiscard]] std::optional<Error> write_csv(const StudyReport& report, const std::string& path);

/// A bar, how many runs are done, and what remains, in at most 100 columns.
[[nodiscard]] std::string study_progress_line(const StudyPosition& position, double seconds);

}  // namespace stiction::apps
