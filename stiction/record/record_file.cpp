#include "stiction/record/record_file.h"

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

Result<RecordFile> RecordFile::create(fs::path path, const RecordHeading& heading, std::vector<ColumnDef> columns,
                                      std::vector<NameList> lists) {
  RecordFile file;
  file.part_ = beside(path, ".part");
  file.old_ = beside(path, ".old");
  file.path_ = std::move(path);
  for (ColumnDef& def : columns) file.columns_.emplace_back(std::move(def));
  file.lists_ = std::move(lists);
  const std::vector<std::uint64_t> none(file.columns_.size(), 0);
  file.spare_ = {none, none, std::vector<std::uint64_t>(file.lists_.size(), 0)};
  file.current_ = file.spare_;
  file.tails_.resize(file.columns_.size());
  file.tail_rows_ = none;
  errno = 0;
  if (!file.make(heading)) return file.fail(errno);
  return file;
}

bool RecordFile::make(const RecordHeading& heading) {
  const Hdf5Session session;
  Hdf5Handle file = create_hdf5(part_);
  bool ok = file.ok();
  for (const RecordColumn& column : columns_) ok = ok && create_column(file.id(), column);
  for (const NameList& list : lists_) ok = ok && create_list(file.id(), list.path, list.about);
  for (const auto& [name, target] : heading.links) ok = ok && create_link(file.id(), name, target);
  for (const auto& [name, text] : heading.attributes) ok = ok && set_attribute(file.id(), name, text);
  for (const auto& [name, text] : heading.texts) ok = ok && create_text(file.id(), name, text);
  has_spare_ = ok && file.close();
  return has_spare_;
}

std::optional<Error> RecordFile::flush() {
  return write({}, true);
}

std::optional<Error> RecordFile::finish(const RecordHeading& last) {
  return write(last, false);
}

std::optional<Error> RecordFile::write(const RecordHeading& change, bool keep_spare) {
  errno = 0;
  pack_tails();
  bool is_written = prepare_spare() && append(change);
  std::error_code code;
  if (!is_written && has_spare_ && fs::exists(path_, code)) {
    // Somebody may have begun to read it just now.
    has_spare_ = false;
    errno = 0;
    is_written = prepare_spare() && append(change);
  }
  if (!is_written || !change_places(keep_spare)) return fail(errno);
  forget_written();
  return std::nullopt;
}

void RecordFile::pack_tails() {
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (columns_[i].rows() == tail_rows_[i]) continue;
    tails_[i] = columns_[i].pack_tail();
    tail_rows_[i] = columns_[i].rows();
  }
}

/// After the first flush there is none, nor where the disk knows no second names for a file. One that somebody has
/// opened while it was PATH and still reads is left to him.
bool RecordFile::prepare_spare() {
  if (has_spare_ && is_free(part_)) return true;
  ::unlink(part_.c_str());
  std::error_code code;
  fs::copy_file(path_, part_, code);
  if (code) errno = code.value();
  spare_ = current_;
  has_spare_ = !code;
  return has_spare_;
}

bool RecordFile::append(const RecordHeading& change) {
  const Hdf5Session session;
  Hdf5Handle file = open_hdf5(part_);
  bool ok = file.ok();
  for (std::size_t i = 0; i < columns_.size() && ok; ++i) {
    const RecordColumn& column = columns_[i];
    if (column.rows() == spare_.rows[i]) continue;
    ok = append_chunks(file.id(), column, spare_.chunks[i], tails_[i]);
    spare_.rows[i] = column.rows();
    spare_.chunks[i] = column.full_chunks();
  }
  for (std::size_t i = 0; i < lists_.size() && ok; ++i) {
    ok = append_names(file.id(), lists_[i].path, lists_[i].names, spare_.names[i]);
    spare_.names[i] = lists_[i].names.size();
  }
  for (const auto& [name, text] : change.attributes) ok = ok && set_attribute(file.id(), name, text);
  for (const auto& [name, text] : change.texts) ok = ok && create_text(file.id(), name, text);
  return file.close() && ok;
}

/// PATH is one whole file or the other at every moment.
bool RecordFile::change_places(bool keep_spare) {
  has_spare_ = keep_spare && ::link(path_.c_str(), old_.c_str()) == 0;
  if (std::rename(part_.c_str(), path_.c_str()) != 0) return false;
  std::swap(current_, spare_);
  return !has_spare_ || std::rename(old_.c_str(), part_.c_str()) == 0;
}

void RecordFile::forget_written() {
  for (std::size_t i = 0; i < columns_.size(); ++i)
    columns_[i].drop_before(has_spare_ ? std::min(current_.chunks[i], spare_.chunks[i]) : current_.chunks[i]);
}

/// PATH stays as it was; of what lies beside it nothing is of use any more.
Error RecordFile::fail(int code) {
  has_spare_ = false;
  ::unlink(part_.c_str());
  ::unlink(old_.c_str());
  return Error{path_.string() +
               ": cannot be written: " + (code != 0 ? std::generic_category().message(code) : "HDF5 does not say why")};
}

}  // namespace stiction
