#pragma once

#include <span>
#include <string>

#include "stiction/record/plot.h"
#include "stiction/study/study_table.h"

namespace stiction {

/// Errors of position and velocity against h on logarithmic axes, one line each a scheme, beside lines of order 1
/// and 2.
[[nodiscard]] Plot plot_study(const std::string& title, std::span<const StudyTable> tables);

}  // namespace stiction
