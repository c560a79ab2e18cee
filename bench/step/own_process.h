#pragma once

#include <functional>

#include "bench/step/measured.h"

namespace stiction::bench {

/// Takes what is known of a run so far.
using Tell = std::function<void(const OwnRun&)>;

/// Runs `work` in a process of its own, which is ended when it has used up the patience; the value is what it told
/// last. In this process where the patience is 0.
[[nodiscard]] OwnRun run_apart(const Limits& limits, const std::function<void(const Tell&)>& work);

}  // namespace stiction::bench
