#include <gtest/gtest.h>

#include "stiction/base/test/allocation_hooks.h"
#include "stiction/model/test/random_state.h"

namespace stiction {
namespace {

/// Balls and rods in a heap on the ground, some joined, with springs.
Multibody heap(Random& random) {
  ModelBuilder builder;
  builder.add_ground(HalfSpace{});
  for (int i = 0; i < 20; ++i) {
    BodyDef body = brick(random, "body" + std::to_string(i));
    body.shape = i % 2 == 0 ? Shape(Sphere{0.2}) : Shape(Capsule{0.1, 0.4});
    const BodyId id = builder.add_body(body);
    if (i % 5 == 1) builder.add_joint({.body = id, .partner = {id.index - 1}, .anchor = body.position});
    builder.add_spring({.body = id, .anchor = body.position, .stiffness = 10.0, .damping = 1.0});
  }
  return Multibody(builder.build().value());
}

TEST(Allocation, ASteadySceneTakesNothingFromTheHeap) {
  if (!AllocationCounter::works()) GTEST_SKIP() << "this build has another malloc";
  Random random(1);
  const Multibody system = heap(random);
  const Vector q = system.initial_positions(), v = random_velocities(system, random);
  GapSet gaps;
  JointSet joints;
  SparseMatrix M, F;
  Vector k, next;
  long taken = 0;
  for (int round = 0; round < 2; ++round) {
    const AllocationCounter counter;
    system.find_gaps(0.0, q, 0.3, gaps);
    system.find_joints(0.0, q, joints);
    system.mass(0.0, q, M);
    system.gyroscopic(q, v, F);
    system.applied_force(0.0, q, v, k);
    system.advance(q, v, 1e-3, next);
    taken = counter.count();
    if (round == 0) {
      EXPECT_GT(taken, 0) << "the first round must take storage, or nothing is counted";
    }
  }
  EXPECT_GT(gaps.size(), 20);
  EXPECT_EQ(taken, 0);
}

}  // namespace
}  // namespace stiction
