#include "stiction/record/byte_packing.h"

#include <array>
#include <cstdint>
#include <cstring>

namespace stiction {

namespace {

/// Exchanges the blocks off the diagonal of each square of 2 `rows` rows and columns of bytes.
template <std::size_t rows>
void exchange(std::array<std::uint64_t, 8>& square, std::uint64_t columns) {
  constexpr std::size_t shift = 8 * rows;
  for (std::size_t i = 0; i < square.size(); ++i) {
    if ((i & rows) != 0) continue;
    const std::uint64_t differ = ((square[i] >> shift) ^ square[i + rows]) & columns;
    square[i + rows] ^= differ;
    square[i] ^= differ << shift;
  }
}

/// Eight numbers of eight bytes at a time; returns how many it has done.
std::size_t transpose_eights(const unsigned char* bytes, std::size_t count, unsigned char* planes) {
  std::array<std::uint64_t, 8> square{};
  std::size_t i = 0;
  for (; i + square.size() <= count; i += square.size()) {
    std::memcpy(square.data(), bytes + i * sizeof(std::uint64_t), sizeof square);
    exchange<4>(square, 0x00000000ffffffff);
    exchange<2>(square, 0x0000ffff0000ffff);
    exchange<1>(square, 0x00ff00ff00ff00ff);
    for (std::size_t byte = 0; byte < square.size(); ++byte)
      std::memcpy(planes + byte * count + i, &square[byte], sizeof(std::uint64_t));
  }
  return i;
}

}  // namespace

void shuffle_bytes(std::span<const unsigned char> bytes, std::size_t element, Bytes& shuffled) {
  shuffled.resize(bytes.size());
  const std::size_t count = bytes.size() / element;
  const std::size_t done =
      element == sizeof(std::uint64_t) ? transpose_eights(bytes.data(), count, shuffled.data()) : 0;
  for (std::size_t byte = 0; byte < element; ++byte)
    for (std::size_t i = done; i < count; ++i) shuffled[byte * count + i] = bytes[i * element + byte];
}

Bytes BytePacker::pack(std::span<const unsigned char> numbers, std::size_t element, std::size_t period,
                       std::size_t unused) {
  shuffle_bytes(numbers, element, shuffled_);
  writer_.begin(numbers.size(), 2 * element);
  const std::size_t plane = numbers.size() / element;
  for (std::size_t byte = 0; byte < element; ++byte) {
    const std::span<const unsigned char> bytes = std::span(shuffled_).subspan(byte * plane, plane);
    writer_.add(bytes.first(plane - unused), period);
    writer_.add(bytes.last(unused), period);
  }
  return writer_.finish();
}

}  // namespace stiction
