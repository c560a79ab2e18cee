#include "stiction/record/deflate.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <queue>

#include "stiction/base/random.h"

namespace stiction {
namespace {

Bytes write(const Bytes& bytes, std::size_t period, std::size_t parts = 1) {
  DeflateWriter writer;
  writer.begin(bytes.size(), parts);
  const std::size_t size = bytes.size() / parts;
  for (std::size_t i = 0; i < parts; ++i)
    writer.add(std::span(bytes).subspan(i * size, i + 1 == parts ? bytes.size() - i * size : size), period);
  return writer.finish();
}

/// By zlib.
Bytes read(const Bytes& packed, std::size_t size) {
  Bytes bytes(size + 1);
  uLongf found = bytes.size();
  EXPECT_EQ(uncompress(bytes.data(), &found, packed.data(), packed.size()), Z_OK);
  bytes.resize(found);
  return bytes;
}

/// Bytes that are those `lag` before with a chance, and otherwise any of so many.
Bytes make_repeating(std::size_t size, std::size_t lag, double chance, int kinds, std::uint64_t seed) {
  Random random(seed);
  Bytes bytes(size);
  for (std::size_t i = 0; i < size; ++i)
    bytes[i] = i >= lag && random.uniform(0.0, 1.0) < chance ? bytes[i - lag]
                                                             : static_cast<unsigned char>(random.integer(0, kinds - 1));
  return bytes;
}

TEST(DeflateWriter, ZlibReadsIt) {
  std::uint64_t seed = 0;
  for (const std::size_t size : {0u, 1u, 2u, 7u, 8u, 9u, 258u, 259u, 4000u, 5000u, 65'535u, 65'536u, 200'000u})
    for (const std::size_t period : {0u, 1u, 2u, 3u, 5u, 1000u, 8192u, 8193u, 32'768u, 100'000u})
      for (const double chance : {0.0, 0.5, 0.99, 1.0})
        for (const int kinds : {1, 2, 30, 256}) {
          const Bytes bytes = make_repeating(size, std::max<std::size_t>(period, 1), chance, kinds, ++seed);
          for (const std::size_t parts : {1u, 3u})
            ASSERT_EQ(read(write(bytes, period, parts), size), bytes)
                << size << ' ' << period << ' ' << chance << ' ' << kinds << ' ' << parts;
        }
}

// Every length of a repetition and every distance, each once.
TEST(DeflateWriter, AllLengthsAndDistances) {
  for (std::size_t lag = 1; lag <= 32'768; lag = lag * 5 / 4 + 1) {
    Bytes bytes = make_repeating(lag, 1, 0.0, 256, lag);
    for (std::size_t length = 3; length <= 260; length += lag < 300 ? 1 : 64) {
      for (std::size_t i = 0; i < length; ++i) bytes.push_back(bytes[bytes.size() - lag]);
      bytes.push_back(static_cast<unsigned char>(bytes[bytes.size() - lag] + 1));
    }
    for (const std::size_t times : {1u, 2u, 4u})
      ASSERT_EQ(read(write(bytes, lag / times), bytes.size()), bytes) << lag << ' ' << times;
  }
}

// A stream keeps nothing of the one before.
TEST(DeflateWriter, CanBeUsedAgain) {
  DeflateWriter writer;
  const auto write_again = [&](const Bytes& bytes) {
    writer.begin(bytes.size(), 1);
    writer.add(bytes, 100);
    return writer.finish();
  };
  const Bytes one = make_repeating(50'000, 100, 0.9, 256, 1), other = make_repeating(1000, 100, 0.5, 9, 2);
  const Bytes first = write_again(one);
  EXPECT_EQ(read(write_again(other), other.size()), other);
  EXPECT_EQ(write_again(one), first);
}

TEST(DeflateWriter, NeedsWhatTheBytesHold) {
  constexpr std::size_t size = 1 << 17;
  EXPECT_LT(write(Bytes(size), 1000).size(), 200u) << "258 bytes a symbol of one bit";
  EXPECT_LT(write(make_repeating(size, 1000, 1.0, 256, 1), 1000).size(), 2500u) << "a period of noise";
  EXPECT_LT(write(make_repeating(size, 2000, 1.0, 256, 1), 1000).size(), 3500u) << "two periods of noise";
  const Bytes noise = make_repeating(size, 1, 0.0, 256, 1), few = make_repeating(size, 1, 0.0, 5, 1);
  EXPECT_LT(write(noise, 1000).size(), size + 30) << "five bytes in 65,535";
  // Huffman's code of five equal bytes and an end: 2, 2, 2, 3 and 4 bits.
  EXPECT_LT(static_cast<double>(write(few, 1000).size()), 1.01 * 13.0 / 5.0 / 8.0 * size);
}

/// Bits of Huffman's code, by his own words: the two lightest become one.
std::uint64_t huffman_bits(const std::vector<std::uint32_t>& counts) {
  std::priority_queue<std::uint64_t, std::vector<std::uint64_t>, std::greater<>> heap;
  for (const std::uint32_t count : counts)
    if (count > 0) heap.push(count);
  std::uint64_t bits = 0;
  while (heap.size() > 1) {
    std::uint64_t pair = heap.top();
    heap.pop();
    pair += heap.top();
    heap.pop();
    heap.push(pair);
    bits += pair;
  }
  return bits;
}

TEST(FindCodeLengths, AreThoseOfHuffmanAndFillTheTree) {
  Random random(4);
  for (int trial = 0; trial < 300; ++trial) {
    std::vector<std::uint32_t> counts(static_cast<std::size_t>(random.integer(2, 286)));
    for (std::uint32_t& count : counts) count = static_cast<std::uint32_t>(std::max(0, random.integer(-20, 100)));
    counts[0] = counts[1] = 1;
    std::vector<std::uint8_t> lengths(counts.size());
    find_code_lengths(counts, 15, lengths);
    std::uint64_t bits = 0;
    double filled = 0.0;
    for (std::size_t i = 0; i < counts.size(); ++i) {
      EXPECT_EQ(lengths[i] > 0, counts[i] > 0);
      bits += std::uint64_t{counts[i]} * lengths[i];
      filled += lengths[i] > 0 ? std::ldexp(1.0, -lengths[i]) : 0.0;
    }
    EXPECT_EQ(bits, huffman_bits(counts));
    EXPECT_EQ(filled, 1.0) << "Kraft's sum";
  }
}

// Counts as Fibonacci's numbers make the deepest tree.
TEST(FindCodeLengths, HaveABound) {
  std::vector<std::uint32_t> counts{1, 1};
  while (counts.size() < 40) counts.push_back(counts[counts.size() - 1] + counts[counts.size() - 2]);
  for (const unsigned most : {15u, 7u}) {
    std::vector<std::uint8_t> lengths(counts.size());
    find_code_lengths(counts, most, lengths);
    double filled = 0.0;
    for (const std::uint8_t length : lengths) filled += std::ldexp(1.0, -length);
    EXPECT_EQ(filled, 1.0);
    EXPECT_LE(*std::max_element(lengths.begin(), lengths.end()), most);
    EXPECT_TRUE(std::is_sorted(lengths.rbegin(), lengths.rend())) << "what is more frequent is no longer";
  }
  std::vector<std::uint8_t> lengths(4);
  find_code_lengths(std::vector<std::uint32_t>{0, 0, 7, 0}, 15, lengths);
  EXPECT_EQ(lengths, (std::vector<std::uint8_t>{1, 0, 1, 0})) << "two at least";
}

}  // namespace
}  // namespace stiction
