#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <set>

#include "stiction/geometry/contact_points.h"
#include "stiction/geometry/features.h"
#include "stiction/geometry/hull.h"
#include "stiction/geometry/test/random_poses.h"

/// Faces against faces: how many points, where, and that they stay the same.
namespace stiction {
namespace {

using std::numbers::pi;

std::vector<SurfaceContact> find(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                                 double margin) {
  std::vector<SurfaceContact> contacts;
  find_contact_points(a, pose_a, b, pose_b, margin, contacts);
  return contacts;
}

Pose turned(const Vec3& position, const Vec3& axis, double angle) {
  return {position, exponential(angle * axis)};
}

std::set<int> features(const std::vector<SurfaceContact>& contacts) {
  std::set<int> ids;
  for (const auto& contact : contacts) ids.insert(contact.feature);
  return ids;
}

double least_gap(const std::vector<SurfaceContact>& contacts) {
  double least = 1e9;
  for (const auto& contact : contacts) least = std::min(least, contact.gap);
  return least;
}

const Box cube{0.2, 0.2, 0.2};

Hull cube_hull() {
  return Hull{std::make_shared<const Polytope>(box_polytope(Vec3::Constant(0.1)))};
}

TEST(Manifold, ACubeOnAPlaneHasFourPointsAtAnyGapAndYaw) {
  for (const double gap : {-1e-3, -1e-6, 0.0, 1e-9, 1e-3}) {
    for (int i = 0; i < 16; ++i) {
      const Pose pose = turned(Vec3(0.3, 0.2, 0.1 + gap), Vec3::UnitZ(), 0.1 + i * 0.4);
      for (const Shape& solid : {Shape(cube), Shape(cube_hull())}) {
        const auto contacts = find(solid, pose, HalfSpace{}, {}, 2e-3);
        ASSERT_EQ(contacts.size(), 4U);
        for (const auto& contact : contacts) EXPECT_NEAR(contact.gap, gap, 1e-15);
      }
    }
  }
}

TEST(Manifold, AlignedCubesHaveFourPointsAtTheirCorners) {
  for (const Shape& upper : {Shape(cube), Shape(cube_hull())}) {
    for (const double gap : {-1e-3, -1e-9, 0.0, 1e-9, 1e-3}) {
      const auto contacts = find(upper, {Vec3(0.0, 0.0, 0.2 + gap)}, cube, {}, 2e-3);
      ASSERT_EQ(contacts.size(), 4U) << gap;
      for (const auto& contact : contacts) {
        EXPECT_NEAR(contact.gap, gap, 1e-13);
        EXPECT_LE((contact.normal - Vec3::UnitZ()).norm(), 1e-12);
        EXPECT_NEAR(std::abs(contact.point_a.x()), 0.1, 1e-9);
        EXPECT_NEAR(std::abs(contact.point_a.y()), 0.1, 1e-9);
      }
    }
  }
}

/// Edges cross at (L/2)(sqrt 2 - 1) from the middle of each side.
TEST(Manifold, FacesTurnedByHalfARightAngleHaveEightPoints) {
  for (const Shape& upper : {Shape(cube), Shape(cube_hull())}) {
    for (const double gap : {-1e-3, 1e-9, 1e-3}) {
      const auto contacts = find(upper, turned(Vec3(0.0, 0.0, 0.2 + gap), Vec3::UnitZ(), 0.25 * pi), cube, {}, 2e-3);
      ASSERT_EQ(contacts.size(), 8U) << gap;
      for (const auto& contact : contacts) {
        EXPECT_NEAR(contact.gap, gap, 1e-13);
        const Vec3 at = contact.point_b.cwiseAbs();
        EXPECT_NEAR(std::max(at.x(), at.y()), 0.1, 1e-12);
        EXPECT_NEAR(std::min(at.x(), at.y()), 0.1 * (std::sqrt(2.0) - 1.0), 1e-12);
      }
    }
  }
}

/// The corners of the rectangle that two cubes out of line have in common, and nothing else.
TEST(Manifold, PointsCoverThePatch) {
  const auto contacts = find(cube, {Vec3(0.05, -0.08, 0.2)}, cube, {}, 1e-3);
  ASSERT_EQ(contacts.size(), 4U);
  Vec3 low = Vec3::Constant(1.0), high = -low;
  for (const auto& contact : contacts) {
    low = low.cwiseMin(contact.point_a);
    high = high.cwiseMax(contact.point_a);
  }
  EXPECT_LE((low.head<2>() - Eigen::Vector2d(-0.05, -0.1)).norm(), 1e-12);
  EXPECT_LE((high.head<2>() - Eigen::Vector2d(0.1, 0.02)).norm(), 1e-12);
}

TEST(Manifold, FeaturesSurviveSmallMotions) {
  Random random(5);
  const Pose rest = turned(Vec3(0.03, 0.02, 0.2), Vec3::UnitZ(), 0.4);
  const auto known = features(find(cube, rest, cube, {}, 1e-3));
  EXPECT_EQ(known.size(), find(cube, rest, cube, {}, 1e-3).size());
  for (int trial = 0; trial < 200; ++trial) {
    const double size = std::pow(10.0, -random.uniform(4.0, 14.0));
    const Pose moved{rest.position + random_vector(random, size),
                     rest.orientation * exponential(random_vector(random, size))};
    EXPECT_EQ(features(find(cube, moved, cube, {}, 1e-3)), known) << size;
  }
}

/// Edges that lie along each other to the tolerance do not cross, wherever rounding makes them.
TEST(Manifold, EqualSolidsStackedHaveFourPointsWhateverTheNoise) {
  Random random(6);
  for (const double noise : {1e-15, 1e-12, 1e-10, 1e-9, 1e-8, 3e-8}) {
    for (int trial = 0; trial < 300; ++trial) {
      const Pose pose{Vec3(0.0, 0.0, 0.2) + random_vector(random, noise), exponential(random_vector(random, noise))};
      for (const Shape& solid : {Shape(cube), Shape(cube_hull())}) {
        const auto contacts = find(solid, pose, solid, {}, 1e-4);
        ASSERT_EQ(contacts.size(), 4U) << noise;
        for (const auto& contact : contacts) EXPECT_NEAR(contact.point_a.head<2>().cwiseAbs().minCoeff(), 0.1, 1e-6);
      }
    }
  }
}

/// The tolerance is a share of the smaller of the two, not of the floor.
TEST(Manifold, ASmallSolidOnAWideFloorStandsOnAllItsCorners) {
  Random random(7);
  for (const double width : {1.0, 1e3, 1e6}) {
    const Box floor{width, width, 0.1 * width};
    const Hull hull{std::make_shared<const Polytope>(box_polytope(0.5 * Vec3(width, width, 0.1 * width)))};
    for (int trial = 0; trial < 50; ++trial) {
      // 3e-4 of it off, which at 1e6 m is far more than the last digits of a coordinate.
      const double gap = random.uniform(-3e-4, 3e-4) * 0.2, yaw = random.uniform(0.0, 2.0 * pi);
      const Vec3 beside = random_vector(random, 0.3 * width).cwiseProduct(Vec3(1.0, 1.0, 0.0));
      const Pose pose = turned(beside + Vec3(0.0, 0.0, 0.05 * width + 0.1 + gap), Vec3::UnitZ(), yaw);
      for (const Shape& base : {Shape(floor), Shape(hull)}) {
        for (const Shape& solid : {Shape(cube), Shape(cube_hull()), Shape(Cylinder{0.1, 0.2})}) {
          const auto contacts = find(solid, pose, base, {}, 1e-3);
          ASSERT_EQ(contacts.size(), std::holds_alternative<Cylinder>(solid) ? 8U : 4U) << width;
          for (const auto& contact : contacts) {
            EXPECT_NEAR(contact.gap, gap, 1e-14 * width);
            EXPECT_LE((contact.point_a - pose.position).norm(), 0.2);
          }
        }
      }
    }
  }
}

/// A box a millionth of the other's size, anywhere near its surface: contacts are on both.
TEST(Manifold, ContactsOfATinyBoxAreOnIt) {
  Random random(8);
  constexpr double small = 1e-6;
  const Box box{0.9, 0.3, 0.7}, tiny{0.9 * small, 0.5 * small, 0.4 * small};
  for (int trial = 0; trial < 300; ++trial) {
    const Pose pose_b{Vec3::Zero(), random_orientation(random)};
    const Vec3 out = random_direction(random);
    const double reach = out.cwiseQuotient(0.5 * Vec3(box.x, box.y, box.z)).cwiseAbs().maxCoeff();
    const Vec3 beside = random_vector(random, 0.3 * small);
    const Pose pose_a{pose_b.to_world(out / reach) + beside, random_orientation(random)};
    for (const auto& contact : find(tiny, pose_a, box, pose_b, small)) {
      EXPECT_LE((contact.point_a - pose_a.position).norm(), 0.56 * small) << trial;
    }
  }
}

/// From lying on a face to standing on an edge and on: the two ends of the edge are there all the way, and the least
/// gap is that of the edge.
TEST(Manifold, NothingFlickersInASlowRollOverAnEdge) {
  const Box table{2.0, 2.0, 0.2};
  const double diagonal = std::sqrt(0.5) * 0.2;
  std::set<int> edge;
  for (int i = 0; i <= 900; ++i) {
    const double angle = i * 1e-3;
    // About the edge at x = 0.1, z = 0.1.
    const Vec3 center(0.1 - diagonal * std::cos(0.25 * pi + angle), 0.0, 0.1 + diagonal * std::sin(0.25 * pi + angle));
    const auto contacts = find(cube, turned(center, Vec3::UnitY(), angle), table, {}, 1e-4);
    EXPECT_NEAR(least_gap(contacts), 0.0, 1e-14) << angle;
    std::set<int> on_edge;
    for (const auto& contact : contacts) {
      if (std::abs(contact.point_a.x() - 0.1) < 1e-9) on_edge.insert(contact.feature);
    }
    if (i == 0) edge = on_edge;
    EXPECT_EQ(on_edge.size(), 2U) << angle;
    EXPECT_EQ(on_edge, edge) << angle;
  }
}

TEST(Manifold, RoundSolidsStandOnTheirRims) {
  const Cylinder drum{0.2, 0.5};
  for (const double gap : {-1e-3, 0.0, 1e-3}) {
    for (const Shape& base : {Shape(HalfSpace{}), Shape(Box{2.0, 2.0, 1.0})}) {
      const double top = std::holds_alternative<Box>(base) ? 0.5 : 0.0;
      const auto flat = find(drum, {Vec3(0.0, 0.0, top + 0.25 + gap)}, base, {}, 2e-3);
      ASSERT_EQ(flat.size(), 8U);
      for (const auto& contact : flat) {
        EXPECT_NEAR(contact.gap, gap, 1e-13);
        EXPECT_NEAR(contact.point_a.head<2>().norm(), 0.2, 1e-12);
      }
      const auto lying = find(drum, turned(Vec3(0.0, 0.0, top + 0.2 + gap), Vec3::UnitX(), 0.5 * pi), base, {}, 2e-3);
      ASSERT_EQ(lying.size(), 2U);
      for (const auto& contact : lying) {
        EXPECT_NEAR(contact.gap, gap, 1e-13);
        EXPECT_NEAR(std::abs(contact.point_a.y()), 0.25, 1e-12);
      }
    }
  }
}

/// Over the flat end up to its rim, and with that end's own normal, though another direction separates as well.
TEST(Manifold, CornersStandOnAFlatEndUpToItsRim) {
  const Cylinder drum{0.2, 0.5};
  const Box block{0.02, 0.02, 0.02};
  for (int i = 0; i < 16; ++i) {
    const Vec3 out = exponential(i * pi / 8.0 * Vec3::UnitZ()) * Vec3::UnitX();
    const Pose pose = turned(0.184 * out + Vec3(0.0, 0.0, 0.26), Vec3::UnitY(), 1e-4);
    const auto contacts = find(block, pose, drum, {}, 1e-4);
    ASSERT_EQ(contacts.size(), 4U) << i;
    for (const auto& contact : contacts) {
      EXPECT_LT(contact.feature, 8) << i;
      EXPECT_LE((contact.normal - Vec3::UnitZ()).norm(), 1e-12);
    }
  }
}

/// A drum that lies flat is never quite flat: whichever way rounding tilts it, its contacts are the same.
TEST(Manifold, ContactsOfAFlatEndDoNotTurnWithItsLastDigits) {
  const Cylinder drum{0.2, 0.5};
  for (const Shape& base : {Shape(HalfSpace{}), Shape(Box{2.0, 2.0, 1.0}), Shape(Cylinder{0.9, 1.0})}) {
    const double top = std::holds_alternative<HalfSpace>(base) ? 0.0 : 0.5;
    std::vector<SurfaceContact> first;
    for (int i = 0; i < 32; ++i) {
      const Vec3 axis = exponential(i * 0.2 * Vec3::UnitZ()) * Vec3::UnitX();
      auto contacts = find(drum, turned({0.1, 0.05, top + 0.25}, axis, 3e-10), base, {}, 1e-3);
      if (i == 0) first = contacts;
      ASSERT_EQ(features(contacts), features(first)) << i;
      for (std::size_t k = 0; k < contacts.size(); ++k)
        EXPECT_LE((contacts[k].point_a - first[k].point_a).norm(), 1e-9) << i;
    }
    EXPECT_EQ(first.size(), 8U);
  }
}

/// Where a drum stands over the edge of a table, that edge runs under its rim at two places.
TEST(Manifold, EdgesCrossARimOnBoth) {
  const Cylinder drum{0.2, 0.5};
  const Box table{1.0, 1.0, 0.2};
  for (const double tilt : {0.0, 1e-3, 0.1}) {
    for (int i = 0; i < 12; ++i) {
      const Pose pose = turned({0.5 + 0.015 * (i - 6.5), 0.03, 0.1 + 0.25}, Vec3::UnitY(), tilt);
      int crossings = 0;
      for (const auto& contact : find(drum, pose, table, {}, 0.05)) {
        if (contact.feature >> (2 * feature_index_bits) != static_cast<int>(FeatureKind::edges)) continue;
        ++crossings;
        EXPECT_NEAR(contact.point_b.x(), 0.5, 1e-12);
        EXPECT_NEAR(contact.point_b.z(), 0.1, 1e-12);
        const Vec3 local = pose.orientation.conjugate() * (contact.point_a - pose.position);
        EXPECT_NEAR(local.head<2>().norm(), 0.2, 1e-12);
        EXPECT_NEAR(local.z(), -0.25, 1e-12);
      }
      EXPECT_EQ(crossings, 2) << tilt << ", " << i;
    }
  }
}

TEST(Manifold, RimsCrossOnBoth) {
  const Cylinder upper{0.2, 0.5}, lower{0.3, 0.4};
  for (const double tilt : {0.0, 1e-3, 0.1}) {
    for (const double beside : {0.12, 0.2, 0.3, 0.45}) {
      const Pose pose = turned({beside, 0.0, 0.2 + 0.25}, Vec3(0.6, 0.8, 0.0), tilt);
      const double x = (beside * beside + 0.09 - 0.04) / (2.0 * beside), y = std::sqrt(0.09 - x * x);
      int crossings = 0, near = 0;
      for (const auto& contact : find(upper, pose, lower, {}, 0.05)) {
        // Of many contacts that are spread over the face, one beside the crossing may stand for it.
        near += (contact.point_b.head<2>().cwiseAbs() - Eigen::Vector2d(x, y)).norm() < 0.03;
        if (contact.feature >> (2 * feature_index_bits) != static_cast<int>(FeatureKind::edges)) continue;
        ++crossings;
        EXPECT_NEAR(contact.point_b.head<2>().norm(), 0.3, 1e-9);
        EXPECT_NEAR(contact.point_b.z(), 0.2, 1e-12);
        const Vec3 local = pose.orientation.conjugate() * (contact.point_a - pose.position);
        EXPECT_NEAR(local.head<2>().norm(), 0.2, 1e-12);
        EXPECT_NEAR(local.z(), -0.25, 1e-12);
      }
      EXPECT_GE(std::max(crossings, near), tilt == 0.0 ? 2 : 1) << tilt << ", " << beside;
      EXPECT_LE(crossings, 2);
    }
  }
}

TEST(Manifold, RimsCrossOnTheRimsThemselves) {
  Random random(11);
  int crossings = 0;
  for (int trial = 0; trial < 20000; ++trial) {
    const Cylinder upper{random.uniform(0.1, 0.4), 0.5}, lower{random.uniform(0.1, 0.4), 0.4};
    const double inner = std::abs(upper.radius - lower.radius), outer = upper.radius + lower.radius;
    // From where they touch from inside to where they touch from outside, often near one of the two.
    const double share = random.uniform(0.0, 1.0);
    const double beside = inner + (outer - inner) * std::pow(share, 8.0);
    const Pose pose =
        turned({beside, 0.0, 0.2 + 0.25}, random_vector(random, 1.0).normalized(), random.uniform(0.0, 0.6));
    for (const auto& contact : find(upper, pose, lower, {}, 0.1)) {
      if (contact.feature >> (2 * feature_index_bits) != static_cast<int>(FeatureKind::edges)) continue;
      ++crossings;
      const Vec3 local = pose.orientation.conjugate() * (contact.point_a - pose.position);
      EXPECT_NEAR(local.head<2>().norm(), upper.radius, 1e-11) << trial;
      EXPECT_NEAR(contact.point_b.head<2>().norm(), lower.radius, 1e-11) << trial;
    }
  }
  EXPECT_GT(crossings, 1000);
}

}  // namespace
}  // namespace stiction
