#include "stiction/record/record_column.h"

#include <algorithm>
#include <array>
#include <utility>

namespace stiction {

namespace {

/// Chunks hold many frames, so that what hardly changes in time is packed well, and stay small enough that packing the
/// last one again at each flush costs little.
constexpr std::uint64_t chunk_bytes = 1 << 19;
constexpr std::uint64_t most_frames = 2048;

template <class Number>
void put(unsigned char* place, Number number) {
  std::memcpy(place, &number, sizeof(Number));
}

}  // namespace

std::size_t size_of(ColumnType type) {
  constexpr std::array<std::size_t, 4> sizes{8, 4, 4, 1};
  return sizes[static_cast<std::size_t>(type)];
}

RecordColumn::RecordColumn(ColumnDef def) : def_(std::move(def)), element_(size_of(def_.type)) {
  row_numbers_ = 1;
  for (const std::uint64_t extent : def_.row) row_numbers_ *= extent;
  if (is_empty()) return;
  const std::uint64_t parts = def_.row.empty() ? 1 : def_.row.back();
  row_numbers_ /= parts;
  const std::uint64_t most_rows = most_frames * std::max<std::uint64_t>(def_.rows_at_once, 1);
  chunk_rows_ = std::clamp<std::uint64_t>(chunk_bytes / (row_numbers_ * element_), 1, most_rows);
  tails_.assign(parts, Bytes(chunk_rows_ * row_numbers_ * element_));
  set_period(def_.rows_at_once);
}

void RecordColumn::add(double value) {
  unsigned char* const place = tails_[part_].data() + place_;
  switch (def_.type) {
    case ColumnType::f64:
      put(place, value);
      break;
    case ColumnType::i32:
      put(place, static_cast<std::int32_t>(value));
      break;
    case ColumnType::u32:
      put(place, static_cast<std::uint32_t>(value));
      break;
    case ColumnType::u8:
      put(place, static_cast<std::uint8_t>(value));
      break;
  }
  if (++part_ < tails_.size()) return;
  part_ = 0;
  end_numbers();
}

void RecordColumn::add(std::span<const double> vector) {
  if (def_.type != ColumnType::f64 || vector.size() != tails_.size() || part_ != 0) {
    for (const double value : vector) add(value);
    return;
  }
  for (std::size_t part = 0; part < tails_.size(); ++part) put(tails_[part].data() + place_, vector[part]);
  end_numbers();
}

/// Of all parts.
void RecordColumn::end_numbers() {
  place_ += element_;
  if (place_ == tails_.front().size()) close_chunks();
}

void RecordColumn::close_chunks() {
  for (std::size_t part = 0; part < tails_.size(); ++part) {
    const std::size_t size = tails_[part].size();
    full_.push_back({full_chunks_, part, period_, 0, std::exchange(tails_[part], Bytes(size))});
  }
  ++full_chunks_;
  place_ = 0;
}

ColumnExtent RecordColumn::extent() const {
  if (is_empty()) return {};
  return {full_chunks_ * chunk_rows_ + place_ / (row_numbers_ * element_), full_chunks_};
}

std::vector<RawChunk> RecordColumn::take_full() {
  return std::exchange(full_, {});
}

std::vector<RawChunk> RecordColumn::copy_tails() const {
  std::vector<RawChunk> tails;
  if (is_empty() || place_ < row_numbers_ * element_) return tails;
  const std::uint64_t unused = (tails_.front().size() - place_) / element_;
  for (std::size_t part = 0; part < tails_.size(); ++part)
    tails.push_back({full_chunks_, part, period_, unused - (part < part_ ? 1 : 0), tails_[part]});
  return tails;
}

}  // namespace stiction
