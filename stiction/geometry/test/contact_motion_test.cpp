#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "stiction/geometry/contact_points.h"
#include "stiction/geometry/test/random_poses.h"

/// What must hold for every pair of shapes in every position.
namespace stiction {
namespace {

constexpr double no_margin = std::numeric_limits<double>::infinity();

struct PairOfShapes {
  const char* name;
  Shape a, b;
};

const PairOfShapes all_pairs[] = {
    {"sphere, sphere", Sphere{0.3}, Sphere{0.5}},
    {"point, sphere", Sphere{0.0}, Sphere{0.5}},
    {"sphere, half-space", Sphere{0.3}, HalfSpace{{0.6, 0.0, 0.8}, 0.2}},
    {"capsule, half-space", Capsule{0.1, 0.8, Vec3::UnitX()}, HalfSpace{{0.0, 0.6, 0.8}, -0.1}},
    {"segment, half-space", Capsule{0.0, 0.8, Vec3::UnitX()}, HalfSpace{}},
    {"box, half-space", Box{0.4, 0.6, 1.0}, HalfSpace{}},
    {"sphere, capsule", Sphere{0.3}, Capsule{0.1, 0.8, Vec3::UnitY()}},
    {"capsule, capsule", Capsule{0.2, 0.8, Vec3::UnitX()}, Capsule{0.1, 1.2, Vec3::UnitY()}},
    {"segment, capsule", Capsule{0.0, 0.8, Vec3::UnitX()}, Capsule{0.1, 1.2, Vec3::UnitY()}},
    {"sphere, box", Sphere{0.3}, Box{0.4, 0.6, 1.0}},
    {"point, box", Sphere{0.0}, Box{0.4, 0.6, 1.0}},
};

/// A body in motion: velocities in the world's frame.
struct Mover {
  Pose pose;
  Vec3 velocity, angular_velocity;

  [[nodiscard]] Pose after(double time) const {
    return {pose.position + time * velocity, exponential(time * angular_velocity) * pose.orientation};
  }
  [[nodiscard]] Vec3 velocity_at(const Vec3& x) const { return velocity + angular_velocity.cross(x - pose.position); }
};

Mover random_mover(Random& random) {
  const Pose pose = random_pose(random, 0.8);
  const Vec3 velocity = random_vector(random, 1.0);
  return {pose, velocity, random_vector(random, 1.0)};
}

std::vector<SurfaceContact> find(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b) {
  std::vector<SurfaceContact> contacts;
  find_contact_points(a, pose_a, b, pose_b, no_margin, contacts);
  return contacts;
}

const SurfaceContact* with_feature(const std::vector<SurfaceContact>& contacts, int feature) {
  for (const SurfaceContact& contact : contacts) {
    if (contact.feature == feature) return &contact;
  }
  return nullptr;
}

TEST(ContactMotion, PointsNormalAndGapBelongTogether) {
  Random random(1);
  for (const auto& [name, a, b] : all_pairs) {
    SCOPED_TRACE(name);
    for (int trial = 0; trial < 200; ++trial) {
      const Pose pose_a = random_pose(random, 0.8), pose_b = random_pose(random, 0.8);
      const auto contacts = find(a, pose_a, b, pose_b);
      ASSERT_FALSE(contacts.empty());
      int last = -1;
      for (const SurfaceContact& contact : contacts) {
        EXPECT_NEAR(contact.normal.norm(), 1.0, 1e-14);
        EXPECT_NEAR(contact.normal.dot(contact.point_a - contact.point_b), contact.gap, 1e-14);
        EXPECT_LE((contact.point_a - contact.point_b - contact.gap * contact.normal).norm(), 1e-14);
        EXPECT_GT(contact.feature, last);
        last = contact.feature;
      }
    }
  }
}

TEST(ContactMotion, SwappingTheShapesTurnsTheNormal) {
  Random random(2);
  for (const auto& [name, a, b] : all_pairs) {
    SCOPED_TRACE(name);
    if (a.index() == b.index() && std::holds_alternative<Capsule>(a)) continue;  // features differ
    for (int trial = 0; trial < 50; ++trial) {
      const Pose pose_a = random_pose(random, 0.8), pose_b = random_pose(random, 0.8);
      const auto there = find(a, pose_a, b, pose_b), back = find(b, pose_b, a, pose_a);
      ASSERT_EQ(there.size(), back.size());
      for (std::size_t i = 0; i < there.size(); ++i) {
        EXPECT_EQ(there[i].gap, back[i].gap);
        EXPECT_EQ(there[i].normal, Vec3(-back[i].normal));
        EXPECT_EQ(there[i].point_a, back[i].point_b);
        EXPECT_EQ(there[i].feature, back[i].feature);
      }
    }
  }
}

/// d gap/dt = normal . (velocity of a at point_a - velocity of b at point_b), by fourth-order differences. Where the
/// nearest features change within the step there is no derivative; such trials are few.
TEST(ContactMotion, GapChangesByTheRelativeVelocityAtThePoints) {
  constexpr double step = 1e-3;
  Random random(3);
  for (const auto& [name, a, b] : all_pairs) {
    SCOPED_TRACE(name);
    int compared = 0, kinks = 0;
    for (int trial = 0; trial < 200; ++trial) {
      const Mover mover_a = random_mover(random), mover_b = random_mover(random);
      for (const SurfaceContact& contact : find(a, mover_a.pose, b, mover_b.pose)) {
        double gaps[5] = {};
        bool there = true;
        for (int i = -2; i <= 2; ++i) {
          const auto near = find(a, mover_a.after(i * step), b, mover_b.after(i * step));
          const SurfaceContact* same = with_feature(near, contact.feature);
          there = there && same != nullptr;
          if (same != nullptr) gaps[i + 2] = same->gap;
        }
        if (!there) continue;
        const double slope = (8.0 * (gaps[3] - gaps[1]) - (gaps[4] - gaps[0])) / (12.0 * step);
        const double speed =
            contact.normal.dot(mover_a.velocity_at(contact.point_a) - mover_b.velocity_at(contact.point_b));
        ++compared;
        if (std::abs(slope - speed) > 1e-8) ++kinks;
      }
    }
    EXPECT_GE(compared, 190);
    EXPECT_LE(kinks, std::holds_alternative<HalfSpace>(b) ? 0 : compared / 20);
  }
}

/// A slow twin: the distance of a point of one segment from the other is a convex function of where the point is, so
/// thirds find the smallest.
double slow_distance(const Vec3& a0, const Vec3& a1, const Vec3& b0, const Vec3& b1) {
  const auto distance = [&](double s) {
    const Vec3 x = a0 + s * (a1 - a0), along = b1 - b0;
    return (x - b0 - std::clamp(along.dot(x - b0) / along.squaredNorm(), 0.0, 1.0) * along).norm();
  };
  double low = 0.0, high = 1.0;
  for (int round = 0; round < 100; ++round) {
    const double left = low + (high - low) / 3.0, right = high - (high - low) / 3.0;
    (distance(left) < distance(right) ? high : low) = distance(left) < distance(right) ? right : left;
  }
  return std::min({distance(0.0), distance(1.0), distance(low)});
}

TEST(ContactMotion, CapsulesAgreeWithASearch) {
  Random random(4);
  for (int trial = 0; trial < 100; ++trial) {
    const Capsule a{0.2, random.uniform(0.1, 2.0), random_direction(random)};
    // Every third pair nearly parallel.
    const Vec3 tilt = random_vector(random, std::pow(10.0, -random.uniform(2.0, 12.0)));
    const Vec3 axis = trial % 3 == 0 ? Vec3((a.axis + tilt).normalized()) : random_direction(random);
    const Capsule b{0.1, random.uniform(0.1, 2.0), axis};
    const Vec3 at_a = random_vector(random, 1.0), at_b = random_vector(random, 1.0);
    double gap = no_margin;
    for (const SurfaceContact& contact : find(a, {at_a}, b, {at_b})) gap = std::min(gap, contact.gap);
    const Vec3 half_a = 0.5 * a.length * a.axis, half_b = 0.5 * b.length * b.axis;
    const double slow = slow_distance(at_a - half_a, at_a + half_a, at_b - half_b, at_b + half_b) - 0.3;
    EXPECT_NEAR(gap, slow, 1e-9);
  }
}

/// Two capsules lying along each other keep both ends in contact while one turns a little.
TEST(ContactMotion, NearlyParallelCapsulesKeepTheirEnds) {
  const Capsule rod{0.1, 1.0, Vec3::UnitX()};
  for (const double angle : {0.0, 1e-12, 1e-8, 1e-5, 1e-3, 0.05}) {
    const Pose turned{Vec3(0.1, 0.0, 0.2), exponential(angle * Vec3::UnitY())};
    const auto contacts = find(rod, turned, rod, {});
    EXPECT_NE(with_feature(contacts, 1), nullptr) << angle;
    EXPECT_NE(with_feature(contacts, 4), nullptr) << angle;
  }
}

}  // namespace
}  // namespace stiction
