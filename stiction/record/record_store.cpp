#include "stiction/record/record_store.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "stiction/record/hdf5_create.h"

namespace stiction {

namespace {

namespace fs = std::filesystem;

fs::path beside(const fs::path& path, const char* ending) {
  fs::path other = path;
  other += ending;
  return other;
}

/// Whether nobody has it open: readers of HDF5 files hold a lock that is shared. Where there are no locks, yes.
bool is_free(const fs::path& path) {
  const int file = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
  if (file < 0) return false;
  const bool is_read = ::flock(file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  ::close(file);
  errno = 0;
  return !is_read;
}

}  // namespace

Result<RecordStore> RecordStore::create(fs::path path, const RecordHeading& heading,
                                        const std::vector<RecordColumn>& columns, std::vector<NameList> lists) {
  RecordStore store;
  store.part_ = beside(path, ".part");
  store.old_ = beside(path, ".old");
  store.path_ = std::move(path);
  for (const RecordColumn& column : columns) store.columns_.push_back({column.def(), column.chunk_rows()});
  store.lists_ = std::move(lists);
  const std::vector<std::uint64_t> none(columns.size(), 0);
  store.spare_ = {none, none, std::vector<std::uint64_t>(store.lists_.size(), 0)};
  store.current_ = store.spare_;
  errno = 0;
  if (!store.make(heading, columns)) return store.fail(errno);
  return store;
}

bool RecordStore::make(const RecordHeading& heading, const std::vector<RecordColumn>& columns) {
  const Hdf5Session session;
  Hdf5Handle file = create_hdf5(part_);
  bool ok = file.ok();
  for (const RecordColumn& column : columns) ok = ok && create_column(file.id(), column);
  for (const NameList& list : lists_) ok = ok && create_list(file.id(), list.path, list.about);
  for (const auto& [name, target] : heading.links) ok = ok && create_link(file.id(), name, target);
  for (const auto& [name, text] : heading.attributes) ok = ok && set_attribute(file.id(), name, text);
  for (const auto& [name, text] : heading.texts) ok = ok && create_text(file.id(), name, text);
  has_spare_ = ok && file.close();
  return has_spare_;
}

PackedChunk RecordStore::pack(std::size_t column, const RawChunk& chunk) {
  return {chunk.index, chunk.part,
          packer_.pack(chunk.bytes, size_of(columns_[column].def.type), chunk.period, chunk.unused)};
}

void RecordStore::keep(std::size_t column, const RawChunk& chunk) {
  columns_[column].kept.push_back(pack(column, chunk));
}

void RecordStore::take(const RecordChange& change) {
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (change.extents[i].rows == columns_[i].extent.rows) continue;
    columns_[i].extent = change.extents[i];
    columns_[i].tails.clear();
    for (const RawChunk& tail : change.tails[i]) columns_[i].tails.push_back(pack(i, tail));
  }
  for (std::size_t i = 0; i < lists_.size(); ++i)
    lists_[i].names.insert(lists_[i].names.end(), change.names[i].begin(), change.names[i].end());
}

std::optional<Error> RecordStore::write(const RecordChange& change, bool keep_spare) {
  take(change);
  errno = 0;
  bool is_written = prepare_spare() && append(change.heading);
  std::error_code code;
  if (!is_written && has_spare_ && fs::exists(path_, code)) {
    // Somebody may have begun to read it just now.
    has_spare_ = false;
    errno = 0;
    is_written = prepare_spare() && append(change.heading);
  }
  if (!is_written || !change_places(keep_spare)) return fail(errno);
  forget_written();
  return std::nullopt;
}

void RecordStore::amend(const std::vector<std::pair<std::string, std::string>>& attributes) {
  bool ok = prepare_spare();
  if (ok) {
    const Hdf5Session session;
    Hdf5Handle file = open_hdf5(part_);
    ok = file.ok();
    for (const auto& [name, text] : attributes) ok = ok && set_attribute(file.id(), name, text);
    ok = file.close() && ok;
  }
  if (!ok || std::rename(part_.c_str(), path_.c_str()) != 0) ::unlink(part_.c_str());
}

/// After the first flush there is none, nor where the disk knows no second names for a file. One that somebody has
/// opened while it was PATH and still reads is left to him.
bool RecordStore::prepare_spare() {
  if (has_spare_ && is_free(part_)) return true;
  ::unlink(part_.c_str());
  std::error_code code;
  fs::copy_file(path_, part_, code);
  if (code) errno = code.value();
  spare_ = current_;
  has_spare_ = !code;
  return has_spare_;
}

bool RecordStore::append(const RecordHeading& heading) {
  const Hdf5Session session;
  Hdf5Handle file = open_hdf5(part_);
  bool ok = file.ok();
  for (std::size_t i = 0; i < columns_.size() && ok; ++i) {
    const StoredColumn& column = columns_[i];
    if (column.extent.rows == spare_.rows[i]) continue;
    ok = append_chunks(file.id(), column, spare_.chunks[i]);
    spare_.rows[i] = column.extent.rows;
    spare_.chunks[i] = column.extent.full_chunks;
  }
  for (std::size_t i = 0; i < lists_.size() && ok; ++i) {
    ok = append_names(file.id(), lists_[i].path, lists_[i].names, spare_.names[i]);
    spare_.names[i] = lists_[i].names.size();
  }
  for (const auto& [name, text] : heading.attributes) ok = ok && set_attribute(file.id(), name, text);
  for (const auto& [name, text] : heading.texts) ok = ok && create_text(file.id(), name, text);
  return file.close() && ok;
}

/// PATH is one whole file or the other at every moment.
bool RecordStore::change_places(bool keep_spare) {
  has_spare_ = keep_spare && ::link(path_.c_str(), old_.c_str()) == 0;
  if (std::rename(part_.c_str(), path_.c_str()) != 0) return false;
  std::swap(current_, spare_);
  return !has_spare_ || std::rename(old_.c_str(), part_.c_str()) == 0;
}

void RecordStore::forget_written() {
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    const std::uint64_t both = has_spare_ ? std::min(current_.chunks[i], spare_.chunks[i]) : current_.chunks[i];
    std::deque<PackedChunk>& kept = columns_[i].kept;
    while (!kept.empty() && kept.front().index < both) kept.pop_front();
  }
}

/// PATH stays as it was; of what lies beside it nothing is of use any more.
Error RecordStore::fail(int code) {
  has_spare_ = false;
  ::unlink(part_.c_str());
  ::unlink(old_.c_str());
  return Error{path_.string() +
               ": cannot be written: " + (code != 0 ? std::generic_category().message(code) : "HDF5 does not say why")};
}

}  // namespace stiction
