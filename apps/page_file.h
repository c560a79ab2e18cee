#pragma once

#include <filesystem>
#include <string>

#include "stiction/base/result.h"
#include "stiction/record/recorded_run.h"

namespace stiction::apps {

/// plots/*.svg and replay.html beside a record. The text says where the page is, or why there is none.
[[nodiscard]] Result<std::string> write_pictures(const std::filesystem::path& folder, const RecordedRun& run);

}  // namespace stiction::apps
