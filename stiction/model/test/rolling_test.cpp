#include <gtest/gtest.h>

#include <cmath>

#include "stiction/model/test/random_state.h"

namespace stiction {
namespace {

enum class Partner { movable, kinematic, world };

Multibody rolling(Random& random, JointKind kind, Partner partner) {
  ModelBuilder builder;
  JointDef joint{.kind = kind, .body = builder.add_body(brick(random, "a"))};
  joint.anchor = random_vector(random, 1.0);
  joint.axis = random_vector(random, 1.0);
  joint.normal = random_vector(random, 1.0);
  joint.radius = 0.7;
  if (partner != Partner::world) {
    BodyDef def = brick(random, "b");
    if (partner == Partner::kinematic) def = kinematic(def, random);
    joint.partner = builder.add_body(def);
  }
  builder.add_joint(joint);
  return Multibody(builder.build().value());
}

/// Velocity at a point in the world of the body there, from the body's own velocities.
Vec3 velocity_at(const Multibody& system, int body, const Vec3& point, double t, const Vector& q, const Vector& v) {
  const Vec3 arm = point - system.pose({body}, t, q).position;
  return system.velocity({body}, t, q, v) + system.angular_velocity({body}, t, q, v).cross(arm);
}

/// The first row is the gradient of the height; the other two are the slip of the material point at the lowest point,
/// which is found here by looking along the rim.
TEST(Rolling, RowsAreTheHeightsGradientAndTheSlip) {
  Random random(1);
  for (const JointKind kind : {JointKind::rolling_ball, JointKind::rolling_disc}) {
    for (const Partner partner : {Partner::movable, Partner::kinematic, Partner::world}) {
      const Multibody system = rolling(random, kind, partner);
      const Joint& joint = system.model().joints()[0];
      ASSERT_EQ(joint.parts.size(), 3U);
      const RollingGeometry& geometry = std::get<TouchPart>(joint.parts[0]).rolling;
      for (int trial = 0; trial < 10; ++trial) {
        const double t = random.uniform(0.0, 1.0);
        const Vector v = random_velocities(system, random);
        Vector q;
        system.advance(system.initial_positions(), random_velocities(system, random), 0.3, q);
        JointSet joints, moved;
        system.find_joints(t, q, joints);
        ASSERT_EQ(joints.size(), 3);
        const double slope = slope_along(system, t, q, v, [&](double time, const Vector& at) {
          system.find_joints(time, at, moved);
          return moved.Theta[0];
        });
        EXPECT_NEAR(joints.nu.dot(0, v) - joints.velocity[0], slope, 1e-7);
        const Pose a = system.pose({joint.body}, t, q), b = system.pose({joint.partner}, t, q);
        const Vec3 point = rolling_point(geometry, a, b), normal = b.orientation * geometry.normal_b;
        const Vec3 slip =
            velocity_at(system, joint.body, point, t, q, v) - velocity_at(system, joint.partner, point, t, q, v);
        for (int row : {1, 2}) {
          const Vec3 direction = b.orientation * std::get<SlipPart>(joint.parts[row]).direction_b;
          EXPECT_NEAR(direction.dot(normal), 0.0, 1e-14);
          EXPECT_NEAR(joints.nu.dot(row, v) - joints.velocity[row], direction.dot(slip), 1e-13);
          EXPECT_EQ(joints.Theta[row], 0.0);
          EXPECT_TRUE(joints.is_pfaffian(row));
        }
        EXPECT_FALSE(joints.is_pfaffian(0));
      }
    }
  }
}

TEST(Rolling, TheTouchingPointIsTheLowestOfTheDisc) {
  Random random(2);
  for (int trial = 0; trial < 100; ++trial) {
    const RollingGeometry disc{.centre_a = random_vector(random, 1.0),
                               .axis_a = random_vector(random, 1.0).normalized(),
                               .normal_b = random_vector(random, 1.0).normalized(),
                               .radius = 0.3};
    const Pose a{random_vector(random, 1.0), random_orientation(random)};
    const Pose b{random_vector(random, 1.0), random_orientation(random)};
    const Vec3 axis = a.orientation * disc.axis_a, normal = b.orientation * disc.normal_b;
    const Vec3 centre = a.to_world(disc.centre_a), point = rolling_point(disc, a, b);
    EXPECT_NEAR((point - centre).norm(), 0.3, 1e-14);
    EXPECT_NEAR((point - centre).dot(axis), 0.0, 1e-14);
    const Vec3 x = axis.unitOrthogonal(), y = axis.cross(x);
    for (int i = 0; i < 64; ++i) {
      const Vec3 rim = centre + 0.3 * (std::cos(0.1 * i) * x + std::sin(0.1 * i) * y);
      EXPECT_GE(normal.dot(rim - point), -1e-14);
    }
  }
}

/// A wheel in the plane keeps its height and one direction of slip.
TEST(Rolling, APlanarWheelHasTwoRows) {
  ModelBuilder builder;
  const BodyId wheel = builder.add_body({.mass = 1.0, .shape = Sphere{0.5}, .freedom = Freedom::planar()});
  JointDef joint{.kind = JointKind::rolling_disc, .body = wheel};
  joint.normal = Vec3::UnitY();
  joint.radius = 0.5;
  builder.add_joint(joint);
  const Multibody system(builder.build().value());
  JointSet joints;
  system.find_joints(0.0, system.initial_positions(), joints);
  ASSERT_EQ(joints.size(), 2);
  EXPECT_NEAR(joints.nu.dot(0, Vec3(5.0, 2.0, 7.0)), 2.0, 1e-15);
  EXPECT_NEAR(std::abs(joints.nu.dot(1, Vec3(1.0, 0.0, 0.0))), 1.0, 1e-15);
  EXPECT_NEAR(joints.nu.dot(1, Vec3(-0.5, 0.0, 1.0)), 0.0, 1e-15) << "rolls to -x when it turns to the left";
}

TEST(KnifeEdge, DoesNotMoveAcross) {
  Random random(3);
  ModelBuilder builder;
  const BodyId a = builder.add_body(brick(random, "a"));
  const BodyId b = builder.add_body(kinematic(brick(random, "b"), random));
  const Vec3 anchor = random_vector(random, 1.0), axis = random_vector(random, 1.0).normalized();
  builder.add_joint({.kind = JointKind::knife_edge, .body = a, .partner = b, .anchor = anchor, .axis = axis});
  const Multibody system(builder.build().value());
  const Pose start = system.model().body(a).pose;
  for (int trial = 0; trial < 10; ++trial) {
    const double t = random.uniform(0.0, 1.0);
    const Vector q = random_positions(system, random), v = random_velocities(system, random);
    JointSet joints;
    system.find_joints(t, q, joints);
    ASSERT_EQ(joints.size(), 1);
    EXPECT_TRUE(joints.is_pfaffian(0));
    const Pose now = system.pose(a, t, q);
    const Vec3 point = now.to_world(start.to_local(anchor));
    const Vec3 direction = now.orientation * (start.orientation.conjugate() * axis);
    const Vec3 slip = velocity_at(system, a.index, point, t, q, v) - velocity_at(system, b.index, point, t, q, v);
    EXPECT_NEAR(joints.nu.dot(0, v) - joints.velocity[0], direction.dot(slip), 1e-13);
  }
}

}  // namespace
}  // namespace stiction
