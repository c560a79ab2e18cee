#include "stiction/base/assert.h"

#include <cstdio>
#include <cstdlib>

namespace stiction {

void fail_assertion(const char* condition, const char* message, const char* file, int line) {
  std::fprintf(stderr, "stiction: %s:%d: assertion failed: %s (%s)\n", file, line, message, condition);
  std::abort();
}

}  // namespace stiction
