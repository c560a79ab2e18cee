#include "stiction/base/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace stiction {
namespace {

// The first numbers of SplitMix64 from seed 1234567, as the reference code prints them (Vigna, splitmix64.c): a seed in
// a stored result must mean the same problem for ever.
TEST(Random, BitsAreThoseOfTheReference) {
  Random random(1234567);
  for (const std::uint64_t expected : {6457827717110365317ULL, 3203168211198807973ULL, 9817491932198370423ULL,
                                       4593380528125082431ULL, 16408922859458223821ULL})
    EXPECT_EQ(random.bits(), expected);
}

TEST(Random, UniformStaysInItsRangeAndFillsIt) {
  Random random(2);
  constexpr int count = 100000;
  double sum = 0.0, least = 1.0, largest = 0.0;
  for (int i = 0; i < count; ++i) {
    const double x = random.uniform();
    ASSERT_GE(x, 0.0);
    ASSERT_LT(x, 1.0);
    sum += x;
    least = std::min(least, x);
    largest = std::max(largest, x);
  }
  EXPECT_NEAR(sum / count, 0.5, 5.0 / std::sqrt(12.0 * count));
  EXPECT_LT(least, 1e-3);
  EXPECT_GT(largest, 1.0 - 1e-3);
  for (int i = 0; i < 1000; ++i) {
    const double x = random.uniform(-3.0, -1.0);
    ASSERT_GE(x, -3.0);
    ASSERT_LT(x, -1.0);
  }
}

TEST(Random, IntegerTakesBothEndsAndEachValueEquallyOften) {
  Random random(3);
  constexpr int count = 60000;
  std::array<int, 6> hits{};
  for (int i = 0; i < count; ++i) {
    const int x = random.integer(-2, 3);
    ASSERT_GE(x, -2);
    ASSERT_LE(x, 3);
    ++hits[static_cast<std::size_t>(x + 2)];
  }
  for (const int hit : hits) EXPECT_NEAR(hit, count / 6.0, 5.0 * std::sqrt(count * 5.0 / 36.0));
}

TEST(Random, NormalHasMeanZeroVarianceOneAndTheRightTail) {
  Random random(4);
  constexpr int count = 100000;
  double sum = 0.0, squares = 0.0;
  int beyond_two = 0;
  for (int i = 0; i < count; ++i) {
    const double x = random.normal();
    ASSERT_TRUE(std::isfinite(x));
    sum += x;
    squares += x * x;
    beyond_two += std::abs(x) > 2.0 ? 1 : 0;
  }
  EXPECT_NEAR(sum / count, 0.0, 5.0 / std::sqrt(count));
  EXPECT_NEAR(squares / count, 1.0, 5.0 * std::sqrt(2.0 / count));
  EXPECT_NEAR(beyond_two / static_cast<double>(count), 0.0455, 5.0 * std::sqrt(0.0455 / count));
}

}  // namespace
}  // namespace stiction
