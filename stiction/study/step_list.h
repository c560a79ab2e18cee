#pragma once

#include <string_view>
#include <vector>

#include "stiction/base/result.h"

namespace stiction {

inline constexpr int most_study_steps = 40;

/// A step length in words: "0.01", "1e-3", or a power with a whole exponent, "2^-5".
[[nodiscard]] Result<double> parse_step(std::string_view text);

/// Step lengths, separated by commas: steps as above, and "2^-5..2^-11" for all the powers between the two. From the
/// largest to the smallest, whatever their order; one given twice is an error.
[[nodiscard]] Result<std::vector<double>> parse_steps(std::string_view text);

/// The whole number of steps of h from 0 to the end, or an error that says which neighbours of h would divide it.
[[nodiscard]] Result<long> count_steps(double h, double end);

}  // namespace stiction
