#include "stiction/model/body_structure.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "stiction/model/test/random_state.h"

namespace stiction {
namespace {

constexpr double no_margin = std::numeric_limits<double>::infinity();

/// Whether a row touches no velocity but those of its bodies.
bool is_within(const linalg::Rows& rows, int row, const BodyPair& pair, const BodyStructure& structure) {
  const auto is_of = [&](int column, int body) {
    return body >= 0 && column >= structure.starts[body] && column < structure.starts[body + 1];
  };
  for (const int column : rows.columns(row)) {
    const auto after = std::upper_bound(structure.starts.begin(), structure.starts.end(), column);
    const int body = static_cast<int>(after - structure.starts.begin()) - 1;
    const bool in_compound = pair.several && structure.compound[body] == structure.compound[pair.a];
    if (!is_of(column, pair.a) && !is_of(column, pair.b) && !in_compound) return false;
  }
  return true;
}

void expect_rows_within(const Multibody& system, double t, const Vector& q) {
  const BodyStructure structure = system.body_structure();
  GapSet gaps;
  JointSet joints;
  DriveSet drives;
  system.find_gaps(t, q, no_margin, gaps);
  system.find_all_joints(t, q, joints);
  system.find_drives(t, q, 1.0, drives);
  for (int j = 0; j < gaps.size(); ++j)
    for (const linalg::Rows* rows : {&gaps.n, &gaps.t1, &gaps.t2, &gaps.spin, &gaps.roll1, &gaps.roll2})
      EXPECT_TRUE(is_within(*rows, j, gaps.contacts[j].bodies, structure)) << system.contact_name(gaps.contacts[j].id);
  ASSERT_EQ(static_cast<int>(joints.bodies.size()), joints.size());
  for (int i = 0; i < joints.size(); ++i) EXPECT_TRUE(is_within(joints.nu, i, joints.bodies_of(i), structure)) << i;
  for (int i = 0; i < drives.size(); ++i) EXPECT_TRUE(is_within(drives.r, i, drives.drives[i].bodies, structure)) << i;
  for (int i = 0; i < drives.ball_rows.size(); ++i)
    EXPECT_TRUE(is_within(drives.ball_rows, i, drives.balls[i / 3].bodies, structure)) << i;
}

TEST(BodyStructure, BodiesThatNoForceMovesHaveNoPlace) {
  Random random(1);
  ModelBuilder builder;
  builder.add_ground(HalfSpace{});
  builder.add_body({.mass = 1.0, .shape = Sphere{0.1}, .freedom = Freedom::particle()});
  builder.add_body(kinematic(brick(random, "paddle"), random));
  builder.add_body(brick(random, "brick"));
  const Multibody system(builder.build().value());
  const BodyStructure structure = system.body_structure();
  EXPECT_EQ(places_of(system.model()), (std::vector<int>{-1, 0, -1, 1}));
  EXPECT_EQ(structure.starts, (std::vector<int>{0, 3, 9}));
  EXPECT_EQ(structure.compound, (std::vector<int>{0, 1}));
  EXPECT_FALSE(structure.planar);
  EXPECT_EQ(structure.velocities(), system.velocities());
}

TEST(BodyStructure, ContactsNameTheirBodiesWhateverTheirGradients) {
  ModelBuilder builder;
  builder.add_ground(HalfSpace{});
  // The ball rests straight above the other: its normal has but one number for each.
  builder.add_body({.name = "low", .mass = 1.0, .shape = Sphere{0.5}, .position = {0, 0, 0.5}});
  builder.add_body({.name = "high", .mass = 1.0, .shape = Sphere{0.5}, .position = {0, 0, 1.5}});
  const Multibody system(builder.build().value());
  GapSet gaps;
  system.find_gaps(0.0, system.initial_positions(), 0.01, gaps);
  ASSERT_EQ(gaps.size(), 2);
  const auto has = [&](const BodyPair& pair) {
    return std::any_of(gaps.contacts.begin(), gaps.contacts.end(), [&](const auto& c) { return c.bodies == pair; });
  };
  EXPECT_TRUE(has({0, -1}));
  EXPECT_TRUE(has({0, 1}));
  expect_rows_within(system, 0.0, system.initial_positions());
}

TEST(BodyStructure, JointsDrivesAndSpringsNameTheirBodies) {
  Random random(2);
  ModelBuilder builder;
  const BodyId a = builder.add_body(brick(random, "a")), b = builder.add_body(brick(random, "b"));
  const BodyId c = builder.add_body(kinematic(brick(random, "c"), random));
  JointDef hinge{.kind = JointKind::revolute, .body = b, .partner = a};
  hinge.turn.friction = 1.0;
  hinge.turn.limits = {{-1.0, 1.0}};
  builder.add_joint(hinge);
  builder.add_joint({.kind = JointKind::spherical, .body = c, .partner = a, .friction = 1.0});
  builder.add_spring({.body = b, .partner = a, .partner_anchor = {1, 0, 0}, .stiffness = 1e6});
  builder.add_spring({.body = a, .partner = c, .partner_anchor = {2, 0, 0}, .stiffness = 1e6});
  const Multibody system(builder.build().value());
  const Vector q = system.initial_positions();
  JointSet joints;
  DriveSet drives;
  GapSet gaps;
  system.find_joints(0.0, q, joints);
  system.find_drives(0.0, q, 1.0, drives);
  system.find_gaps(0.0, q, no_margin, gaps);
  EXPECT_EQ(joints.bodies_of(0), (BodyPair{1, 0}));
  EXPECT_EQ(joints.bodies_of(joints.size() - 1), (BodyPair{-1, 0}));
  EXPECT_EQ(drives.drives.front().bodies, (BodyPair{1, 0}));
  EXPECT_EQ(drives.drives.back().bodies, (BodyPair{0, -1}));
  EXPECT_EQ(drives.balls.front().bodies, (BodyPair{-1, 0}));
  ASSERT_EQ(gaps.size(), 2);
  EXPECT_EQ(gaps.contacts[0].bodies, (BodyPair{1, 0}));
  EXPECT_EQ(system.body_structure().springs, (std::vector<std::pair<int, int>>{{0, 1}}));
  for (int trial = 0; trial < 10; ++trial) expect_rows_within(system, 0.3, random_positions(system, random));
}

TEST(BodyStructure, ACarrierThatMovesTiesThreeBodiesTogether) {
  Random random(3);
  for (const bool moves : {true, false}) {
    ModelBuilder builder;
    builder.add_body(brick(random, "alone"));
    const BodyId a = builder.add_body(brick(random, "a")), b = builder.add_body(brick(random, "b"));
    const BodyDef arm = brick(random, "arm");
    const BodyId carrier = builder.add_body(moves ? arm : kinematic(arm, random));
    builder.add_joint({.kind = JointKind::rack,
                       .body = a,
                       .partner = b,
                       .partner_axis = Vec3::UnitX(),
                       .carrier = carrier,
                       .radius = 0.7});
    const Multibody system(builder.build().value());
    JointSet joints;
    system.find_joints(0.0, system.initial_positions(), joints);
    ASSERT_EQ(joints.size(), 1);
    EXPECT_EQ(joints.bodies_of(0), (moves ? BodyPair{3, -1, true} : BodyPair{1, 2}));
    const std::vector<int> apart{0, 1, 2}, together{0, 1, 1, 1};
    EXPECT_EQ(system.body_structure().compound, moves ? together : apart);
    expect_rows_within(system, 0.1, random_positions(system, random));
  }
}

TEST(BodyStructure, AUsersFunctionTiesAllTogether) {
  Random random(4);
  ModelBuilder builder;
  for (const char* name : {"a", "b", "c"}) builder.add_body(brick(random, name));
  builder.add_constraint(
      {.value = [](const std::vector<Pose>& at) { return at[0].position.x() - at[2].position.x(); }});
  builder.add_gap({.value = [](const std::vector<Pose>& at) { return at[1].position.z(); }});
  const Multibody system(builder.build().value());
  EXPECT_EQ(system.body_structure().compound, (std::vector<int>{0, 0, 0}));
  expect_rows_within(system, 0.0, random_positions(system, random));
}

TEST(BodyStructure, BodiesInThePlaneSayIt) {
  ModelBuilder builder;
  builder.add_body({.mass = 1.0, .shape = Disc{0.1}, .freedom = Freedom::planar()});
  EXPECT_TRUE(Multibody(builder.build().value()).body_structure().planar);
  builder.add_body({.mass = 1.0, .shape = Sphere{0.1}});
  EXPECT_FALSE(Multibody(builder.build().value()).body_structure().planar);
}

}  // namespace
}  // namespace stiction
