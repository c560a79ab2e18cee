#include "stiction/geometry/hull.h"

#include <gtest/gtest.h>

#include <cmath>

#include "stiction/geometry/hull_triangles.h"
#include "stiction/geometry/mass_properties.h"
#include "stiction/geometry/polygon.h"
#include "stiction/geometry/test/random_poses.h"

namespace stiction {
namespace {

std::vector<Vec3> box_corners(const Vec3& half) {
  std::vector<Vec3> points;
  for (int i = 0; i < 8; ++i) {
    points.emplace_back((i & 1) != 0 ? half.x() : -half.x(), (i & 2) != 0 ? half.y() : -half.y(),
                        (i & 4) != 0 ? half.z() : -half.z());
  }
  return points;
}

TEST(Hull, ABoxInAnyPositionHasSixFacesEightVerticesTwelveEdges) {
  Random random(1);
  for (int trial = 0; trial < 100; ++trial) {
    const Pose pose = random_pose(random, trial % 2 == 0 ? 1.0 : 1e5);
    std::vector<Vec3> points;
    for (const Vec3& x : box_corners(Vec3(0.1, 0.5, 2.0))) points.push_back(pose.to_world(x));
    // Twice, in the middle, on a face and on an edge: none of these is a vertex.
    points.push_back(points[3]);
    points.push_back(pose.position);
    points.push_back(pose.to_world(Vec3(0.1, 0.2, -0.3)));
    points.push_back(pose.to_world(Vec3(0.1, 0.5, 1.0)));
    const auto hull = make_hull(points);
    ASSERT_TRUE(hull.ok()) << hull.error();
    EXPECT_EQ(hull.value().solid->vertices.size(), 8U);
    EXPECT_EQ(hull.value().solid->faces.size(), 6U);
    EXPECT_EQ(hull.value().solid->edges.size(), 12U);
    EXPECT_NEAR(volume(hull.value()), 0.2 * 1.0 * 4.0, trial % 2 == 0 ? 1e-12 : 1e-6);
  }
}

/// Euler's formula; every point is below every face; every vertex is one of the points.
TEST(Hull, OfRandomPointsIsAConvexSolidAroundThem) {
  Random random(2);
  for (int trial = 0; trial < 100; ++trial) {
    std::vector<Vec3> points;
    const int count = random.integer(4, 120);
    for (int i = 0; i < count; ++i) {
      // On a coarse grid, so that many lie in one plane.
      points.emplace_back(random.integer(-3, 3), random.integer(-3, 3), random.integer(-3, 3));
    }
    const auto hull = make_hull(points);
    if (!hull) continue;
    const Polytope& solid = *hull.value().solid;
    EXPECT_EQ(static_cast<int>(solid.vertices.size()) - static_cast<int>(solid.edges.size()) +
                  static_cast<int>(solid.faces.size()),
              2);
    for (const auto& face : solid.faces) {
      EXPECT_NEAR(face.normal.norm(), 1.0, 1e-14);
      for (const Vec3& x : points) EXPECT_LE(face.normal.dot(x), face.offset + 1e-12);
      for (const int v : solid.corners_of(face)) EXPECT_NEAR(face.normal.dot(solid.vertices[v]), face.offset, 1e-12);
    }
    for (const Vec3& v : solid.vertices) EXPECT_NE(std::find(points.begin(), points.end(), v), points.end());
  }
}

TEST(Hull, WhatIsRefused) {
  const auto why = [](const std::vector<Vec3>& points) {
    const auto hull = make_hull(points);
    return hull ? std::string() : hull.error();
  };
  EXPECT_NE(why({Vec3::Zero(), Vec3::UnitX(), Vec3::UnitY()}).find("4 points"), std::string::npos);
  EXPECT_NE(why({Vec3::Zero(), Vec3::UnitX(), Vec3::UnitY(), Vec3(1.0, 1.0, 0.0)}).find("one plane"),
            std::string::npos);
  EXPECT_NE(why({Vec3::Zero(), Vec3::UnitX(), 2.0 * Vec3::UnitX(), 3.0 * Vec3::UnitX()}).find("one plane"),
            std::string::npos);
  EXPECT_NE(why(std::vector<Vec3>(10, Vec3::Ones())).find("one plane"), std::string::npos);
  EXPECT_NE(why({Vec3::Zero(), Vec3::UnitX(), Vec3::UnitY(), Vec3(NAN, 0.0, 1.0)}).find("finite"), std::string::npos);
  Random random(3);
  std::vector<Vec3> many;
  for (int i = 0; i < 400; ++i) many.push_back(random_direction(random));
  EXPECT_NE(why(many).find("128"), std::string::npos);
}

TEST(Hull, OrientationIsExactWhereDoublesAreNot) {
  const std::int64_t big = (std::int64_t{1} << grid_bits) - 1;
  const GridPoint a{-big, -big, -big}, b{big, -big, -big}, c{-big, big, -big};
  EXPECT_EQ(orientation(a, b, c, {big, big, -big}), 0);
  EXPECT_EQ(orientation(a, b, c, {big, big, 1 - big}), 1);
  EXPECT_EQ(orientation(a, c, b, {big, big, 1 - big}), -1);
}

/// A tetrahedron's moments by Tonon's closed form for the unit one: I_xx about the origin = mass * 2 / 10.
TEST(Hull, MassOfATetrahedronAndOfABox) {
  const Hull corner = make_hull(std::vector<Vec3>{Vec3::Zero(), Vec3::UnitX(), Vec3::UnitY(), Vec3::UnitZ()}).value();
  EXPECT_NEAR(volume(corner), 1.0 / 6.0, 1e-15);
  const MassProperties solid = mass_properties(corner, 1.0);
  EXPECT_LE((solid.center - Vec3::Constant(0.25)).norm(), 1e-15);
  // About the centre: 2 * 6/60 - 2/16 on the diagonal, -(6/120 - 1/16) beside it.
  Mat3 expected = Mat3::Constant(1.0 / 16.0 - 1.0 / 20.0);
  expected.diagonal().setConstant(0.2 - 0.125);
  EXPECT_LE((solid.inertia - expected).cwiseAbs().maxCoeff(), 1e-15);
  const Hull box = make_hull(box_corners(Vec3(0.1, 0.2, 0.3))).value();
  EXPECT_LE((mass_properties(box, 3.0).inertia - mass_properties(Box{0.2, 0.4, 0.6}, 3.0).inertia).norm(), 1e-15);
  EXPECT_LE(centered(corner).solid->center.norm(), 1e-15);
  EXPECT_LE(mass_properties(centered(corner), 1.0).center.norm(), 1e-15);
}

TEST(Polygons, KeepTheirCornersAndRefuseDents) {
  using Vec2 = Eigen::Vector2d;
  const auto square = make_polygon(std::vector<Vec2>{{0, 0}, {0, 1}, {0.5, 1}, {1, 1}, {1, 1}, {1, 0}});
  ASSERT_TRUE(square.ok()) << square.error();
  EXPECT_EQ(square.value().points->size(), 4U);
  EXPECT_NEAR(volume(square.value()), 1.0, 1e-15);
  EXPECT_NEAR(mass_properties(square.value(), 6.0).inertia(2, 2), 1.0, 1e-14);
  EXPECT_LE((mass_properties(square.value(), 6.0).center - Vec3(0.5, 0.5, 0.0)).norm(), 1e-15);
  const auto dented = make_polygon(std::vector<Vec2>{{0, 0}, {1, 0}, {0.5, 0.1}, {0.5, 1}});
  ASSERT_FALSE(dented.ok());
  EXPECT_NE(dented.error().find("dented"), std::string::npos);
  EXPECT_FALSE(make_polygon(std::vector<Vec2>{{0, 0}, {1, 1}, {2, 2}}).ok());
  EXPECT_FALSE(make_polygon(std::vector<Vec2>{{0, 0}, {1, 1}}).ok());
  // A star of five points is convex at every corner and turns twice.
  std::vector<Vec2> star;
  for (int i = 0; i < 5; ++i) star.emplace_back(std::cos(i * 0.8 * M_PI), std::sin(i * 0.8 * M_PI));
  EXPECT_FALSE(make_polygon(star).ok());
}

}  // namespace
}  // namespace stiction
