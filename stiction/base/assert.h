#pragma once

namespace stiction {

/// Prints the broken promise and aborts.
[[noreturn]] void fail_assertion(const char* condition, const char* message, const char* file, int line);

}  // namespace stiction

/// A programmer's mistake, never a user's: checked in every build, since a wrong answer costs more than the check.
#define STICTION_ASSERT(condition, message) \
  ((condition) ? static_cast<void>(0) : ::stiction::fail_assertion(#condition, message, __FILE__, __LINE__))
