#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace stiction {

using Bytes = std::vector<unsigned char>;

/// Lengths in bits of a prefix code that is the shortest for symbols which occur so often (0: never), or nearly where
/// one would have more than `most` bits. At least two symbols have one, as readers ask for. Internal.
void find_code_lengths(std::span<const std::uint32_t> counts, unsigned most, std::span<std::uint8_t> lengths);

/// Bits one after the other, into storage that has eight bytes more than they need. Internal.
struct BitWriter {
  /// At most 56.
  void put(std::uint64_t more, unsigned more_count) {
    bits |= more << count;
    count += more_count;
    std::memcpy(end, &bits, sizeof bits);
    end += count / 8;
    bits >>= count / 8 * 8;
    count %= 8;
  }
  /// To a whole byte.
  void align() { put(0, (8 - count) % 8); }

  unsigned char* end = nullptr;  ///< Of the whole bytes.
  std::uint64_t bits = 0;        ///< After them,
  unsigned count = 0;            ///< fewer than eight.
};

/// Writes a zlib stream (RFC 1950 and 1951). Unlike zlib it does not search for what repeats: it is told where to look,
/// and writes noise as it is. Keeps its storage from stream to stream.
class DeflateWriter {
 public:
  /// add() is called at most `parts` times, with `size` bytes in all.
  void begin(std::size_t size, std::size_t parts);
  /// A part gets a code of its own. Bytes are likely to repeat those one or one of the first four periods before.
  void add(std::span<const unsigned char> part, std::size_t period);
  [[nodiscard]] Bytes finish();

 private:
  static constexpr std::size_t most_lags = 5, symbols = 286, distances = 30;
  using Lags = std::span<const std::size_t>;

  void find_tokens(std::span<const unsigned char> part, Lags lags, double byte_bits);
  [[nodiscard]] bool add_coded(std::size_t size, Lags lags);
  void add_copy(std::span<const unsigned char> part);

  Bytes out_;
  BitWriter stream_;  ///< Into out_.
  std::uint32_t check_ = 1;

  std::vector<std::uint32_t> tokens_;  ///< Each a byte, or a length and the number of a lag.
  std::array<std::uint32_t, symbols> counts_{};
  std::array<std::uint32_t, most_lags> lag_counts_{};
};

}  // namespace stiction
