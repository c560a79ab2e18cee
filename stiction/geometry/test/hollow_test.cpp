#include <gtest/gtest.h>

#include <cmath>

#include "stiction/geometry/contact_points.h"
#include "stiction/geometry/test/random_poses.h"

namespace stiction {
namespace {

std::vector<SurfaceContact> find(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                                 double margin) {
  std::vector<SurfaceContact> contacts;
  find_contact_points(a, pose_a, b, pose_b, margin, contacts);
  return contacts;
}

TEST(Hollow, SphereInAPipeTouchesTheWallItIsNearestTo) {
  const HollowCylinder pipe{2.0, Vec3::UnitY()};
  const auto contacts = find(Sphere{0.5}, {Vec3(0.6, 7.0, -0.8)}, pipe, {Vec3(0.0, 3.0, 0.0)}, 1.0);
  ASSERT_EQ(contacts.size(), 1U);
  EXPECT_NEAR(contacts[0].gap, 2.0 - 0.5 - 1.0, 1e-15);
  EXPECT_LE((contacts[0].normal - Vec3(-0.6, 0.0, 0.8)).norm(), 1e-15);
  EXPECT_LE((contacts[0].point_b - Vec3(1.2, 7.0, -1.6)).norm(), 1e-15);
  EXPECT_LE((contacts[0].point_a - Vec3(0.9, 7.0, -1.2)).norm(), 1e-15);
}

TEST(Hollow, WallsAreMetFromBothOrders) {
  const auto there = find(Sphere{0.5}, {Vec3(0.0, 0.0, -1.0)}, HollowSphere{1.5}, {}, 1.0);
  const auto back = find(HollowSphere{1.5}, {}, Sphere{0.5}, {Vec3(0.0, 0.0, -1.0)}, 1.0);
  ASSERT_EQ(there.size(), 1U);
  ASSERT_EQ(back.size(), 1U);
  EXPECT_NEAR(there[0].gap, 0.0, 1e-15);
  EXPECT_EQ(there[0].normal, Vec3(-back[0].normal));
  EXPECT_LE((there[0].normal - Vec3::UnitZ()).norm(), 1e-15);
}

TEST(Hollow, InTheMiddleThereIsStillANormal) {
  for (const Shape& hollow : {Shape(HollowSphere{1.0}), Shape(HollowCylinder{1.0, Vec3::UnitX()})}) {
    const auto contacts = find(Sphere{0.25}, {}, hollow, {}, 1.0);
    ASSERT_EQ(contacts.size(), 1U);
    EXPECT_NEAR(contacts[0].gap, 0.75, 1e-15);
    EXPECT_NEAR(contacts[0].normal.norm(), 1.0, 1e-15);
  }
}

/// A slow twin: of many points of the solid, the one farthest from the axis.
TEST(Hollow, NothingOfACapsuleOrBoxIsNearerToTheWallThanItsContacts) {
  Random random(1);
  for (int trial = 0; trial < 100; ++trial) {
    const Pose pose = random_pose(random, 0.5), wall = random_pose(random, 0.5);
    const HollowCylinder pipe{2.0, random_direction(random)};
    const Capsule capsule{0.1, 0.8, random_direction(random)};
    const Box box{0.3, 0.5, 0.7};
    double capsule_gap = 1e9, box_gap = 1e9;
    const Vec3 axis = wall.orientation * pipe.axis;
    const auto gap_at = [&](const Vec3& x) { return 2.0 - axis.cross(x - wall.position).norm(); };
    for (int i = 0; i <= 200; ++i) {
      const double s = -0.4 + 0.8 * i / 200.0;
      capsule_gap = std::min(capsule_gap, gap_at(pose.to_world(s * capsule.axis)) - 0.1);
    }
    for (int i = 0; i < 9 * 9 * 9; ++i) {
      const int x = i % 9, y = i / 9 % 9, z = i / 81;
      const Vec3 share = Vec3(x, y, z) / 8.0 - Vec3::Constant(0.5);
      box_gap = std::min(box_gap, gap_at(pose.to_world(share.cwiseProduct(Vec3(0.3, 0.5, 0.7)))));
    }
    double found_capsule = 1e9, found_box = 1e9;
    for (const auto& contact : find(capsule, pose, pipe, wall, 10.0))
      found_capsule = std::min(found_capsule, contact.gap);
    for (const auto& contact : find(box, pose, pipe, wall, 10.0)) found_box = std::min(found_box, contact.gap);
    EXPECT_NEAR(found_capsule, capsule_gap, 1e-13);
    EXPECT_NEAR(found_box, box_gap, 1e-13);
  }
}

TEST(Hollow, DiscInAPipeAlongZ) {
  const auto contacts = find(Disc{0.2}, {Vec3(0.0, -1.0, 3.0)}, HollowCylinder{1.5, Vec3::UnitZ()}, {}, 1.0);
  ASSERT_EQ(contacts.size(), 1U);
  EXPECT_NEAR(contacts[0].gap, 0.3, 1e-15);
  EXPECT_LE((contacts[0].normal - Vec3::UnitY()).norm(), 1e-15);
}

}  // namespace
}  // namespace stiction
