#include <gtest/gtest.h>

#include "stiction/geometry/test/pair_oracle.h"

/// Every pair of solids against what judges it (pair_oracle.h); full counts run in bench/accept.
namespace stiction {
namespace {

using oracle::judge;
using oracle::random_solid;
using oracle::solid_kinds;
using oracle::Verdict;

constexpr int trials = 25;

class NarrowPhase : public testing::TestWithParam<std::tuple<int, int>> {};

TEST_P(NarrowPhase, GapAndDepthAreThoseOfTheOracle) {
  const auto [i, j] = GetParam();
  Random random(static_cast<std::uint64_t>(1000 + 100 * i + j));
  for (int trial = 0; trial < trials; ++trial) {
    const Shape a = random_solid(solid_kinds()[i], random), b = random_solid(solid_kinds()[j], random);
    const Pose pose_a = random_pose(random, 0.45), pose_b = random_pose(random, 0.45);
    const Verdict verdict = judge(a, pose_a, b, pose_b, random);
    ASSERT_GE(verdict.contacts, 1);
    ASSERT_LE(verdict.contacts, 8);
    // Along the normal the two are as far apart as the gap says, so moving by the depth separates them.
    EXPECT_NEAR(verdict.lower, 0.0, 1e-9) << trial;
    // Corners may stand a little beside a face, the nearest points not.
    EXPECT_LE(verdict.outside, 1e-9) << trial;
    EXPECT_LE(verdict.farthest_outside, 1e-6) << trial;
    if (verdict.gap > 0.0) {
      EXPECT_LE(verdict.missed, 1e-9) << trial;
    } else {
      EXPECT_LE(verdict.missed, 1e-6) << trial;
    }
  }
}

std::vector<std::tuple<int, int>> all_pairs() {
  std::vector<std::tuple<int, int>> pairs;
  for (int i = 0; i < 7; ++i) {
    for (int j = i; j < 7; ++j) pairs.emplace_back(i, j);
  }
  return pairs;
}

INSTANTIATE_TEST_SUITE_P(AllPairs, NarrowPhase, testing::ValuesIn(all_pairs()), [](const auto& one) {
  return solid_kinds()[std::get<0>(one.param)] + "_" + solid_kinds()[std::get<1>(one.param)];
});

}  // namespace
}  // namespace stiction
