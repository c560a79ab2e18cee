#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "stiction/cone/solver.h"

namespace stiction::cone {

/// The names of all solvers; "auto", the cascade of the others, comes first.
[[nodiscard]] std::span<const std::string_view> solver_names();

/// A solver with its default options; null where no solver has that name.
[[nodiscard]] std::unique_ptr<Solver> make_solver(std::string_view name);

}  // namespace stiction::cone
