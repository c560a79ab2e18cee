#include "stiction/geometry/contact_points.h"

#include <gtest/gtest.h>

#include <cmath>

namespace stiction {
namespace {

std::vector<SurfaceContact> find(const Shape& a, const Vec3& at_a, const Shape& b, const Vec3& at_b, double margin) {
  std::vector<SurfaceContact> contacts;
  find_contact_points(a, {at_a}, b, {at_b}, margin, contacts);
  return contacts;
}

void expect_near(const Vec3& a, const Vec3& b) {
  EXPECT_LE((a - b).norm(), 1e-15) << a.transpose() << " and " << b.transpose();
}

const Vec3 origin = Vec3::Zero();

TEST(ContactPoints, TwoSpheres) {
  const auto contacts = find(Sphere{0.5}, {3.0, 0.0, 4.0}, Sphere{2.0}, origin, 10.0);
  ASSERT_EQ(contacts.size(), 1U);
  EXPECT_DOUBLE_EQ(contacts[0].gap, 2.5);
  expect_near(contacts[0].normal, {0.6, 0.0, 0.8});
  expect_near(contacts[0].point_a, {2.7, 0.0, 3.6});
  expect_near(contacts[0].point_b, {1.2, 0.0, 1.6});
  EXPECT_DOUBLE_EQ(contacts[0].curvature, 2.5);
}

TEST(ContactPoints, MarginIsIncludedAndNothingBeyond) {
  EXPECT_EQ(find(Sphere{1.0}, {4.0, 0.0, 0.0}, Sphere{1.0}, origin, 2.0).size(), 1U);
  EXPECT_EQ(find(Sphere{1.0}, {4.0, 0.0, 0.0}, Sphere{1.0}, origin, 1.999).size(), 0U);
  EXPECT_EQ(find(Sphere{1.0}, {NAN, 0.0, 0.0}, Sphere{1.0}, origin, 2.0).size(), 0U);
}

TEST(ContactPoints, ConcentricSpheresStillHaveANormal) {
  const auto contacts = find(Sphere{1.0}, origin, Sphere{0.5}, origin, 0.0);
  ASSERT_EQ(contacts.size(), 1U);
  EXPECT_DOUBLE_EQ(contacts[0].gap, -1.5);
  EXPECT_DOUBLE_EQ(contacts[0].normal.norm(), 1.0);
}

TEST(ContactPoints, SphereOnTiltedHalfSpace) {
  const HalfSpace slope{{0.6, 0.0, 0.8}, 1.0};
  const auto contacts = find(Sphere{0.25}, {0.6, 5.0, 1.8}, slope, {0.0, 0.0, 1.0}, 0.0);
  ASSERT_EQ(contacts.size(), 1U);
  EXPECT_NEAR(contacts[0].gap, 0.36 + 0.64 - 1.0 - 0.25, 1e-15);
  expect_near(contacts[0].normal, slope.normal);
  EXPECT_DOUBLE_EQ(contacts[0].curvature, 4.0);
}

TEST(ContactPoints, CapsuleOnHalfSpaceHasTwoEnds) {
  const Capsule rod{0.05, 0.5, Vec3::UnitX()};
  const auto contacts = find(rod, {0.0, 0.0, 0.06}, HalfSpace{}, origin, 0.1);
  ASSERT_EQ(contacts.size(), 2U);
  for (int end = 0; end < 2; ++end) {
    EXPECT_EQ(contacts[end].feature, end);
    EXPECT_NEAR(contacts[end].gap, 0.01, 1e-16);
    expect_near(contacts[end].point_a, {end == 0 ? -0.25 : 0.25, 0.0, 0.01});
    expect_near(contacts[end].point_b, {end == 0 ? -0.25 : 0.25, 0.0, 0.0});
  }
}

TEST(ContactPoints, OnlyTheLowEndIsWithinTheMargin) {
  const auto contacts = find(Capsule{0.05, 0.5, Vec3::UnitZ()}, {0.0, 0.0, 0.3}, HalfSpace{}, origin, 0.1);
  ASSERT_EQ(contacts.size(), 1U);
  EXPECT_EQ(contacts[0].feature, 0);
}

TEST(ContactPoints, BoxOnHalfSpaceByVertices) {
  const auto contacts = find(Box{1.0, 2.0, 4.0}, {0.0, 0.0, 2.0}, HalfSpace{}, origin, 1e-12);
  ASSERT_EQ(contacts.size(), 4U);
  for (int vertex = 0; vertex < 4; ++vertex) {
    EXPECT_EQ(contacts[vertex].feature, vertex);
    expect_near(contacts[vertex].point_a, {(vertex & 1) != 0 ? 0.5 : -0.5, (vertex & 2) != 0 ? 1.0 : -1.0, 0.0});
    EXPECT_DOUBLE_EQ(contacts[vertex].curvature, 1.0 / std::sqrt(0.25 + 1.0 + 4.0));
  }
  EXPECT_EQ(find(Box{1.0, 2.0, 4.0}, {0.0, 0.0, 2.0}, HalfSpace{}, origin, 5.0).size(), 8U);
}

TEST(ContactPoints, SphereBesideAndBeyondACapsule) {
  const Capsule rod{0.1, 2.0, Vec3::UnitX()};
  const auto beside = find(Sphere{0.2}, {0.5, 1.0, 0.0}, rod, origin, 1.0);
  ASSERT_EQ(beside.size(), 1U);
  EXPECT_NEAR(beside[0].gap, 0.7, 1e-15);
  expect_near(beside[0].point_b, {0.5, 0.1, 0.0});
  const auto beyond = find(Sphere{0.2}, {4.0, 0.0, 4.0}, rod, origin, 10.0);
  ASSERT_EQ(beyond.size(), 1U);
  EXPECT_NEAR(beyond[0].gap, 5.0 - 0.3, 1e-15);
  expect_near(beyond[0].normal, {0.6, 0.0, 0.8});
}

TEST(ContactPoints, CrossedCapsulesMeetInside) {
  const auto contacts =
      find(Capsule{0.1, 2.0, Vec3::UnitX()}, {0.3, 0.0, 1.0}, Capsule{0.2, 2.0, Vec3::UnitY()}, {0.0, 0.4, 0.0}, 1.0);
  ASSERT_EQ(contacts.size(), 1U);
  EXPECT_EQ(contacts[0].feature, 0);
  EXPECT_NEAR(contacts[0].gap, 0.7, 1e-15);
  expect_near(contacts[0].point_a, {0.0, 0.0, 0.9});
  EXPECT_DOUBLE_EQ(contacts[0].curvature, 15.0);
}

TEST(ContactPoints, ParallelCapsulesTouchAtBothEndsOfTheirCommonLength) {
  const Capsule a{0.1, 2.0, Vec3::UnitX()}, b{0.1, 2.0, -Vec3::UnitX()};
  const auto contacts = find(a, {0.5, 0.0, 0.2}, b, origin, 1e-9);
  ASSERT_EQ(contacts.size(), 2U);
  EXPECT_EQ(contacts[0].feature, 1);  // a's lower end, at x = -0.5
  expect_near(contacts[0].point_a, {-0.5, 0.0, 0.1});
  EXPECT_EQ(contacts[1].feature, 3);  // b's lower end, at x = 1 since b points the other way
  expect_near(contacts[1].point_b, {1.0, 0.0, 0.1});
  for (const auto& contact : contacts) EXPECT_NEAR(contact.gap, 0.0, 1e-15);
}

TEST(ContactPoints, ParallelCapsulesInALineMeetEndToEnd) {
  const Capsule rod{0.1, 2.0, Vec3::UnitX()};
  const auto contacts = find(rod, {2.5, 0.0, 0.0}, rod, origin, 1.0);
  ASSERT_EQ(contacts.size(), 1U);
  EXPECT_NEAR(contacts[0].gap, 0.3, 1e-15);
  expect_near(contacts[0].normal, Vec3::UnitX());
}

TEST(ContactPoints, SphereOutsideABox) {
  const Box box{2.0, 2.0, 2.0};
  const auto face = find(Sphere{0.5}, {0.2, 0.3, 2.0}, box, origin, 1.0);
  ASSERT_EQ(face.size(), 1U);
  EXPECT_DOUBLE_EQ(face[0].gap, 0.5);
  expect_near(face[0].point_b, {0.2, 0.3, 1.0});
  const auto corner = find(Sphere{0.5}, {1.0 + 2.0, 1.0 + 3.0, 1.0 + 6.0}, box, origin, 10.0);
  ASSERT_EQ(corner.size(), 1U);
  EXPECT_NEAR(corner[0].gap, 6.5, 1e-15);
  expect_near(corner[0].normal, Vec3(2.0, 3.0, 6.0) / 7.0);
}

TEST(ContactPoints, SphereCentreInsideABoxLeavesByTheNearestFace) {
  const auto inside = find(Sphere{0.5}, {0.1, -0.7, 0.2}, Box{2.0, 2.0, 2.0}, origin, 0.0);
  ASSERT_EQ(inside.size(), 1U);
  EXPECT_NEAR(inside[0].gap, -0.8, 1e-15);
  expect_near(inside[0].normal, -Vec3::UnitY());
  expect_near(inside[0].point_b, {0.1, -1.0, 0.2});
  const auto on_face = find(Sphere{0.0}, {0.0, 0.0, 1.0}, Box{2.0, 2.0, 2.0}, origin, 0.0);
  ASSERT_EQ(on_face.size(), 1U);
  EXPECT_EQ(on_face[0].gap, 0.0);
  expect_near(on_face[0].normal, Vec3::UnitZ());
}

TEST(ContactPoints, WhatIsSupported) {
  const Shape sphere = Sphere{}, point = Sphere{0.0}, capsule = Capsule{}, segment = Capsule{0.0, 1.0};
  const Shape box = Box{}, half_space = HalfSpace{};
  for (const Shape& shape : {sphere, point, capsule, segment, box}) {
    EXPECT_TRUE(is_supported(shape, half_space));
    EXPECT_TRUE(is_supported(half_space, shape));
    EXPECT_TRUE(is_supported(shape, sphere));
    EXPECT_TRUE(is_supported(sphere, shape));
  }
  EXPECT_TRUE(is_supported(capsule, segment));
  EXPECT_TRUE(is_supported(point, point));
  EXPECT_TRUE(is_supported(box, box));
  EXPECT_TRUE(is_supported(capsule, box));
  EXPECT_TRUE(is_supported(box, segment));
  EXPECT_FALSE(is_supported(box, Disc{}) && is_supported(Cylinder{}, Disc{}));
  EXPECT_FALSE(is_supported(HollowSphere{}, HollowCylinder{}));
  EXPECT_FALSE(is_supported(segment, segment));
  EXPECT_FALSE(is_supported(segment, point));
  EXPECT_FALSE(is_supported(half_space, half_space));
  EXPECT_TRUE(find(point, origin, point, origin, 1.0).empty());
}

}  // namespace
}  // namespace stiction
