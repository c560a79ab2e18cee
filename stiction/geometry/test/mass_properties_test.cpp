#include "stiction/geometry/mass_properties.h"

#include <gtest/gtest.h>

#include <numbers>

#include "stiction/geometry/test/random_poses.h"

namespace stiction {
namespace {

using std::numbers::pi;

void expect_equal(const Mat3& a, const Mat3& b, double tolerance) {
  EXPECT_LE((a - b).cwiseAbs().maxCoeff(), tolerance) << a << "\n\n" << b;
}

TEST(MassProperties, SphereAndBoxAreTheTextbooks) {
  EXPECT_DOUBLE_EQ(volume(Sphere{2.0}), 32.0 / 3.0 * pi);
  EXPECT_DOUBLE_EQ(volume(Box{2.0, 3.0, 4.0}), 24.0);
  expect_equal(mass_properties(Sphere{0.1}, 1.0).inertia, 4e-3 * Mat3::Identity(), 1e-18);
  const Mat3 box = Vec3(9.0 + 16.0, 4.0 + 16.0, 4.0 + 9.0).asDiagonal();
  expect_equal(mass_properties(Box{2.0, 3.0, 4.0}, 12.0).inertia, box, 1e-14);
}

/// The capsule cut into discs across its axis, midpoint rule.
TEST(MassProperties, CapsuleAgreesWithAnIntegralOverDiscs) {
  const Capsule capsule{0.3, 1.4, Vec3(1.0, -2.0, 0.5).normalized()};
  constexpr int slices = 200000;
  const double reach = 0.5 * capsule.length + capsule.radius, thickness = 2.0 * reach / slices;
  double whole = 0.0, along = 0.0, across = 0.0;
  for (int i = 0; i < slices; ++i) {
    const double s = -reach + (i + 0.5) * thickness;
    const double beyond = std::max(0.0, std::abs(s) - 0.5 * capsule.length);
    const double radius_squared = capsule.radius * capsule.radius - beyond * beyond;
    const double disc = pi * radius_squared * thickness;
    whole += disc;
    along += disc * radius_squared / 2.0;
    across += disc * (radius_squared / 4.0 + s * s);
  }
  EXPECT_NEAR(volume(capsule), whole, 1e-9);
  const Vec3& a = capsule.axis;
  const Mat3 expected = (across * Mat3::Identity() + (along - across) * a * a.transpose()) * (5.0 / whole);
  expect_equal(mass_properties(capsule, 5.0).inertia, expected, 1e-8);
}

TEST(MassProperties, ThinShapesAreLimits) {
  EXPECT_EQ(volume(Sphere{0.0}), 0.0);
  EXPECT_EQ(volume(Capsule{0.0, 1.0}), 0.0);
  expect_equal(mass_properties(Sphere{0.0}, 2.0).inertia, Mat3::Zero(), 0.0);
  const Mat3 rod = Vec3(0.25, 0.25, 0.0).asDiagonal();
  expect_equal(mass_properties(Capsule{0.0, 1.0}, 3.0).inertia, rod, 1e-16);
}

TEST(MassProperties, HalvesMakeTheWhole) {
  Random random(3);
  const Box whole{0.6, 0.4, 0.2}, half{0.3, 0.4, 0.2};
  const Pose pose = random_pose(random, 2.0);
  const MassProperties left = moved(mass_properties(half, 1.5), pose * Pose{Vec3(-0.15, 0.0, 0.0)});
  const MassProperties right = moved(mass_properties(half, 1.5), pose * Pose{Vec3(0.15, 0.0, 0.0)});
  const MassProperties both = left + right, expected = moved(mass_properties(whole, 3.0), pose);
  EXPECT_DOUBLE_EQ(both.mass, 3.0);
  EXPECT_LE((both.center - pose.position).norm(), 1e-15);
  expect_equal(both.inertia, expected.inertia, 1e-15);
}

TEST(MassProperties, InertiaOfEveryShapeHasNoDefect) {
  Random random(5);
  for (const Shape& shape : {Shape(Sphere{0.2}), Shape(Capsule{0.1, 2.0}), Shape(Box{1e-3, 1.0, 2.0})}) {
    const Mat3 inertia = moved(mass_properties(shape, 0.7), random_pose(random, 1.0)).inertia;
    EXPECT_EQ(inertia_defect(inertia), std::nullopt);
  }
}

TEST(MassProperties, InertiaNoBodyHasIsNamed) {
  const auto defect = [](const Vec3& moments) { return inertia_defect(moments.asDiagonal().toDenseMatrix()); };
  EXPECT_EQ(defect({1.0, 1.0, 2.0}), std::nullopt);  // a disc: equality
  EXPECT_NE(defect({1.0, 1.0, 2.001}).value().find("larger than the sum of the other two"), std::string::npos);
  EXPECT_NE(defect({0.0, 1.0, 1.0}).value().find("positive"), std::string::npos);
  EXPECT_NE(defect({-1.0, 1.0, 1.0}).value().find("positive"), std::string::npos);
  EXPECT_NE(defect({NAN, 1.0, 1.0}).value().find("finite"), std::string::npos);
  Mat3 skew = Mat3::Identity();
  skew(0, 1) = 0.1;
  EXPECT_NE(inertia_defect(skew).value().find("symmetric"), std::string::npos);
  EXPECT_NE(inertia_defect(Mat3::Zero()).value().find("positive"), std::string::npos);
}

}  // namespace
}  // namespace stiction
