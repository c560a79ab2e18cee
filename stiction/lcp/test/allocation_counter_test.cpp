#include <gtest/gtest.h>

#include <Eigen/Core>

#include "stiction/base/test/allocation_hooks.h"

namespace stiction {
namespace {

TEST(AllocationCounter, SeesEigen) {
  if (!AllocationCounter::works()) GTEST_SKIP() << "this build has another malloc";
  const AllocationCounter counter;
  const Eigen::VectorXd vector = Eigen::VectorXd::Ones(100);
  EXPECT_EQ(counter.count(), 1);
  EXPECT_EQ(vector[0], 1.0);
}

}  // namespace
}  // namespace stiction
