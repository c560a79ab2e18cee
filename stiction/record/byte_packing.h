#pragma once

#include <cstddef>
#include <span>

#include "stiction/record/deflate.h"

namespace stiction {

/// The bytes of all elements transposed: all first bytes, then all second ones, as HDF5's shuffle filter has them.
/// Numbers that differ little then stand as runs of equal bytes. The size is a multiple of `element`.
void shuffle_bytes(std::span<const unsigned char> bytes, std::size_t element, Bytes& shuffled);

/// Numbers as HDF5's shuffle and deflate filters, and a browser's DecompressionStream("deflate"), read them. Keeps its
/// storage from call to call.
class BytePacker {
 public:
  /// Of numbers of `element` bytes of which each is likely to resemble the one `period` numbers before (the same body's
  /// in the last frame). Each plane of shuffled bytes has a code of its own: the first bytes of a number that changes
  /// hardly do, and the last ones are noise. The last `unused` numbers are zero and have one, too.
  [[nodiscard]] Bytes pack(std::span<const unsigned char> numbers, std::size_t element, std::size_t period,
                           std::size_t unused = 0);

 private:
  Bytes shuffled_;
  DeflateWriter writer_;
};

}  // namespace stiction
