#include "stiction/model/joint_structure.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <tuple>

#include "stiction/model/pair_row.h"
#include "stiction/model/test/random_state.h"

namespace stiction {
namespace {

/// Along one of the axes half of the time, so that special directions meet often.
Vec3 often_special(Random& random) {
  return random.integer(0, 1) == 0 ? Vec3(Vec3::Unit(random.integer(0, 2))) : random_vector(random, 1.0).normalized();
}

ConstraintPart random_part(Random& random) {
  const Vec3 a = random.integer(0, 3) == 0 ? Vec3(Vec3::Zero()) : often_special(random), b = often_special(random);
  switch (random.integer(0, 4)) {
    case 0:
      return PointPart{a, b, random.integer(0, 2)};
    case 1:
      return PlanePart{a, b, often_special(random)};
    case 2:
      return PerpendicularPart{often_special(random), b};
    case 3:
      return EdgePart{a, often_special(random)};
    default:
      return DistancePart{a, b, 1.0};
  }
}

BodyDef random_body(Random& random, const std::string& name) {
  BodyDef body = brick(random, name);
  if (random.integer(0, 1) == 0)
    body.orientation = exponential(0.5 * std::numbers::pi * Vec3::Unit(random.integer(0, 2)));
  const int rotation = random.integer(0, 3);
  body.freedom = {random.integer(0, 1) == 0,
                  random.integer(0, 1) == 0,
                  random.integer(0, 3) == 0,
                  rotation == 0,
                  rotation == 1,
                  rotation == 2};
  if (!body.freedom.x && !body.freedom.y && !body.freedom.z && rotation == 3) body.freedom.x = true;
  return body;
}

const Pose origin;

/// What is said to change a part must change it somewhere, and what is said not to must never.
TEST(JointStructure, SaysWhatGradientsDoEverywhere) {
  Random random(1);
  int kept = 0, dropped = 0;
  for (int trial = 0; trial < 3000; ++trial) {
    ModelBuilder builder;
    builder.add_body(random_body(random, "a"));
    builder.add_body(random_body(random, "b"));
    const Multibody system(builder.build().value());
    const Body &a = system.model().bodies()[0], &b = system.model().bodies()[1];
    const ConstraintPart part = random_part(random);
    double largest = 0.0;
    for (int sample = 0; sample < 5; ++sample) {
      const Vector q = random_positions(system, random), v = random_velocities(system, random);
      const Pose pose_a = system.pose({0}, 0.0, q), pose_b = system.pose({1}, 0.0, q);
      PairRow row;
      std::ignore = evaluate(part, {{&a, pose_a}, {&b, pose_b}, {nullptr, origin}}, row);
      linalg::Rows rows;
      row.append_to(rows);
      largest = std::max(largest, std::abs(rows.dot(0, v)));
    }
    const bool changes = structure_of(part, {&a, &b}).free_motion;
    EXPECT_EQ(changes, largest > 1e-9) << "trial " << trial << ", part " << part.index() << ", " << largest;
    (changes ? kept : dropped) += 1;
  }
  EXPECT_GT(kept, 500);
  EXPECT_GT(dropped, 150);
}

/// A wheel, a ball or a disc, on the ground, with whatever freedom.
TEST(JointStructure, SaysWhatRollingDoesEverywhere) {
  Random random(2);
  int kept = 0, dropped = 0;
  for (int trial = 0; trial < 3000; ++trial) {
    ModelBuilder builder;
    builder.add_body(random_body(random, "a"));
    const Multibody system(builder.build().value());
    const Body& a = system.model().bodies()[0];
    const Vec3 normal = often_special(random);
    RollingGeometry rolling{.normal_b = normal, .radius = 0.5};
    if (random.integer(0, 1) == 0) rolling.axis_a = a.pose.orientation.conjugate() * normal.unitOrthogonal();
    const bool touches = random.integer(0, 1) == 0;
    const ConstraintPart part = touches ? ConstraintPart(TouchPart{rolling})
                                        : ConstraintPart(SlipPart{rolling, normal.cross(often_special(random))});
    if (!touches && std::get<SlipPart>(part).direction_b.norm() < 0.1) continue;
    double largest = 0.0;
    for (int sample = 0; sample < 5; ++sample) {
      const Vector q = random_positions(system, random), v = random_velocities(system, random);
      const Pose pose = system.pose({0}, 0.0, q);
      PairRow row;
      std::ignore = evaluate(part, {{&a, pose}, {nullptr, origin}, {nullptr, origin}}, row);
      linalg::Rows rows;
      row.append_to(rows);
      largest = std::max(largest, std::abs(rows.dot(0, v)));
    }
    const bool changes = structure_of(part, {&a}).free_motion;
    EXPECT_EQ(changes, largest > 1e-9) << "trial " << trial << ", part " << part.index() << ", " << largest;
    (changes ? kept : dropped) += 1;
  }
  EXPECT_GT(kept, 500);
  EXPECT_GT(dropped, 150);
}

TEST(JointStructure, FixedBodiesChangeNothingAndKinematicOnesOnlyAsTheyMove) {
  Body still{.name = "still", .motion = Motion::fixed}, moving{.name = "moving", .motion = Motion::kinematic};
  moving.velocity = {1.0, 0.0, 0.0};
  const PartStructure x = structure_of(PointPart{.axis = 0}, {&moving, &still});
  EXPECT_FALSE(x.free_motion);
  EXPECT_TRUE(x.kinematic_motion);
  EXPECT_FALSE(structure_of(PointPart{.axis = 1}, {&moving}).kinematic_motion);
}

}  // namespace
}  // namespace stiction
