#include <gtest/gtest.h>

#include <algorithm>

#include "stiction/geometry/test/pair_oracle.h"

/// Where centres or axes meet, the difference of the nearest points is rounding. The normal is none the less a way out:
/// along it the two are apart by the gap.
namespace stiction {
namespace {

constexpr int trials = 300;

void expect_way_out(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b) {
  std::vector<SurfaceContact> contacts;
  find_contact_points(a, pose_a, b, pose_b, 1.0, contacts);
  ASSERT_FALSE(contacts.empty());
  double least = 1.0;
  for (const SurfaceContact& contact : contacts) least = std::min(least, contact.gap);
  for (const SurfaceContact& contact : contacts) {
    EXPECT_NEAR(contact.normal.norm(), 1.0, 1e-14);
    EXPECT_NEAR(contact.normal.dot(contact.point_a - contact.point_b), contact.gap, 1e-14);
    if (contact.gap > least + 1e-12) continue;
    EXPECT_NEAR(oracle::separation(a, pose_a, b, pose_b, contact.normal), contact.gap, 1e-9);
  }
}

Capsule random_capsule(Random& random) {
  const double radius = random.uniform(0.05, 0.3), length = random.uniform(0.1, 1.0);
  return {radius, length, random_direction(random)};
}

/// Somewhere on the axis, now and then at an end, in the world; and beside it by `off`.
Vec3 place_on_axis(const Capsule& capsule, const Pose& pose, Random& random, double off) {
  const double s = std::clamp(random.uniform(-0.6, 0.6), -0.5, 0.5) * capsule.length;
  return pose.to_world(s * capsule.axis) + off * random_direction(random);
}

TEST(Coincident, ASphereOnTheAxisOfACapsule) {
  Random random(21);
  for (const double off : {0.0, 1e-16, 1e-14, 1e-12, 1e-10}) {
    for (int trial = 0; trial < trials; ++trial) {
      const Capsule capsule = random_capsule(random);
      const Pose pose = random_pose(random, 1.0);
      const Vec3 at = place_on_axis(capsule, pose, random, off);
      SCOPED_TRACE(off);
      expect_way_out(Sphere{0.1}, {at}, capsule, pose);
    }
  }
}

TEST(Coincident, CapsulesWhoseAxesCross) {
  Random random(22);
  for (const double off : {0.0, 1e-16, 1e-14, 1e-12, 1e-10}) {
    for (int trial = 0; trial < trials; ++trial) {
      const Capsule a = random_capsule(random), b = random_capsule(random);
      Pose pose_a = random_pose(random, 1.0);
      const Pose pose_b = random_pose(random, 1.0);
      const Vec3 from = place_on_axis(a, pose_a, random, 0.0);
      pose_a.position += place_on_axis(b, pose_b, random, off) - from;
      SCOPED_TRACE(off);
      expect_way_out(a, pose_a, b, pose_b);
    }
  }
}

TEST(Coincident, CapsulesOnOneLine) {
  Random random(23);
  for (int trial = 0; trial < trials; ++trial) {
    const Capsule a = random_capsule(random);
    Capsule b = random_capsule(random);
    b.axis = a.axis;
    Pose pose_a = random_pose(random, 1.0);
    const Pose pose_b = pose_a;
    pose_a.position = pose_b.to_world(random.uniform(-0.5, 0.5) * (a.length + b.length) * a.axis);
    expect_way_out(a, pose_a, b, pose_b);
  }
}

/// A ball that all but fills its pipe is held back across the pipe and free along it.
TEST(Coincident, ABallOnTheAxisOfItsPipeIsFreeAlongIt) {
  Random random(24);
  for (const double off : {0.0, 1e-16, 1e-12, 1e-8}) {
    for (int trial = 0; trial < trials; ++trial) {
      const HollowCylinder pipe{1.0, random_direction(random)};
      const Pose pose = random_pose(random, 1.0);
      const Vec3 axis = pose.orientation * pipe.axis;
      const Vec3 at = pose.to_world(random.uniform(-3.0, 3.0) * pipe.axis) + off * random_direction(random);
      std::vector<SurfaceContact> contacts;
      find_contact_points(Sphere{0.999}, {at}, pipe, pose, 0.01, contacts);
      ASSERT_EQ(contacts.size(), 1U);
      EXPECT_NEAR(contacts[0].gap, 0.001, 1e-14 + off);
      EXPECT_NEAR(contacts[0].normal.norm(), 1.0, 1e-14);
      EXPECT_NEAR(contacts[0].normal.dot(axis), 0.0, 1e-14) << off;
    }
  }
}

}  // namespace
}  // namespace stiction
