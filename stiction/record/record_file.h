#pragma once

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "stiction/base/result.h"
#include "stiction/record/record_column.h"

namespace stiction {

/// A list of names in the file that may grow: "contacts/name".
struct NameList {
  std::string path, about;
  std::vector<std::string> names = {};
};

/// What a record holds beside its columns from the start: all by path.
struct RecordHeading {
  std::vector<std::pair<std::string, std::string>> attributes = {}, texts = {};
  std::vector<std::pair<std::string, std::string>> links = {};  ///< Second names of columns.
};

/// An HDF5 file that grows and can be opened by others at any moment, also after the process was killed. HDF5 itself
/// leaves a file torn that is being written, so there are two: PATH holds all up to the last flush and is never opened
/// for writing; PATH.part gets what is new since it was last PATH, is closed, and takes the other's place by rename(2).
/// Chunks are packed once for both. docs/decisions/0018-record.md.
class RecordFile {
 public:
  /// Writes the heading; PATH is there after the first flush. `columns` and `lists` keep their order.
  [[nodiscard]] static Result<RecordFile> create(std::filesystem::path path, const RecordHeading& heading,
                                                 std::vector<ColumnDef> columns, std::vector<NameList> lists);

  [[nodiscard]] RecordColumn& column(std::size_t i) { return columns_[i]; }
  [[nodiscard]] const RecordColumn& column(std::size_t i) const { return columns_[i]; }
  [[nodiscard]] std::vector<std::string>& names(std::size_t list) { return lists_[list].names; }

  /// All that was added is in PATH afterwards, or PATH is as it was.
  [[nodiscard]] std::optional<Error> flush();
  /// The same with these attributes changed and these texts added; PATH.part is gone. Nothing may follow.
  [[nodiscard]] std::optional<Error> finish(const RecordHeading& last);

 private:
  /// How much of the columns and lists one of the two files holds.
  struct Extent {
    std::vector<std::uint64_t> rows, chunks, names;
  };

  RecordFile() = default;
  [[nodiscard]] bool make(const RecordHeading& heading);
  [[nodiscard]] bool append(const RecordHeading& change);
  [[nodiscard]] bool prepare_spare();
  [[nodiscard]] bool change_places(bool keep_spare);
  void pack_tails();
  void forget_written();
  [[nodiscard]] std::optional<Error> write(const RecordHeading& change, bool keep_spare);
  [[nodiscard]] Error fail(int code);

  std::filesystem::path path_, part_, old_;
  std::vector<RecordColumn> columns_;
  std::vector<NameList> lists_;
  std::vector<PackedChunk> tails_;  ///< By column, as of `tail_rows_`.
  std::vector<std::uint64_t> tail_rows_;
  Extent current_, spare_;  ///< Of PATH and PATH.part.
  bool has_spare_ = false;
};

}  // namespace stiction
