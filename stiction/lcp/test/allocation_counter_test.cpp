#include "stiction/lcp/test/allocation_counter.h"

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <cstdlib>
#include <memory>
#include <vector>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define STICTION_OWN_MALLOC 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define STICTION_OWN_MALLOC 0
#endif
#endif
#if !defined(STICTION_OWN_MALLOC)
#if defined(__GLIBC__)
#define STICTION_OWN_MALLOC 1
#else
#define STICTION_OWN_MALLOC 0
#endif
#endif

namespace {
thread_local long allocations = 0;
}  // namespace

#if STICTION_OWN_MALLOC
// The program's malloc comes before the C library's; libstdc++'s operator new calls it, so one place counts all.
extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* block, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);

void* malloc(std::size_t size) {
  ++allocations;
  return __libc_malloc(size);
}
void* calloc(std::size_t count, std::size_t size) {
  ++allocations;
  return __libc_calloc(count, size);
}
void* realloc(void* block, std::size_t size) {
  ++allocations;
  return __libc_realloc(block, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  ++allocations;
  return __libc_memalign(alignment, size);
}
}
#endif

namespace stiction::lcp {

AllocationCounter::AllocationCounter() : start_(allocations) {}
long AllocationCounter::count() const {
  return allocations - start_;
}
bool AllocationCounter::works() {
  return STICTION_OWN_MALLOC != 0;
}

namespace {

TEST(AllocationCounter, SeesEveryWayToTheHeap) {
  if (!AllocationCounter::works()) GTEST_SKIP() << "this build has another malloc";
  const AllocationCounter counter;
  EXPECT_EQ(counter.count(), 0);
  const auto number = std::make_unique<double>(1.0);
  EXPECT_EQ(counter.count(), 1);
  const Eigen::VectorXd vector = Eigen::VectorXd::Ones(100);
  EXPECT_EQ(counter.count(), 2);
  std::vector<int> list(10);
  EXPECT_EQ(counter.count(), 3);
  list.assign(5, 1);
  EXPECT_EQ(counter.count(), 3);
  list.assign(50, 1);
  EXPECT_EQ(counter.count(), 4);
  EXPECT_EQ(*number + vector[0] + list[0], 3.0);
}

}  // namespace
}  // namespace stiction::lcp
