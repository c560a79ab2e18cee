#include "stiction/model/joint_gaps.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "stiction/model/test/random_state.h"

namespace stiction {
namespace {

enum class Partner { movable, kinematic, world };

JointDef limited(Random& random, JointKind kind) {
  JointDef joint{.kind = kind, .body = {}, .anchor = random_vector(random, 1.0)};
  joint.axis = random_vector(random, 1.0);
  CoordinateDef both{.limits = {{-0.4, 2.5}}, .restitution = 0.5};
  both.one_way = true;
  if (has_slide(kind)) joint.slide = both;
  if (has_turn(kind)) joint.turn = both;
  if (kind == JointKind::rope) {
    joint.partner_anchor = random_vector(random, 1.0);
    joint.length = 4.0;
    joint.restitution = 0.5;
  }
  return joint;
}

Multibody joined(Random& random, JointDef joint, Partner partner) {
  ModelBuilder builder;
  joint.body = builder.add_body(brick(random, "a"));
  if (partner != Partner::world) {
    BodyDef def = brick(random, "b");
    if (partner == Partner::kinematic) def = kinematic(def, random);
    joint.partner = builder.add_body(def);
  }
  builder.add_joint(joint);
  return Multibody(builder.build().value());
}

constexpr double far = 100.0;

/// d Phi/dt = n'v + normal_speed for whatever motion; of a hinge where it is not tilted too far to have an angle.
TEST(JointGaps, GradientsAgreeWithDifferences) {
  Random random(1);
  int compared = 0;
  for (const JointKind kind : {JointKind::revolute, JointKind::prismatic, JointKind::cylindrical, JointKind::rope}) {
    for (const Partner partner : {Partner::movable, Partner::kinematic, Partner::world}) {
      const Multibody system = joined(random, limited(random, kind), partner);
      for (int trial = 0; trial < 10; ++trial) {
        const double t = random.uniform(0.0, 1.0);
        const Vector v = random_velocities(system, random);
        Vector q;
        system.advance(system.initial_positions(), random_velocities(system, random), 0.6, q);
        GapSet gaps, moved;
        system.find_gaps(t, q, far, gaps);
        for (int j = 0; j < gaps.size(); ++j) {
          if (gaps.contacts[j].pfaffian) continue;
          const double slope = slope_along(system, t, q, v, [&](double time, const Vector& at) {
            system.find_gaps(time, at, far, moved);
            return moved.contacts[j].Phi;
          });
          EXPECT_NEAR(gaps.n.dot(j, v) + gaps.normal_speed[j], slope, 1e-6) << static_cast<int>(kind);
          ++compared;
        }
      }
    }
  }
  EXPECT_GT(compared, 250);
}

TEST(JointGaps, StartAtTheirLimitsDistances) {
  Random random(2);
  const Multibody system = joined(random, limited(random, JointKind::cylindrical), Partner::movable);
  GapSet gaps;
  system.find_gaps(0.0, system.initial_positions(), far, gaps);
  ASSERT_EQ(gaps.size(), 6);
  const double expected[] = {0.4, 2.5, 0.0, 0.4, 2.5, 0.0};
  for (int j = 0; j < 6; ++j) {
    EXPECT_NEAR(gaps.contacts[j].Phi, expected[j], 1e-14);
    EXPECT_EQ(gaps.contacts[j].pfaffian, j % 3 == 2);
    EXPECT_EQ(gaps.contacts[j].tangents, 0);
    EXPECT_EQ(gaps.contacts[j].restitution, j % 3 == 2 ? 0.0 : 0.5);
    EXPECT_EQ(system.joint_of_gap(gaps.contacts[j].id), 0);
    if (j > 0) {
      EXPECT_GT(gaps.contacts[j].id, gaps.contacts[j - 1].id);
    }
  }
  EXPECT_EQ(system.contact_name(gaps.contacts[0].id), "joint 'joint0' lower limit");
  EXPECT_EQ(system.contact_name(gaps.contacts[4].id), "joint 'joint0' upper limit");
  EXPECT_EQ(system.contact_name(gaps.contacts[5].id), "joint 'joint0' ratchet");
}

TEST(JointGaps, ComeAfterContactsAndGapsOfTheUser) {
  ModelBuilder builder;
  builder.add_ground(HalfSpace{});
  const BodyId ball = builder.add_body({.name = "ball", .mass = 1.0, .shape = Sphere{0.1}, .position = {0, 0, 0.1}});
  builder.add_gap(
      {.name = "wall", .value = [](const std::vector<Pose>& poses) { return 1.0 + poses[1].position.x(); }});
  builder.add_joint({.name = "string",
                     .kind = JointKind::rope,
                     .body = ball,
                     .anchor = {0, 0, 0.1},
                     .partner_anchor = Vec3(0.0, 0.0, 2.0),
                     .length = 3.0});
  const Multibody system(builder.build().value());
  GapSet gaps;
  system.find_gaps(0.0, system.initial_positions(), far, gaps);
  ASSERT_EQ(gaps.size(), 3);
  EXPECT_EQ(system.contact_name(gaps.contacts[0].id), "ball - ground");
  EXPECT_EQ(system.contact_name(gaps.contacts[1].id), "wall");
  EXPECT_EQ(system.contact_name(gaps.contacts[2].id), "joint 'string' taut");
  EXPECT_EQ(system.joint_of_gap(gaps.contacts[0].id), -1);
  EXPECT_EQ(system.joint_of_gap(gaps.contacts[1].id), -1);
  EXPECT_EQ(system.joint_of_gap(gaps.contacts[2].id), 0);
  EXPECT_NEAR(gaps.contacts[2].Phi, 3.0 - 1.9, 1e-15);
}

/// A range of 4.5 rad: inside it both gaps are right all the way, and the jump is in the middle of what is forbidden.
TEST(JointGaps, AnglesAreTakenNearestToTheMiddleOfTheRange) {
  ModelBuilder builder;
  const BodyId wheel = builder.add_body({.mass = 1.0, .shape = Sphere{0.1}});
  JointDef joint{.kind = JointKind::revolute, .body = wheel};
  joint.turn.limits = {{-0.5, 4.0}};
  builder.add_joint(joint);
  const Multibody system(builder.build().value());
  const double left_over = 2.0 * std::numbers::pi - 4.5;
  for (double angle = -0.5 - 0.49 * left_over; angle < 4.0 + 0.49 * left_over; angle += 0.01) {
    Vector v = Vector::Zero(6), q;
    v[5] = angle;
    system.advance(system.initial_positions(), v, 1.0, q);
    GapSet gaps;
    system.find_gaps(0.0, q, far, gaps);
    ASSERT_EQ(gaps.size(), 2);
    EXPECT_NEAR(gaps.contacts[0].Phi, angle + 0.5, 1e-13);
    EXPECT_NEAR(gaps.contacts[1].Phi, 4.0 - angle, 1e-13);
  }
}

TEST(JointGaps, AOneWayEdgeIsAGapWithoutAPosition) {
  ModelBuilder builder;
  const BodyId sleigh = builder.add_body({.mass = 1.0, .shape = Sphere{0.1}, .freedom = Freedom::planar()});
  builder.add_joint({.kind = JointKind::knife_edge,
                     .body = sleigh,
                     .anchor = {1.0, 0.0, 0.0},
                     .axis = {0.0, 2.0, 0.0},
                     .one_way = true});
  const Multibody system(builder.build().value());
  JointSet joints;
  system.find_joints(0.0, system.initial_positions(), joints);
  EXPECT_EQ(joints.size(), 0);
  GapSet gaps;
  system.find_gaps(0.0, system.initial_positions(), 0.0, gaps);
  ASSERT_EQ(gaps.size(), 1);
  EXPECT_TRUE(gaps.contacts[0].pfaffian);
  EXPECT_EQ(gaps.contacts[0].Phi, 0.0);
  EXPECT_NEAR(gaps.n.dot(0, Vec3(5.0, 2.0, 3.0)), 2.0 + 3.0, 1e-15);
}

}  // namespace
}  // namespace stiction
