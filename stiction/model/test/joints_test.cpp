#include <gtest/gtest.h>

#include <cmath>

#include "stiction/model/test/random_state.h"

namespace stiction {
namespace {

/// Those between two bodies; gears and racks are in gears_test.cpp.
constexpr JointKind all_kinds[] = {JointKind::fixed,     JointKind::revolute,   JointKind::prismatic,
                                   JointKind::spherical, JointKind::distance,   JointKind::universal,
                                   JointKind::planar,    JointKind::cylindrical};
constexpr int full_rows[] = {6, 5, 5, 3, 1, 4, 3, 4};
constexpr int planar_rows[] = {3, 2, 2, 2, 1, 2, 0, 2};
constexpr int kinds = 8;

JointDef random_joint(Random& random, JointKind kind, BodyId a, BodyId b) {
  JointDef joint{.kind = kind, .body = a, .partner = b};
  joint.anchor = random_vector(random, 1.0);
  joint.axis = random_vector(random, 1.0);
  if (kind == JointKind::distance) joint.partner_anchor = random_vector(random, 1.0);
  if (kind == JointKind::universal) joint.partner_axis = joint.axis.unitOrthogonal();
  return joint;
}

enum class Partner { movable, kinematic, fixed, world };

Multibody joined(Random& random, JointKind kind, Partner partner) {
  ModelBuilder builder;
  const BodyId a = builder.add_body(brick(random, "a"));
  BodyId b = world;
  if (partner != Partner::world) {
    BodyDef def = brick(random, "b");
    if (partner == Partner::kinematic) def = kinematic(def, random);
    def.fixed = partner == Partner::fixed;
    b = builder.add_body(def);
  }
  builder.add_joint(random_joint(random, kind, a, b));
  return Multibody(builder.build().value());
}

/// d Theta/dt = nu'v - velocity for whatever motion, which covers the gradient and what kinematic bodies add.
void expect_gradients(const Multibody& system, Random& random) {
  for (int trial = 0; trial < 10; ++trial) {
    const double t = random.uniform(0.0, 2.0);
    const Vector q = random_positions(system, random), v = random_velocities(system, random);
    JointSet joints, moved;
    system.find_joints(t, q, joints);
    for (int row = 0; row < joints.size(); ++row) {
      const double slope = slope_along(system, t, q, v, [&](double time, const Vector& at) {
        system.find_joints(time, at, moved);
        return moved.Theta[row];
      });
      EXPECT_NEAR(joints.nu.dot(row, v) - joints.velocity[row], slope, 1e-8) << "row " << row;
    }
  }
}

TEST(Joints, GradientsAgreeWithDifferences) {
  Random random(1);
  for (const JointKind kind : all_kinds) {
    for (const Partner partner : {Partner::movable, Partner::kinematic, Partner::fixed, Partner::world}) {
      SCOPED_TRACE(static_cast<int>(kind) * 10 + static_cast<int>(partner));
      expect_gradients(joined(random, kind, partner), random);
    }
  }
}

TEST(Joints, GradientsOfEveryMaskAgreeWithDifferences) {
  Random random(2);
  for (int mask = 1; mask < 64; ++mask) {
    SCOPED_TRACE(mask);
    ModelBuilder builder;
    BodyDef def = brick(random, "a");
    def.freedom = {(mask & 1) != 0, (mask & 2) != 0,  (mask & 4) != 0,
                   (mask & 8) != 0, (mask & 16) != 0, (mask & 32) != 0};
    const BodyId a = builder.add_body(def);
    for (const JointKind kind : all_kinds) builder.add_joint(random_joint(random, kind, a, world));
    const Multibody system(builder.build().value());
    JointSet joints;
    system.find_joints(0.0, random_positions(system, random), joints);
    for (int row = 0; row < joints.size(); ++row) EXPECT_FALSE(joints.nu.is_zero(row));
    expect_gradients(system, random);
  }
}

TEST(Joints, StartClosed) {
  Random random(3);
  for (const JointKind kind : all_kinds) {
    const Multibody system = joined(random, kind, Partner::movable);
    JointSet joints;
    system.find_joints(0.0, system.initial_positions(), joints);
    for (const double Theta : joints.Theta) EXPECT_NEAR(Theta, 0.0, 1e-14);
  }
}

linalg::DenseMatrix dense(const JointSet& joints, int velocities) {
  linalg::DenseMatrix nu = linalg::DenseMatrix::Zero(joints.size(), velocities);
  for (int row = 0; row < joints.size(); ++row) {
    for (std::size_t k = 0; k < joints.nu.columns(row).size(); ++k) {
      nu(row, joints.nu.columns(row)[k]) += joints.nu.values(row)[k];
    }
  }
  return nu;
}

TEST(Joints, RowsAreIndependentAndAsManyAsTheKindHas) {
  Random random(4);
  for (int i = 0; i < kinds; ++i) {
    const Multibody system = joined(random, all_kinds[i], Partner::movable);
    JointSet joints;
    system.find_joints(0.0, system.initial_positions(), joints);
    EXPECT_EQ(joints.size(), full_rows[i]);
    EXPECT_EQ(Eigen::FullPivLU<linalg::DenseMatrix>(dense(joints, 12)).rank(), full_rows[i]);
  }
}

/// Planar bodies keep only the rows of the plane, with the world as partner and with each other.
TEST(Joints, PlanarBodiesKeepTheRowsOfThePlane) {
  Random random(5);
  for (int i = 0; i < kinds; ++i) {
    for (const Partner partner : {Partner::movable, Partner::world, Partner::kinematic}) {
      SCOPED_TRACE(i * 10 + static_cast<int>(partner));
      ModelBuilder builder;
      BodyDef def = brick(random, "a");
      def.freedom = Freedom::planar();
      def.orientation = exponential(0.4 * Vec3::UnitZ());
      const BodyId a = builder.add_body(def);
      BodyId b = world;
      if (partner == Partner::movable) {
        def.name = "b";
        def.position.x() += 1.0;
        b = builder.add_body(def);
      } else if (partner == Partner::kinematic) {
        b = builder.add_body({.velocity = {1.0, 2.0, 0.0}, .angular_velocity = {0.0, 0.0, 0.5}, .kinematic = true});
      }
      JointDef joint = random_joint(random, all_kinds[i], a, b);
      joint.axis = all_kinds[i] == JointKind::prismatic ? Vec3(0.6, 0.8, 0.0) : Vec3(0.0, 0.0, 2.0);
      if (joint.partner_axis) joint.partner_axis = Vec3(0.8, -0.6, 0.0);
      builder.add_joint(joint);
      const auto model = builder.build();
      ASSERT_TRUE(model.ok()) << model.error();
      const Multibody system(model.value());
      JointSet joints;
      system.find_joints(0.0, system.initial_positions(), joints);
      EXPECT_EQ(joints.size(), planar_rows[i]);
      EXPECT_EQ(Eigen::FullPivLU<linalg::DenseMatrix>(dense(joints, system.velocities())).rank(), planar_rows[i]);
      expect_gradients(system, random);
    }
  }
}

TEST(Joints, ACartOnALineLosesWhatItCannotViolate) {
  ModelBuilder builder;
  const BodyId cart = builder.add_body({.mass = 1.0, .freedom = Freedom::along_x()});
  builder.add_joint({.kind = JointKind::prismatic, .body = cart, .axis = Vec3::UnitX()});
  builder.add_joint({.kind = JointKind::fixed, .body = cart});
  const Model model = builder.build().value();
  EXPECT_EQ(model.joints()[0].parts.size(), 0U);
  EXPECT_EQ(model.joints()[1].parts.size(), 1U);
}

TEST(Joints, AKinematicPartnerThatCannotBeFollowedIsRefused) {
  ModelBuilder builder;
  BodyDef planar{.name = "slab", .mass = 1.0, .shape = Sphere{0.1}, .freedom = Freedom::planar()};
  const BodyId a = builder.add_body(planar);
  const BodyId lift = builder.add_body({.name = "lift", .velocity = {0.0, 0.0, 1.0}, .kinematic = true});
  builder.add_joint({.name = "hook", .kind = JointKind::spherical, .body = a, .partner = lift});
  const auto model = builder.build();
  ASSERT_FALSE(model.ok());
  EXPECT_NE(model.error().find("joint 'hook': a spherical joint cannot hold"), std::string::npos) << model.error();
  EXPECT_NE(model.error().find("body 'slab'"), std::string::npos);
}

/// The motions a joint is there to allow.
TEST(Joints, AllowedMotionsAreAllowed) {
  Random random(6);
  const Vec3 axis = Vec3(1.0, 2.0, -2.0) / 3.0, anchor(0.3, 0.4, -0.2);
  const auto residual = [&](JointKind kind, const Vec3& turn, const Vec3& shift) {
    ModelBuilder builder;
    BodyDef def = brick(random, "a");
    def.velocity = turn.cross(def.position - anchor) + shift;
    def.angular_velocity = turn;
    const BodyId a = builder.add_body(def);
    JointDef joint{.kind = kind, .body = a, .anchor = anchor, .axis = axis};
    if (kind == JointKind::universal) joint.partner_axis = axis.unitOrthogonal();
    builder.add_joint(joint);
    const Multibody system(builder.build().value());
    JointSet joints;
    system.find_joints(0.0, system.initial_positions(), joints);
    return (dense(joints, 6) * system.initial_velocities()).norm();
  };
  const Vec3 across = axis.unitOrthogonal();
  EXPECT_LE(residual(JointKind::revolute, axis, Vec3::Zero()), 1e-15);
  EXPECT_GE(residual(JointKind::revolute, across, Vec3::Zero()), 0.5);
  EXPECT_GE(residual(JointKind::revolute, axis, axis), 0.5);
  EXPECT_LE(residual(JointKind::prismatic, Vec3::Zero(), axis), 1e-15);
  EXPECT_GE(residual(JointKind::prismatic, Vec3::Zero(), across), 0.5);
  EXPECT_GE(residual(JointKind::prismatic, axis, Vec3::Zero()), 0.5);
  EXPECT_LE(residual(JointKind::spherical, random_vector(random, 1.0), Vec3::Zero()), 1e-15);
  EXPECT_GE(residual(JointKind::spherical, Vec3::Zero(), across), 0.5);
  EXPECT_GE(residual(JointKind::fixed, axis, Vec3::Zero()), 0.5);
  EXPECT_LE(residual(JointKind::cylindrical, axis, 2.0 * axis), 1e-15);
  EXPECT_GE(residual(JointKind::cylindrical, across, Vec3::Zero()), 0.5);
  EXPECT_GE(residual(JointKind::cylindrical, Vec3::Zero(), across), 0.5);
  EXPECT_LE(residual(JointKind::planar, axis, across), 1e-15);
  EXPECT_GE(residual(JointKind::planar, across, Vec3::Zero()), 0.5);
  EXPECT_GE(residual(JointKind::planar, Vec3::Zero(), axis), 0.5);
  EXPECT_LE(residual(JointKind::universal, axis - 2.0 * across, Vec3::Zero()), 1e-15);
  EXPECT_GE(residual(JointKind::universal, axis.cross(across), Vec3::Zero()), 0.5);
  EXPECT_GE(residual(JointKind::universal, Vec3::Zero(), axis), 0.5);
}

TEST(Joints, APrismaticJointMayStartAnywhereOnItsAxis) {
  ModelBuilder builder;
  const BodyId a = builder.add_body({.mass = 1.0, .shape = Sphere{0.1}});
  builder.add_joint(
      {.kind = JointKind::prismatic, .body = a, .partner_anchor = Vec3(0.0, 0.0, 5.0), .axis = {0, 0, 2}});
  const Multibody system(builder.build().value());
  JointSet joints;
  system.find_joints(0.0, system.initial_positions(), joints);
  for (const double Theta : joints.Theta) EXPECT_EQ(Theta, 0.0);
}

TEST(Joints, DistanceIsInMetres) {
  ModelBuilder builder;
  const BodyId a = builder.add_body({.mass = 1.0, .position = {3.0, 4.0, 0.0}, .freedom = Freedom::particle()});
  builder.add_joint({.name = "rod",
                     .kind = JointKind::distance,
                     .body = a,
                     .anchor = {3.0, 4.0, 0.0},
                     .partner_anchor = Vec3::Zero(),
                     .length = 4.5});
  const Multibody system(builder.build().value());
  JointSet joints;
  system.find_joints(0.0, system.initial_positions(), joints);
  ASSERT_EQ(joints.size(), 1);
  EXPECT_DOUBLE_EQ(joints.Theta[0], 0.5);
  EXPECT_DOUBLE_EQ(joints.nu.dot(0, Vec3(1.0, 0.0, 0.0)), 0.6);
  EXPECT_EQ(system.joint_name(0), "rod");
}

TEST(Joints, AUsersConstraintHasItsGradientByDifferences) {
  Random random(7);
  ModelBuilder builder;
  builder.add_body(brick(random, "a"));
  builder.add_body(kinematic(brick(random, "b"), random));
  builder.add_joint({.body = {0}, .anchor = random_vector(random, 1.0)});
  const auto twist = [](const std::vector<Pose>& poses) {
    const Vec3 x = poses[0].to_world({0.1, 0.2, 0.3});
    return std::sin(x.x()) * x.y() + (x - poses[1].to_world({0.5, 0.0, 0.0})).squaredNorm();
  };
  builder.add_constraint({.name = "twist", .value = twist});
  const Multibody system(builder.build().value());
  expect_gradients(system, random);
  JointSet joints;
  system.find_joints(0.0, system.initial_positions(), joints);
  EXPECT_EQ(joints.size(), 6);
  EXPECT_EQ(joints.joint.back(), 1);
  EXPECT_EQ(system.joint_name(1), "twist");
}

TEST(Joints, AUsersGradientIsTaken) {
  ModelBuilder builder;
  builder.add_body({.mass = 1.0, .freedom = Freedom::particle()});
  builder.add_constraint({.value = [](const std::vector<Pose>& poses) { return poses[0].position.z(); },
                          .gradient = [](const std::vector<Pose>&, Vector& g) { g[2] = 7.0; }});
  const Multibody system(builder.build().value());
  JointSet joints;
  system.find_joints(0.0, system.initial_positions(), joints);
  EXPECT_EQ(joints.nu.dot(0, Vec3(1.0, 1.0, 1.0)), 7.0);
}

}  // namespace
}  // namespace stiction
