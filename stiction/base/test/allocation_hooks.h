#pragma once

// The definitions behind AllocationCounter: they replace the program's malloc, so one source file of a test program
// includes this.

#include <cstdlib>

#include "stiction/base/test/allocation_counter.h"

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

namespace stiction {
thread_local long allocations = 0;
}  // namespace stiction

#if STICTION_OWN_MALLOC
// The program's malloc comes before the C library's; libstdc++'s operator new calls it, so one place counts all.
extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* block, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);

void* malloc(std::size_t size) {
  ++stiction::allocations;
  return __libc_malloc(size);
}
void* calloc(std::size_t count, std::size_t size) {
  ++stiction::allocations;
  return __libc_calloc(count, size);
}
void* realloc(void* block, std::size_t size) {
  ++stiction::allocations;
  return __libc_realloc(block, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  ++stiction::allocations;
  return __libc_memalign(alignment, size);
}
}
#endif

namespace stiction {

AllocationCounter::AllocationCounter() : start_(allocations) {}
long AllocationCounter::count() const {
  return allocations - start_;
}
bool AllocationCounter::works() {
  return STICTION_OWN_MALLOC != 0;
}

}  // namespace stiction
