#include "stiction/record/byte_packing.h"

#include <zlib.h>

#include "stiction/base/assert.h"

namespace stiction {

void shuffle_bytes(std::span<const unsigned char> bytes, std::size_t element, Bytes& shuffled) {
  shuffled.resize(bytes.size());
  const std::size_t count = bytes.size() / element;
  for (std::size_t byte = 0; byte < element; ++byte)
    for (std::size_t i = 0; i < count; ++i) shuffled[byte * count + i] = bytes[i * element + byte];
}

Bytes deflate_bytes(std::span<const unsigned char> bytes) {
  uLongf size = compressBound(static_cast<uLong>(bytes.size()));
  Bytes packed(size);
  const int code = compress2(packed.data(), &size, bytes.data(), static_cast<uLong>(bytes.size()), Z_BEST_SPEED);
  STICTION_ASSERT(code == Z_OK, "compress2 has room and a level that it knows");
  packed.resize(size);
  packed.shrink_to_fit();
  return packed;
}

}  // namespace stiction
