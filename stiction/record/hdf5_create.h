#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "stiction/record/hdf5_handle.h"
#include "stiction/record/record_store.h"

/// The few things that a record does with HDF5. All are called within an Hdf5Session; false: it could not be written.
namespace stiction {

[[nodiscard]] Hdf5Handle create_hdf5(const std::filesystem::path& path);
[[nodiscard]] Hdf5Handle open_hdf5(const std::filesystem::path& path);  ///< To be written.

[[nodiscard]] bool create_column(hid_t file, const RecordColumn& column);
/// The full chunks from the first on and those under way.
[[nodiscard]] bool append_chunks(hid_t file, const StoredColumn& column, std::uint64_t first_chunk);
[[nodiscard]] bool create_list(hid_t file, const std::string& path, const std::string& about);
/// The names from the first on.
[[nodiscard]] bool append_names(hid_t file, const std::string& path, const std::vector<std::string>& names,
                                std::uint64_t first);
[[nodiscard]] bool create_text(hid_t file, const std::string& path, const std::string& text);
[[nodiscard]] bool create_link(hid_t file, const std::string& path, const std::string& target);
/// Of the file, or of the object at `object`; replaced where it is there.
[[nodiscard]] bool set_attribute(hid_t file, const std::string& name, const std::string& text,
                                 const std::string& object = "/");

}  // namespace stiction
