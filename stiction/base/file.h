#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "stiction/base/result.h"

namespace stiction {

/// Why `path` is no file to be read: nothing is there, or a folder, a pipe, a device or a socket, whose reader could
/// wait for ever. Messages start with the path. Nothing where it is a file, or a link to one.
[[nodiscard]] std::optional<Error> find_unreadable(const std::filesystem::path& path);

/// The whole file, refused before it is read when it is larger than `limit` bytes, and at once where it is none
/// (`find_unreadable`). Messages start with the path.
[[nodiscard]] Result<std::string> read_file(const std::filesystem::path& path, std::uintmax_t limit);

/// Writes a temporary file beside `path` and renames it, so that whoever looks sees the old file, the whole new one, or
/// none. Nothing on success.
[[nodiscard]] std::optional<Error> write_file(const std::filesystem::path& path, std::string_view text);

}  // namespace stiction
