#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "stiction/geometry/contact_points.h"
#include "stiction/geometry/test/random_poses.h"

namespace stiction {
namespace {

std::vector<SurfaceContact> find(const Ellipsoid& a, const Pose& pose_a, const HollowSphere& b, const Pose& pose_b,
                                 double margin) {
  std::vector<SurfaceContact> contacts;
  find_contact_points(a, pose_a, b, pose_b, margin, contacts);
  return contacts;
}

double least_gap(const std::vector<SurfaceContact>& contacts) {
  double least = 1e9;
  for (const auto& contact : contacts) least = std::min(least, contact.gap);
  return least;
}

/// A slow twin: of many points of the surface the farthest from the middle, from which small steps go on.
double farthest_by_search(const Vec3& half, const Vec3& center, Random& random) {
  const auto distance = [&](const Vec3& unit) { return (half.cwiseProduct(unit) - center).norm(); };
  double best = 0.0;
  for (int start = 0; start < 12; ++start) {
    Vec3 at = start < 6 ? Vec3((start % 2 == 0 ? 1.0 : -1.0) * Vec3::Unit(start / 2)) : random_direction(random);
    double far = distance(at), step = 0.5;
    while (step > 1e-9) {
      const Vec3 u = at.unitOrthogonal(), v = at.cross(u);
      Vec3 better = at;
      for (int i = 0; i < 8; ++i) {
        const double angle = i * 0.25 * std::acos(-1.0);
        const Vec3 next = (at + step * (std::cos(angle) * u + std::sin(angle) * v)).normalized();
        if (distance(next) > far) {
          far = distance(next);
          better = next;
        }
      }
      if (better == at) step *= 0.5;
      at = better;
    }
    best = std::max(best, far);
  }
  return best;
}

TEST(EllipsoidInBall, NothingOfItIsNearerToTheWallThanItsContacts) {
  Random random(31);
  for (int trial = 0; trial < 150; ++trial) {
    Vec3 half = random_vector(random, 0.3).cwiseAbs() + Vec3::Constant(0.02);
    // Now and then two axes alike, or all, and the middle on one of the planes of symmetry.
    if (trial % 5 == 1) half.y() = half.x();
    if (trial % 7 == 1) half = Vec3::Constant(half.x());
    const Pose wall = random_pose(random, 0.5);
    const Quat turn = random_orientation(random);
    Vec3 local = random_vector(random, trial % 2 == 0 ? 0.5 : 0.05);
    for (int i = 0; i < 3; ++i) local[i] *= trial % (3 + i) == 0 ? 0.0 : 1.0;
    const Pose pose{wall.position - turn * local, turn};
    const auto contacts = find(Ellipsoid{half.x(), half.y(), half.z()}, pose, HollowSphere{2.0}, wall, 10.0);
    ASSERT_FALSE(contacts.empty()) << trial;
    EXPECT_NEAR(least_gap(contacts), 2.0 - farthest_by_search(half, pose.to_local(wall.position), random), 1e-12)
        << trial;
    for (const SurfaceContact& contact : contacts) {
      EXPECT_NEAR(pose.to_local(contact.point_a).cwiseQuotient(half).norm(), 1.0, 1e-13) << trial;
      EXPECT_NEAR((contact.point_b - wall.position).norm(), 2.0, 1e-14);
      EXPECT_LE((contact.point_a - contact.point_b - contact.gap * contact.normal).norm(), 1e-14);
    }
  }
}

TEST(EllipsoidInBall, AtTheBottomOfAWideBowlItTouchesOnce) {
  const auto contacts = find({0.3, 0.2, 0.1}, {Vec3(0.0, 0.0, -1.9)}, {2.0}, {}, 1e-3);
  ASSERT_EQ(contacts.size(), 1U);
  EXPECT_NEAR(contacts[0].gap, 0.0, 1e-15);
  EXPECT_LE((contacts[0].normal - Vec3::UnitZ()).norm(), 1e-15);
}

/// Both ends of a long one, whatever the last digits say, and all around a flat one.
TEST(EllipsoidInBall, WhereTheWallIsTightItTouchesAtBothEndsOrAllAround) {
  Random random(32);
  for (const double noise : {0.0, 1e-15, 1e-9}) {
    const Vec3 shift = random_vector(random, noise);
    const auto ends = find({0.5, 0.1, 0.12}, {shift}, {0.51}, {}, 0.02);
    ASSERT_EQ(ends.size(), 2U) << noise;
    EXPECT_NE(ends[0].normal.x() > 0.0, ends[1].normal.x() > 0.0);
    for (const auto& contact : ends) EXPECT_NEAR(contact.gap, 0.01, 2.0 * noise + 1e-15);
    // Farthest where x^2 + y^2 = 0.36 (1 - z^2 / 0.01) and (0.3 + z)^2 are most together: at z = -0.3 / 35.
    const double z = 0.3 / 35.0;
    const double far = std::sqrt(0.36 * (1.0 - 100.0 * z * z) + (0.3 + z) * (0.3 + z));
    const auto around = find({0.6, 0.6, 0.1}, {Vec3(0.0, 0.0, -0.3) + shift}, {0.7}, {}, 0.1);
    ASSERT_EQ(around.size(), 4U) << noise;
    for (const auto& contact : around) EXPECT_NEAR(contact.gap, 0.7 - far, 2.0 * noise + 1e-14);
  }
}

}  // namespace
}  // namespace stiction
