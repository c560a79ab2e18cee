#pragma once

#include <cstdint>
#include <filesystem>

#include "stiction/base/result.h"
#include "stiction/record/recorded_run.h"

namespace stiction {

struct RunReadLimits {
  std::uint64_t numbers = std::uint64_t{1} << 29;  ///< In all columns; 4 GiB.
  std::uint64_t text = std::uint64_t{1} << 28;     ///< Bytes of all texts and names.
};

/// How many numbers the columns of a record hold together; 0 where it is none.
[[nodiscard]] std::uint64_t count_recorded_numbers(const std::filesystem::path& path);

/// Reads a run.h5, also one that is being written or whose run was killed. Other files, and records that do not agree
/// with themselves, are refused with a message that says where.
[[nodiscard]] Result<RecordedRun> read_run(const std::filesystem::path& path, const RunReadLimits& limits = {});

}  // namespace stiction
