#include "stiction/record/hdf5_create.h"

#include <algorithm>

#include "stiction/record/utf8.h"

namespace stiction {

namespace {

hid_t file_type(ColumnType type) {
  switch (type) {
    case ColumnType::f64:
      return H5T_IEEE_F64LE;
    case ColumnType::u32:
      return H5T_STD_U32LE;
    case ColumnType::u8:
      break;
  }
  return H5T_STD_U8LE;
}

/// With a lock, so that a file which somebody still reads is not written; without where the disk knows none.
Hdf5Handle access_list() {
  Hdf5Handle list(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5Pset_file_locking(list.id(), true, true);
  return list;
}

Hdf5Handle text_type() {
  Hdf5Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type.id(), H5T_VARIABLE);
  H5Tset_cset(type.id(), H5T_CSET_UTF8);
  return type;
}

/// Makes the groups on the way to a path.
Hdf5Handle link_list() {
  Hdf5Handle list(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
  H5Pset_create_intermediate_group(list.id(), 1);
  return list;
}

/// Without times, so that the same run gives the same bytes.
Hdf5Handle dataset_list() {
  Hdf5Handle list(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  H5Pset_obj_track_times(list.id(), false);
  return list;
}

std::vector<hsize_t> extent_of(std::uint64_t rows, const ColumnDef& def) {
  std::vector<hsize_t> extent{rows};
  extent.insert(extent.end(), def.row.begin(), def.row.end());
  return extent;
}

}  // namespace

Hdf5Handle create_hdf5(const std::filesystem::path& path) {
  // The last chunk of each column is written again and again in another size: the holes must be known next time.
  const Hdf5Handle list(H5Pcreate(H5P_FILE_CREATE), H5Pclose);
  H5Pset_file_space_strategy(list.id(), H5F_FSPACE_STRATEGY_FSM_AGGR, true, 1);
  return {H5Fcreate(path.c_str(), H5F_ACC_TRUNC, list.id(), access_list().id()), H5Fclose};
}

Hdf5Handle open_hdf5(const std::filesystem::path& path) {
  return {H5Fopen(path.c_str(), H5F_ACC_RDWR, access_list().id()), H5Fclose};
}

bool create_column(hid_t file, const RecordColumn& column) {
  if (column.is_empty()) return true;
  const ColumnDef& def = column.def();
  const std::vector<hsize_t> empty = extent_of(0, def), most = extent_of(H5S_UNLIMITED, def);
  std::vector<hsize_t> chunk = extent_of(column.chunk_rows(), def);
  if (!def.row.empty()) chunk.back() = 1;
  const int rank = static_cast<int>(empty.size());
  const Hdf5Handle space(H5Screate_simple(rank, empty.data(), most.data()), H5Sclose);
  const Hdf5Handle list = dataset_list();
  H5Pset_chunk(list.id(), rank, chunk.data());
  H5Pset_shuffle(list.id());
  H5Pset_deflate(list.id(), 1);
  const Hdf5Handle data(
      H5Dcreate2(file, def.path.c_str(), file_type(def.type), space.id(), link_list().id(), list.id(), H5P_DEFAULT),
      H5Dclose);
  return data.ok() && set_attribute(file, "precision", "exact", def.path) &&
         (def.unit.empty() || set_attribute(file, "unit", def.unit, def.path)) &&
         (def.about.empty() || set_attribute(file, "about", def.about, def.path));
}

bool append_chunks(hid_t file, const StoredColumn& column, std::uint64_t first_chunk) {
  const ColumnDef& def = column.def;
  const Hdf5Handle data(H5Dopen2(file, def.path.c_str(), H5P_DEFAULT), H5Dclose);
  if (!data.ok() || H5Dset_extent(data.id(), extent_of(column.extent.rows, def).data()) < 0) return false;
  std::vector<hsize_t> at(def.row.size() + 1, 0);
  const auto write = [&](const PackedChunk& chunk) {
    at.back() = chunk.part;  // of a column of plain numbers that is the row, said next
    at.front() = chunk.index * column.chunk_rows;
    return H5Dwrite_chunk(data.id(), H5P_DEFAULT, 0, at.data(), chunk.bytes.size(), chunk.bytes.data()) >= 0;
  };
  for (const PackedChunk& chunk : column.kept)
    if (chunk.index >= first_chunk && !write(chunk)) return false;
  return std::all_of(column.tails.begin(), column.tails.end(), write);
}

bool create_list(hid_t file, const std::string& path, const std::string& about) {
  constexpr hsize_t empty = 0, most = H5S_UNLIMITED, chunk = 256;
  const Hdf5Handle space(H5Screate_simple(1, &empty, &most), H5Sclose);
  const Hdf5Handle list = dataset_list();
  H5Pset_chunk(list.id(), 1, &chunk);
  const Hdf5Handle data(
      H5Dcreate2(file, path.c_str(), text_type().id(), space.id(), link_list().id(), list.id(), H5P_DEFAULT), H5Dclose);
  return data.ok() && set_attribute(file, "about", about, path);
}

bool append_names(hid_t file, const std::string& path, const std::vector<std::string>& names, std::uint64_t first) {
  if (names.size() == first) return true;
  const Hdf5Handle data(H5Dopen2(file, path.c_str(), H5P_DEFAULT), H5Dclose);
  const hsize_t extent = names.size(), count = names.size() - first, start = first;
  if (!data.ok() || H5Dset_extent(data.id(), &extent) < 0) return false;
  const Hdf5Handle memory(H5Screate_simple(1, &count, nullptr), H5Sclose), space(H5Dget_space(data.id()), H5Sclose);
  if (H5Sselect_hyperslab(space.id(), H5S_SELECT_SET, &start, nullptr, &count, nullptr) < 0) return false;
  std::vector<std::string> clean;
  std::vector<const char*> texts;
  clean.reserve(count);
  for (std::size_t i = first; i < names.size(); ++i) texts.push_back(clean.emplace_back(as_utf8(names[i])).c_str());
  return H5Dwrite(data.id(), text_type().id(), memory.id(), space.id(), H5P_DEFAULT, texts.data()) >= 0;
}

bool create_text(hid_t file, const std::string& path, const std::string& text) {
  const Hdf5Handle space(H5Screate(H5S_SCALAR), H5Sclose), type = text_type();
  const Hdf5Handle data(
      H5Dcreate2(file, path.c_str(), type.id(), space.id(), link_list().id(), dataset_list().id(), H5P_DEFAULT),
      H5Dclose);
  const std::string clean = as_utf8(text);
  const char* words = clean.c_str();
  return data.ok() && H5Dwrite(data.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, &words) >= 0;
}

bool create_link(hid_t file, const std::string& path, const std::string& target) {
  return H5Lcreate_hard(file, target.c_str(), file, path.c_str(), link_list().id(), H5P_DEFAULT) >= 0;
}

bool set_attribute(hid_t file, const std::string& name, const std::string& text, const std::string& object) {
  const Hdf5Handle at(H5Oopen(file, object.c_str(), H5P_DEFAULT), H5Oclose);
  if (!at.ok()) return false;
  if (H5Aexists(at.id(), name.c_str()) > 0 && H5Adelete(at.id(), name.c_str()) < 0) return false;
  const Hdf5Handle space(H5Screate(H5S_SCALAR), H5Sclose), type = text_type();
  const Hdf5Handle attribute(H5Acreate2(at.id(), name.c_str(), type.id(), space.id(), H5P_DEFAULT, H5P_DEFAULT),
                             H5Aclose);
  const std::string clean = as_utf8(text);
  const char* words = clean.c_str();
  return attribute.ok() && H5Awrite(attribute.id(), type.id(), &words) >= 0;
}

}  // namespace stiction
