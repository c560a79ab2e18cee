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
  constexpr int window_bits = 15, memory = 8;
  z_stream stream{};
  int code = deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, window_bits, memory, Z_RLE);
  STICTION_ASSERT(code == Z_OK, "zlib knows these settings");
  Bytes packed(deflateBound(&stream, static_cast<uLong>(bytes.size())));
  stream.next_in = const_cast<unsigned char*>(bytes.data());  // zlib's interface; it only reads
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = packed.data();
  stream.avail_out = static_cast<uInt>(packed.size());
  code = deflate(&stream, Z_FINISH);
  STICTION_ASSERT(code == Z_STREAM_END, "deflateBound is room enough");
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  packed.shrink_to_fit();
  return packed;
}

}  // namespace stiction
