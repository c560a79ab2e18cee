#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace stiction {

using Bytes = std::vector<unsigned char>;

/// The bytes of all elements transposed: all first bytes, then all second ones, as HDF5's shuffle filter has them.
/// Numbers that differ little then stand as runs of equal bytes. The size is a multiple of `element`.
void shuffle_bytes(std::span<const unsigned char> bytes, std::size_t element, Bytes& shuffled);

/// Numbers as HDF5's shuffle and deflate filters, and a browser's DecompressionStream("deflate"), read them. Keeps its
/// storage from call to call.
class BytePacker {
 public:
  /// Of numbers of `element` bytes of which each is likely to resemble the one `period` numbers before (the same body's
  /// in the last frame). Each plane of shuffled bytes is searched for what repeats where it does, and otherwise written
  /// in codes of its own, or as it is where that brings nothing: the last bytes of a number that changes are noise, and
  /// zlib takes longest where there is nothing to find.
  [[nodiscard]] Bytes pack(std::span<const unsigned char> numbers, std::size_t element, std::size_t period);

 private:
  Bytes shuffled_, packed_;
};

}  // namespace stiction
