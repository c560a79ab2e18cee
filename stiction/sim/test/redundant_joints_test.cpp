// Random mechanisms, trees and loops, with and without redundant copies of their joints: the motion is the same.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "stiction/base/random.h"
#include "stiction/sim/simulator.h"

namespace stiction {
namespace {

Vec3 random_vector(Random& random) {
  const double x = random.uniform(-1.0, 1.0);
  const double y = random.uniform(-1.0, 1.0);
  const double z = random.uniform(-1.0, 1.0);
  return {x, y, z};
}

struct Mechanism {
  std::vector<BodyDef> bodies;
  std::vector<JointDef> joints, copies;
};

JointDef random_joint(Random& random, BodyId body, BodyId partner, const Vec3& anchor) {
  constexpr JointKind kinds[] = {JointKind::revolute, JointKind::spherical, JointKind::prismatic,
                                 JointKind::distance, JointKind::universal, JointKind::cylindrical,
                                 JointKind::planar,   JointKind::fixed};
  JointDef joint{.kind = kinds[random.integer(0, 7)], .body = body, .partner = partner, .anchor = anchor};
  joint.axis = random_vector(random);
  if (joint.kind == JointKind::distance) joint.partner_anchor = anchor + random_vector(random);
  if (joint.kind == JointKind::universal) joint.partner_axis = joint.axis.unitOrthogonal();
  return joint;
}

/// The same joint once more; a hinge and a slider elsewhere on their axes.
JointDef copy_of(Random& random, JointDef joint) {
  const bool has_line = joint.kind == JointKind::revolute || joint.kind == JointKind::cylindrical;
  if (has_line) joint.anchor += random.uniform(-1.0, 1.0) * joint.axis;
  return joint;
}

/// One to twenty joints: a tree from the world outwards, and now and then a joint more, which closes a loop.
Mechanism random_mechanism(Random& random) {
  Mechanism made;
  const int count = random.integer(1, 20);
  while (static_cast<int>(made.joints.size()) < count) {
    const int bodies = static_cast<int>(made.bodies.size());
    const bool closes = bodies > 2 && random.integer(0, 4) == 0;
    if (closes) {
      const BodyId body{random.integer(1, bodies - 1)};
      const BodyId partner{random.integer(0, body.index) - 1};
      JointDef loop{.kind = JointKind::distance, .body = body, .partner = partner};
      loop.anchor = made.bodies[body.index].position + 0.3 * random_vector(random);
      loop.partner_anchor = Vec3(loop.anchor + random_vector(random));
      made.joints.push_back(loop);
      continue;
    }
    BodyDef body{.mass = random.uniform(0.5, 2.0)};
    body.inertia = Vec3(0.3, 0.4, 0.5).asDiagonal();
    const BodyId partner{random.integer(0, bodies) - 1};
    const Vec3 from = partner == world ? Vec3(Vec3::Zero()) : made.bodies[partner.index].position;
    body.position = from + random_vector(random);
    made.bodies.push_back(body);
    made.joints.push_back(random_joint(random, {bodies}, partner, from + 0.5 * random_vector(random)));
  }
  for (const JointDef& joint : made.joints)
    if (random.integer(0, 1) == 0) made.copies.push_back(copy_of(random, joint));
  if (made.copies.empty()) made.copies.push_back(made.joints[0]);
  return made;
}

Model build(const Mechanism& mechanism, bool with_copies) {
  ModelBuilder builder;
  for (const BodyDef& body : mechanism.bodies) builder.add_body(body);
  for (const JointDef& joint : mechanism.joints) builder.add_joint(joint);
  if (with_copies)
    for (const JointDef& joint : mechanism.copies) builder.add_joint(joint);
  return builder.build().value();
}

// Where an answer does not certify at once, joints are made a little soft (contact/polyhedral_solver.h); that settles
// all but a few mechanisms near a singular position, whose motion then differs by what certifies.
TEST(RedundantJoints, DoNotChangeTheMotionOnThePositionLevel) {
  Random random(1);
  constexpr int trials = 60;
  int copies = 0, same = 0;
  for (int trial = 0; trial < trials; ++trial) {
    const Mechanism mechanism = random_mechanism(random);
    const SimulationOptions options{.h = 0.002, .end = 0.04, .scheme = preset(Scheme::stewart_trinkle)};
    Simulator plain(build(mechanism, false), options), redundant(build(mechanism, true), options);
    const auto steps = plain.run_until(options.end), again = redundant.run_until(options.end);
    ASSERT_TRUE(steps.ok()) << "trial " << trial << ": " << steps.error();
    ASSERT_TRUE(again.ok()) << "trial " << trial << ": " << again.error();
    EXPECT_LE(redundant.certificate().max_joint_error, 1e-7) << "trial " << trial;
    const double apart = (plain.state().q - redundant.state().q).lpNorm<Eigen::Infinity>();
    EXPECT_LE(apart, 1e-5) << "trial " << trial;
    same += apart <= 1e-9 ? 1 : 0;
    copies += static_cast<int>(mechanism.copies.size());
  }
  EXPECT_GT(copies, 2 * trials);
  EXPECT_GE(same, 57);
}

}  // namespace
}  // namespace stiction
