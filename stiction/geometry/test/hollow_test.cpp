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

/// A slow twin: many points of the rims and of the surface, none of which is farther out than the contacts say.
TEST(Hollow, NothingOfARoundSolidIsNearerToTheWallThanItsContacts) {
  Random random(2);
  constexpr int count = 400;
  for (int trial = 0; trial < 60; ++trial) {
    const Pose pose = random_pose(random, 0.5), place = random_pose(random, 0.5);
    const Vec3 pipe_axis = random_direction(random), axis = random_direction(random);
    const Cylinder cylinder{random.uniform(0.1, 0.6), random.uniform(0.2, 1.0), axis};
    const Cone cone{random.uniform(0.1, 0.6), random.uniform(0.2, 1.0), axis};
    const Ellipsoid ellipsoid{random.uniform(0.1, 0.6), random.uniform(0.1, 0.6), random.uniform(0.1, 0.6)};
    const auto in_pipe = [&](const Vec3& x) {
      return 2.0 - (place.orientation * pipe_axis).cross(pose.to_world(x) - place.position).norm();
    };
    const auto in_ball = [&](const Vec3& x) { return 2.0 - (pose.to_world(x) - place.position).norm(); };
    const auto least = [](const auto& gap, const std::vector<Vec3>& points) {
      double best = 1e9;
      for (const Vec3& x : points) best = std::min(best, gap(x));
      return best;
    };
    std::vector<Vec3> rims, base = {0.75 * cone.height * axis}, skin;
    for (int i = 0; i < count; ++i) {
      const double angle = 2.0 * std::acos(-1.0) * i / count;
      const Vec3 out = axis.unitOrthogonal(), side = axis.cross(out);
      const Vec3 arm = std::cos(angle) * out + std::sin(angle) * side;
      rims.push_back(cylinder.radius * arm + 0.5 * cylinder.length * axis);
      rims.push_back(cylinder.radius * arm - 0.5 * cylinder.length * axis);
      base.push_back(cone.radius * arm - 0.25 * cone.height * axis);
      for (int k = 0; k < 10; ++k) {
        skin.push_back(random_direction(random).cwiseProduct(Vec3(ellipsoid.x, ellipsoid.y, ellipsoid.z)));
      }
    }
    const auto check = [&](const Shape& solid, const Shape& hollow, double expected, double coarse) {
      const auto contacts = find(solid, pose, hollow, place, 10.0);
      ASSERT_FALSE(contacts.empty());
      double gap = 1e9;
      for (const SurfaceContact& contact : contacts) {
        gap = std::min(gap, contact.gap);
        EXPECT_NEAR(contact.normal.dot(contact.point_a - contact.point_b), contact.gap, 1e-14);
      }
      EXPECT_LE(gap, expected + 1e-14);
      EXPECT_GE(gap, expected - coarse);
    };
    const HollowCylinder pipe{2.0, pipe_axis};
    // Between two of the points on a rim the wall can be nearer by radius * (step / 2)^2, at most.
    check(cylinder, pipe, least(in_pipe, rims), 1e-4);
    check(cone, pipe, least(in_pipe, base), 1e-4);
    check(ellipsoid, pipe, least(in_pipe, skin), 5e-3);
    check(cylinder, HollowSphere{2.0}, least(in_ball, rims), 1e-4);
    check(cone, HollowSphere{2.0}, least(in_ball, base), 1e-4);
  }
}

TEST(Hollow, APistonInItsPipeAndACylinderStandingInABowlHaveWholeRims) {
  const auto piston = find(Cylinder{0.5, 1.0}, {}, HollowCylinder{0.501}, {}, 0.01);
  ASSERT_EQ(piston.size(), 8U);
  for (const SurfaceContact& contact : piston) EXPECT_NEAR(contact.gap, 0.001, 1e-15);
  // 3, 4, 5: the lower rim is on the bowl of radius 1.
  const auto standing = find(Cylinder{0.6, 0.4}, {Vec3(0.0, 0.0, -0.6)}, HollowSphere{1.0}, {}, 1e-6);
  ASSERT_EQ(standing.size(), 4U);
  for (const SurfaceContact& contact : standing) {
    EXPECT_NEAR(contact.gap, 0.0, 1e-15);
    EXPECT_NEAR(contact.normal.z(), 0.8, 1e-15);
  }
  // Across a pipe that it just fits, a rod touches with both ends of both rims: chord 2 sqrt(1 - 0.6^2) of the wall.
  const auto across = find(Cylinder{0.8, 1.2, Vec3::UnitX()}, {}, HollowCylinder{1.0, Vec3::UnitZ()}, {}, 1e-6);
  ASSERT_EQ(across.size(), 4U);
  for (const SurfaceContact& contact : across) EXPECT_NEAR(contact.gap, 0.0, 1e-15);
}

/// Which of two places that are as far is the first must not change with the last digits.
TEST(Hollow, TheTwoPlacesOfARimKeepTheirFeatures) {
  Random random(3);
  const Cylinder rod{0.8, 1.2, Vec3::UnitX()};
  const HollowCylinder pipe{1.0, Vec3::UnitZ()};
  // Not where the loop begins.
  const Pose rest{Vec3::Zero(), exponential(0.7 * Vec3::UnitX())};
  const auto known = find(rod, rest, pipe, {}, 1e-3);
  ASSERT_EQ(known.size(), 4U);
  for (int trial = 0; trial < 100; ++trial) {
    const Vec3 shift = random_vector(random, 1e-9), turn = random_vector(random, 1e-9);
    const auto moved = find(rod, {rest.position + shift, exponential(turn) * rest.orientation}, pipe, {}, 1e-3);
    ASSERT_EQ(moved.size(), 4U);
    for (std::size_t i = 0; i < 4; ++i) {
      EXPECT_EQ(moved[i].feature, known[i].feature);
      EXPECT_LE((moved[i].point_a - known[i].point_a).norm(), 1e-7) << trial;
    }
  }
}

}  // namespace
}  // namespace stiction
