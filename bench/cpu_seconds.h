#pragma once

#include <ctime>

namespace stiction::bench {

/// Time that this thread has had a processor, which others on the machine do not lengthen as they do the wall's.
[[nodiscard]] inline double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace stiction::bench
