#pragma once

namespace stiction {

/// Counts what this thread takes from the heap, by malloc (Eigen's way) or operator new, while it lives. One source
/// file of the test program includes allocation_hooks.h.
class AllocationCounter {
 public:
  AllocationCounter();
  [[nodiscard]] long count() const;

  /// False under sanitizers, which bring their own malloc, and where the C library is not glibc: skip the test then.
  [[nodiscard]] static bool works();

 private:
  long start_;
};

}  // namespace stiction
