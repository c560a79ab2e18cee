#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "stiction/record/byte_packing.h"

namespace stiction {

enum class ColumnType : std::uint8_t { f64, f32, i32, u32, u8 };
[[nodiscard]] std::size_t size_of(ColumnType type);

/// One table of numbers in the record, a row for each frame, contact, step or event.
struct ColumnDef {
  std::string path;  ///< In the file: "frames/position".
  ColumnType type = ColumnType::f64;
  std::vector<std::uint64_t> row = {};  ///< Shape of a row; empty: one number.
  std::string unit = {};                ///< Attributes of the data set; left out where empty.
  std::string about = {};
};

/// A chunk as it lies in the file: shuffled and deflated.
struct PackedChunk {
  std::uint64_t index = 0;
  Bytes bytes;
};

/// Rows as they come, packed chunk by chunk. Full chunks are kept until drop_before() lets go of them.
class RecordColumn {
 public:
  explicit RecordColumn(ColumnDef def);

  /// The next number of the row under way.
  void add(double value);

  [[nodiscard]] const ColumnDef& def() const { return def_; }
  /// Its rows hold nothing (joints where there are none): HDF5 has no such chunks, so it is not in the file.
  [[nodiscard]] bool is_empty() const { return row_bytes_ == 0; }
  [[nodiscard]] std::uint64_t rows() const;  ///< Whole ones.
  [[nodiscard]] std::uint64_t chunk_rows() const { return chunk_rows_; }
  [[nodiscard]] std::uint64_t full_chunks() const { return full_chunks_; }
  [[nodiscard]] const std::deque<PackedChunk>& kept() const { return kept_; }
  void drop_before(std::uint64_t chunk);
  /// The chunk under way, filled up with zeros; has no bytes where it has no rows.
  [[nodiscard]] PackedChunk pack_tail();

 private:
  template <class Number>
  void append(Number number);
  [[nodiscard]] Bytes pack(const Bytes& raw);

  ColumnDef def_;
  std::size_t row_bytes_ = 0;
  std::uint64_t chunk_rows_ = 0, full_chunks_ = 0;
  Bytes tail_, shuffled_;
  std::deque<PackedChunk> kept_;
};

}  // namespace stiction
