#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "stiction/base/result.h"
#include "stiction/cone/factor_form.h"
#include "stiction/cone/problem.h"

namespace stiction::cone {

/// What a file may ask of the reader. Checked before memory is taken for what exceeds it.
struct ReadLimits {
  std::uintmax_t file_bytes = std::uintmax_t{512} << 20;
  Index contacts = 200'000;
  Index entries = 20'000'000;  ///< Of W.
};

/// A contact problem in the text form `.fcp` (docs/problem_file.md): `FCP1 dimension contacts entries`, then the
/// entries of W as `row column value` counted from 0, then q, then mu, all apart by blanks or line breaks. After mu may
/// come the word `mu2` and as many coefficients again, those along s, and at the end `expect` and a status. Entries at
/// one place add up. The problem's name is the file's, without folder and ending. What follows a # is a comment. A file
/// that begins with `FCG1` has factors (`parse_factors`), and is given condensed.
[[nodiscard]] Result<Problem> parse_problem(std::string_view text, std::string_view file_name,
                                            const ReadLimits& limits = {});
[[nodiscard]] Result<Problem> read_problem(const std::filesystem::path& path, const ReadLimits& limits = {});

/// A stored problem as it stands in its file, not condensed.
using StoredProblem = std::variant<Problem, FactorForm>;
[[nodiscard]] Result<StoredProblem> parse_stored(std::string_view text, std::string_view file_name,
                                                 const ReadLimits& limits = {});
[[nodiscard]] Result<StoredProblem> read_stored(const std::filesystem::path& path, const ReadLimits& limits = {});

/// The factors of a problem, the form `FCG1` of the same page: bodies, contacts and rows as mechanics poses them.
[[nodiscard]] Result<FactorForm> parse_factors(std::string_view text, std::string_view file_name,
                                               const ReadLimits& limits = {});
/// The text of a file of factors that reads back to the same numbers. Where `form.bodies` is empty, M is divided where
/// nothing couples, and into pieces of six.
[[nodiscard]] Result<std::string> to_text(const FactorForm& form);
[[nodiscard]] std::optional<Error> write_problem(const std::filesystem::path& path, const FactorForm& form);

/// The text of a file that reads back to the same bits. An error where the problem is malformed (`find_defect`).
[[nodiscard]] Result<std::string> to_text(const Problem& problem);
/// Writes to_text(problem) to a temporary file, then renames it to `path`. Nothing on success.
[[nodiscard]] std::optional<Error> write_problem(const std::filesystem::path& path, const Problem& problem);

}  // namespace stiction::cone
