#pragma once

#include <functional>

namespace stiction {

/// Calls task(0), task(1), ... task(count - 1), each once, side by side on `threads` threads (0: one a core), and
/// returns when all are done. They are begun in that order, so the longest should come first. A task writes only what
/// is its own and must not throw: then what comes out does not depend on the number of threads.
void run_tasks(int count, int threads, const std::function<void(int)>& task);

}  // namespace stiction
