#pragma once

#include <array>
#include <span>
#include <string_view>

namespace stiction::lcp {

/// A key of the problem file and what must follow it, in words for a message.
struct KnownKey {
  std::string_view name, expectation;
};

inline constexpr std::array<KnownKey, 1> document_keys{{{"problems", "an array of problems"}}};
inline constexpr std::array<KnownKey, 10> problem_keys{{
    {"name", "a string"},
    {"M", "an array of rows, or {\"rows\", \"cols\", \"triplets\"}"},
    {"q", "an array of numbers"},
    {"lower", "an array of numbers (null for no bound)"},
    {"upper", "an array of numbers (null for no bound)"},
    {"free", "an array of indices"},
    {"expect", "\"solved\", \"infeasible\", \"ray\", \"iteration_limit\" or \"invalid\""},
    {"source", "a string"},
    {"must", "a string"},
    {"basic_solutions", "an array of arrays of numbers"},
}};
inline constexpr std::array<KnownKey, 3> sparse_keys{{
    {"rows", "the number of rows"},
    {"cols", "the number of columns"},
    {"triplets", "an array of [row, column, value]"},
}};

/// Null where `name` is none of the keys.
[[nodiscard]] const KnownKey* find_key(std::span<const KnownKey> keys, std::string_view name);

/// The known key that an unknown one was surely meant to be: it differs in case alone, or by one slip in four letters
/// or more. Empty where there is none.
[[nodiscard]] std::string_view misspelt_key(std::span<const KnownKey> keys, std::string_view name);

}  // namespace stiction::lcp
