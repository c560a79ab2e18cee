#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "stiction/base/test/allocation_hooks.h"

namespace stiction {
namespace {

TEST(AllocationCounter, SeesEveryWayToTheHeap) {
  if (!AllocationCounter::works()) GTEST_SKIP() << "this build has another malloc";
  const AllocationCounter counter;
  EXPECT_EQ(counter.count(), 0);
  const auto number = std::make_unique<double>(1.0);
  EXPECT_EQ(counter.count(), 1);
  double* const block = static_cast<double*>(std::malloc(8 * sizeof(double)));
  block[0] = 1.0;
  EXPECT_EQ(counter.count(), 2);
  std::vector<int> list(10);
  EXPECT_EQ(counter.count(), 3);
  list.assign(5, 1);
  EXPECT_EQ(counter.count(), 3);
  list.assign(50, 1);
  EXPECT_EQ(counter.count(), 4);
  EXPECT_EQ(*number + block[0] + list[0], 3.0);
  std::free(block);
}

}  // namespace
}  // namespace stiction
