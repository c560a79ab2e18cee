#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "stiction/base/result.h"

namespace stiction {

/// The whole file, refused (before it is read, where its size is known) when it is larger than `limit` bytes. Messages
/// start with the path.
[[nodiscard]] Result<std::string> read_file(const std::filesystem::path& path, std::uintmax_t limit);

/// Writes a temporary file beside `path` and renames it, so that whoever looks sees the old file, the whole new one, or
/// none. Nothing on success.
[[nodiscard]] std::optional<Error> write_file(const std::filesystem::path& path, std::string_view text);

}  // namespace stiction
