#pragma once

#include <deque>
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

/// A chunk as it lies in the file: shuffled and deflated.
struct PackedChunk {
  std::uint64_t index = 0, part = 0;
  Bytes bytes;
};

/// A column as the file has it or is to have it.
struct StoredColumn {
  ColumnDef def;
  std::uint64_t chunk_rows = 0;
  ColumnExtent extent = {};
  std::deque<PackedChunk> kept = {};    ///< Full ones that not both files have.
  std::vector<PackedChunk> tails = {};  ///< Those under way, where there are whole rows in them.
};

/// What is new since the last time, beside full chunks.
struct RecordChange {
  std::vector<ColumnExtent> extents;            ///< By column.
  std::vector<std::vector<RawChunk>> tails;     ///< By column; not looked at where the rows are as many as before.
  std::vector<std::vector<std::string>> names;  ///< By list.
  RecordHeading heading = {};                   ///< Attributes to be changed and texts to be added.
};

/// An HDF5 file that grows and can be opened by others at any moment, also after the process was killed. HDF5 itself
/// leaves a file torn that is being written, so there are two: PATH holds all up to the last flush and is never opened
/// for writing; PATH.part gets what is new since it was last PATH, is closed, and takes the other's place by rename(2).
/// Chunks are packed once for both. docs/decisions/0018-record.md.
class RecordStore {
 public:
  /// Writes the heading; PATH is there after the first write().
  [[nodiscard]] static Result<RecordStore> create(std::filesystem::path path, const RecordHeading& heading,
                                                  const std::vector<RecordColumn>& columns,
                                                  std::vector<NameList> lists);

  /// A full chunk, packed and kept until both files have it.
  void keep(std::size_t column, const RawChunk& chunk);
  /// All that was added is in PATH afterwards, or PATH is as it was. Without `keep_spare` PATH.part is gone, and
  /// nothing may follow.
  [[nodiscard]] std::optional<Error> write(const RecordChange& change, bool keep_spare);
  /// After a write that failed: changes attributes of PATH as it is, if there is room for a copy of it. A full disk has
  /// that now, where PATH.part was. Nothing may follow.
  void amend(const std::vector<std::pair<std::string, std::string>>& attributes);

 private:
  /// How much of the columns and lists one of the two files holds.
  struct Held {
    std::vector<std::uint64_t> rows, chunks, names;
  };

  RecordStore() = default;
  [[nodiscard]] bool make(const RecordHeading& heading, const std::vector<RecordColumn>& columns);
  void take(const RecordChange& change);
  [[nodiscard]] bool append(const RecordHeading& heading);
  [[nodiscard]] bool prepare_spare();
  [[nodiscard]] bool change_places(bool keep_spare);
  void forget_written();
  [[nodiscard]] PackedChunk pack(std::size_t column, const RawChunk& chunk);
  [[nodiscard]] Error fail(int code);

  std::filesystem::path path_, part_, old_;
  std::vector<StoredColumn> columns_;
  std::vector<NameList> lists_;
  BytePacker packer_;
  Held current_, spare_;  ///< Of PATH and PATH.part.
  bool has_spare_ = false;
};

}  // namespace stiction
