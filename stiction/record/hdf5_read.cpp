#include "stiction/record/hdf5_read.h"

#include <algorithm>
#include <cstring>
#include <limits>

namespace stiction {

namespace {

constexpr int most_dimensions = 3;

/// The texts that HDF5 has allocated, given back at the end.
class TextBuffer {
 public:
  explicit TextBuffer(std::size_t count) : texts_(count, nullptr) {}
  ~TextBuffer() {
    for (char* text : texts_)
      if (text != nullptr) H5free_memory(text);
  }
  TextBuffer(const TextBuffer&) = delete;
  TextBuffer& operator=(const TextBuffer&) = delete;
  [[nodiscard]] char** data() { return texts_.data(); }

  [[nodiscard]] std::optional<std::vector<std::string>> copy(std::uint64_t& bytes_left) const {
    std::vector<std::string> copies;
    copies.reserve(texts_.size());
    for (const char* text : texts_) {
      const std::size_t size = text == nullptr ? 0 : std::strlen(text);
      if (size > bytes_left) return std::nullopt;
      bytes_left -= size;
      copies.emplace_back(text == nullptr ? "" : text, size);
    }
    return copies;
  }

 private:
  std::vector<char*> texts_;
};

bool is_text(hid_t type) {
  return type >= 0 && H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) > 0;
}

Hdf5Handle memory_text() {
  Hdf5Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type.id(), H5T_VARIABLE);
  H5Tset_cset(type.id(), H5T_CSET_UTF8);
  return type;
}

/// The extent of a simple space of few dimensions.
std::optional<std::vector<hsize_t>> extent_of(hid_t space) {
  const int rank = space < 0 ? -1 : H5Sget_simple_extent_ndims(space);
  if (rank < 0 || rank > most_dimensions) return std::nullopt;
  std::vector<hsize_t> extent(static_cast<std::size_t>(rank));
  if (rank > 0 && H5Sget_simple_extent_dims(space, extent.data(), nullptr) < 0) return std::nullopt;
  return extent;
}

/// How many there are; nothing where that is above the limit.
std::optional<std::uint64_t> count_of(const std::vector<hsize_t>& extent, std::uint64_t limit) {
  std::uint64_t count = 1;
  for (const hsize_t size : extent) {
    if (size != 0 && count > limit / size) return std::nullopt;
    count *= size;
  }
  return count <= limit ? std::optional(count) : std::nullopt;
}

}  // namespace

bool has_path(hid_t file, const std::string& path) {
  for (std::size_t end = path.find('/', 1);; end = path.find('/', end + 1)) {
    const std::string part = path.substr(0, end);
    if (H5Lexists(file, part.c_str(), H5P_DEFAULT) <= 0 || H5Oexists_by_name(file, part.c_str(), H5P_DEFAULT) <= 0)
      return false;
    if (end == std::string::npos) return true;
  }
}

std::optional<RecordedArray> read_array(hid_t file, const std::string& path, std::uint64_t& numbers_left) {
  if (!has_path(file, path)) return std::nullopt;
  const Hdf5Handle data(H5Dopen2(file, path.c_str(), H5P_DEFAULT), H5Dclose);
  if (!data.ok()) return std::nullopt;
  const Hdf5Handle type(H5Dget_type(data.id()), H5Tclose), space(H5Dget_space(data.id()), H5Sclose);
  const H5T_class_t kind = type.ok() ? H5Tget_class(type.id()) : H5T_NO_CLASS;
  const auto extent = extent_of(space.id());
  if ((kind != H5T_FLOAT && kind != H5T_INTEGER) || !extent || extent->empty()) return std::nullopt;
  const auto count = count_of(*extent, numbers_left);
  if (!count) return std::nullopt;
  numbers_left -= *count;
  RecordedArray array{{extent->begin() + 1, extent->end()}, extent->front(), std::vector<double>(*count)};
  if (*count > 0 && H5Dread(data.id(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, array.values.data()) < 0)
    return std::nullopt;
  return array;
}

std::optional<std::uint64_t> count_array(hid_t file, const std::string& path) {
  if (!has_path(file, path)) return std::nullopt;
  const Hdf5Handle data(H5Dopen2(file, path.c_str(), H5P_DEFAULT), H5Dclose);
  const Hdf5Handle space(data.ok() ? H5Dget_space(data.id()) : -1, H5Sclose);
  const auto extent = extent_of(space.id());
  return extent ? count_of(*extent, std::numeric_limits<std::uint64_t>::max()) : std::nullopt;
}

std::optional<std::vector<std::string>> read_texts(hid_t file, const std::string& path, bool is_list,
                                                   std::uint64_t& bytes_left) {
  if (!has_path(file, path)) return std::nullopt;
  const Hdf5Handle data(H5Dopen2(file, path.c_str(), H5P_DEFAULT), H5Dclose);
  if (!data.ok()) return std::nullopt;
  const Hdf5Handle type(H5Dget_type(data.id()), H5Tclose), space(H5Dget_space(data.id()), H5Sclose);
  const auto extent = extent_of(space.id());
  if (!is_text(type.id()) || !extent || extent->size() != (is_list ? 1u : 0u)) return std::nullopt;
  const auto count = count_of(*extent, bytes_left / sizeof(char*));
  if (!count) return std::nullopt;
  TextBuffer texts(*count);
  if (*count > 0 && H5Dread(data.id(), memory_text().id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, texts.data()) < 0)
    return std::nullopt;
  return texts.copy(bytes_left);
}

std::optional<std::string> read_attribute(hid_t file, const std::string& name, std::uint64_t& bytes_left) {
  if (H5Aexists(file, name.c_str()) <= 0) return std::nullopt;
  const Hdf5Handle attribute(H5Aopen(file, name.c_str(), H5P_DEFAULT), H5Aclose);
  if (!attribute.ok()) return std::nullopt;
  const Hdf5Handle type(H5Aget_type(attribute.id()), H5Tclose), space(H5Aget_space(attribute.id()), H5Sclose);
  const auto extent = extent_of(space.id());
  if (!is_text(type.id()) || !extent || !extent->empty()) return std::nullopt;
  TextBuffer text(1);
  if (H5Aread(attribute.id(), memory_text().id(), text.data()) < 0) return std::nullopt;
  const auto copy = text.copy(bytes_left);
  return copy ? std::optional(copy->front()) : std::nullopt;
}

}  // namespace stiction
