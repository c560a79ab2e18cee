#include "stiction/linalg/pose.h"

#include <gtest/gtest.h>

#include <numbers>

#include "stiction/base/random.h"

namespace stiction {
namespace {

TEST(Pose, ExponentialAndLogarithmAreInverse) {
  Random random(3);
  for (int k = 0; k < 1000; ++k) {
    const double size = std::pow(10.0, random.uniform(-12.0, 0.0)) * std::numbers::pi;
    const Vec3 r = size * Vec3(random.normal(), random.normal(), random.normal()).normalized();
    EXPECT_LT((logarithm(exponential(r)) - r).norm(), 1e-14 + 1e-9 * (size > 3.1 ? 1.0 : 1e-5) * size);
    const Eigen::AngleAxisd oracle(r.norm(), r.normalized());
    EXPECT_LT((exponential(r).toRotationMatrix() - oracle.toRotationMatrix()).norm(), 1e-14);
  }
  EXPECT_EQ(logarithm(Quat::Identity()), Vec3::Zero());
}

TEST(Pose, ComposesAndInverts) {
  const Pose a{{1, 2, 3}, exponential({0.3, -0.2, 1.0})}, b{{-1, 0.5, 2}, exponential({1.0, 0.1, 0.0})};
  const Vec3 x(0.2, 0.7, -0.4);
  EXPECT_LT(((a * b).to_world(x) - a.to_world(b.to_world(x))).norm(), 1e-15 * 10);
  EXPECT_LT((a.to_local(a.to_world(x)) - x).norm(), 1e-15 * 10);
  EXPECT_LT((cross_matrix({1, 2, 3}) * x - Vec3(1, 2, 3).cross(x)).norm(), 1e-15);
}

}  // namespace
}  // namespace stiction
