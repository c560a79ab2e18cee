#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "stiction/base/result.h"
#include "stiction/lcp/problem.h"
#include "stiction/lcp/solver.h"

namespace stiction::lcp {

/// A problem as it is kept in a file, with what is known of it. The format (docs/problem_file.md):
///
///     {"problems": [{"name": "two_by_two", "M": [[2, 1], [1, 2]], "q": [-5, -6],
///                    "lower": [0, null], "upper": [null, 4.5], "free": [1],
///                    "expect": "solved", "source": "...", "must": "...", "basic_solutions": [[1.33, 2.33]]}]}
///
/// Only M and q are needed. M is an array of rows or {"rows": n, "cols": n, "triplets": [[i, j, value], ...]}. Other
/// keys are ignored, except one that is a slip of the pen away from a key above: a misspelt "lower" would change the
/// problem.
struct StoredProblem {
  Problem problem;
  Status expect = Status::solved;                           ///< How a solver must end.
  std::string source = {};                                  ///< Where the problem comes from.
  std::string must = {};                                    ///< What must happen, in words.
  std::optional<std::vector<Vector>> basic_solutions = {};  ///< All of them, where somebody enumerated them.
};

/// What a file may ask of the reader. Each is checked while reading, before memory is taken for what exceeds it.
struct ReadLimits {
  std::uintmax_t file_bytes = std::uintmax_t{512} << 20;
  std::size_t token_bytes = std::size_t{1} << 20;  ///< Text between two values or brackets: a string, a run of blanks.
  std::size_t depth = 16;                          ///< Brackets inside brackets.
  std::size_t problems = 100'000;
  Index dense_size = 10'000;    ///< Unknowns of a problem with dense M: 800 MB of numbers.
  Index sparse_size = 200'000;  ///< Unknowns of any problem.
};

/// The problems of one file, all or none: an error is one line with the file, the line (for JSON syntax the column
/// too), the JSON pointer, and what was expected.
[[nodiscard]] Result<std::vector<StoredProblem>> read_problems(const std::filesystem::path& path,
                                                               const ReadLimits& limits = {});

/// As read_problems, from text in memory; `file_name` is for the messages.
[[nodiscard]] Result<std::vector<StoredProblem>> parse_problems(std::string_view text, std::string_view file_name,
                                                                const ReadLimits& limits = {});

/// The text of a file that reads back to the same bits. An error where a problem is malformed (`find_defect`), since no
/// reader would take it.
[[nodiscard]] Result<std::string> to_json(std::span<const StoredProblem> problems);

/// Writes to_json(problems) to a temporary file, then renames it to `path`. Nothing on success.
[[nodiscard]] std::optional<Error> write_problems(const std::filesystem::path& path,
                                                  std::span<const StoredProblem> problems);

}  // namespace stiction::lcp
