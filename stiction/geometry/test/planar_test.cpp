#include <gtest/gtest.h>

#include <algorithm>

#include "stiction/geometry/test/planar_oracle.h"

namespace stiction {
namespace {

using oracle::flat_kinds;
using oracle::FlatShape;
using oracle::random_flat;
using oracle::random_flat_pose;

std::vector<SurfaceContact> find(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                                 double margin) {
  std::vector<SurfaceContact> contacts;
  find_contact_points(a, pose_a, b, pose_b, margin, contacts);
  return contacts;
}

const SurfaceContact& deepest(const std::vector<SurfaceContact>& contacts) {
  return *std::min_element(contacts.begin(), contacts.end(),
                           [](const SurfaceContact& x, const SurfaceContact& y) { return x.gap < y.gap; });
}

Polygon square(double edge) {
  const double h = 0.5 * edge;
  return make_polygon(std::vector<Eigen::Vector2d>{{-h, -h}, {h, -h}, {h, h}, {-h, h}}).value();
}

/// The gap is the oracle's, and along the normal the two are separated by just that.
void expect_true_gap(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b, double size) {
  const auto contacts = find(a, pose_a, b, pose_b, 100.0 * size);
  ASSERT_FALSE(contacts.empty());
  const FlatShape flat_a = oracle::seen_along_z(a, pose_a), flat_b = oracle::seen_along_z(b, pose_b);
  const SurfaceContact& nearest = deepest(contacts);
  EXPECT_NEAR(nearest.gap, oracle::signed_gap(flat_a, flat_b), 1e-10 * size);
  EXPECT_NEAR(oracle::separation(flat_a, flat_b, nearest.normal.head<2>()), nearest.gap, 1e-10 * size);
  for (const SurfaceContact& contact : contacts) {
    EXPECT_LE((contact.point_a - contact.point_b - contact.gap * contact.normal).norm(), 1e-14 * size);
  }
}

class PlanarPairs : public testing::TestWithParam<std::tuple<int, int>> {};

TEST_P(PlanarPairs, GapAndDepthAreThoseOfTheOracle) {
  const auto [i, j] = GetParam();
  Random random(static_cast<std::uint64_t>(70 + 10 * i + j));
  for (int trial = 0; trial < 400; ++trial) {
    const Shape a = random_flat(flat_kinds()[i], random, 1.0), b = random_flat(flat_kinds()[j], random, 1.0);
    const Pose pose_a = random_flat_pose(random, 0.5), pose_b = random_flat_pose(random, 0.5);
    SCOPED_TRACE(trial);
    expect_true_gap(a, pose_a, b, pose_b, 1.0);
  }
}

TEST_P(PlanarPairs, NoLessWhenOneIsTinyAndNearTheOther) {
  const auto [i, j] = GetParam();
  Random random(static_cast<std::uint64_t>(170 + 10 * i + j));
  constexpr double small = 1e-4;
  for (int trial = 0; trial < 400; ++trial) {
    const Shape a = random_flat(flat_kinds()[i], random, 1.0), b = random_flat(flat_kinds()[j], random, small);
    const Pose pose_a = random_flat_pose(random, 0.5);
    const Vec3 out = exponential(random.uniform(-3.0, 3.0) * Vec3::UnitZ()) * Vec3::UnitX();
    const FlatShape flat = oracle::seen_along_z(a, pose_a);
    Eigen::Vector2d far = flat.points[0];
    for (const auto& x : flat.points) far = out.head<2>().dot(x) > out.head<2>().dot(far) ? x : far;
    far += flat.radius * out.head<2>();
    const Vec3 beside = random_vector(random, small);
    SCOPED_TRACE(trial);
    expect_true_gap(a, pose_a, b, {Vec3(far.x(), far.y(), 0.0) + beside, Quat::Identity()}, 1.0);
  }
}

/// On a grid with sizes that fit it, so that shapes touch, lie on one line and have common centres.
TEST_P(PlanarPairs, NothingIsSpecialAboutTouchingAndOneLine) {
  const auto [i, j] = GetParam();
  const Shape known[] = {Disc{0.25}, square(0.5), Sphere{0.25}, Capsule{0.125, 0.5, Vec3::UnitX()}, Box{0.5, 0.5, 0.5}};
  for (int x = -4; x <= 4; ++x) {
    for (int y = -4; y <= 4; ++y) {
      SCOPED_TRACE(std::to_string(x) + ", " + std::to_string(y));
      expect_true_gap(known[i], {Vec3(0.25 * x, 0.25 * y, 0.0)}, known[j], {}, 1.0);
    }
  }
}

std::vector<std::tuple<int, int>> all_pairs() {
  std::vector<std::tuple<int, int>> pairs;
  for (int i = 0; i < 2; ++i) {
    for (int j = i; j < 5; ++j) pairs.emplace_back(i, j);
  }
  return pairs;
}

INSTANTIATE_TEST_SUITE_P(AllPairs, PlanarPairs, testing::ValuesIn(all_pairs()), [](const auto& one) {
  return flat_kinds()[std::get<0>(one.param)] + "_" + flat_kinds()[std::get<1>(one.param)];
});

TEST(Planar, ADiscBeyondTheEndOfACapsuleOnItsLineIsApartFromIt) {
  for (const double far : {0.0, 1e3, -1e6}) {
    const Vec3 there(far, far, 0.0);
    const Capsule rod{0.0625, 0.5, Vec3::UnitX()};
    const auto contacts = find(Disc{0.25}, {there + Vec3(0.75, 0.0, 0.0)}, rod, {there}, 1.0);
    ASSERT_EQ(contacts.size(), 1U);
    EXPECT_NEAR(contacts[0].gap, 0.75 - 0.25 - 0.25 - 0.0625, 1e-9);
    EXPECT_NEAR(contacts[0].normal.x(), 1.0, 1e-9);
  }
}

TEST(Planar, SquaresOnEachOtherHaveTwoPointsThatKeepTheirFeatures) {
  Random random(4);
  const Polygon block = square(0.2);
  for (int trial = 0; trial < 200; ++trial) {
    const Vec3 noise = random_vector(random, 1e-8);
    const Pose pose{Vec3(0.0, 0.2, 0.0) + noise, exponential(noise.z() * Vec3::UnitZ())};
    const auto contacts = find(block, pose, block, {}, 1e-4);
    ASSERT_EQ(contacts.size(), 2U) << trial;
    for (const SurfaceContact& contact : contacts) EXPECT_NEAR(std::abs(contact.point_a.x()), 0.1, 1e-6);
  }
}

}  // namespace
}  // namespace stiction
