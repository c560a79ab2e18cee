#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace stiction {

/// Text that came from outside, fit for a message: control characters become '?', and what is longer than `limit` bytes
/// is cut (never inside a UTF-8 character) and ends in "...".
[[nodiscard]] std::string one_line(std::string_view text, std::size_t limit = 200);

/// The smallest number of insertions, deletions, substitutions and swaps of neighbours that turn one word into the
/// other, ignoring the case of ASCII letters.
[[nodiscard]] std::size_t edit_distance(std::string_view a, std::string_view b);

/// The word of `known` that is nearest to `word`, for "did you mean". Empty where none is within `max_distance`, or
/// only by rewriting every letter.
[[nodiscard]] std::string_view closest_word(std::string_view word, std::span<const std::string_view> known,
                                            std::size_t max_distance);

}  // namespace stiction
