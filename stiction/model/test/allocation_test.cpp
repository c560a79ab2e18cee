#include <gtest/gtest.h>

#include <cstdlib>

#include "stiction/model/test/random_state.h"

#if defined(__has_feature)
#define STICTION_HAS_FEATURE(x) __has_feature(x)
#else
#define STICTION_HAS_FEATURE(x) 0
#endif
// Sanitizers bring their own malloc; other C libraries have no name for theirs.
#if !defined(__GLIBC__) || defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || \
    STICTION_HAS_FEATURE(address_sanitizer) || STICTION_HAS_FEATURE(thread_sanitizer)
#define STICTION_COUNTS_ALLOCATIONS 0
#else
#define STICTION_COUNTS_ALLOCATIONS 1
#endif

namespace {
thread_local long allocations = 0;
}  // namespace

#if STICTION_COUNTS_ALLOCATIONS
// operator new and Eigen both end here.
extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_realloc(void* block, std::size_t size);
void* malloc(std::size_t size) {
  ++allocations;
  return __libc_malloc(size);
}
void* realloc(void* block, std::size_t size) {
  ++allocations;
  return __libc_realloc(block, size);
}
}
#endif

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
  if (STICTION_COUNTS_ALLOCATIONS == 0) GTEST_SKIP() << "this build has another malloc";
  Random random(1);
  const Multibody system = heap(random);
  const Vector q = system.initial_positions(), v = random_velocities(system, random);
  GapSet gaps;
  JointSet joints;
  SparseMatrix M, F;
  Vector k, next;
  long before = 0;
  for (int round = 0; round < 2; ++round) {
    before = allocations;
    system.find_gaps(0.0, q, 0.3, gaps);
    system.find_joints(0.0, q, joints);
    system.mass(0.0, q, M);
    system.gyroscopic(q, v, F);
    system.applied_force(0.0, q, v, k);
    system.advance(q, v, 1e-3, next);
    if (round == 0) {
      EXPECT_GT(allocations, before) << "the first round must take storage, or nothing is counted";
    }
  }
  EXPECT_GT(gaps.size(), 20);
  EXPECT_EQ(allocations, before);
}

}  // namespace
}  // namespace stiction
