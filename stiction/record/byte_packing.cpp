#include "stiction/record/byte_packing.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <new>

#include "stiction/base/assert.h"

namespace stiction {

namespace {

template <std::size_t element>
void transpose(const unsigned char* bytes, std::size_t count, unsigned char* planes) {
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t byte = 0; byte < element; ++byte) planes[byte * count + i] = bytes[i * element + byte];
}

/// How a plane is packed: by zlib's fastest search for repetitions, by codes and runs alone, or not at all.
enum class Way : std::uint8_t { search, codes, copy };

/// Shannon's entropy of single bytes, in bits.
double entropy(std::span<const unsigned char> plane) {
  std::array<std::array<std::uint32_t, 256>, 4> counts{};  // four, or equal neighbours would wait for each other
  for (std::size_t i = 0; i < plane.size(); ++i) ++counts[i % 4][plane[i]];
  const auto size = static_cast<double>(plane.size());
  double bits = 0.0;
  for (std::size_t byte = 0; byte < 256; ++byte) {
    const double count = counts[0][byte] + counts[1][byte] + counts[2][byte] + counts[3][byte];
    if (count > 0.0) bits += count / size * std::log2(size / count);
  }
  return bits;
}

double share_repeated(std::span<const unsigned char> plane, std::size_t period) {
  if (period == 0 || period >= plane.size()) return 0.0;
  std::size_t equal = 0;
  for (std::size_t i = period; i < plane.size(); ++i) equal += plane[i] == plane[i - period] ? 1 : 0;
  return static_cast<double>(equal) / static_cast<double>(plane.size() - period);
}

/// The limits are from accept_record's run: where half of a plane repeats, the search is both faster and better; from
/// 7.8 of 8 bits on, codes save less than 2 %.
Way choose_way(std::span<const unsigned char> plane, std::size_t period) {
  constexpr std::size_t small = 4096;
  constexpr double repeats = 0.5, few_bits = 2.5, most_bits = 7.8;
  if (plane.size() < small || share_repeated(plane, period) >= repeats) return Way::search;
  const double bits = entropy(plane);
  return bits < few_bits ? Way::search : bits > most_bits ? Way::copy : Way::codes;
}

}  // namespace

void shuffle_bytes(std::span<const unsigned char> bytes, std::size_t element, Bytes& shuffled) {
  shuffled.resize(bytes.size());
  const std::size_t count = bytes.size() / element;
  switch (element) {
    case 8:
      return transpose<8>(bytes.data(), count, shuffled.data());
    case 4:
      return transpose<4>(bytes.data(), count, shuffled.data());
    default:
      for (std::size_t byte = 0; byte < element; ++byte)
        for (std::size_t i = 0; i < count; ++i) shuffled[byte * count + i] = bytes[i * element + byte];
  }
}

Bytes BytePacker::pack(std::span<const unsigned char> numbers, std::size_t element, std::size_t period) {
  shuffle_bytes(numbers, element, shuffled_);
  // More than zlib can ask for in any way: it holds back at most 64 kB, and a block that is not packed adds five bytes.
  packed_.resize(numbers.size() + numbers.size() / 64 + (std::size_t{1} << 17));
  z_stream stream{};
  int code = deflateInit(&stream, Z_BEST_SPEED);
  if (code == Z_MEM_ERROR) throw std::bad_alloc();
  STICTION_ASSERT(code == Z_OK, "zlib knows the level");
  stream.next_out = packed_.data();
  const auto make_room = [&] {
    const auto left = static_cast<std::size_t>(packed_.data() + packed_.size() - stream.next_out);
    stream.avail_out = static_cast<uInt>(std::min<std::size_t>(left, std::numeric_limits<uInt>::max()));
  };
  make_room();
  const std::size_t plane = numbers.size() / element;
  Way way = Way::search;
  for (std::size_t byte = 0; byte < element; ++byte) {
    const std::span<unsigned char> bytes = std::span(shuffled_).subspan(byte * plane, plane);
    const Way next = choose_way(bytes, period);
    if (next != way) {
      way = next;
      code = deflateParams(&stream, way == Way::copy ? Z_NO_COMPRESSION : Z_BEST_SPEED,
                           way == Way::codes ? Z_RLE : Z_DEFAULT_STRATEGY);
      STICTION_ASSERT(code == Z_OK, "there is room for what zlib held back");
    }
    make_room();
    stream.next_in = bytes.data();
    stream.avail_in = static_cast<uInt>(plane);
    code = deflate(&stream, byte + 1 == element ? Z_FINISH : Z_NO_FLUSH);
  }
  STICTION_ASSERT(code == Z_STREAM_END, "there is room for all");
  Bytes packed(packed_.data(), stream.next_out);
  deflateEnd(&stream);
  return packed;
}

}  // namespace stiction
