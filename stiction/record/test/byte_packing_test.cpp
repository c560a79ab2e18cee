#include "stiction/record/byte_packing.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "stiction/base/random.h"

namespace stiction {
namespace {

Bytes bytes_of(const std::vector<double>& numbers) {
  Bytes bytes(numbers.size() * sizeof(double));
  if (!numbers.empty()) std::memcpy(bytes.data(), numbers.data(), bytes.size());
  return bytes;
}

/// By zlib's own words, and the shuffle undone: number i has its byte b at b * count + i.
Bytes unpack(const Bytes& packed, std::size_t size, std::size_t element) {
  Bytes shuffled(size + 1), bytes(size);
  uLongf found = shuffled.size();
  EXPECT_EQ(uncompress(shuffled.data(), &found, packed.data(), packed.size()), Z_OK);
  EXPECT_EQ(found, size);
  const std::size_t count = size / element;
  for (std::size_t i = 0; i < size; ++i) bytes[i] = shuffled[(i % element) * count + i / element];
  return bytes;
}

/// What zlib makes of shuffled bytes at its fastest, all in one way.
std::size_t plain_size(const Bytes& numbers, std::size_t element) {
  Bytes shuffled;
  shuffle_bytes(numbers, element, shuffled);
  uLongf size = compressBound(shuffled.size());
  Bytes packed(size);
  EXPECT_EQ(compress2(packed.data(), &size, shuffled.data(), shuffled.size(), Z_BEST_SPEED), Z_OK);
  return size;
}

TEST(BytePacker, WhateverIsPackedComesBack) {
  Random random(1);
  BytePacker packer;
  for (const std::size_t element : {1u, 2u, 4u, 8u}) {
    for (const std::size_t count : {0u, 1u, 3u, 4095u, 4096u, 70'000u}) {
      for (int kind = 0; kind < 4; ++kind) {
        Bytes bytes(element * count);
        for (std::size_t i = 0; i < bytes.size(); ++i) {
          const auto noise = static_cast<unsigned char>(random.integer(0, 255));
          const std::size_t plane = i % element;
          // Zeros, noise, noise in the lower half of each number, planes that each take another way.
          const bool is_noise = kind == 1 || (kind == 2 && plane < element / 2) || (kind == 3 && plane % 2 == 0);
          bytes[i] = is_noise ? noise : kind == 3 ? static_cast<unsigned char>(noise & 31u) : 0;
        }
        for (const std::size_t period : {std::size_t{0}, std::size_t{1}, std::size_t{1000}, count})
          EXPECT_EQ(unpack(packer.pack(bytes, element, period), bytes.size(), element), bytes)
              << element << ' ' << count << ' ' << kind << ' ' << period;
        std::fill(bytes.begin() + static_cast<std::ptrdiff_t>(count / 2 * element), bytes.end(), 0);
        EXPECT_EQ(unpack(packer.pack(bytes, element, 1000, count - count / 2), bytes.size(), element), bytes);
      }
    }
  }
}

TEST(BytePacker, IsNoLargerThanZlibAloneOnMotions) {
  constexpr int bodies = 100, frames = 300;
  Random random(2);
  std::vector<double> moves, rests, slows;
  for (int f = 0; f < frames; ++f) {
    for (int b = 0; b < bodies; ++b) {
      moves.push_back(b + std::sin(0.01 * f * (b + 1)));
      rests.push_back(std::sqrt(2.0 + b));
      slows.push_back(std::floor(random.uniform(0.0, 20.0)));
    }
  }
  for (const auto* numbers : {&moves, &rests, &slows}) {
    const Bytes bytes = bytes_of(*numbers);
    const Bytes packed = BytePacker().pack(bytes, sizeof(double), bodies);
    EXPECT_LT(static_cast<double>(packed.size()), 1.02 * static_cast<double>(plain_size(bytes, sizeof(double))));
    EXPECT_EQ(unpack(packed, bytes.size(), sizeof(double)), bytes);
  }
  EXPECT_LT(BytePacker().pack(bytes_of(rests), sizeof(double), bodies).size(), 30'000u) << "of 240,000: found again";
}

TEST(BytePacker, NoiseGrowsByNextToNothing) {
  Random random(3);
  Bytes noise(1 << 20);
  for (unsigned char& byte : noise) byte = static_cast<unsigned char>(random.integer(0, 255));
  EXPECT_LT(BytePacker().pack(noise, 8, 1000).size(), noise.size() + 1000);
}

}  // namespace
}  // namespace stiction
