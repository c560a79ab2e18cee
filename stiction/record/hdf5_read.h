#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "stiction/record/hdf5_handle.h"
#include "stiction/record/recorded_run.h"

/// What is read from an HDF5 file, piece by piece, within an Hdf5Session. Nothing where it is not there, is of another
/// kind, or is larger than what is left of the limit, from which its size is then taken.
namespace stiction {

[[nodiscard]] std::optional<RecordedArray> read_array(hid_t file, const std::string& path, std::uint64_t& numbers_left);
/// How many numbers it holds; nothing where it is no table.
[[nodiscard]] std::optional<std::uint64_t> count_array(hid_t file, const std::string& path);
/// One text, or a list of them; a single one has no extent.
[[nodiscard]] std::optional<std::vector<std::string>> read_texts(hid_t file, const std::string& path, bool is_list,
                                                                 std::uint64_t& bytes_left);
/// Of the file itself.
[[nodiscard]] std::optional<std::string> read_attribute(hid_t file, const std::string& name, std::uint64_t& bytes_left);
/// Whether each group on the way, and the thing itself, is there.
[[nodiscard]] bool has_path(hid_t file, const std::string& path);

}  // namespace stiction
