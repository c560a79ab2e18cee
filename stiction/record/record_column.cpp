#include "stiction/record/record_column.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

namespace stiction {

namespace {

/// Chunks hold many frames, so that what hardly changes in time is packed well, and stay small enough that packing the
/// last one again at each flush costs little.
constexpr std::uint64_t chunk_bytes = 1 << 19;
constexpr std::uint64_t most_rows = 2048;

/// What no float can hold is infinite.
float to_float(double value) {
  constexpr double most = std::numeric_limits<float>::max();
  if (std::abs(value) <= most || std::isnan(value)) return static_cast<float>(value);
  return std::copysign(std::numeric_limits<float>::infinity(), static_cast<float>(value > 0.0 ? 1 : -1));
}

}  // namespace

std::size_t size_of(ColumnType type) {
  constexpr std::array<std::size_t, 5> sizes{8, 4, 4, 4, 1};
  return sizes[static_cast<std::size_t>(type)];
}

RecordColumn::RecordColumn(ColumnDef def) : def_(std::move(def)) {
  row_bytes_ = size_of(def_.type);
  for (const std::uint64_t extent : def_.row) row_bytes_ *= extent;
  chunk_rows_ = std::clamp<std::uint64_t>(chunk_bytes / std::max<std::size_t>(row_bytes_, 1), 1, most_rows);
  tail_.reserve(chunk_rows_ * row_bytes_);
}

template <class Number>
void RecordColumn::append(Number number) {
  const std::size_t at = tail_.size();
  tail_.resize(at + sizeof(Number));
  std::memcpy(tail_.data() + at, &number, sizeof(Number));
}

void RecordColumn::add(double value) {
  switch (def_.type) {
    case ColumnType::f64:
      append(value);
      break;
    case ColumnType::f32:
      append(to_float(value));
      break;
    case ColumnType::i32:
      append(static_cast<std::int32_t>(value));
      break;
    case ColumnType::u32:
      append(static_cast<std::uint32_t>(value));
      break;
    case ColumnType::u8:
      append(static_cast<std::uint8_t>(value));
      break;
  }
  if (tail_.size() < chunk_rows_ * row_bytes_) return;
  kept_.push_back({full_chunks_++, pack(tail_)});
  tail_.clear();
}

std::uint64_t RecordColumn::rows() const {
  return is_empty() ? 0 : full_chunks_ * chunk_rows_ + tail_.size() / row_bytes_;
}

void RecordColumn::drop_before(std::uint64_t chunk) {
  while (!kept_.empty() && kept_.front().index < chunk) kept_.pop_front();
}

PackedChunk RecordColumn::pack_tail() {
  if (tail_.size() < row_bytes_) return {full_chunks_, {}};
  Bytes whole = tail_;
  whole.resize(chunk_rows_ * row_bytes_, 0);
  return {full_chunks_, pack(whole)};
}

Bytes RecordColumn::pack(const Bytes& raw) {
  shuffle_bytes(raw, size_of(def_.type), shuffled_);
  return deflate_bytes(shuffled_);
}

}  // namespace stiction
