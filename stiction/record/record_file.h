#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "stiction/record/record_store.h"

namespace stiction {

/// The front of a RecordStore: gathers numbers and names, and leaves packing and writing to a thread of its own. What
/// is added is copied and nothing else, so that a run hardly waits for its record; memory is bounded, since who gives
/// that thread more than it can do waits for it.
class RecordFile {
 public:
  /// Writes the heading; the file is there after the first flush. `columns` and `lists` keep their order.
  [[nodiscard]] static Result<RecordFile> create(std::filesystem::path path, const RecordHeading& heading,
                                                 std::vector<ColumnDef> columns, std::vector<NameList> lists);
  ~RecordFile();
  RecordFile(RecordFile&& other) noexcept;
  RecordFile& operator=(RecordFile&&) = delete;

  [[nodiscard]] RecordColumn& column(std::size_t i) { return columns_[i]; }
  /// Its row in the list.
  std::uint64_t add_name(std::size_t list, std::string name);

  /// Gives away what is full. Call it after each frame.
  void hand_over();
  /// Begins to write all that was added, and does not wait for it.
  void begin_flush();
  [[nodiscard]] bool is_flushing() const;
  /// How long the last one took.
  [[nodiscard]] std::chrono::steady_clock::duration flush_length() const;
  /// The first thing that went wrong so far; nothing is written after it.
  [[nodiscard]] std::optional<Error> error() const;

  /// All that was added is in the file afterwards, or it is as it was.
  [[nodiscard]] std::optional<Error> flush();
  /// The same with these attributes changed and these texts added; nothing lies beside the file. Where something went
  /// wrong, now or before, the attributes are changed if that can be done. Nothing may follow.
  [[nodiscard]] std::optional<Error> finish(const RecordHeading& last);

 private:
  struct Shared;

  RecordFile(std::vector<RecordColumn> columns, std::size_t lists, RecordStore store);
  void give_flush(const RecordHeading& heading, bool keep_spare);

  std::vector<RecordColumn> columns_;
  std::vector<std::uint64_t> sent_rows_;             ///< By column, at the last flush.
  std::vector<std::vector<std::string>> new_names_;  ///< By list, since the last flush.
  std::vector<std::uint64_t> names_;                 ///< By list, of all.
  std::unique_ptr<Shared> shared_;
};

}  // namespace stiction
