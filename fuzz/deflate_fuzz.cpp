// A stream of DeflateWriter is one that zlib reads, and what it reads is what was written. The first bytes say how the
// others are divided, how often they are repeated, and at which period repetition is looked for.
#include <zlib.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>

#include "stiction/record/deflate.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 4) return 0;
  const std::size_t parts = 1 + data[0] % 8u, times = 1 + data[1] % 64u, period = data[2] | data[3] << 8u;
  stiction::Bytes bytes;
  for (std::size_t i = 0; i < times && bytes.size() < 300'000; ++i) bytes.insert(bytes.end(), data + 4, data + size);
  static stiction::DeflateWriter writer;
  writer.begin(bytes.size(), parts);
  const std::size_t each = bytes.size() / parts;
  for (std::size_t i = 0; i < parts; ++i)
    writer.add(std::span(bytes).subspan(i * each, i + 1 < parts ? each : bytes.size() - i * each), period);
  const stiction::Bytes packed = writer.finish();
  stiction::Bytes read(bytes.size() + 1);
  uLongf length = read.size();
  if (uncompress(read.data(), &length, packed.data(), packed.size()) != Z_OK || length != bytes.size()) std::abort();
  read.resize(length);
  if (read != bytes) std::abort();
  return 0;
}
