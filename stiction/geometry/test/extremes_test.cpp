#include <gtest/gtest.h>

#include <limits>

#include "stiction/base/test/allocation_counter.h"
#include "stiction/base/test/allocation_hooks.h"
#include "stiction/geometry/broad_phase.h"
#include "stiction/geometry/test/pair_oracle.h"
#include "stiction/geometry/test/shape_extremes.h"

namespace stiction {
namespace {

TEST(Extremes, NeedlesPlatesAndSliversGiveNumbers) {
  Random random(11);
  for (int trial = 0; trial < 2000; ++trial) ASSERT_TRUE(oracle::extreme_pair_is_sane(random)) << trial;
}

TEST(Extremes, APlaceThatIsNoNumberHasNoContacts) {
  const Pose nowhere{Vec3(std::numeric_limits<double>::quiet_NaN(), 0.0, 0.0)};
  Random random(12);
  for (const std::string& a : oracle::solid_kinds()) {
    for (const std::string& b : oracle::solid_kinds()) {
      std::vector<SurfaceContact> contacts;
      find_contact_points(oracle::random_solid(a, random), nowhere, oracle::random_solid(b, random), {}, 1.0, contacts);
      EXPECT_TRUE(contacts.empty()) << a << ", " << b;
    }
  }
}

/// Once the list has its room, no pair takes memory; nor does the broad phase.
TEST(Extremes, SteadyStateAllocatesNothing) {
  if (!AllocationCounter::works()) GTEST_SKIP() << "the sanitizer has its own malloc";
  Random random(13);
  std::vector<Shape> shapes;
  std::vector<Pose> poses;
  for (int i = 0; i < 28; ++i) {
    shapes.push_back(oracle::random_solid(oracle::solid_kinds()[static_cast<std::size_t>(i) % 7], random));
    poses.push_back(random_pose(random, 0.4));
  }
  std::vector<SurfaceContact> contacts;
  std::vector<Bounds> boxes(shapes.size());
  std::vector<IndexPair> pairs;
  BroadPhase broad_phase;
  const auto look = [&] {
    for (std::size_t i = 0; i < shapes.size(); ++i) boxes[i] = bounds(shapes[i], poses[i]);
    broad_phase.find_pairs(boxes, 0.01, [](int, int) { return true; }, pairs);
    contacts.clear();
    for (const auto& [i, j] : pairs) find_contact_points(shapes[i], poses[i], shapes[j], poses[j], 0.01, contacts);
  };
  look();
  contacts.reserve(4 * contacts.size());
  pairs.reserve(4 * pairs.size());
  look();
  const AllocationCounter counter;
  for (int step = 0; step < 10; ++step) {
    for (Pose& pose : poses) pose.position.z() += 1e-3;
    look();
  }
  EXPECT_EQ(counter.count(), 0);
}

}  // namespace
}  // namespace stiction
