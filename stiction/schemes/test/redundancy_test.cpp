#include "stiction/schemes/redundancy.h"

#include <gtest/gtest.h>

#include "stiction/model/model_builder.h"
#include "stiction/model/multibody.h"

namespace stiction {
namespace {

/// How many of the contacts that are closed at the start are redundant.
int count_redundant(const ModelBuilder& builder, std::vector<char>& flags) {
  const Multibody system(builder.build().value());
  const Vector q = system.initial_positions();
  GapSet gaps;
  JointSet joints;
  system.find_gaps(0.0, q, 1e-9, gaps);
  system.find_joints(0.0, q, joints);
  std::vector<RowOf> rows;
  for (int i = 0; i < gaps.size(); ++i) rows.push_back({&gaps.n, i});
  for (int i = 0; i < joints.size(); ++i) rows.push_back({&joints.nu, i});
  SparseMatrix M;
  system.mass(0.0, q, M);
  Redundancy().find(system.body_structure(), M.diagonal(), rows, flags);
  EXPECT_EQ(flags.size(), rows.size());
  int count = 0;
  for (int i = 0; i < gaps.size(); ++i) count += flags[static_cast<std::size_t>(i)];
  return count;
}

ModelBuilder floor() {
  ModelBuilder builder;
  builder.add_ground(HalfSpace{}, {.mu = 0.5});
  return builder;
}

BodyId add_box(ModelBuilder& builder, const Vec3& at, const Vec3& size = {0.2, 0.1, 0.1}) {
  return builder.add_body({.mass = 1.0, .shape = Box{size.x(), size.y(), size.z()}, .position = at});
}

TEST(Redundancy, FourPointsBelowABoxAreOneTooMany) {
  ModelBuilder builder = floor();
  add_box(builder, {0, 0, 0.05});
  std::vector<char> flags;
  EXPECT_EQ(count_redundant(builder, flags), 4);
}

TEST(Redundancy, SpheresAndLogsOnAFloorAreNot) {
  ModelBuilder builder = floor();
  builder.add_body({.mass = 1.0, .shape = Sphere{0.1}, .position = {0, 0, 0.1}});
  builder.add_body({.mass = 1.0, .shape = Sphere{0.1}, .position = {0.2, 0, 0.1}});  // touches the first
  builder.add_body({.mass = 1.0, .shape = Capsule{0.1, 0.4, Vec3::UnitX()}, .position = {0, 1, 0.1}});
  std::vector<char> flags;
  EXPECT_EQ(count_redundant(builder, flags), 0);
  EXPECT_EQ(flags.size(), 5U);
}

// Two normals against each other ask for one motion.
TEST(Redundancy, ABallBetweenTwoPlatesIs) {
  ModelBuilder builder = floor();
  builder.add_body({.shape = HalfSpace{-Vec3::UnitZ(), -0.2}, .fixed = true});
  builder.add_body({.mass = 1.0, .shape = Sphere{0.1}, .position = {0, 0, 0.1}});
  std::vector<char> flags;
  EXPECT_EQ(count_redundant(builder, flags), 2);
}

// A brick on two bricks that hover: eight points on three bodies of which each can be moved in three ways. Faces give
// it away.
TEST(Redundancy, FacesInTheAirAre) {
  ModelBuilder builder;
  for (const Vec3& at : {Vec3(-0.11, 0, 1.05), Vec3(0.11, 0, 1.05), Vec3(0, 0, 1.15)}) add_box(builder, at);
  std::vector<char> flags;
  EXPECT_EQ(count_redundant(builder, flags), 8);
}

// What is redundant in one island says nothing of another.
TEST(Redundancy, IslandsAreJudgedApart) {
  ModelBuilder builder = floor();
  add_box(builder, {0, 0, 0.05});
  builder.add_body({.mass = 1.0, .shape = Sphere{0.1}, .position = {5, 0, 0.1}});
  std::vector<char> flags;
  EXPECT_EQ(count_redundant(builder, flags), 4);
  EXPECT_EQ(flags.size(), 5U);
}

// Balls on a floor, joined so that one row of the joint asks for what the floor does already.
TEST(Redundancy, JointsCountBesideContacts) {
  ModelBuilder builder = floor();
  const BodyId ball = builder.add_body({.mass = 1.0, .shape = Sphere{0.1}, .position = {0, 0, 0.1}});
  std::vector<char> flags;
  EXPECT_EQ(count_redundant(builder, flags), 0);
  builder.add_joint({.kind = JointKind::spherical, .body = ball, .anchor = {0, 0, 0.1}});
  EXPECT_EQ(count_redundant(builder, flags), 1);
}

// Normals a little apart are as good as parallel; a wedge is not.
TEST(Redundancy, NearlyParallelCountsAsParallel) {
  const BodyStructure structure = BodyStructure::one(2);
  linalg::Rows rows;
  const auto add = [&](double x, double y) {
    rows.push(0, x);
    rows.push(1, y);
    rows.end_row();
  };
  add(0.0, 1.0);
  add(0.01, 1.0);
  add(0.5, 1.0);
  const std::vector<RowOf> near{{&rows, 0}, {&rows, 1}}, wedge{{&rows, 0}, {&rows, 2}};
  std::vector<char> flags;
  Redundancy redundancy;
  redundancy.find(structure, Vector::Ones(2), near, flags);
  EXPECT_EQ(flags, (std::vector<char>{1, 1}));
  redundancy.find(structure, Vector::Ones(2), wedge, flags);
  EXPECT_EQ(flags, (std::vector<char>{0, 0}));
}

}  // namespace
}  // namespace stiction
