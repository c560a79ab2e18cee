#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "stiction/record/byte_packing.h"

namespace stiction {

enum class ColumnType : std::uint8_t { f64, i32, u32, u8 };
[[nodiscard]] std::size_t size_of(ColumnType type);

/// One table of numbers in the record, a row for each frame, contact, step or event.
struct ColumnDef {
  std::string path;  ///< In the file: "frames/position".
  ColumnType type = ColumnType::f64;
  std::vector<std::uint64_t> row = {};  ///< Shape of a row; empty: one number.
  std::string unit = {};                ///< Attributes of the data set; left out where empty.
  std::string about = {};
  std::string names = {};          ///< What 0, 1, 2, ... stand for, with commas between.
  std::uint64_t rows_at_once = 1;  ///< How many rows a frame adds, about: they share chunks with those of others.
};

/// Numbers of one chunk as they are in memory. A column of vectors has a chunk for each of their components, which have
/// more in common with their own past than with each other.
struct RawChunk {
  std::uint64_t index = 0;  ///< Along the rows.
  std::uint64_t part = 0;   ///< Along the last extent of a row.
  std::uint64_t period = 0;
  std::uint64_t unused = 0;  ///< Numbers at the end that are zero, since there are none yet.
  Bytes bytes;
};

/// What of a column lies in chunks.
struct ColumnExtent {
  std::uint64_t rows = 0, full_chunks = 0;
};

/// Rows as they come, gathered in chunks.
class RecordColumn {
 public:
  explicit RecordColumn(ColumnDef def);

  /// The next number of the row under way.
  void add(double value);
  /// The next numbers, one after the other; fast where they are one for each part.
  void add(std::span<const double> vector);
  /// Each number is likely to resemble the one so many rows before. From here on; at first the rows of a frame.
  void set_period(std::uint64_t rows) { period_ = rows * row_numbers_; }

  [[nodiscard]] const ColumnDef& def() const { return def_; }
  /// Its rows hold nothing (joints where there are none): HDF5 has no such chunks, so it is not in the file.
  [[nodiscard]] bool is_empty() const { return row_numbers_ == 0; }
  [[nodiscard]] std::uint64_t parts() const { return tails_.size(); }
  [[nodiscard]] std::uint64_t chunk_rows() const { return chunk_rows_; }
  [[nodiscard]] ColumnExtent extent() const;  ///< Of whole rows.

  [[nodiscard]] bool has_full() const { return !full_.empty(); }
  /// Those that became full since the last call.
  [[nodiscard]] std::vector<RawChunk> take_full();
  /// Copies of the chunks under way, filled up with zeros; none where they have no whole row.
  [[nodiscard]] std::vector<RawChunk> copy_tails() const;

 private:
  void end_numbers();
  void close_chunks();

  ColumnDef def_;
  std::size_t element_ = 0;
  std::uint64_t row_numbers_ = 0;  ///< Numbers of a row in one part.
  std::uint64_t chunk_rows_ = 0, full_chunks_ = 0, period_ = 0;
  std::vector<Bytes> tails_;  ///< By part, each as large as a chunk.
  std::size_t part_ = 0;      ///< Where the next number goes,
  std::size_t place_ = 0;     ///< and at which byte.
  std::vector<RawChunk> full_;
};

}  // namespace stiction
