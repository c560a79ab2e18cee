#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "stiction/lcp/solver.h"

namespace stiction::lcp {

/// The names of all methods, the sure one first. `make_solver` also takes "auto", the cascade of them (`Cascade`).
[[nodiscard]] std::span<const std::string_view> solver_names();

/// A solver with its default options; null where no solver has that name.
[[nodiscard]] std::unique_ptr<Solver> make_solver(std::string_view name);

}  // namespace stiction::lcp
