#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "stiction/base/result.h"

namespace stiction::apps {

/// Makes the folder of a run: `out`, which must be empty where it exists, or else a fresh `runs`/0001-NAME with the
/// next number.
[[nodiscard]] Result<std::filesystem::path> make_run_folder(const std::optional<std::string>& out,
                                                            const std::filesystem::path& runs, const std::string& name);

}  // namespace stiction::apps
